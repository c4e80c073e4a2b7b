// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/process_limits.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "solver/machine/numa_nodes.hpp"

namespace lbm {
namespace {

std::uint64_t limit_of(const std::string& word) {
  return bytes_in(word).value_or(unlimited);  // "unlimited"
}

// In CPUs; 0: none. "max 100000" or "200000 100000" (second version), or two files (first one).
double cpu_quota(const SystemFiles& files) {
  std::istringstream both(files.line("/sys/fs/cgroup/cpu.max"));
  double quota = 0, period = 0;
  if (both >> quota >> period && period > 0) return quota / period;
  const auto first = files.number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto length = files.number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (!first || !length || *length == 0) return 0;
  return static_cast<double>(*first) / static_cast<double>(*length);
}

int count_of(const std::string& list) { return count_numa_nodes(list); }

}  // namespace

std::uint64_t page_bytes(const SystemFiles& files) {
  if (files.described()) {
    const auto said = bytes_in(files.value("/proc/self/smaps", "KernelPageSize"));
    if (said && *said > 0) return *said;
  }
  return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TransparentPages transparent_pages(const SystemFiles& files) {
  const std::string directory = "/sys/kernel/mm/transparent_hugepage/";
  // "always [madvise] never"
  const std::string modes = files.line(directory + "enabled");
  const std::size_t open = modes.find('['), close = modes.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return {modes.substr(open + 1, close - open - 1),
          files.number(directory + "hpage_pmd_size").value_or(0)};
}

std::vector<HugePagePool> huge_page_pools(const SystemFiles& files) {
  const std::string directory = "/sys/kernel/mm/hugepages/";
  std::vector<HugePagePool> pools;
  for (const std::string& name : files.names(directory)) {  // "hugepages-2048kB"
    const std::size_t dash = name.find('-');
    if (dash == std::string::npos) continue;
    const std::uint64_t bytes = bytes_in(name.substr(dash + 1)).value_or(0);
    const std::uint64_t pages = files.number(directory + name + "/nr_hugepages").value_or(0);
    if (bytes == 0 || pages == 0) continue;
    pools.push_back({bytes, pages, files.number(directory + name + "/free_hugepages").value_or(0)});
  }
  std::sort(pools.begin(), pools.end(),
            [](const HugePagePool& a, const HugePagePool& b) { return a.bytes < b.bytes; });
  return pools;
}

LockedMemory locked_memory(const SystemFiles& files) {
  if (files.described()) {
    std::istringstream words(files.value("/proc/self/limits", "Max locked memory"));
    std::string soft, hard;
    if (words >> soft >> hard) return {limit_of(soft), limit_of(hard)};
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return {};
  const auto bytes = [](rlim_t value) { return value == RLIM_INFINITY ? unlimited : value; };
  return {bytes(limit.rlim_cur), bytes(limit.rlim_max)};
}

UsableCpus usable_cpus(const SystemFiles& files) {
  UsableCpus cpus;
  cpus.quota = cpu_quota(files);
  cpus.online = count_of(files.text("/sys/devices/system/cpu/online"));
  cpus.allowed = count_of(files.value("/proc/self/status", "Cpus_allowed_list"));
  if (files.described()) return cpus;
  if (cpus.online == 0) cpus.online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t set;  // fails where the machine has more CPUs than the set
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cpus.allowed = CPU_COUNT(&set);
  return cpus;
}

}  // namespace lbm
