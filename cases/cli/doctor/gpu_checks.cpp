// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/cli/doctor/checks.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases::doctor {
namespace {

std::string capability(int number) { return fmt::format("{}.{}", number / 10, number % 10); }

std::string seen_on_pci(const DoctorFacts& facts) {
  if (!facts.devices_known) return "the system does not show its devices (/sys/bus/pci)";
  if (facts.pci_gpus.empty()) return "the system shows no NVIDIA GPU";
  return fmt::format("the system shows {} NVIDIA GPU{} (PCI {})", facts.pci_gpus.size(),
                     facts.pci_gpus.size() == 1 ? "" : "s", fmt::join(facts.pci_gpus, ", "));
}

std::string kernel_module(const DoctorFacts& facts) {
  if (!facts.kernel_driver.empty()) return "kernel module " + facts.kernel_driver;
  return facts.devices_known ? "NVIDIA's kernel module is not loaded"
                             : "NVIDIA's kernel module unknown";
}

Check driver_check(const DoctorFacts& facts) {
  const CudaDriver& cuda = facts.cuda;
  const std::string seen = seen_on_pci(facts) + ", " + kernel_module(facts);
  if (facts.described()) {
    return {Verdict::fallback, "driver",
            seen + "; CUDA was not asked, since LBM_SYSTEM_ROOT describes another machine",
            "unset LBM_SYSTEM_ROOT to look at this machine"};
  }
  if (!cuda.built_in) {
    const std::string text = "the program was built without CUDA, runs use the CPU; " + seen;
    if (facts.pci_gpus.empty()) return {Verdict::ok, "driver", text, ""};
    return {Verdict::fallback, "driver", text,
            "build it where a CUDA toolkit is installed (docs/install.md)"};
  }
  const std::string versions = fmt::format(
      "{}, {}; the program was built with CUDA {}", kernel_module(facts),
      cuda.supported == 0 ? "no CUDA driver"
                          : fmt::format("supports CUDA up to {}", cuda_version(cuda.supported)),
      cuda_version(cuda.toolkit));
  if (cuda.devices > 0) {
    if (cuda.supported >= cuda.toolkit) return {Verdict::ok, "driver", versions, ""};
    return {Verdict::fallback, "driver",
            versions + "; machine code runs, but the driver cannot compile the program's PTX",
            "update the driver"};
  }
  const std::string no_gpu =
      fmt::format("{}; no usable GPU, runs use the CPU: {}; {}", versions,
                  cuda.error.empty() ? "none found" : cuda.error, seen_on_pci(facts));
  // A container or a virtual machine may hide the GPU's PCI device as well.
  if (facts.pci_gpus.empty() && facts.kernel_driver.empty()) {
    return {Verdict::fallback, "driver", no_gpu,
            "where there is a GPU: install NVIDIA's driver; in a container, start it with the GPU "
            "(docker run --gpus all)"};
  }
  const bool old = cuda.supported > 0 && cuda.supported / 1000 < cuda.toolkit / 1000;
  return {Verdict::refused, "driver", no_gpu,
          old ? fmt::format("update the driver to one for CUDA {}, or build with an older toolkit",
                            cuda_version(cuda.toolkit))
              : "see that nvidia-smi lists the GPU, and that CUDA_VISIBLE_DEVICES is not empty"};
}

Check code_check(const std::string& name, const GpuFacts& gpu) {
  const DeviceFacts& device = gpu.device;
  const int own = 10 * device.compute_major + device.compute_minor;
  const std::string what =
      fmt::format("{}, compute capability {}, {} multiprocessors, PCI {}", device.name,
                  capability(own), device.multiprocessors, device.pci_id);
  if (!gpu.code.error.empty()) {
    return {Verdict::refused, name,
            fmt::format("{}; the program has no code for it: {}", what, gpu.code.error),
            fmt::format("build with CMAKE_CUDA_ARCHITECTURES={}, or use device.backend: cpu", own)};
  }
  if (gpu.code.binary != gpu.code.ptx) {
    return {Verdict::fallback, name,
            fmt::format("{}; the driver compiles code for it from PTX of {}, at the first start",
                        what, capability(gpu.code.ptx)),
            fmt::format("build with CMAKE_CUDA_ARCHITECTURES={}", own)};
  }
  return {Verdict::ok, name,
          fmt::format("{}; the program has machine code of {}", what, capability(gpu.code.binary)),
          ""};
}

Check gpu_memory_check(const std::string& name, const GpuFacts& gpu) {
  const DeviceFacts& device = gpu.device;
  const bool little = gpu.free < device.total_memory / 2;
  const std::string amounts =
      fmt::format("{} free of {}", human_bytes(gpu.free), human_bytes(device.total_memory));
  if (device.integrated) {
    return {Verdict::ok, name + " memory",
            amounts + ", the host's memory (as the system counts it): grids stay in core", ""};
  }
  if (!little) return {Verdict::ok, name + " memory", amounts, ""};
  return {Verdict::fallback, name + " memory", amounts + ": something else uses it",
          device.own_numa_node >= 0
              ? "see nvidia-smi; on a coherent machine also file cache in the GPU's memory "
                "(echo 1 > /proc/sys/vm/drop_caches)"
              : "see nvidia-smi"};
}

// A link that may go faster than it does is asleep, or in a bad slot.
Check link_check(const std::string& name, const GpuFacts& gpu) {
  const DeviceFacts& device = gpu.device;
  std::vector<std::string> kinds;
  for (const HostMemory kind : usable_host_memory(device)) kinds.emplace_back(to_string(kind));
  const std::string text = fmt::format("{}, pageable access {}, host.memory may be {}",
                                       device.link.empty() ? "unknown" : device.link,
                                       to_string(device.pageable), fmt::join(kinds, ", "));
  if (device.link.empty()) {
    return {Verdict::fallback, name + " link", text + "; the system does not describe it",
            "lbm bench --only link measures it"};
  }
  const std::size_t now = device.link.find(", now ");
  if (now == std::string::npos) return {Verdict::ok, name + " link", text, ""};
  const auto lanes = [](const std::string& words) { return words.substr(words.rfind(' ') + 1); };
  if (lanes(device.link.substr(0, now)) == lanes(device.link)) {
    return {Verdict::ok, name + " link", text + " (an idle GPU saves power)", ""};
  }
  return {Verdict::fallback, name + " link", text + ": fewer lanes than the GPU has",
          "put the GPU into a slot with all lanes"};
}

std::string next_to(const DeviceFacts& device) {
  std::string text = device.numa_node < 0 ? "NUMA node unknown"
                                          : fmt::format("next to NUMA node {}", device.numa_node);
  if (device.own_numa_node >= 0) {
    text += fmt::format(", its own memory is node {}", device.own_numa_node);
  }
  return text;
}

Check host_planes_check(const std::string& name, const GpuFacts& gpu) {
  const std::string title = name + " host planes";
  if (gpu.device.integrated) {
    return {Verdict::ok, title, "none: the GPU uses the host's memory itself", ""};
  }
  std::string text = next_to(gpu.device);
  if (!gpu.trial) return {Verdict::ok, title, text, ""};
  text += fmt::format("; {} on trial: {}, {}", human_bytes(gpu.trial->bytes),
                      to_string(gpu.trial->placement), shares_text(gpu.trial->shares));
  if (gpu.pinned == 0) {
    return {Verdict::refused, title, text + "; cannot be pinned",
            "raise ulimit -l and the memory limit of the container; else host.memory: system"};
  }
  text += ", pinned";
  if (gpu.trial->placement == Placement::refused) {
    return {Verdict::fallback, title, text + ": the system lets no process choose a node (mbind)",
            "in a container: docker run --cap-add SYS_NICE"};
  }
  if (gpu.trial->placement == Placement::preferred) {
    return {Verdict::fallback, title, text + ": nodes with CPUs have too little free memory",
            "end what uses the memory of the host"};
  }
  return {Verdict::ok, title, text, ""};
}

void check_peers(const DoctorFacts& facts, Checks& checks) {
  const std::size_t count = facts.gpus.size();
  if (count == 0) return;
  const auto shareable = std::count_if(facts.gpus.begin(), facts.gpus.end(),
                                       [](const GpuFacts& gpu) { return gpu.shareable; });
  const bool all_shareable = shareable == static_cast<std::ptrdiff_t>(count);
  const std::string ways = all_shareable
                               ? "processes can open each other's GPU memory (exchange: device)"
                               : "processes cannot open each other's GPU memory";
  if (count == 1) {
    checks.push_back({Verdict::ok, "peer access", "one GPU; " + ways, ""});
    return;
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const auto& peers = facts.gpus[i].peers;
      if (i == j || std::count(peers.begin(), peers.end(), static_cast<int>(j)) > 0) continue;
      missing.push_back(fmt::format("{} to {}", i, j));
    }
  }
  if (missing.empty() && all_shareable) {
    checks.push_back({Verdict::ok, "peer access", "between all GPUs; " + ways, ""});
    return;
  }
  checks.push_back({Verdict::fallback, "peer access",
                    fmt::format("{}; {}; halo planes may travel through the host",
                                missing.empty() ? "between all GPUs"
                                                : fmt::format("none {}", fmt::join(missing, ", ")),
                                ways),
                    "nvidia-smi topo -p2p r says which GPUs have it; in containers share the "
                    "namespaces of processes (docker run --ipc=host --pid=host)"});
}

}  // namespace

std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string shares_text(const std::vector<NodeShare>& shares) {
  if (shares.empty()) return "node unknown";
  std::vector<std::string> parts;
  parts.reserve(shares.size());
  for (const NodeShare& share : shares) {
    parts.push_back(fmt::format("{:.0f} % on node {}", 100 * share.share, share.node));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void check_gpus(const DoctorFacts& facts, Checks& checks) {
  checks.push_back(driver_check(facts));
  for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
    const GpuFacts& gpu = facts.gpus[i];
    const std::string name = fmt::format("gpu {}", i);
    if (!gpu.error.empty()) {
      checks.push_back({Verdict::refused, name, gpu.error,
                        "see nvidia-smi; CUDA_VISIBLE_DEVICES can hide this GPU"});
      continue;
    }
    checks.push_back(code_check(name, gpu));
    checks.push_back(gpu_memory_check(name, gpu));
    checks.push_back(link_check(name, gpu));
    checks.push_back(host_planes_check(name, gpu));
  }
  check_peers(facts, checks);
}

}  // namespace lbm::cases::doctor
