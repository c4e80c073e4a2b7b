// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

// Initialising MPI takes a second and starts a helper process, so a program that runs alone does
// not. mpirun (Open MPI, MPICH) and srun give the number of ranks in the environment.
bool started_with_others() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string_view text = value;
    int count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    if (count > 1) return true;
  }
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr && std::string_view(tasks) != "1" && std::getenv("PMIX_RANK") != nullptr;
}

}  // namespace lbm::tiling
