// SPDX-License-Identifier: Apache-2.0

// Properties of a device and of its path to host memory, and the kinds of host memory that it
// supports. Plain data and pure functions: no device needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/enum_names.hpp"

namespace lbm {

enum class HostMemory {
  pinned,   // page-locked: asynchronous copies by the copy engines
  managed,  // CUDA managed memory: pages move by prefetch
  system,   // plain memory that kernels of the device read and write themselves
};

constexpr auto enum_names(HostMemory) { return std::array{"pinned", "managed", "system"}; }

enum class BackendKind { cpu, cuda };

constexpr auto enum_names(BackendKind) { return std::array{"cpu", "cuda"}; }

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

// State of CUDA before a GPU is used, for `lbm doctor`: the driver, the code in the program, NCCL,
// and the GPUs that reach each other's memory. No function throws. A build without CUDA returns
// default values.
//
// Versions in CUDA's form: 12040 is 12.4.
struct CudaDriver {
  bool built_in = false;  // the program has a CUDA backend
  int toolkit = 0;        // of the build; 0: not built in
  int supported = 0;      // the newest that the driver of this machine supports; 0: no driver
  int devices = 0;
  std::string error;  // CUDA's reason why no GPU can be used; empty: one can
};
CudaDriver cuda_driver();

// The code that the driver uses for the kernels on a GPU. Numbers are compute capabilities: 90 is
// 9.0. If binary and ptx differ, the driver has compiled the code from PTX.
struct KernelCode {
  int binary = 0, ptx = 0;
  std::string error;  // why there is no code; empty: there is
};
KernelCode kernel_code(int device);

// NCCL, which connects GPUs of several hosts.
struct NcclVersions {
  bool built_in = false;  // the program can call it
  int found = 0;          // version of the library: 22807 is 2.28.7; 0: no usable one
};
// Loads the library if it exists.
NcclVersions nccl_versions();

// True if GPU `from` can read and write memory of GPU `to` directly.
bool peer_access(int from, int to);

}  // namespace lbm
