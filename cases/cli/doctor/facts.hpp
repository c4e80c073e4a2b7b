// SPDX-License-Identifier: Apache-2.0

// The facts that `lbm doctor` judges, as plain data: a test can describe any machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/text/json.hpp"
#include "solver/backend/cuda_driver.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/numa.hpp"
#include "solver/machine/machine_memory.hpp"
#include "solver/machine/process_limits.hpp"

namespace lbm::cases::doctor {

// 64 MiB of host memory, placed (and for a GPU pinned) as the lattice of a run would be.
struct Trial {
  Placement placement = Placement::no_choice;
  std::vector<NodeShare> shares;  // empty: the system does not say
  bool pinned = false;
};

struct GpuFacts {
  DeviceFacts device;
  std::uint64_t free = 0;  // bytes
  KernelCode code;
  std::vector<int> peers;  // GPUs whose memory it reaches
  bool shareable = false;  // other processes can open its memory
  std::optional<Trial> trial;
  std::string error;  // why it cannot be used; then nothing else is known
};

// As this user sees it; total 0: missing. Bytes.
struct DiskFacts {
  std::string path;
  std::uint64_t total = 0, free = 0;
  bool writable = false, in_memory = false;
};

struct Facts {
  std::string root;              // of the files that describe the machine; empty: this machine
  std::string mpi, vtk;          // of the build; empty: left out
  CudaDriver cuda;               // this and all below but the files: only of this machine
  std::string kernel_driver;     // version of NVIDIA's kernel module; empty: not loaded
  std::vector<std::string> pci;  // NVIDIA's GPUs, whether CUDA can use them or not
  std::vector<GpuFacts> gpus;
  MachineMemory memory;
  std::vector<NumaNode> nodes;
  std::uint64_t page = 0;  // bytes
  TransparentPages transparent;
  std::uint64_t locked = unlimited;  // bytes that the process may lock
  UsableCpus cpus;
  std::optional<Trial> trial;  // without a GPU
  std::string cpu;             // the CPU backend: model, threads, instruction set
  bool started_by_mpi = false;
  NcclVersions nccl;
  std::optional<bool> ranks_share;     // processes of this host can share memory
  std::optional<DiskFacts> here, shm;  // the working directory, /dev/shm
};

// Asks the machine. files: those of another machine leave out what only system calls and CUDA can
// tell. Never throws for what is missing.
Facts gather_facts(const SystemFiles& files);

// How the program was built: `version`, `commit`, `build_type`, `compiler`, and versions of what it
// was built with, "not built in" for what was left out.
io::Json build_facts();

enum class Verdict {
  ok,
  fallback,  // it works, but not in the best way
  refused,   // something cannot be used
};
constexpr auto enum_names(Verdict) { return std::array{"OK", "FALLBACK", "REFUSED"}; }

// A line of the page. remedy: empty for OK. fatal: no run can start.
struct Check {
  Verdict verdict = Verdict::ok;
  std::string name, finding, remedy;
  bool fatal = false;
};

// All checks, in the order of the page. A pure function.
std::vector<Check> judge(const Facts& facts);

}  // namespace lbm::cases::doctor
