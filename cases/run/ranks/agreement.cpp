// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/agreement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <tuple>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "io/files/checksum.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t longest_value = 200;  // in messages

// The first rank whose value is not that of rank 0; 0: all values are equal.
template <class Value>
std::size_t first_other(const std::vector<Value>& values) {
  const auto other = std::find_if(values.begin(), values.end(),
                                  [&](const Value& value) { return value != values.front(); });
  return other == values.end() ? 0 : static_cast<std::size_t>(other - values.begin());
}

// The keys on which ranks must agree, one a line.
std::string keys_of(const Case& lbm_case) {
  std::string text;
  for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
    if (path.starts_with("device.") || path.starts_with("host.") || path.ends_with(".file")) return;
    const std::string value = key.write(lbm_case, item);
    if (!value.empty()) text += path + ": " + value + "\n";
  });
  return text;
}

constexpr int least_planes = 2;
// Where devices differ: no visit has more planes than the thinnest slab, and visits of few planes
// are slow everywhere.
constexpr int least_planes_of_slow = 8;
constexpr double most_speed = 2e9;  // MB/s, for share_planes()

// Cores that a process may use; 0: unknown.
int cores_of(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(process, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

// The fewest planes that the slowest device gets.
int least_of_uneven(const Case& lbm_case, int processes) {
  tiling::ScheduleOptions asked;
  asked.scheme = lbm_case.tiling.scheme.value_or(tiling::Scheme::wavefront);
  asked.steps_per_visit = lbm_case.tiling.steps_per_visit.value_or(1);
  asked.planes_per_visit = lbm_case.tiling.planes_per_visit.value_or(1);
  const int wanted = std::max(least_planes_of_slow, tiling::least_slab_planes(asked));
  return std::min(wanted, lbm_case.grid.cells[2] / processes);
}

// The smallest is the most modest schedule.
auto modesty(const tiling::ScheduleOptions& options) {
  return std::tuple(options.scheme == tiling::Scheme::in_core, options.steps_per_visit,
                    options.planes_per_visit);
}

}  // namespace

void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work) {
  std::optional<Error> error;
  try {
    work();
  } catch (const std::exception& caught) {
    error = as_error(caught);
  }
  const auto codes = ranks.allgather(error ? error->exit_code() : exit_ok);
  const auto failed =
      std::find_if(codes.begin(), codes.end(), [](ExitCode code) { return code != exit_ok; });
  if (failed == codes.end()) return;
  const auto texts = ranks.allgather(std::string(error ? error->what() : ""));
  const auto r = static_cast<std::size_t>(failed - codes.begin());
  throw SharedError(*failed, (r == 0 ? "" : fmt::format("process {}: ", r)) + texts[r]);
}

void agree_on_program(const std::string& program, tiling::Ranks& ranks) {
  const auto programs = ranks.allgather(program);
  const std::size_t other = first_other(programs);
  if (other == 0) return;
  throw UsageError(
      fmt::format("process {} runs another build of lbm ({}) than process 0 ({}): start the same "
                  "program on all hosts",
                  other, programs[other], programs[0]));
}

// Cases may be long: ranks exchange checksums, and the cases where these differ.
void agree_on_case(const Case& lbm_case, tiling::Ranks& ranks) {
  const std::string text = keys_of(lbm_case);
  const std::size_t other =
      first_other(ranks.allgather(io::checksum(std::as_bytes(std::span(text)))));
  if (other == 0) return;
  const auto cases = ranks.allgather(text);
  std::istringstream here(cases[0]), there(cases[other]);
  std::string line_here, line_there;
  while (line_here == line_there) {
    if (!std::getline(here, line_here)) line_here = "nothing more";
    if (!std::getline(there, line_there)) line_there = "nothing more";
  }
  throw UsageError(fmt::format(
      "{}: process {} has {}, process 0 has {}: give all processes the same case and --set",
      name_in_messages(lbm_case), other, line_there.substr(0, longest_value),
      line_here.substr(0, longest_value)));
}

void agree_on_checkpoint(const Restart* restart, tiling::Ranks& ranks) {
  const auto found = ranks.allgather(restart == nullptr ? std::uint64_t{0} : restart->identity());
  const std::size_t other = first_other(found);
  if (other == 0) return;
  const auto names =
      ranks.allgather(restart == nullptr ? std::string("no checkpoint") : restart->file().string());
  throw UsageError(
      fmt::format("--restart: process {} would continue from {}, process 0 from {}, whose contents "
                  "differ: give all processes the same checkpoint",
                  other, names[other], names[0]));
}

std::string files_behind(const Case& lbm_case) {
  std::string files;
  for (const std::string& name : files_of(lbm_case)) {
    struct stat status {};
    if (stat(path_of(lbm_case, name).c_str(), &status) != 0) status = {};
    files += fmt::format("{}:{} {} {}.{};", status.st_dev, status.st_ino, status.st_size,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return files;
}

void agree_on_boundaries(const Case& lbm_case, const Boundaries& boundaries, tiling::Ranks& ranks) {
  const std::size_t other = first_other(ranks.allgather(io::checksum(boundaries.bytes())));
  if (other == 0) return;
  throw UsageError(
      fmt::format("{}: process {} has other bodies or faces than process 0, although the keys are "
                  "the same: give all processes the same files (STL, CSV)",
                  name_in_messages(lbm_case), other));
}

bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes) {
  if (backend.kind() == BackendKind::cpu) return false;
  if (own.tiling.scheme == tiling::Scheme::in_core) return false;
  if (own.tiling.steps_per_visit && own.tiling.planes_per_visit) return false;
  const auto& n = own.grid.cells;
  const std::uint64_t slab = make_plane_layout(n[0], n[1], own.lattice.storage,
                                               stored_values(own.lattice, own.scalars.size()))
                                 .bytes *
                             static_cast<std::uint64_t>(planes);
  return own.tiling.scheme.has_value() || slab > device_budget(own, backend);
}

DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks) {
  if (backend.kind() == BackendKind::cpu) {
    ranks.barrier();
    return measure_speeds(backend, measuring_budget(backend));
  }
  // The first process of a host measures where that is needed, and keeps what it finds for those
  // that come after it.
  DeviceSpeeds speeds;
  const bool first = ranks.local_rank() == 0;
  if (first) speeds = speeds_of(backend, measuring_budget(backend));
  ranks.barrier();
  if (!first) speeds = speeds_of(backend, measuring_budget(backend));
  measure_link_of_both(backend, speeds, [&] { ranks.barrier(); });
  return speeds;
}

std::string binding_warning(int process, const Binding& binding) {
  const int share = binding.allowed / std::max(1, binding.processes);
  constexpr int of_one_core = 2;  // hardware threads
  if (binding.bound == 0 || binding.bound > of_one_core || share < 2 * binding.bound) return {};
  return fmt::format(
      "process {} is bound to {} of {} cores that {} processes share on its host: filling the "
      "lattice "
      "and computing on a CPU take up to {} times as long; use mpirun --bind-to none",
      process, binding.bound, binding.allowed, binding.processes, share / binding.bound);
}

std::string binding_warning(tiling::Ranks& ranks) {
  // The launcher is not bound itself, but has the cores of the job.
  const Binding own{cores_of(0), cores_of(getppid()), ranks.local_size()};
  const auto all = ranks.allgather(own);
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::string warning = binding_warning(static_cast<int>(r), all[r]);
    if (!warning.empty()) return warning;
  }
  return {};
}

std::vector<int> planes_of_processes(const Case& lbm_case, int processes) {
  const int nz = lbm_case.grid.cells[2];
  if (processes == 1) return {nz};
  if (nz < least_planes * processes) {
    throw UsageError(fmt::format(
        "{}: found {} planes along z for {} processes, must be at least {} for each: start at most "
        "{}, or make z the longest axis",
        where(lbm_case, "grid.cells"), nz, processes, least_planes, nz / least_planes));
  }
  return share_planes(nz, std::vector<std::int64_t>(static_cast<std::size_t>(processes), 1),
                      least_planes);
}

tiling::SlabShare slab_of(const std::vector<int>& planes, int rank) {
  tiling::SlabShare share;
  for (int r = 0; r < rank; ++r) share.first += planes[static_cast<std::size_t>(r)];
  share.planes = planes[static_cast<std::size_t>(rank)];
  return share;
}

void agree_on_backends(const Case& lbm_case, int gpus, tiling::Ranks& ranks) {
  enum class Computes { on_cpu, on_gpu, without_gpu };
  const BackendKind wanted = lbm_case.device.backend.value_or(BackendKind::cuda);
  const bool lacks_gpu = !lbm_case.device.backend && gpus == 0;
  const auto devices = ranks.allgather(lacks_gpu                     ? Computes::without_gpu
                                       : wanted == BackendKind::cuda ? Computes::on_gpu
                                                                     : Computes::on_cpu);
  const auto hosts = ranks.allgather(host_name());
  const auto with = std::find(devices.begin(), devices.end(), Computes::on_gpu),
             without = std::find(devices.begin(), devices.end(), Computes::without_gpu);
  if (with == devices.end() || without == devices.end()) return;
  const auto name = [&](const auto& device) {
    const auto rank = static_cast<std::size_t>(device - devices.begin());
    return fmt::format("process {} (host {})", rank, hosts[rank]);
  };
  throw UsageError(
      fmt::format("{}: {} finds no GPU, while {} computes on one: repair that (see `lbm info` and "
                  "CUDA_VISIBLE_DEVICES there), or set device.backend: cpu for all",
                  lbm_case.file, name(without), name(with)));
}

std::optional<PickedDevice> agree_on_devices(const Case& lbm_case,
                                             const std::vector<std::string>& gpus,
                                             tiling::Ranks& ranks) {
  std::vector<VisibleDevices> all;
  for (const std::string& text :
       ranks.allgather(fmt::format("{} {}", host_name(), fmt::join(gpus, " ")))) {
    std::istringstream words(text);
    VisibleDevices& visible = all.emplace_back();
    words >> visible.host;
    for (std::string name; words >> name;) visible.names.push_back(name);
  }
  if (lbm_case.device.backend.value_or(BackendKind::cuda) == BackendKind::cpu || gpus.empty()) {
    return std::nullopt;
  }
  const auto picked = pick_devices(all, lbm_case.device.index, lbm_case.device.share);
  const auto none = std::find(picked.begin(), picked.end(), std::nullopt);
  if (none == picked.end()) return picked[static_cast<std::size_t>(ranks.rank())];
  const auto at = static_cast<std::size_t>(none - picked.begin());
  throw UsageError(fmt::format(
      "{}: found no GPU for process {} on host {}, which sees {}, from number {} on, that others "
      "have not taken: start one process for each GPU, or set device.share: true, or "
      "device.backend: cpu",
      lbm_case.file, at, all[at].host, all[at].names.size(), lbm_case.device.index));
}

int ranks_near_node(int node, tiling::Ranks& ranks) {
  const std::string own = fmt::format("{} {}", host_name(), node);
  const auto all = ranks.allgather(own);
  return static_cast<int>(std::count(all.begin(), all.end(), own));
}

Case case_of_process(const Case& lbm_case, const std::optional<PickedDevice>& device,
                     const tiling::Ranks& ranks) {
  Case own = lbm_case;
  const int here = ranks.local_size();
  if (device) {
    own.device.index = device->index;
  } else if (own.device.threads == 0) {
    own.device.threads = cpu_threads_here(here, cell_count(lbm_case.grid.cells) / ranks.size());
  }
  own.host.memory_limit = host_budget(lbm_case) / static_cast<std::uint64_t>(here);
  return own;
}

void share_device(Case& own, const Backend& backend, const std::optional<PickedDevice>& device) {
  if (!device || device->sharers < 2 || own.device.memory) return;
  own.device.memory = device_budget(own, backend) / static_cast<std::uint64_t>(device->sharers);
}

std::int64_t speed_beside_others(const Case& own, Backend& backend, tiling::Ranks& ranks) {
  const auto names = ranks.allgather(backend.device_name());
  const auto same = [&](const std::string& name) { return name == names.front(); };
  if (std::all_of(names.begin(), names.end(), same)) return 0;
  const DeviceSpeeds speeds = speeds_of(backend, measuring_budget(backend));
  const double bytes_per_second =
      speeds.update(own.lattice.storage, own.lattice.representation.value()).bytes_per_second;
  return static_cast<std::int64_t>(std::min(1e-6 * bytes_per_second, most_speed));
}

std::vector<int> agree_on_planes(const Case& lbm_case, std::int64_t speed, tiling::Ranks& ranks) {
  const std::vector<std::int64_t> speeds = ranks.allgather(speed);
  if (std::count(speeds.begin(), speeds.end(), 0) > 0) {
    return planes_of_processes(lbm_case, ranks.size());
  }
  return share_planes(lbm_case.grid.cells[2], speeds, least_of_uneven(lbm_case, ranks.size()));
}

int planes_to_plan_for(const std::vector<int>& planes, int rank) {
  const auto [thinnest, thickest] = std::minmax_element(planes.begin(), planes.end());
  return *thickest - *thinnest > 1 ? planes[static_cast<std::size_t>(rank)] : *thickest;
}

void agree_on_schedule(const Case& lbm_case, Setup& setup, const std::vector<int>& planes,
                       tiling::Ranks& ranks) {
  tiling::ScheduleOptions& own = setup.plan.options;
  const auto proposals = ranks.allgather(own);
  const auto reasons = ranks.allgather(setup.plan.reason);
  const auto modest =
      std::min_element(proposals.begin(), proposals.end(),
                       [](const auto& a, const auto& b) { return modesty(a) < modesty(b); });
  if (modesty(*modest) != modesty(own)) {
    const auto rank = static_cast<std::size_t>(modest - proposals.begin());
    setup.plan.reason = fmt::format("as process {}: {}", rank, reasons[rank]);
    setup.plan.prediction.reset();
  }
  own.scheme = modest->scheme;
  own.steps_per_visit = modest->steps_per_visit;
  own.planes_per_visit = modest->planes_per_visit;
  own.updates_together = modest->updates_together;
  const int thinnest = *std::min_element(planes.begin(), planes.end());
  if (own.scheme == tiling::Scheme::halo && thinnest < tiling::least_slab_planes(own)) {
    throw UsageError(fmt::format(
        "{}: the thinnest slab of {} processes has {} planes, haloed tiles need {} (2 k + B): "
        "start "
        "fewer processes, or set smaller tiling.steps_per_visit and tiling.planes_per_visit",
        where(lbm_case, "tiling.scheme"), planes.size(), thinnest, tiling::least_slab_planes(own)));
  }
  own.planes_per_visit = std::min(own.planes_per_visit, thinnest);
}

}  // namespace lbm::cases
