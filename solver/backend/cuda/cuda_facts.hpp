// SPDX-License-Identifier: Apache-2.0

// Asks CUDA and the system about a GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/machine/machine_facts.hpp"
#include "solver/machine/numa_nodes.hpp"

namespace lbm::cuda {

inline bool has(cudaDeviceAttr attribute, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, attribute, device), "read a device attribute");
  return value != 0;
}

// -1 where an older driver does not know the attribute.
inline int node_of(cudaDeviceAttr attribute, int device) {
  int value = -1;
  if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  return value;
}

// The node of the host memory next to the GPU, and that of the GPU's own memory.
inline void set_nodes(int device, const SystemFiles& files, DeviceFacts& facts) {
  facts.numa_node = numa_node_of_pci(facts.pci_id, files);
#if CUDART_VERSION >= 12020
  if (node_of(cudaDevAttrNumaConfig, device) == cudaDeviceNumaConfigNumaNode) {
    facts.own_numa_node = node_of(cudaDevAttrNumaId, device);
  }
  // In a virtual machine, where the system knows no node, CUDA may say 0 for want of another.
  const bool coherent = facts.pageable == PageableAccess::ats;
  if (facts.numa_node < 0 && coherent) facts.numa_node = node_of(cudaDevAttrHostNumaId, device);
#endif
}

// The data of a coherent GPU does not take its PCIe link, and that of an integrated one no link.
inline std::string link_of(const DeviceFacts& facts, const SystemFiles& files) {
  if (facts.integrated) return "none (integrated)";
  return facts.pageable == PageableAccess::ats ? "NVLink-C2C" : pci_link(facts.pci_id, files);
}

inline PageableAccess pageable_access(int device) {
  if (!has(cudaDevAttrPageableMemoryAccess, device)) return PageableAccess::none;
  return has(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device) ? PageableAccess::ats
                                                                        : PageableAccess::hmm;
}

// In lower case, as in sysfs.
inline std::string pci_id_of(int device) {
  std::array<char, 32> id{};
  check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), device), "read the PCI id");
  std::string text(id.data());
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Throws std::runtime_error where there is no such device.
inline DeviceFacts device_facts(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "read device properties");
  DeviceFacts facts;
  facts.backend = BackendKind::cuda;
  facts.name = properties.name;
  facts.compute_major = properties.major;
  facts.compute_minor = properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.total_memory = properties.totalGlobalMem;
  facts.pageable = pageable_access(device);
  facts.managed =
      has(cudaDevAttrManagedMemory, device) && has(cudaDevAttrConcurrentManagedAccess, device);
  facts.pci_id = pci_id_of(device);
  facts.integrated = has(cudaDevAttrIntegrated, device);
  const SystemFiles files = SystemFiles::here();
  facts.link = link_of(facts, files);
  set_nodes(device, files, facts);
  return facts;
}

// Bytes of shared memory that one block can have.
inline std::size_t shared_bytes_of_block(int device) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "read device properties");
  return static_cast<std::size_t>(bytes);
}

}  // namespace lbm::cuda
