// SPDX-License-Identifier: Apache-2.0

// Processor, PCIe devices, pages of memory, and what this process may use. Where `files` describe
// another machine, the answers are those of the description.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "solver/machine/system_files.hpp"

namespace lbm {

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
