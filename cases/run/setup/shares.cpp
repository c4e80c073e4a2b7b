// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

namespace lbm::cases {

std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least) {
  // The ranks that share `left` planes in proportion to their speeds, and the sum of these.
  std::vector<std::size_t> sharers(speeds.size());
  std::iota(sharers.begin(), sharers.end(), std::size_t{0});
  std::int64_t left = nz, sum = std::accumulate(speeds.begin(), speeds.end(), std::int64_t{0});
  // Ranks that would get fewer than `least` planes get `least`, which leaves fewer for the others.
  const auto is_slow = [&](std::size_t r) { return left * speeds[r] < least * sum; };
  while (true) {
    const auto slow = std::find_if(sharers.begin(), sharers.end(), is_slow);
    if (slow == sharers.end()) break;
    left -= least;
    sum -= speeds[*slow];
    sharers.erase(slow);
  }
  std::vector<int> planes(speeds.size(), least);
  std::int64_t rest = left;
  for (const std::size_t r : sharers) {
    planes[r] = static_cast<int>(left * speeds[r] / sum);
    rest -= planes[r];
  }
  const auto remainder = [&](std::size_t r) { return left * speeds[r] % sum; };
  std::stable_sort(sharers.begin(), sharers.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t i = 0; i < static_cast<std::size_t>(rest); ++i) ++planes[sharers[i]];
  return planes;
}

std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share) {
  using HostDevice = std::pair<std::string, std::string>;  // host, device name
  std::map<HostDevice, int> taken;
  std::vector<HostDevice> devices;  // by process
  std::vector<std::optional<PickedDevice>> picked;
  for (const auto& [host, names] : all) {
    std::optional<int> best;
    const auto takers = [&, &host = host, &names = names](int i) {
      return taken[{host, names[static_cast<std::size_t>(i)]}];
    };
    for (int i = first; i < static_cast<int>(names.size()); ++i) {
      if (!best || takers(i) < takers(*best)) best = i;
    }
    if (best && takers(*best) > 0 && !share) best.reset();
    devices.emplace_back(host, best ? names[static_cast<std::size_t>(*best)] : "");
    if (best) ++taken[devices.back()];
    picked.push_back(best ? std::optional(PickedDevice{*best, 1}) : std::nullopt);
  }
  for (std::size_t r = 0; r < picked.size(); ++r) {
    if (picked[r]) picked[r]->sharers = taken[devices[r]];
  }
  return picked;
}

int cpu_threads(const UsableCpus& cpus, int processes, std::int64_t cells) {
  int threads = cpus.allowed > 0 ? cpus.allowed : cpus.online;
  if (threads == cpus.online) threads /= processes;
  // A control group stops all threads for the rest of a period once its quota is used up.
  if (cpus.quota > 0) {
    threads = std::min(threads, static_cast<int>(std::lround(cpus.quota / processes)));
  }
  const std::int64_t of_cells = cells / least_cells_of_thread;
  return static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, of_cells)));
}

int cpu_threads_here(int processes, std::int64_t cells) {
  const char* const asked = std::getenv("OMP_NUM_THREADS");
  const int threads = asked == nullptr ? 0 : std::atoi(asked);
  return threads > 0 ? threads : cpu_threads(usable_cpus(SystemFiles::here()), processes, cells);
}

}  // namespace lbm::cases
