// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/cuda_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "solver/backend/backend.hpp"
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/core/numa.hpp"
#include "solver/core/pci_link.hpp"

namespace lbm::cuda {
namespace {

bool has(cudaDeviceAttr attribute, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, attribute, device), "read a device attribute");
  return value != 0;
}

PageableAccess pageable_access(int device) {
  if (!has(cudaDevAttrPageableMemoryAccess, device)) return PageableAccess::none;
  return has(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device) ? PageableAccess::ats
                                                                        : PageableAccess::hmm;
}

// In lower case, as in sysfs.
std::string pci_id_of(int device) {
  std::array<char, 32> id{};
  check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), device), "read the PCI id");
  std::string text(id.data());
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

DeviceFacts device_facts(int device) {
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
  // The data of a coherent GPU does not take its PCIe link.
  facts.link = facts.pageable == PageableAccess::ats ? "NVLink-C2C" : pci_link(facts.pci_id);
  facts.numa_node = numa_node_of_pci(facts.pci_id);
  return facts;
}

std::size_t shared_bytes_of_block(int device) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "read device properties");
  return static_cast<std::size_t>(bytes);
}

}  // namespace lbm::cuda

namespace lbm {

std::vector<std::string> cuda_device_names() {
  std::vector<std::string> names;
  for (int device = 0; device < cuda_device_count(); ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
      cudaGetLastError();
      break;
    }
    std::string name;
    for (const char byte : properties.uuid.bytes) {
      name += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace lbm
