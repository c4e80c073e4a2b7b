// SPDX-License-Identifier: Apache-2.0

// The facts that `lbm doctor` checks, as plain data: a test can describe any machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/cli/doctor/build_facts.hpp"
#include "solver/backend/cuda_driver.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/numa.hpp"
#include "solver/machine/machine_memory.hpp"
#include "solver/machine/process_limits.hpp"

namespace lbm::cases::doctor {

// A little host memory, placed as the lattice of a run would be.
struct PlacementTrial {
  std::uint64_t bytes = 0;
  Placement placement = Placement::no_choice;
  std::vector<NodeShare> shares;  // empty: the system does not say
};

struct GpuFacts {
  DeviceFacts device;
  std::uint64_t free = 0;  // bytes
  KernelCode code;
  std::vector<int> peers;  // GPUs whose memory it reaches
  bool shareable = false;  // other processes can open its memory
  std::optional<PlacementTrial> trial;
  std::uint64_t pinned = 0;  // bytes that were pinned on trial; 0: refused
  std::string error;         // why it cannot be used; then nothing else but its name is known
};

// A disk, as seen by this user. Bytes.
struct DiskFacts {
  std::string path, kind;  // kind: "ext4"; the number of an unknown kind
  std::uint64_t total = 0, free = 0;
  bool writable = false;
  bool known = false;  // false: the system does not say
};

struct DoctorFacts {
  BuildFacts build;
  std::string date, kernel, system;  // "Linux 6.1.0 x86_64"; "Debian GNU/Linux 12 (bookworm)"
  std::string root;                  // of the files that describe the machine; empty: this machine

  CudaDriver cuda;                    // not asked where the machine is a described one
  std::string kernel_driver;          // version of NVIDIA's kernel module; empty: not loaded
  std::vector<std::string> pci_gpus;  // of NVIDIA, whether CUDA can use them or not
  std::vector<GpuFacts> gpus;

  // False where the system (a container) hides its PCI devices, its control groups or its pools of
  // huge pages: an empty list then means "unknown", not "none".
  bool devices_known = true, groups_known = true, pools_known = true;

  MachineMemory memory;
  std::vector<NumaNode> nodes;
  std::uint64_t page = 4096;
  TransparentPages transparent;
  std::vector<HugePagePool> pools;
  LockedMemory locked;
  UsableCpus cpus;
  std::optional<PlacementTrial> trial;  // without a GPU

  std::string cpu;          // the CPU backend: model, threads, instruction set
  std::string mpi_library;  // that was loaded
  bool started_by_mpi = false;
  NcclVersions nccl;
  std::optional<bool> ranks_share;     // processes of this host can share memory; empty: not tried
  std::optional<DiskFacts> here, shm;  // the working directory, /dev/shm

  bool described() const { return !root.empty(); }
};

// Asks the machine. files: those of another machine leave out what only system calls and CUDA can
// tell. Never throws for what is missing.
DoctorFacts gather_facts(const SystemFiles& files);

}  // namespace lbm::cases::doctor
