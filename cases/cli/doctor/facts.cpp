// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/doctor/facts.hpp"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/run/setup/commit.hpp"
#include "io/hdf5/hdf5_version.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/shared_memory.hpp"
#include "solver/machine/pci_link.hpp"
#include "tiling/exchange/mpi_library.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases::doctor {
namespace {

// Placed as Backend::allocate_host places the lattice. Empty without memory.
std::optional<Trial> try_placement(int near, Backend* gpu) {
  Trial trial;
  try {
    const Buffer memory = map_host_memory(std::size_t{64} << 20, "a trial");
    trial.placement = place_near(memory.data(), memory.size(), near);
    touch_host_memory(memory.data(), memory.size());
    trial.shares = node_shares(memory.data(), memory.size());
    if (gpu == nullptr) return trial;
    const Buffer attached = gpu->attach_host(memory.data(), memory.size(), HostMemory::pinned);
    trial.pinned = true;
  } catch (const std::exception&) {
    if (trial.shares.empty() && gpu == nullptr) return std::nullopt;
  }
  return trial;
}

GpuFacts gpu_facts(int index, int count) {
  GpuFacts gpu;
  gpu.code = kernel_code(index);
  try {
    const auto backend = make_cuda_backend(index);
    gpu.device = backend->facts();
    gpu.free = backend->free_memory();
    gpu.trial = try_placement(gpu.device.numa_node, backend.get());
    gpu.shareable = backend->allocate_shareable(std::size_t{2} << 20).has_value();
  } catch (const std::exception& error) {
    gpu.error = error.what();
  }
  for (int other = 0; other < count; ++other) {
    if (other != index && peer_access(index, other)) gpu.peers.push_back(other);
  }
  return gpu;
}

// Memory that another process opens as this one does here.
bool can_share_memory() {
  try {
    const SharedMemory memory = SharedMemory::create(4096, "a trial");
    return SharedMemory::open(memory.name(), 4096).has_value();
  } catch (const std::exception&) {
    return false;
  }
}

DiskFacts disk_facts(const std::string& path) {
  struct statfs answer {};
  if (::statfs(path.c_str(), &answer) != 0) return {.path = path};
  const auto block = static_cast<std::uint64_t>(answer.f_frsize);
  return {.path = path,
          .total = block * answer.f_blocks,
          .free = block * answer.f_bavail,
          .writable = ::access(path.c_str(), W_OK) == 0,
          .in_memory = answer.f_type == TMPFS_MAGIC};
}

// Fills in what only system calls and CUDA provide.
void ask_this_machine(Facts& facts) {
  facts.nccl = nccl_versions();
  facts.cuda = cuda_driver();
  for (int i = 0; i < facts.cuda.devices; ++i) {
    facts.gpus.push_back(gpu_facts(i, facts.cuda.devices));
  }
  if (facts.gpus.empty()) facts.trial = try_placement(0, nullptr);
  facts.page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  facts.cpu = make_cpu_backend()->device_name();
  facts.ranks_share = can_share_memory();
  std::error_code removed;
  facts.here = disk_facts(std::filesystem::current_path(removed).string());
  facts.shm = disk_facts("/dev/shm");
}

std::string or_left_out(const std::string& version) {
  return version.empty() ? "not built in" : version;
}

}  // namespace

io::Json build_facts() {
  return {{"version", LBM_VERSION},
          {"commit", commit()},
          {"build_type", LBM_BUILD_TYPE},
          {"compiler", LBM_COMPILER},
          {"cuda", or_left_out(LBM_CUDA_VERSION)},
          {"hdf5", io::hdf5_version()},
          {"yaml_cpp", LBM_YAML_VERSION},
          {"vtk", or_left_out(LBM_VTK_VERSION)},
          {"mpi", or_left_out(LBM_MPI_VERSION)},
          {"mpi_library", or_left_out(tiling::mpi_library())}};
}

Facts gather_facts(const SystemFiles& files) {
  Facts facts;
  facts.root = files.root();
  facts.mpi = LBM_MPI_VERSION;
  facts.vtk = LBM_VTK_VERSION;
  facts.kernel_driver = files.line("/sys/module/nvidia/version");
  facts.pci = nvidia_pci_ids(files);
  facts.memory = machine_memory(files);
  facts.nodes = numa_nodes(files);
  facts.transparent = transparent_pages(files);
  facts.locked = locked_memory();
  facts.cpus = usable_cpus(files);
  facts.started_by_mpi = tiling::started_with_others();
  if (facts.root.empty()) ask_this_machine(facts);
  return facts;
}

}  // namespace lbm::cases::doctor
