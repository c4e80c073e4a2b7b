// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "solver/core/error.hpp"

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

std::vector<std::string> Ranks::allgather(const std::string& text) {
  const auto sizes = allgather(text.size());
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  std::string own = text, all(longest * sizes.size(), ' ');
  own.resize(longest);
  allgather_bytes(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < sizes.size(); ++r) texts.push_back(all.substr(r * longest, sizes[r]));
  return texts;
}

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

#ifndef LBM_HAVE_MPI
std::unique_ptr<Ranks> join_ranks() {
  const Launch found = launch();
  if (found.processes < 2) return nullptr;
  throw UsageError(fmt::format(
      "found {} processes ({}), must be one, as lbm is built without MPI (wheels are): build it "
      "from source with an MPI (docs/install.md), or start it alone; for independent runs unset {}",
      found.processes, found.variable, found.variable));
}

std::string mpi_library() { return ""; }
#endif

}  // namespace lbm::tiling
