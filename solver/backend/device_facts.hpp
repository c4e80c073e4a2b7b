// SPDX-License-Identifier: Apache-2.0

// Properties of a device and of its path to host memory, and the kinds of host memory that it
// supports. Plain data and pure functions: no device needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/backend/host_memory_kind.hpp"

namespace lbm {

// How kernels can access host memory that was not allocated by CUDA.
enum class PageableAccess {
  none,
  hmm,  // by page faults that migrate pages: slow
  ats,  // through the host's page tables, over a coherent link
};

constexpr auto enum_names(PageableAccess) { return std::array{"none", "hmm", "ats"}; }

// The CPU backend fills only the first two members.
struct DeviceFacts {
  BackendKind backend = BackendKind::cpu;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::uint64_t total_memory = 0;  // bytes
  PageableAccess pageable = PageableAccess::none;
  bool managed = false;     // host and device may use managed memory at the same time
  std::string pci_id;       // "0000:17:00.0"
  std::string link;         // "PCIe 5 x16", "NVLink-C2C", "none (integrated)"; empty: unknown
  int numa_node = -1;       // of the host memory next to it; -1: unknown
  int own_numa_node = -1;   // of its own memory, on a coherent machine; -1: its memory is no node
  bool integrated = false;  // it has no memory of its own: it uses that of the host
};

// Why the device does not support the kind of memory, and what to use instead: the rest of a line
// that starts with the key. Empty where it does.
std::optional<std::string> refusal_of(HostMemory kind, const DeviceFacts& device);

// The host-memory kinds this device supports (those `refusal_of` accepts).
std::vector<HostMemory> usable_host_memory(const DeviceFacts& device);

// A warning about a supported kind, if there is one.
std::optional<std::string> warning_of(HostMemory kind, const DeviceFacts& device);

// True if memory "of the device" is memory of the host: a CPU, or an integrated GPU. A lattice on
// the host and planes on the device then share the same memory.
bool shares_host_memory(const DeviceFacts& device);

// Bytes that can still be allocated on a GPU. driver_free: what its driver says, which on an
// integrated GPU counts the file cache as used; system_available: what the system says.
std::uint64_t free_device_memory(const DeviceFacts& device, std::uint64_t driver_free,
                                 std::uint64_t system_available);

// Managed memory must fit the device: lattice_bytes and plan_bytes (slots and buffers) together may
// not exceed free_bytes. The result is as that of refusal_of.
std::optional<std::string> managed_refusal(std::uint64_t lattice_bytes, std::uint64_t plan_bytes,
                                           std::uint64_t free_bytes, const std::string& device);

}  // namespace lbm
