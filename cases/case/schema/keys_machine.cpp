// The table: what computes, and the memory of the host.
#include <fmt/format.h>

#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

}  // namespace

void add_machine_keys(Parts& parts) {
  add(parts, word<BackendKind>(
                 {"device.backend", "auto", "What computes. `auto` takes a GPU when there is one."},
                 {{"cpu", BackendKind::cpu}, {"cuda", BackendKind::cuda}},
                 [](auto& c) -> auto& { return c.device.backend; }, Auto::yes));
  add(parts, whole(
                 {"device.index", "0", "Which GPU, counted from 0."}, {0, 1023},
                 [](auto& c) -> auto& { return c.device.index; }));
  add(parts, bytes(
                 {"device.memory", "auto",
                  "Memory on the device that the lattice may take. `auto`: what is free."},
                 [](auto& c) -> auto& { return c.device.memory; }));
  add(parts, whole(
                 {"device.threads", "0", "Threads of the CPU backend; 0 means all cores."},
                 {0, 4096}, [](auto& c) -> auto& { return c.device.threads; }));
  add(parts, boolean(
                 {"device.share", "false",
                  "Whether several processes of a host may use one GPU, each with its part of the "
                  "memory that is free there; `device.memory` is then for each."},
                 [](auto& c) -> auto& { return c.device.share; }));
  add(parts,
      word<HostMemory>(
          {"host.memory", "auto",
           "Where the lattice of a run out of core lives. `pinned`: page-locked host memory; "
           "`managed`: "
           "CUDA managed memory, which must fit the card, too; `system`: plain memory that the GPU "
           "reads "
           "and writes itself (coherent machines). `auto` takes `pinned`."},
          {{"pinned", HostMemory::pinned},
           {"managed", HostMemory::managed},
           {"system", HostMemory::system}},
          [](auto& c) -> auto& { return c.host.memory; }, Auto::yes));
  add(parts, bytes(
                 {"host.memory_limit", "auto",
                  "Host memory that the lattice may take. `auto`: what the machine says it "
                  "has; state it where the machine does not know (containers)."},
                 [](auto& c) -> auto& { return c.host.memory_limit; }));
}

}  // namespace lbm::cases::key_table
