// SPDX-License-Identifier: Apache-2.0

// `lbm bench`: measured speeds of this machine beside predicted ones.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cases/case/scalars.hpp"
#include "cases/cli/bench/bench_cases.hpp"
#include "cases/cli/bench/bench_command.hpp"
#include "cases/cli/bench/bench_report.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/output_file.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/files/atomic_file.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/human_bytes.hpp"
#include "solver/core/signal_name.hpp"

namespace lbm::cases {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::optional<std::uint64_t> bytes_option(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto bytes = parse_bytes(text);
  if (bytes) return bytes;
  throw UsageError(
      fmt::format("{}: found {}, must be a size, as 8 GB or 512 MiB", option, one_line(text)));
}

BackendKind backend_option(const std::string& name) {
  if (name == "cpu") return BackendKind::cpu;
  if (name == "cuda") return BackendKind::cuda;
  if (name == "auto") return cuda_device_count() > 0 ? BackendKind::cuda : BackendKind::cpu;
  throw UsageError(fmt::format("--backend: found {}, must be cpu, cuda or auto", one_line(name)));
}

std::vector<BenchGroup> groups_option(const std::vector<std::string>& names, BackendKind backend) {
  if (names.empty()) return default_groups(backend);
  std::vector<BenchGroup> groups;
  for (const std::string& name : names) {
    const auto found = std::find_if(bench_groups.begin(), bench_groups.end(),
                                    [&](BenchGroup group) { return name == to_string(group); });
    if (found == bench_groups.end()) {
      throw UsageError(fmt::format(
          "--only: found {}, must be of copy, link, in_core, threads, out_of_core, halo, size",
          one_line(name)));
    }
    groups.push_back(*found);
  }
  return groups;
}

// A case with the same devices and memory, so that they are checked as for `lbm run`.
Case device_case(const BenchOptions& options) {
  Case bench;
  bench.file = "--device";
  bench.device.backend = backend_option(options.backend);
  bench.device.index = options.device;
  bench.device.memory = bytes_option("--device-memory", options.device_memory);
  return bench;
}

// On the CPU backend and an integrated GPU, host memory is split into the device's part and a
// smaller one for out-of-core lattices, which are rare there.
void divide_host_memory(BenchLimits& limits) {
  if (limits.backend != BackendKind::cpu && !limits.integrated) return;
  const bool out_of_core = limits.wants(BenchGroup::out_of_core) ||
                           limits.wants(BenchGroup::halo) || limits.wants(BenchGroup::size);
  const std::uint64_t device = limits.host_bytes / 8 * (out_of_core ? 4 : 6);
  limits.device_bytes = std::min(limits.device_bytes, device);
  limits.host_bytes -= limits.device_bytes;
}

BenchLimits make_limits(const BenchOptions& options, const Case& bench, const Backend& backend) {
  if (options.steps < 0) {
    throw UsageError(fmt::format("--steps: found {}, must be at least 1", options.steps));
  }
  BenchLimits limits;
  limits.backend = backend.kind();
  limits.threads = backend.threads();
  limits.integrated = backend.facts().integrated;
  if (backend.kind() == BackendKind::cuda) {
    limits.steps_in_one_pass = [&backend](const Lattice& lattice) {
      return backend.steps_per_pass(lattice);
    };
  }
  limits.quick = options.quick;
  if (options.steps > 0) limits.steps = options.steps;
  limits.groups = groups_option(options.only, backend.kind());
  // The rest is left to the program and other processes.
  limits.host_bytes =
      bytes_option("--memory", options.memory).value_or(host_memory_available() / 5 * 4);
  limits.device_bytes = device_budget(bench, backend);
  divide_host_memory(limits);
  return limits;
}

// Measuring takes half a GiB on the host, and as much again for a device in host memory.
DeviceSpeeds measure(Backend& backend, const BenchLimits& limits) {
  const bool enough = limits.host_bytes >= gibibyte / 2 && limits.device_bytes >= 2 * gibibyte;
  if (enough) return measure_and_keep(backend, limits.device_bytes);
  DeviceSpeeds none;
  none.device = backend.device_name();
  none.queues_overlap = backend.kind() == BackendKind::cuda;
  return none;
}

// A machine on which nothing fits is an error.
void check_any(const std::vector<BenchCase>& cases) {
  const auto fits = [](const BenchCase& bench) { return bench.skipped.empty(); };
  if (cases.empty() || std::any_of(cases.begin(), cases.end(), fits)) return;
  throw ResourceError(
      fmt::format("nothing to measure fits: {} {}; raise --memory or --device-memory",
                  cases.front().name, cases.front().skipped));
}

std::uint64_t largest_lattice(const std::vector<BenchCase>& cases) {
  std::uint64_t bytes = 0;
  for (const BenchCase& bench : cases) {
    if (bench.skipped.empty()) bytes = std::max(bytes, bench.lattice_bytes);
  }
  return bytes;
}

// The results file, which is complete JSON after every measurement.
class Results {
 public:
  explicit Results(const BenchOptions& options) : options_(options) {
    if (options.json_given && !to_stdout()) {
      check_output_file("--json", options.json, options.overwrite);
    }
  }

  bool to_stdout() const { return options_.json_given && options_.json == "-"; }

  void write(const BenchSession& session, const std::vector<BenchRow>& rows,
             const std::string& stopped, bool last) const {
    if (!options_.json_given || (to_stdout() && !last)) return;
    const std::string text = io::json_text(bench_json(session, rows, stopped));
    if (to_stdout()) {
      print_to(stdout, "{}", text);
    } else {
      io::write_file_atomically(options_.json, text);
    }
  }

 private:
  const BenchOptions& options_;
};

std::string stopped_by(int signal) {
  return signal == 0 ? "" : "interrupted by " + signal_name(signal);
}

void print_start(std::FILE* log, const BenchSession& session) {
  print_to(log, "device: {}, {} may be used\n", session.device,
           human_bytes(session.limits.device_bytes));
  print_to(log, "host: {} may be used\n\n", human_bytes(session.limits.host_bytes));
  flush(log);
}

}  // namespace

int bench_command(const BenchOptions& options) {
  const Results results(options);
  std::FILE* log = results.to_stdout() ? stderr : stdout;
  const StopSignals signals;
  const Case bench_case = device_case(options);
  const auto backend = make_backend(bench_case);
  BenchSession session;
  session.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  session.device = backend->device_name();
  session.facts = backend->facts();
  session.limits = make_limits(options, bench_case, *backend);
  print_start(log, session);
  session.speeds = measure(*backend, session.limits);
  print_to(log, "{}", bench_speeds_text(session));
  flush(log);
  const auto stop = [] { return StopSignals::received() != 0; };
  const auto print_link = [&](const BenchLink& link) {
    print_to(log, "{}", bench_link_text(link));
    flush(log);
  };
  session.links = measure_links(*backend, session.limits, print_link, stop);

  const auto cases = bench_cases(session.limits, session.speeds);
  check_any(cases);
  BenchRunner runner(*backend, session.speeds, largest_lattice(cases), stop);
  std::optional<BenchGroup> group;
  for (const BenchCase& bench : cases) {
    if (stop()) break;
    if (group != bench.group) print_to(log, "{}", bench_group_text(bench.group));
    group = bench.group;
    runner.measure(bench);
    if (stop()) break;
    print_to(log, "{}", bench_row_text(runner.rows().back()));
    flush(log);
    results.write(session, runner.rows(), "under way", false);
  }
  const int signal = StopSignals::received();
  print_to(log, "{}", bench_loss_text(runner.rows()));
  results.write(session, runner.rows(), stopped_by(signal), true);
  if (signal == 0) return exit_ok;
  print_to(stderr, "lbm: stopped after {} of {} measurements\n", runner.rows().size(),
           cases.size());
  return 128 + signal;
}

}  // namespace lbm::cases
