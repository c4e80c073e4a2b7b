// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/doctor/facts.hpp"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/formula/formula.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/numa.hpp"
#include "solver/machine/numa_nodes.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases::doctor {
namespace {

// Places 64 MiB of host memory as the lattice of a run, and pins it for a GPU: `trial` (text),
// `bind_refused`, `bind_preferred`, `pinned`.
void try_placement(int near, Backend* gpu, io::Json& facts) {
  Placement placement = Placement::no_choice;
  std::string where;
  bool pinned = false;
  try {
    const Buffer memory = map_host_memory(std::size_t{64} << 20, "a trial");
    placement = place_near(memory.data(), memory.size(), near);
    touch_host_memory(memory.data(), memory.size());
    for (const NodeShare& share : node_shares(memory.data(), memory.size())) {
      where += fmt::format(", {:.0f} % on node {}", 100 * share.share, share.node);
    }
    if (gpu != nullptr) gpu->attach_host(memory.data(), memory.size(), HostMemory::pinned);
    pinned = gpu != nullptr;
  } catch (const std::exception&) {
    // The facts found until then stay.
  }
  facts["trial"] = fmt::format("64 MiB on trial: {}{}", to_string(placement), where);
  facts["bind_refused"] = placement == Placement::refused;
  facts["bind_preferred"] = placement == Placement::preferred;
  facts["pinned"] = pinned;
}

io::Json usable_gpu(int index) {
  try {
    const auto backend = make_cuda_backend(index);
    io::Json gpu = gpu_facts(backend->facts(), backend->free_memory());
    try_placement(backend->facts().numa_node, backend.get(), gpu);
    gpu["error"] = "";
    gpu["shareable"] = backend->allocate_shareable(std::size_t{2} << 20).has_value();
    return gpu;
  } catch (const std::exception& error) {
    io::Json gpu = gpu_facts({}, 0);
    gpu["error"] = error.what();
    return gpu;
  }
}

void add_gpus(int count, io::Json& facts) {
  for (int i = 0; i < count; ++i) {
    io::Json gpu = usable_gpu(i);
    const KernelCode code = kernel_code(i);
    gpu.update({{"gpu", i}, {"code", code.binary}, {"ptx", code.ptx}, {"code_error", code.error}});
    if (!gpu.value("shareable", false)) facts["not_shareable"].push_back(i);
    for (int other = 0; other < count; ++other) {
      if (other == i || peer_access(i, other)) continue;
      facts["no_peers"].push_back(fmt::format("{} to {}", i, other));
    }
    facts["gpus"].push_back(gpu);
  }
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

// `NAME`: the path; `NAME_total_bytes` and so on, 0 where it is missing.
void add_disk(const std::string& name, const std::string& path, io::Json& facts) {
  struct statfs answer {};
  const bool known = ::statfs(path.c_str(), &answer) == 0;
  const auto block = static_cast<std::uint64_t>(answer.f_frsize);
  facts[name] = path;
  facts[name + "_total_bytes"] = block * answer.f_blocks;
  facts[name + "_free_bytes"] = block * answer.f_bavail;
  facts[name + "_writable"] = known && ::access(path.c_str(), W_OK) == 0;
  facts[name + "_is_memory"] = answer.f_type == TMPFS_MAGIC;
}

void add_memory(const SystemFiles& files, io::Json& facts) {
  const MachineMemory memory = machine_memory(files);
  facts["total_bytes"] = memory.total;
  facts["usable_bytes"] = memory.usable_total();
  facts["available_bytes"] = memory.usable_available();
  facts["group_limit"] = memory.limited() ? human_bytes(memory.group_limit) : "";
  facts["without_cpus_bytes"] = memory.without_cpus;
  facts["not_allowed_bytes"] = memory.not_allowed;
  const std::vector<NumaNode> nodes = numa_nodes(files);
  facts["host_nodes"] = facts["other_nodes"] = io::Json::array();
  for (const NumaNode& node : host_nodes(nodes)) {
    facts["host_nodes"].push_back(fmt::format("node {} (CPUs {}, {}, {} free or file cache)",
                                              node.number, node.cpu_list, human_bytes(node.total),
                                              human_bytes(node.available())));
  }
  for (const NumaNode& node : nodes_without_cpus(nodes)) {
    facts["other_nodes"].push_back(
        fmt::format("node {} ({})", node.number, human_bytes(node.total)));
  }
  const TransparentPages huge = transparent_pages(files);
  facts["page_bytes"] = ::sysconf(_SC_PAGESIZE);
  facts["huge_pages"] = huge.mode;
  facts["huge_pages_usable"] = huge.mode == "always" || huge.mode == "madvise";
  facts["huge_page_bytes"] = huge.bytes;
  const std::uint64_t locked = locked_memory();
  facts["locked_limited"] = locked != unlimited;
  facts["locked"] = locked == unlimited ? "unlimited" : human_bytes(locked);
}

std::string or_left_out(const std::string& version) {
  return version.empty() ? "not built in" : version;
}

// 12.4 for 12040.
double cuda_version(int number) {
  const int tenths = 10 * (number / 1000) + number % 1000 / 10;
  return 0.1 * tenths;
}

io::Json judged(const YAML::Node& check, const io::Json& facts) {
  const auto text = [&](const YAML::Node& line) {
    return formula::filled(line.as<std::string>(""), facts);
  };
  io::Json line = {{"name", text(check["check"])},
                   {"verdict", "OK"},
                   {"finding", text(check["finding"])},
                   {"remedy", ""},
                   {"fatal", false}};
  for (const YAML::Node& rule : check["rules"]) {
    if (formula::number(rule["when"].as<std::string>(), facts) == 0) continue;
    line["verdict"] = rule["verdict"].as<std::string>("OK");
    line["finding"] = text(check["finding"]) + ": " + text(rule["meaning"]);
    line["remedy"] = text(rule["remedy"]);
    line["fatal"] = rule["fatal"].as<bool>(false);
    break;
  }
  return line;
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

io::Json gpu_facts(const DeviceFacts& facts, std::uint64_t free) {
  // "PCIe 5 x16, now PCIe 1 x16": asleep; "..., now PCIe 5 x8": in a bad slot.
  const std::size_t now = facts.link.find(", now ");
  const auto lanes = [](const std::string& link) { return link.substr(link.rfind(' ') + 1); };
  std::vector<std::string> kinds;
  for (const HostMemory kind : usable_host_memory(facts)) kinds.emplace_back(to_string(kind));
  return {{"backend", to_string(facts.backend)},
          {"name", facts.name},
          {"free_bytes", free},
          {"compute_capability", fmt::format("{}.{}", facts.compute_major, facts.compute_minor)},
          {"multiprocessors", facts.multiprocessors},
          {"memory_bytes", facts.total_memory},
          {"pageable_access", to_string(facts.pageable)},
          {"host_memory", kinds},
          {"pci_id", facts.pci_id},
          {"link", facts.link},
          {"link_is_narrow",
           now != std::string::npos && lanes(facts.link.substr(0, now)) != lanes(facts.link)},
          {"integrated", facts.integrated},
          {"numa_node", facts.numa_node},
          {"own_numa_node", facts.own_numa_node}};
}

io::Json machine_facts(const SystemFiles& files) {
  const CudaDriver cuda = files.described() ? CudaDriver{} : cuda_driver();
  const NcclVersions nccl = files.described() ? NcclVersions{} : nccl_versions();
  const UsableCpus cpus = usable_cpus(files);
  io::Json facts = build_facts();
  facts.update({{"system_root", files.root()},
                {"mpi_built", *LBM_MPI_VERSION != 0},
                {"vtk_built", *LBM_VTK_VERSION != 0},
                {"cuda_built", cuda.built_in},
                {"cuda_program", cuda_version(cuda.toolkit)},
                {"cuda_driver", cuda_version(cuda.supported)},
                {"cuda_error", cuda.error},
                {"kernel_module", files.line("/sys/module/nvidia/version")},
                {"pci", nvidia_pci_ids(files)},
                {"cpus", cpus.allowed},
                {"cpus_online", cpus.online},
                {"cpu_quota", cpus.quota},
                {"cpu", ""},
                {"started_by_mpi", tiling::started_with_others()},
                {"nccl_built", nccl.built_in},
                {"nccl", nccl.found},
                {"trial", "no trial"},
                {"bind_refused", false}});
  facts["gpus"] = facts["no_peers"] = facts["not_shareable"] = io::Json::array();
  add_memory(files, facts);
  if (files.described()) return facts;
  add_gpus(cuda.devices, facts);
  if (cuda.devices == 0) try_placement(0, nullptr, facts);
  facts["cpu"] = make_cpu_backend()->device_name();
  facts["ranks_share"] = can_share_memory();
  std::error_code removed;
  add_disk("disk", std::filesystem::current_path(removed).string(), facts);
  add_disk("shm", "/dev/shm", facts);
  return facts;
}

io::Json judge(const io::Json& facts) {
  io::Json lines = io::Json::array();
  const io::Json once = io::Json::array({io::Json::object()});
  for (const YAML::Node& check : YAML::Load(checks_yaml())) {
    for (const io::Json& gpu : check["each"] ? facts["gpus"] : once) {
      io::Json both = facts;
      both.update(gpu);
      const bool applies = formula::number(check["only"].as<std::string>("1"), both) != 0;
      if (applies) lines.push_back(judged(check, both));
    }
  }
  return lines;
}

}  // namespace lbm::cases::doctor
