// SPDX-License-Identifier: Apache-2.0

// Key table: device and host memory.
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
using namespace value_types;

void add_machine_keys(Parts& parts) {
  const auto device = keys_of_case(parts).group("device", &Case::device);
  device.add("backend", &Device::backend, or_auto(words<BackendKind>()), "auto",
             "Backend that computes. `auto`: a GPU if there is one.");
  device.add("index", &Device::index, whole(0, 1023), "0", "Which GPU, counted from 0.");
  device.add("memory", &Device::memory, or_auto(bytes()), "auto",
             "Device memory for the lattice. `auto`: all that is free.");
  device.add("threads", &Device::threads, whole(0, 4096), "0",
             "Threads of the CPU backend. 0: one for each core that the process may use and that "
             "the quota of its control group leaves, but no more than one for 8192 cells. While "
             "other programs take the cores, fewer of them compute.");
  device.add("share", &Device::share, boolean(), "false",
             "Several ranks of a host may use one GPU, each with its share of the free memory; "
             "`device.memory` is then for each rank.");
  const auto host = keys_of_case(parts).group("host", &Case::host);
  host.add("memory", &Host::memory, or_auto(words<HostMemory>()), "auto",
           "Kind of host memory of an out-of-core lattice. `pinned`: page-locked; `managed`: CUDA "
           "managed memory, which must fit the GPU, too; `system`: plain memory that the GPU "
           "accesses directly (coherent machines). `auto`: `pinned`.");
  host.add("memory_limit", &Host::memory_limit, or_auto(bytes()), "auto",
           "Host memory for the lattice. `auto`: what the machine reports; set it where the report "
           "is wrong (containers).");
}

}  // namespace lbm::cases::key_table
