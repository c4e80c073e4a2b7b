// SPDX-License-Identifier: Apache-2.0

// The described machines of this folder, and GPUs to go with them.
#pragma once

#include <string>

#include "solver/backend/device_facts.hpp"
#include "solver/machine/system_files.hpp"

namespace lbm::testing {

inline std::string machine_root(const std::string& name) {
  return LBM_SOURCE_DIR "/tests/machines/" + name;
}

inline SystemFiles machine(const std::string& name) { return SystemFiles(machine_root(name)); }

inline constexpr std::uint64_t kibibyte = 1024, gibibyte = std::uint64_t{1} << 30;

// The GPU of a GH200: coherent, its memory is node 1.
inline DeviceFacts gh200_gpu() {
  DeviceFacts gpu;
  gpu.backend = BackendKind::cuda;
  gpu.name = "NVIDIA GH200 480GB";
  gpu.compute_major = 9;
  gpu.multiprocessors = 132;
  gpu.total_memory = 95 * gibibyte;
  gpu.pageable = PageableAccess::ats;
  gpu.managed = true;
  gpu.pci_id = "0009:01:00.0";
  gpu.link = "NVLink-C2C";
  gpu.numa_node = 0;
  gpu.own_numa_node = 1;
  return gpu;
}

// The GPU of a GB10: integrated, without memory of its own.
inline DeviceFacts gb10_gpu() {
  DeviceFacts gpu;
  gpu.backend = BackendKind::cuda;
  gpu.name = "NVIDIA GB10";
  gpu.compute_major = 12;
  gpu.compute_minor = 1;
  gpu.multiprocessors = 48;
  gpu.total_memory = 120 * gibibyte;
  gpu.pageable = PageableAccess::ats;
  gpu.managed = true;
  gpu.pci_id = "000f:01:00.0";
  gpu.link = "none (integrated)";
  gpu.integrated = true;
  return gpu;
}

}  // namespace lbm::testing
