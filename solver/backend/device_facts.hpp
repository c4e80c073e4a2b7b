// What a device says of itself and of its way to host memory, and which kinds of host memory
// follow from that. Plain data and pure functions: no device needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/backend/host_memory_kind.hpp"

namespace lbm {

// Whether kernels may touch memory that CUDA knows nothing of.
enum class PageableAccess {
  none,
  hmm,  // by faults that migrate pages: works, slowly
  ats,  // through the host's page tables, over a coherent link
};

constexpr const char* to_string(PageableAccess access) {
  switch (access) {
    case PageableAccess::hmm:
      return "hmm";
    case PageableAccess::ats:
      return "ats";
    case PageableAccess::none:
      break;
  }
  return "none";
}

// The CPU backend leaves all but the first two empty.
struct DeviceFacts {
  BackendKind backend = BackendKind::cpu;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::uint64_t total_memory = 0;  // bytes
  PageableAccess pageable = PageableAccess::none;
  bool managed = false;  // host and device may use managed memory at the same time
  std::string pci_id;    // "0000:17:00.0"
  std::string link;      // "PCIe 5 x16", "NVLink-C2C"; empty where the system does not say
  int numa_node = -1;    // of the host memory next to it; -1: unknown
};

// Why the device cannot use such memory, and what to use instead: the rest of a line that starts
// with the key. Empty where it can.
std::optional<std::string> refusal_of(HostMemory kind, const DeviceFacts& device);

// The kinds that it can use, refusal_of says.
std::vector<HostMemory> usable_host_memory(const DeviceFacts& device);

// What to know before using it; empty where there is nothing.
std::optional<std::string> warning_of(HostMemory kind, const DeviceFacts& device);

// Managed memory must never need more of the card than it has: a lattice of lattice_bytes that is
// all on the device beside plan_bytes of slots and buffers, against what is free. As refusal_of.
std::optional<std::string> managed_refusal(std::uint64_t lattice_bytes, std::uint64_t plan_bytes,
                                           std::uint64_t free_bytes, const std::string& device);

}  // namespace lbm
