// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/cpu_threads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lbm::cases {

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
