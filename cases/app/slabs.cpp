#include "cases/app/slabs.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "cases/app/case_location.hpp"
#include "solver/core/error.hpp"

namespace lbm::app {
namespace {

constexpr int least_planes = 2;

// Cores that this process may use; those of the host are shared where nobody has shared them out.
int cores_of_process(int processes) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const auto online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const int mine = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : online;
  return std::max(1, mine == online ? mine / processes : mine);
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "of unknown name";
}

}  // namespace

std::vector<int> planes_of_processes(const Case& lbm_case, int processes) {
  const int nz = lbm_case.grid.cells[2];
  if (nz < least_planes * processes) {
    throw UsageError(fmt::format(
        "{}: found {} planes along z for {} processes, must be at least {} for each: start at most "
        "{}, or make z the longest axis",
        where(lbm_case, "grid.cells"), nz, processes, least_planes, nz / least_planes));
  }
  std::vector<int> planes(static_cast<std::size_t>(processes), nz / processes);
  for (int r = 0; r < nz % processes; ++r) ++planes[static_cast<std::size_t>(r)];
  return planes;
}

int thickest(const std::vector<int>& planes) {
  return *std::max_element(planes.begin(), planes.end());
}

tiling::SlabShare slab_of(const std::vector<int>& planes, int rank) {
  tiling::SlabShare share;
  for (int r = 0; r < rank; ++r) share.first += planes[static_cast<std::size_t>(r)];
  share.planes = planes[static_cast<std::size_t>(rank)];
  return share;
}

void agree_on_backends(const Case& lbm_case, int gpus, tiling::Ranks& ranks) {
  const bool free_to_choose = !lbm_case.device.backend;
  const std::string word = !free_to_choose ? to_string(*lbm_case.device.backend)
                           : gpus > 0      ? to_string(BackendKind::cuda)
                                           : "none";
  const auto found = ranks.gather(word + ' ' + host_name());
  const auto first = [&](const std::string& kind) {
    return std::find_if(found.begin(), found.end(),
                        [&](const std::string& text) { return text.starts_with(kind + ' '); });
  };
  const auto with = first("cuda"), without = first("none");
  if (with == found.end() || without == found.end()) return;
  const auto name = [&](const auto& process) {
    return fmt::format("process {} (host {})", process - found.begin(),
                       process->substr(process->find(' ') + 1));
  };
  throw UsageError(
      fmt::format("{}: {} finds no GPU, while {} computes on one: repair that (see `lbm info` and "
                  "CUDA_VISIBLE_DEVICES there), or set device.backend: cpu for all",
                  lbm_case.file, name(without), name(with)));
}

Case case_of_process(const Case& lbm_case, const tiling::Ranks& ranks) {
  Case own = lbm_case;
  const int devices = cuda_device_count(), here = ranks.local_size();
  const BackendKind kind =
      own.device.backend.value_or(devices > 0 ? BackendKind::cuda : BackendKind::cpu);
  if (kind == BackendKind::cuda) {
    const int usable = devices - own.device.index;
    if (here > usable && !own.device.share) {
      throw UsageError(fmt::format(
          "{}: {} processes on a host with {} GPU{}{}: start one for each GPU, or set "
          "device.share: true, or device.backend: cpu",
          lbm_case.file, here, devices, devices == 1 ? "" : "s",
          own.device.index > 0 ? fmt::format(", from number {} on", own.device.index) : ""));
    }
    if (usable > 0) own.device.index += ranks.local_rank() % usable;
  } else if (own.device.threads == 0) {
    own.device.threads = cores_of_process(here);
  }
  own.host.memory_limit = host_budget(lbm_case) / static_cast<std::uint64_t>(here);
  return own;
}

void share_device(Case& own, const Backend& backend, const tiling::Ranks& ranks) {
  const int devices = cuda_device_count();
  if (backend.kind() != BackendKind::cuda || !own.device.share || devices == 0) return;
  const auto sharers = static_cast<std::uint64_t>((ranks.local_size() + devices - 1) / devices);
  if (sharers > 1 && !own.device.memory) own.device.memory = device_budget(own, backend) / sharers;
}

void agree_on_schedule(const Case& lbm_case, Setup& setup, const std::vector<int>& planes,
                       tiling::Ranks& ranks) {
  tiling::PlanOptions& own = setup.plan.options;
  const auto texts =
      ranks.gather(fmt::format("{} {} {} {}", static_cast<int>(own.scheme), own.steps_per_visit,
                               own.planes_per_visit, own.updates_together));
  std::istringstream leaders(texts.front());
  int scheme = 0;
  leaders >> scheme >> own.steps_per_visit >> own.planes_per_visit >> own.updates_together;
  own.scheme = static_cast<tiling::Scheme>(scheme);
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

}  // namespace lbm::app
