// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/machine_facts.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "solver/machine/numa_nodes.hpp"

namespace lbm {
namespace {

const std::string devices = "/sys/bus/pci/devices/";

// One of the two states that sysfs describes, "max" or "current".
std::string link_text(const SystemFiles& files, const std::string& device,
                      const std::string& state) {
  const int generation =
      pcie_generation(files.line(devices + device + "/" + state + "_link_speed"));
  const std::string width = files.line(devices + device + "/" + state + "_link_width");
  return generation == 0 || width.empty() ? "" : fmt::format("PCIe {} x{}", generation, width);
}

// In CPUs; 0: none. "max 100000" or "200000 100000" (second version), or two files (first one).
double cpu_quota(const SystemFiles& files) {
  std::istringstream both(files.line("/sys/fs/cgroup/cpu.max"));
  double quota = 0, period = 0;
  if (both >> quota >> period && period > 0) return quota / period;
  const auto first = files.number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto length = files.number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (!first || length.value_or(0) == 0) return 0;
  return static_cast<double>(*first) / static_cast<double>(*length);
}

int count_of(const std::string& list) { return static_cast<int>(parse_numa_list(list).size()); }

}  // namespace

std::string cpu_model(const SystemFiles& files) {
  // "model name\t: AMD EPYC 7763"
  const auto entry = [text = files.text("/proc/cpuinfo")](std::string_view key) {
    const std::string value = value_in(text, key);
    return std::string(trimmed(value.substr(value.rfind(':', 0) == 0 ? 1 : 0)));
  };
  if (std::string name = entry("model name"); !name.empty()) return name;
  const std::string maker = entry("CPU implementer"), part = entry("CPU part");
  return maker.empty() || part.empty() ? "CPU" : fmt::format("ARM {}, part {}", maker, part);
}

int pcie_generation(std::string_view speed) {
  double rate = 0;  // GT/s: 2.5, 5, 8, and double that of each generation before
  const auto [end, error] = std::from_chars(speed.data(), speed.data() + speed.size(), rate);
  if (error != std::errc{} || speed.substr(end - speed.data(), 5) != " GT/s") return 0;
  const double generation = std::round(std::log2(rate / 2.5)) + 1;
  return generation >= 1 && generation <= 7 ? static_cast<int>(generation) : 0;
}

std::string pci_link(const std::string& pci_id, const SystemFiles& files) {
  if (pci_id.empty()) return "";
  const std::string best = link_text(files, pci_id, "max");
  const std::string now = link_text(files, pci_id, "current");
  if (best.empty() || now.empty() || best == now) return best.empty() ? now : best;
  return best + ", now " + now;
}

std::vector<std::string> nvidia_pci_ids(const SystemFiles& files) {
  std::vector<std::string> ids;
  for (const std::string& id : files.names(devices)) {
    const bool nvidia = files.line(devices + id + "/vendor") == "0x10de";
    const bool graphics = files.line(devices + id + "/class").substr(0, 4) == "0x03";
    if (nvidia && graphics) ids.push_back(id);
  }
  return ids;
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
