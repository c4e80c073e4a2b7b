// SPDX-License-Identifier: Apache-2.0

// How this program was built.
#pragma once

#include <string>

namespace lbm::cases {

// Versions of what it was built with; cuda, vtk and mpi are empty where they were left out.
struct BuildFacts {
  std::string version, commit, type, compiler;
  std::string cuda, hdf5, yaml_cpp, vtk, mpi;
  bool hdf5_parallel = false;
};

BuildFacts build_facts();

}  // namespace lbm::cases
