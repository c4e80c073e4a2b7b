// SPDX-License-Identifier: Apache-2.0

// The described machines of this folder, and GPUs to go with them.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "solver/backend/device_facts.hpp"
#include "solver/machine/machine_facts.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::testing {

// A directory with the files of NAME.txt, until the end of the program.
inline std::string machine_root(const std::string& name) {
  static std::map<std::string, ScratchDirectory> unpacked;
  const bool known = unpacked.contains(name);
  const std::filesystem::path root = unpacked[name].path();
  if (known) return root.string();
  std::ifstream all(LBM_SOURCE_DIR "/tests/machines/" + name + ".txt");
  std::ofstream file;
  for (std::string line; std::getline(all, line);) {
    if (!line.starts_with("== /")) {
      file << line << "\n";
      continue;
    }
    const std::filesystem::path path = root / line.substr(4);
    std::filesystem::create_directories(path.parent_path());
    file = std::ofstream(path);
  }
  return root.string();
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
