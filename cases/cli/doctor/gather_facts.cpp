// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <exception>
#include <filesystem>
#include <utility>

#include "cases/cli/doctor/doctor_facts.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/shared_memory.hpp"
#include "solver/machine/pci_link.hpp"
#include "tiling/exchange/mpi_library.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::size_t trial_bytes = std::size_t{64} << 20;

// "Linux 6.1.0 x86_64"; of the files where they say it, so that a described machine is named.
std::string kernel_text(const SystemFiles& files) {
  utsname here{};
  uname(&here);
  const auto word = [&](const char* path, const char* otherwise) {
    const std::string said = files.line(path);
    return said.empty() ? std::string(otherwise) : said;
  };
  return fmt::format("{} {} {}", word("/proc/sys/kernel/ostype", here.sysname),
                     word("/proc/sys/kernel/osrelease", here.release),
                     word("/proc/sys/kernel/arch", here.machine));
}

std::string system_text(const SystemFiles& files) {
  const std::string text = files.text("/etc/os-release");
  const std::string key = "PRETTY_NAME=\"";
  const std::size_t begin = text.find(key);
  if (begin == std::string::npos) return "unknown system";
  const std::size_t start = begin + key.size();
  return text.substr(start, text.find('"', start) - start);
}

// Placed as Backend::allocate_host places the lattice. Empty without memory.
std::optional<PlacementTrial> try_placement(int near, Backend* gpu, std::uint64_t* pinned) {
  try {
    const Buffer memory = map_host_memory(trial_bytes, "a trial");
    PlacementTrial trial;
    trial.bytes = memory.size();
    trial.placement = place_near(memory.data(), memory.size(), near);
    touch_host_memory(memory.data(), memory.size());
    trial.shares = node_shares(memory.data(), memory.size());
    if (gpu == nullptr) return trial;
    try {
      const Buffer attached = gpu->attach_host(memory.data(), memory.size(), HostMemory::pinned);
      *pinned = memory.size();
    } catch (const std::exception&) {
      *pinned = 0;
    }
    return trial;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

GpuFacts gpu_facts(int index, int count) {
  GpuFacts gpu;
  gpu.code = kernel_code(index);
  try {
    const auto backend = make_cuda_backend(index);
    gpu.device = backend->facts();
    gpu.free = backend->free_memory();
    gpu.trial = try_placement(gpu.device.numa_node, backend.get(), &gpu.pinned);
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
    constexpr std::size_t bytes = 4096;
    const SharedMemory memory = SharedMemory::create(bytes, "a trial");
    return SharedMemory::open(memory.name(), bytes).has_value();
  } catch (const std::exception&) {
    return false;
  }
}

std::string disk_kind(unsigned long magic) {
  static constexpr std::pair<unsigned long, const char*> kinds[] = {
      {0xef53, "ext4"},       {0x58465342, "xfs"},     {0x9123683e, "btrfs"},
      {0x01021994, "tmpfs"},  {0x794c7630, "overlay"}, {0x2fc12fc1, "zfs"},
      {0x6969, "nfs"},        {0x0bd00bd0, "lustre"},  {0x47504653, "gpfs"},
      {0x19830326, "beegfs"}, {0x00c36400, "ceph"},    {0xff534d42, "cifs"},
      {0x65735546, "fuse"},   {0x01021997, "9p"},      {0x73717368, "squashfs"},
      {0xf2f52010, "f2fs"},   {0x858458f6, "ramfs"}};
  for (const auto& [number, name] : kinds) {
    if (number == magic) return name;
  }
  return fmt::format("file system {:#x}", magic);
}

DiskFacts disk_facts(const std::string& path) {
  DiskFacts disk;
  disk.path = path;
  struct statfs answer {};
  if (path.empty() || ::statfs(path.c_str(), &answer) != 0) return disk;
  const auto block = static_cast<std::uint64_t>(answer.f_frsize);
  disk.known = true;
  disk.kind = disk_kind(static_cast<unsigned long>(answer.f_type) & 0xffffffffUL);
  disk.total = block * answer.f_blocks;
  disk.free = block * answer.f_bavail;
  disk.writable = ::access(path.c_str(), W_OK) == 0;
  return disk;
}

std::string working_directory() {
  std::error_code error;  // it may have been removed
  return std::filesystem::current_path(error).string();
}

std::string cpu_name() {
  try {
    return make_cpu_backend()->device_name();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Fills in the facts of this machine that only system calls and CUDA provide.
void ask_this_machine(DoctorFacts& facts) {
  facts.nccl = nccl_versions();
  facts.cuda = cuda_driver();
  for (int i = 0; i < facts.cuda.devices; ++i) {
    facts.gpus.push_back(gpu_facts(i, facts.cuda.devices));
  }
  const auto host = host_nodes(facts.nodes);
  if (facts.gpus.empty()) {
    facts.trial = try_placement(host.empty() ? -1 : host[0].number, nullptr, nullptr);
  }
  facts.cpu = cpu_name();
  facts.ranks_share = can_share_memory();
  facts.here = disk_facts(working_directory());
  facts.shm = disk_facts("/dev/shm");
}

}  // namespace

DoctorFacts gather_facts(const SystemFiles& files) {
  DoctorFacts facts;
  facts.build = build_facts();
  facts.date = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
  facts.kernel = kernel_text(files);
  facts.system = system_text(files);
  facts.root = files.root();
  facts.kernel_driver = files.line("/sys/module/nvidia/version");
  facts.pci_gpus = nvidia_pci_ids(files);
  facts.devices_known = !files.names("/sys/bus/pci/devices").empty();
  facts.groups_known = !files.names("/sys/fs/cgroup").empty();
  facts.pools_known = !files.names("/sys/kernel/mm/hugepages").empty();
  facts.memory = machine_memory(files);
  facts.nodes = numa_nodes(files);
  facts.page = page_bytes(files);
  facts.transparent = transparent_pages(files);
  facts.pools = huge_page_pools(files);
  facts.locked = locked_memory(files);
  facts.cpus = usable_cpus(files);
  facts.mpi_library = tiling::mpi_library();
  facts.started_by_mpi = tiling::started_with_others();
  if (!facts.described()) ask_this_machine(facts);
  return facts;
}

}  // namespace lbm::cases::doctor
