// SPDX-License-Identifier: Apache-2.0

// The text files in which the system describes the machine (/proc, /sys, /etc), and facts in them:
// processor, PCIe devices, pages of memory, and what this process may use. Where the files describe
// another machine, the answers are those of the description.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbm {

// `text` without blanks and line ends at both ends.
std::string_view trimmed(std::string_view text);

// Files below a root directory: "" for this machine, another one for a machine that a test
// describes.
class SystemFiles {
 public:
  // root: without a slash at its end.
  explicit SystemFiles(std::string root = "") : root_(std::move(root)) {}

  // Those of this machine, or of the one that the environment variable LBM_SYSTEM_ROOT names.
  static SystemFiles here();

  const std::string& root() const { return root_; }
  // True if the files describe another machine than the one that this process runs on.
  bool described() const { return !root_.empty(); }

  // The whole file; empty where it is missing or cannot be read. Paths begin with a slash.
  std::string text(const std::string& path) const;
  // Its first line, trimmed.
  std::string line(const std::string& path) const;
  // Its first line as a whole number that is not negative; empty for other text ("max").
  std::optional<std::uint64_t> number(const std::string& path) const;
  // The value behind the first line "KEY value", "KEY: value" or "KEY=value", trimmed; empty
  // without one.
  std::string value(const std::string& path, std::string_view key) const;
  // Names in a directory, sorted; none where it is missing.
  std::vector<std::string> names(const std::string& directory) const;

 private:
  std::string root_;
};

// The same as SystemFiles::value() for a text.
std::string value_in(std::string_view text, std::string_view key);

// The number at the start of "123", "123 kB" or "123 bytes", in bytes where a unit follows it.
std::optional<std::uint64_t> bytes_in(std::string_view text);

// The numbers in the text of a sysfs list of ranges ("0-3,8\n"), in order; empty for other text.
std::vector<int> parse_numa_list(std::string_view text);
inline constexpr int most_number = 1 << 20;  // no machine has so many nodes or CPUs

// "AMD EPYC 7763", as /proc/cpuinfo says. ARM's kernels know numbers only, "ARM 0x41, part 0xd4f":
// who makes the core, and which core it is. "CPU" where nothing is said.
std::string cpu_model(const SystemFiles& files);

// PCIe generation of a speed in the form of sysfs ("32.0 GT/s PCIe"): 1 to 7; 0: none.
int pcie_generation(std::string_view speed);

// The fastest state of the link, "PCIe 5 x16"; ", now PCIe 1 x16" follows where it runs slower (an
// idle device saves power). pci_id: "0000:17:00.0". Empty: unknown.
std::string pci_link(const std::string& pci_id, const SystemFiles& files);

// The PCI ids of NVIDIA's graphics devices that the system sees, whether CUDA can use them or not.
std::vector<std::string> nvidia_pci_ids(const SystemFiles& files);

// Transparent huge pages: the mode ("always", "madvise", "never"; empty: the kernel has none), and
// the bytes of one, 0 where unknown.
struct TransparentPages {
  std::string mode;
  std::uint64_t bytes = 0;
};
TransparentPages transparent_pages(const SystemFiles& files);

// Bytes that this process may lock (ulimit -l).
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
std::uint64_t locked_memory();

// CPUs of the machine, those that the process may use (affinity, cpuset), and the CPU time that its
// control group has, in CPUs; 0: no such limit.
struct UsableCpus {
  int online = 0, allowed = 0;
  double quota = 0;
};
UsableCpus usable_cpus(const SystemFiles& files);

}  // namespace lbm
