// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {
namespace {

// The variable with the largest count of processes.
Launch largest(std::initializer_list<const char*> names) {
  Launch found;
  for (const char* name : names) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string_view text = value;
    int count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    if (found.variable.empty() || count > found.processes) found = {count, name, true};
  }
  return found;
}

// Process managers that speak to MPI leave a variable of PMI or PMIx.
bool has_process_manager() {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("PMI")) return true;
  }
  return false;
}

}  // namespace

// Initialising MPI takes a second and starts a helper process, so a program that runs alone does
// not. mpirun (Open MPI, MPICH) and srun give the number of ranks in the environment. mpirun in a
// job of Slurm leaves the variables of Slurm, which count its daemons; a batch script has none.
Launch launch() {
  Launch found = largest({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"});
  if (found.variable.empty()) {
    found = largest({"SLURM_STEP_NUM_TASKS"});
    found.manager = has_process_manager();
  }
  return found;
}

bool started_with_others() {
  const Launch found = launch();
  return found.processes > 1 && found.manager;
}

}  // namespace lbm::tiling
