// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/process_limits.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sstream>

#include "solver/machine/numa_nodes.hpp"

namespace lbm {
namespace {

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

int count_of(const std::string& list) { return static_cast<int>(parse_numa_list(list).size()); }

}  // namespace

TransparentPages transparent_pages(const SystemFiles& files) {
  const std::string directory = "/sys/kernel/mm/transparent_hugepage/";
  // "always [madvise] never"
  const std::string modes = files.line(directory + "enabled");
  const std::size_t open = modes.find('['), close = modes.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return {modes.substr(open + 1, close - open - 1),
          files.number(directory + "hpage_pmd_size").value_or(0)};
}

std::uint64_t locked_memory() {
  rlimit limit{};
  const bool known = getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? limit.rlim_cur : unlimited;
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
