// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

#include "cases/cli/doctor/facts.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases::doctor {
namespace {

using enum Verdict;
constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
const std::string no_node = "in a container: docker run --cap-add SYS_NICE";

struct Rule {
  bool holds;
  Verdict verdict;
  std::string meaning, remedy;
  bool fatal = false;
};

class Page {
 public:
  // The first rule that holds decides; without one the check is OK.
  void add(const std::string& name, const std::string& finding,
           std::initializer_list<Rule> rules = {}) {
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [](const Rule& each) { return each.holds; });
    checks.push_back(rule == rules.end()
                         ? Check{ok, name, finding, ""}
                         : Check{rule->verdict, name, finding + ": " + rule->meaning, rule->remedy,
                                 rule->fatal});
  }

  std::vector<Check> checks;
};

// "12.4" for 12040.
std::string cuda_version(int number) {
  return number == 0 ? "none" : fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string trial_text(const std::optional<Trial>& trial) {
  if (!trial) return "";
  std::vector<std::string> parts;
  for (const NodeShare& share : trial->shares) {
    parts.push_back(fmt::format("{:.0f} % on node {}", 100 * share.share, share.node));
  }
  return fmt::format("; 64 MiB on trial: {}, {}", to_string(trial->placement),
                     parts.empty() ? "node unknown" : fmt::format("{}", fmt::join(parts, ", ")));
}

bool is(const std::optional<Trial>& trial, Placement placement) {
  return trial && trial->placement == placement;
}

void judge_driver(const Facts& facts, Page& page) {
  const CudaDriver& cuda = facts.cuda;
  const bool here = facts.root.empty(), seen = !facts.pci.empty() || !facts.kernel_driver.empty();
  const bool old = cuda.supported > 0 && cuda.supported / 1000 < cuda.toolkit / 1000;
  page.add(
      "driver",
      fmt::format("NVIDIA GPUs that the system shows: {}; kernel module {}; CUDA of the driver {}, "
                  "of the program {}",
                  facts.pci.empty() ? "none" : fmt::format("{}", fmt::join(facts.pci, ", ")),
                  facts.kernel_driver.empty() ? "not loaded" : facts.kernel_driver,
                  cuda_version(cuda.supported), cuda_version(cuda.toolkit)),
      {{!here, fallback, "CUDA was not asked, since LBM_SYSTEM_ROOT describes another machine",
        "unset LBM_SYSTEM_ROOT to look at this machine"},
       {!cuda.built_in && facts.pci.empty(), ok, "runs use the CPU", ""},
       {!cuda.built_in, fallback, "runs use the CPU",
        "build lbm where a CUDA toolkit is installed (docs/install.md)"},
       {cuda.devices > 0 && cuda.supported < cuda.toolkit, fallback,
        "machine code runs, but the driver cannot compile the program's PTX", "update the driver"},
       {cuda.devices == 0 && !seen, fallback, "no usable GPU, runs use the CPU: " + cuda.error,
        "where there is a GPU: install NVIDIA's driver; docker run --gpus all"},
       {cuda.devices == 0, refused, "no usable GPU, runs use the CPU: " + cuda.error,
        old ? fmt::format("update the driver to one for CUDA {}, or build with an older toolkit",
                          cuda_version(cuda.toolkit))
            : "see that nvidia-smi lists the GPU and CUDA_VISIBLE_DEVICES does not hide it"}});
}

void judge_gpu(const std::string& name, const GpuFacts& gpu, Page& page) {
  const DeviceFacts& device = gpu.device;
  if (!gpu.error.empty()) {
    return page.add(name, "cannot be used",
                    {{true, refused, gpu.error, "see nvidia-smi; CUDA_VISIBLE_DEVICES hides it"}});
  }
  const int own = 10 * device.compute_major + device.compute_minor;
  const std::string build = fmt::format("build lbm with CMAKE_CUDA_ARCHITECTURES={}", own);
  page.add(name,
           fmt::format("{}, compute capability {}.{}, {} multiprocessors, PCI {}", device.name,
                       device.compute_major, device.compute_minor, device.multiprocessors,
                       device.pci_id),
           {{!gpu.code.error.empty(), refused, "the program has no code for it: " + gpu.code.error,
             build + ", or use device.backend: cpu"},
            {gpu.code.binary != gpu.code.ptx, fallback,
             fmt::format("the driver compiles code for it from PTX of {:.1f}, at the first start",
                         gpu.code.ptx / 10.0),
             build}});
  page.add(name + " memory",
           fmt::format("{} free of {}{}", human_bytes(gpu.free), human_bytes(device.total_memory),
                       device.integrated ? ", the host's memory: grids stay in core" : ""),
           {{!device.integrated && gpu.free < device.total_memory / 2, fallback,
             "something else uses it",
             device.own_numa_node < 0
                 ? "see nvidia-smi"
                 : "see nvidia-smi; file cache may be there (echo 1 > /proc/sys/vm/drop_caches)"}});
  // A link that may go faster than it does is asleep, or in a bad slot.
  const std::size_t now = device.link.find(", now ");
  const auto lanes = [](const std::string& text) { return text.substr(text.rfind(' ') + 1); };
  std::vector<std::string> kinds;
  for (const HostMemory kind : usable_host_memory(device)) kinds.emplace_back(to_string(kind));
  page.add(name + " link",
           fmt::format("{}, pageable access {}, host.memory may be {}",
                       device.link.empty() ? "unknown" : device.link, to_string(device.pageable),
                       fmt::join(kinds, ", ")),
           {{device.link.empty(), fallback, "the system does not describe it",
             "lbm bench --only link measures it"},
            {now != std::string::npos && lanes(device.link.substr(0, now)) != lanes(device.link),
             fallback, "fewer lanes than the GPU has", "put the GPU into a slot with all lanes"}});
  if (device.integrated) return;
  const std::string near = device.numa_node < 0 ? "unknown" : fmt::format("{}", device.numa_node);
  const std::string memory =
      device.own_numa_node < 0 ? "" : fmt::format(", its memory is node {}", device.own_numa_node);
  page.add(name + " host planes",
           fmt::format("next to it: NUMA node {}{}{}", near, memory, trial_text(gpu.trial)),
           {{gpu.trial && !gpu.trial->pinned, refused, "cannot be pinned",
             "raise ulimit -l and the memory limit of the container; else host.memory: system"},
            {is(gpu.trial, Placement::refused), fallback, "no process may choose a node", no_node},
            {is(gpu.trial, Placement::preferred), fallback,
             "nodes with CPUs have too little free memory", "end what uses the host's memory"}});
}

void judge_peers(const std::vector<GpuFacts>& gpus, Page& page) {
  std::vector<std::string> missing;
  bool shareable = true;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    shareable = shareable && gpus[i].shareable;
    const std::vector<int>& peers = gpus[i].peers;
    for (std::size_t j = 0; j < gpus.size(); ++j) {
      const bool reached = std::count(peers.begin(), peers.end(), static_cast<int>(j)) > 0;
      if (i != j && !reached) missing.push_back(fmt::format("{} to {}", i, j));
    }
  }
  page.add(
      "peer access",
      fmt::format("none from GPU {}; processes {} open each other's GPU memory",
                  missing.empty() ? "to GPU missing" : fmt::format("{}", fmt::join(missing, ", ")),
                  shareable ? "can" : "cannot"),
      {{!missing.empty() || (!shareable && gpus.size() > 1), fallback,
        "halo planes may travel through the host",
        "see nvidia-smi topo -p2p r; in containers: docker run --ipc=host --pid=host"}});
}

void judge_memory(const Facts& facts, Page& page) {
  const MachineMemory& memory = facts.memory;
  const auto left_out = [](std::uint64_t bytes, const char* where) {
    return bytes == 0 ? ""
                      : fmt::format("; not counted: {} on nodes {}", human_bytes(bytes), where);
  };
  page.add(
      "host memory",
      fmt::format("{} available of {}, limit of the control group {}{}{}",
                  human_bytes(memory.usable_available()), human_bytes(memory.usable_total()),
                  memory.limited() ? human_bytes(memory.group_limit) : "none",
                  left_out(memory.without_cpus, "without CPUs"),
                  left_out(memory.not_allowed, "that this process may not use")),
      {{memory.total == 0, refused, "unknown, /proc/meminfo is missing: grids are refused",
        "mount /proc; on a GPU set host.memory_limit", facts.gpus.empty() && facts.root.empty()},
       {memory.usable_available() < 64 * mebibyte, refused, "too little for any run",
        "end other programs, or raise the memory of the job or container", true},
       {memory.not_allowed > 0 || memory.usable_total() < memory.total, fallback,
        "less than the machine has", "raise the memory of the job or container"}});
  const TransparentPages& huge = facts.transparent;
  page.add("pages",
           fmt::format("{}; transparent huge pages {}, {}",
                       facts.page == 0 ? "of unknown size" : human_bytes(facts.page),
                       huge.mode.empty() ? "unknown" : huge.mode, human_bytes(huge.bytes)),
           {{huge.mode != "always" && huge.mode != "madvise", fallback, "pinning is slower",
             "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)"}});
  page.add("locked memory",
           "ulimit -l: " + (facts.locked == unlimited ? "unlimited" : human_bytes(facts.locked)),
           {{facts.locked != unlimited && !facts.mpi.empty(), fallback,
             "MPI over InfiniBand may need more",
             "ulimit -l unlimited before mpirun; docker run --ulimit memlock=-1"}});
  std::vector<std::string> host, foreign;
  for (const NumaNode& node : host_nodes(facts.nodes)) {
    host.push_back(fmt::format("node {} (CPUs {}, {}, {} free or file cache)", node.number,
                               numa_list(node.cpus), human_bytes(node.total),
                               human_bytes(node.available())));
  }
  for (const NumaNode& node : nodes_without_cpus(facts.nodes)) {
    foreign.push_back(fmt::format("node {} ({})", node.number, human_bytes(node.total)));
  }
  page.add(
      "NUMA",
      fmt::format("{} nodes; the host's: {}; without CPUs: {}{}", facts.nodes.size(),
                  fmt::join(host, ", "),
                  foreign.empty() ? "none" : fmt::format("{}", fmt::join(foreign, ", ")),
                  trial_text(facts.trial)),
      {{facts.nodes.empty(), fallback,
        "/sys/devices/system/node is missing, memory and threads are not bound", "mount /sys"},
       {memory.not_allowed > 0, fallback, "not all nodes are allowed",
        "ask the batch system for whole nodes"},
       {is(facts.trial, Placement::refused), fallback, "no process may choose a node", no_node}});
}

void judge_program(const Facts& facts, Page& page) {
  const UsableCpus& cpus = facts.cpus;
  const bool mpi = !facts.mpi.empty();
  page.add("CPUs",
           fmt::format("this process may use {} of {}; {}", cpus.allowed, cpus.online, facts.cpu),
           {{cpus.quota > 0 && cpus.quota < cpus.allowed, fallback,
             fmt::format("the control group gives the time of {:.3g}", cpus.quota),
             fmt::format("device.threads: {:.0f}", std::max(1.0, cpus.quota))},
            {cpus.allowed == 1 && cpus.online > 1, fallback, "it is bound to one",
             "mpirun --bind-to none, or more CPUs a task (srun -c)"}});
  const std::string build = "build lbm from source where an MPI is installed (docs/install.md)";
  page.add("MPI", mpi ? "built in, MPI " + facts.mpi : "not built in",
           {{!mpi && facts.started_by_mpi, refused,
             "this process is one of several, runs refuse to start", build, true},
            {!mpi, fallback, "a run is one process with one GPU", build}});
  if (mpi && facts.cuda.built_in) {
    const int found = facts.nccl.found;
    page.add(
        "NCCL",
        fmt::format("built in: {}, library {}.{}.{}", facts.nccl.built_in, found / 10000,
                    found / 100 % 100, found % 100),
        {{found > 0, ok, "GPUs of several hosts can exchange planes (exchange: nccl)", ""},
         {true, facts.started_by_mpi ? fallback : ok,
          "planes between hosts travel as messages (exchange: mpi)",
          !facts.started_by_mpi ? ""
          : facts.nccl.built_in ? "pip install nvidia-nccl-cu13, and its folder in LD_LIBRARY_PATH"
                                : "build where nccl.h is installed (docs/install.md)"}});
  }
  if (facts.ranks_share) {
    page.add(
        "shared memory", "between ranks of this host",
        {{!*facts.ranks_share, fallback, "none, halo planes travel as messages (exchange: mpi)",
          "mount /proc, and allow memfd_create and /proc/PID/fd (docker run --pid=host)"}});
  }
  page.add("VTK", facts.vtk.empty() ? "not built in" : facts.vtk,
           {{facts.vtk.empty(), fallback, "isosurfaces and formats other than vtkhdf do not work",
             "build lbm where VTK is installed, or use output.format: vtkhdf"}});
  if (!facts.here || !facts.shm) return;
  const auto room = [](const DiskFacts& disk) {
    return fmt::format("{}: {} free of {}", disk.path, human_bytes(disk.free),
                       human_bytes(disk.total));
  };
  const DiskFacts &disk = *facts.here, &shm = *facts.shm;
  page.add("disk", room(disk),
           {{!disk.writable, refused, "not writable", "use --out DIR, or another directory"},
            {disk.in_memory, fallback, "results take the host's memory", "use --out DIR on a disk"},
            {disk.free < 1024 * mebibyte, fallback, "little room for results",
             "use --out DIR on another disk"}});
  page.add("/dev/shm", room(shm),
           {{mpi && (!shm.writable || shm.free < 256 * mebibyte), fallback,
             "little for MPI with many ranks", "docker run --shm-size 1g, or --ipc=host"}});
}

}  // namespace

std::vector<Check> judge(const Facts& facts) {
  Page page;
  judge_driver(facts, page);
  for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
    judge_gpu(fmt::format("gpu {}", i), facts.gpus[i], page);
  }
  if (!facts.gpus.empty()) judge_peers(facts.gpus, page);
  judge_memory(facts, page);
  judge_program(facts, page);
  return page.checks;
}

}  // namespace lbm::cases::doctor
