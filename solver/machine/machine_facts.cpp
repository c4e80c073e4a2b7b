// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/machine_facts.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

namespace lbm {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string value_in(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.substr(0, key.size()) != key || line.size() == key.size()) continue;
    const std::string_view rest = line.substr(key.size());
    if (std::string_view(":= \t").find(rest.front()) != std::string_view::npos) {
      return std::string(trimmed(rest.substr(1)));
    }
  }
  return "";
}

std::optional<std::uint64_t> bytes_in(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  const std::string_view unit = trimmed(text.substr(end - text.data()));
  return unit.substr(0, 2) == "kB" ? value * 1024 : value;
}

SystemFiles SystemFiles::here() {
  const char* const root = std::getenv("LBM_SYSTEM_ROOT");
  return SystemFiles(root == nullptr ? "" : root);
}

std::string SystemFiles::text(const std::string& path) const {
  std::ifstream file(root_ + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string SystemFiles::line(const std::string& path) const {
  const std::string all = text(path);
  return std::string(trimmed(std::string_view(all).substr(0, all.find('\n'))));
}

std::optional<std::uint64_t> SystemFiles::number(const std::string& path) const {
  const std::string words = line(path);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
  if (error != std::errc{} || end != words.data() + words.size()) return {};
  return value;
}

std::string SystemFiles::value(const std::string& path, std::string_view key) const {
  return value_in(text(path), key);
}

std::vector<std::string> SystemFiles::names(const std::string& directory) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(root_ + directory, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

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

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

int count_of(const std::string& list) { return static_cast<int>(parse_numa_list(list).size()); }

}  // namespace

std::vector<int> parse_numa_list(std::string_view text) {
  std::vector<int> numbers;
  text = trimmed(text);
  while (!text.empty()) {
    const std::string_view range = text.substr(0, text.find(','));
    text.remove_prefix(std::min(range.size() + 1, text.size()));
    const std::size_t dash = range.find('-');
    const auto first = whole(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > most_number) return {};
    const std::size_t before = numbers.size();
    numbers.resize(before + static_cast<std::size_t>(*last - *first + 1));
    std::iota(numbers.begin() + static_cast<std::ptrdiff_t>(before), numbers.end(), *first);
  }
  return numbers;
}

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
