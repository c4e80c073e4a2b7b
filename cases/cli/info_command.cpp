// SPDX-License-Identifier: Apache-2.0

// `lbm info`: what this program can do on this machine.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cases/cli/commands.hpp"
#include "cases/cli/doctor/build_facts.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "io/text/json.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/human_bytes.hpp"

#include "cases/cli/terminal/print.hpp"

namespace lbm::cases {
namespace {

std::string or_left_out(const std::string& version) {
  return version.empty() ? "not built in" : version;
}

std::vector<std::string> host_memory_of(const DeviceFacts& facts) {
  std::vector<std::string> kinds;
  for (const HostMemory kind : usable_host_memory(facts)) kinds.emplace_back(to_string(kind));
  return kinds;
}

io::Json device_json(const Backend& backend) {
  io::Json json = {{"backend", to_string(backend.kind())},
                   {"name", backend.device_name()},
                   {"free_bytes", backend.free_memory()}};
  if (backend.kind() == BackendKind::cpu) return json;
  const DeviceFacts facts = backend.facts();
  json["compute_capability"] = fmt::format("{}.{}", facts.compute_major, facts.compute_minor);
  json["multiprocessors"] = facts.multiprocessors;
  json["memory_bytes"] = facts.total_memory;
  json["pageable_access"] = to_string(facts.pageable);
  json["host_memory"] = host_memory_of(facts);
  json["pci_id"] = facts.pci_id;
  json["link"] = facts.link;
  json["link_gb_per_s"] = link_speed_json(known_speeds_of(backend).link());
  json["integrated"] = facts.integrated;
  json["numa_node"] = facts.numa_node;
  return json;
}

io::Json info_json() {
  const BuildFacts build = build_facts();
  io::Json json = {{"version", build.version},
                   {"commit", build.commit},
                   {"build_type", build.type},
                   {"compiler", build.compiler},
                   {"cuda", or_left_out(build.cuda)},
                   {"hdf5", build.hdf5},
                   {"yaml_cpp", build.yaml_cpp},
                   {"mpi", or_left_out(build.mpi)},
                   {"cores", static_cast<int>(std::thread::hardware_concurrency())},
                   {"host_memory_bytes", host_memory_total()},
                   {"host_memory_available_bytes", host_memory_available()},
                   {"devices", io::Json::array({device_json(*make_cpu_backend())})}};
  for (int i = 0; i < cuda_device_count(); ++i) {
    json["devices"].push_back(device_json(*make_cuda_backend(i)));
  }
  return json;
}

void print_gpu(int index, const Backend& backend) {
  const DeviceFacts facts = backend.facts();
  print_to(stdout, "  cuda {}    {}, {} of {} free\n", index, facts.name,
           human_bytes(backend.free_memory()), human_bytes(facts.total_memory));
  print_to(stdout,
           "            compute capability {}.{}, {} multiprocessors, PCI {}, NUMA node {}\n",
           facts.compute_major, facts.compute_minor, facts.multiprocessors, facts.pci_id,
           facts.numa_node < 0 ? "unknown" : fmt::format("{}", facts.numa_node));
  print_to(stdout, "            link {}, pageable access {}, host.memory {}\n",
           facts.link.empty() ? "unknown" : facts.link, to_string(facts.pageable),
           fmt::join(host_memory_of(facts), ", "));
  const DeviceSpeeds speeds = known_speeds_of(backend);
  if (!speeds.link().measured()) return;
  print_to(stdout,
           "            measured: in {:.1f} GB/s, out {:.1f}, both at once {:.1f} + {:.1f}\n",
           1e-9 * speeds.link_in, 1e-9 * speeds.link_out, 1e-9 * speeds.link_in_both,
           1e-9 * speeds.link_out_both);
}

void print_text() {
  const BuildFacts build = build_facts();
  print_to(stdout, "lbm {} ({}, {})\n", build.version, build.type, build.compiler);
  print_to(stdout, "  CUDA      {}\n", or_left_out(build.cuda));
  print_to(stdout, "  HDF5      {}\n", build.hdf5);
  print_to(stdout, "  yaml-cpp  {}\n", build.yaml_cpp);
  print_to(stdout, "  MPI       {}\n", or_left_out(build.mpi));
  print_to(stdout, "  host      {} cores, {} of memory, {} available\n",
           std::thread::hardware_concurrency(), human_bytes(host_memory_total()),
           human_bytes(host_memory_available()));
  print_to(stdout, "  cpu       {}\n", make_cpu_backend()->device_name());
  const int gpus = cuda_device_count();
  if (gpus == 0) print_to(stdout, "  cuda      no usable GPU\n");
  for (int i = 0; i < gpus; ++i) {
    const auto backend = make_cuda_backend(i);
    print_gpu(i, *backend);
  }
}

}  // namespace

int info_command(bool json) {
  if (json) {
    print_to(stdout, "{}", io::json_text(info_json()));
  } else {
    print_text();
  }
  return 0;
}

}  // namespace lbm::cases
