// Key table: device and host memory.
#include <fmt/format.h>

#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

}  // namespace

void add_machine_keys(Parts& parts) {
  add(parts,
      word<BackendKind>(
          {"device.backend", "auto", "Backend that computes. `auto`: a GPU if there is one."},
          {{"cpu", BackendKind::cpu}, {"cuda", BackendKind::cuda}},
          [](auto& c) -> auto& { return c.device.backend; }, Auto::yes));
  add(parts, whole(
                 {"device.index", "0", "Which GPU, counted from 0."}, {0, 1023},
                 [](auto& c) -> auto& { return c.device.index; }));
  add(parts,
      bytes(
          {"device.memory", "auto", "Device memory for the lattice. `auto`: all that is free."},
          [](auto& c) -> auto& { return c.device.memory; }));
  add(parts, whole(
                 {"device.threads", "0", "Threads of the CPU backend; 0 means all cores."},
                 {0, 4096}, [](auto& c) -> auto& { return c.device.threads; }));
  add(parts, boolean(
                 {"device.share", "false",
                  "Whether several ranks of a host may use one GPU, each with its share of the "
                  "free memory; `device.memory` is then for each rank."},
                 [](auto& c) -> auto& { return c.device.share; }));
  add(parts,
      word<HostMemory>(
          {"host.memory", "auto",
           "Kind of host memory of an out-of-core lattice. `pinned`: page-locked; `managed`: CUDA "
           "managed memory, which must fit the GPU, too; `system`: plain memory that the GPU "
           "accesses directly (coherent machines). `auto`: `pinned`."},
          {{"pinned", HostMemory::pinned},
           {"managed", HostMemory::managed},
           {"system", HostMemory::system}},
          [](auto& c) -> auto& { return c.host.memory; }, Auto::yes));
  add(parts, bytes(
                 {"host.memory_limit", "auto",
                  "Host memory for the lattice. `auto`: what the machine reports; set it where "
                  "the report is wrong (containers)."},
                 [](auto& c) -> auto& { return c.host.memory_limit; }));
}

}  // namespace lbm::cases::key_table
