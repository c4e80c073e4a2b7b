// SPDX-License-Identifier: Apache-2.0

// `lbm bench`: measured speeds of this machine beside predicted ones.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cases/case/scalars.hpp"
#include "cases/cli/bench/bench.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20, gibibyte = std::uint64_t{1} << 30;

std::optional<std::uint64_t> bytes_option(const Options& options, const char* name) {
  const std::string text = options.text(name);
  if (text.empty()) return std::nullopt;
  if (const auto bytes = parse_bytes(text)) return bytes;
  throw UsageError(
      fmt::format("--{}: found {}, must be a size, as 8 GB or 512 MiB", name, one_line(text)));
}

std::vector<BenchGroup> groups_option(const Options& options, BackendKind backend) {
  if (!options.has("only")) return default_groups(backend);
  const std::vector<std::string> names = options.all("only");
  std::vector<BenchGroup> groups;
  for (const BenchGroup group : bench_groups) {
    if (std::count(names.begin(), names.end(), to_string(group)) > 0) groups.push_back(group);
  }
  return groups;
}

// A case with the same devices and memory, so that they are checked as for `lbm run`.
Case device_case(const Options& options) {
  Case bench;
  bench.file = "--device";
  const std::string name = options.has("backend") ? options.text("backend") : "auto";
  const bool cuda = name == "cuda" || (name == "auto" && cuda_device_count() > 0);
  bench.device.backend = cuda ? BackendKind::cuda : BackendKind::cpu;
  bench.device.index = options.whole("device", 0);
  bench.device.memory = bytes_option(options, "device-memory");
  return bench;
}

BenchLimits make_limits(const Options& options, const Case& bench, const Backend& backend) {
  const int steps = options.whole("steps", 0);  // 0: limited by time
  if (steps < 0) throw UsageError(fmt::format("--steps: found {}, must be at least 1", steps));
  BenchLimits limits;
  limits.backend = backend.kind();
  limits.threads = backend.threads();
  limits.integrated = backend.facts().integrated;
  const bool cpu = backend.kind() == BackendKind::cpu;
  if (!cpu) limits.steps_in_one_pass = [&](const Lattice& l) { return backend.steps_per_pass(l); };
  limits.quick = options.has("quick");
  if (steps > 0) limits.steps = steps;
  limits.groups = groups_option(options, backend.kind());
  // The rest is left to the program and other processes.
  limits.host_bytes = bytes_option(options, "memory").value_or(host_memory_available() / 5 * 4);
  limits.device_bytes = device_budget(bench, backend);
  if (!cpu && !limits.integrated) return limits;
  // Host memory is split into the device's part and a smaller one for out-of-core lattices, which
  // are rare there.
  const bool out_of_core = limits.wants(BenchGroup::out_of_core) ||
                           limits.wants(BenchGroup::halo) || limits.wants(BenchGroup::size);
  limits.device_bytes =
      std::min(limits.device_bytes, limits.host_bytes / 8 * (out_of_core ? 4 : 6));
  limits.host_bytes -= limits.device_bytes;
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

// All ways of copies within the limits; with --quick only copies of the largest size.
void measure_links(Backend& backend, BenchSession& session, std::FILE* log) {
  // Planes of 166 x 166, 525 x 525 and 1050 x 1050 cells with populations in fp32.
  constexpr std::array<std::size_t, 3> sizes{2 * mebibyte, 20 * mebibyte, 80 * mebibyte};
  constexpr std::size_t bytes = 4 * sizes.back();  // each way
  const BenchLimits& limits = session.limits;
  if (!limits.wants(BenchGroup::link)) return;
  const auto measured = std::span(sizes).last(limits.quick ? 1 : sizes.size());
  const bool enough = limits.host_bytes >= 2 * bytes && limits.device_bytes >= 4 * bytes;
  for (const LinkPath& path :
       link_paths(backend.facts(), numa_nodes(SystemFiles::here()), measured)) {
    if (StopSignals::received() != 0) return;
    session.links.push_back({path, enough ? measure_link(backend, path, bytes) : LinkSpeed{}});
    write_text(log, bench_link_text(session.links.back()));
    flush(log);
  }
}

// A machine on which nothing fits is an error. Otherwise the bytes of the largest host lattice.
std::uint64_t largest_lattice(const std::vector<BenchCase>& cases) {
  std::uint64_t bytes = 0;
  bool any = cases.empty();
  for (const BenchCase& bench : cases) {
    any = any || bench.fits();
    if (bench.fits()) bytes = std::max(bytes, bench.lattice_bytes);
  }
  if (any) return bytes;
  throw ResourceError(
      fmt::format("nothing to measure fits: {} {}; raise --memory or --device-memory",
                  cases.front().name, cases.front().skipped));
}

}  // namespace

int bench_command(const Options& options) {
  const std::string file = options.text("json");
  const bool to_stdout = file == "-", to_file = options.has("json") && !to_stdout;
  if (to_file) io::check_output_file("--json", file, options.has("overwrite"));
  std::FILE* log = to_stdout ? stderr : stdout;
  const StopSignals signals;
  const Case bench_case = device_case(options);
  const auto backend = make_backend(bench_case);
  BenchSession session;
  session.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  session.device = backend->device_name();
  session.facts = backend->facts();
  session.limits = make_limits(options, bench_case, *backend);
  print_to(log, "device: {}, {} may be used\nhost: {} may be used\n\n", session.device,
           human_bytes(session.limits.device_bytes), human_bytes(session.limits.host_bytes));
  flush(log);
  session.speeds = measure(*backend, session.limits);
  for (const io::Json& row : copy_rows(session)) write_text(log, bench_text("copy", row));
  flush(log);
  measure_links(*backend, session, log);

  const auto cases = bench_cases(session.limits, session.speeds);
  const auto stop = [] { return StopSignals::received() != 0; };
  BenchRunner runner(*backend, session.speeds, largest_lattice(cases), stop);
  // The file is complete JSON after every measurement.
  const auto write = [&](const std::string& stopped) {
    std::string text = io::json_text(bench_json(session, runner.rows(), stopped));
    if (to_file) io::write_file_atomically(file, text);
    return text;
  };
  std::optional<BenchGroup> group;
  for (const BenchCase& bench : cases) {
    if (stop()) break;
    if (group != bench.group)
      write_text(log, bench_text("group", {{"group", to_string(bench.group)}}));
    group = bench.group;
    runner.measure(bench);
    if (stop()) break;
    write_text(log, bench_row_text(runner.rows().back()));
    flush(log);
    write("under way");
  }
  const int signal = StopSignals::received();
  if (const auto loss = loss_out_of_core(runner.rows()))
    write_text(log, bench_text("loss", {{"loss_out_of_core", *loss}}));
  const std::string text = write(signal == 0 ? "" : "interrupted by " + signal_name(signal));
  if (to_stdout) print_to(stdout, "{}", text);
  if (signal == 0) return exit_ok;
  print_to(stderr, "lbm: stopped after {} of {} measurements\n", runner.rows().size(),
           cases.size());
  return 128 + signal;
}

}  // namespace lbm::cases
