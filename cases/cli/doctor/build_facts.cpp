// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/doctor/build_facts.hpp"

#include "cases/run/setup/commit.hpp"
#include "io/hdf5/hdf5_version.hpp"

namespace lbm::cases {

BuildFacts build_facts() {
  return {.version = LBM_VERSION,
          .commit = commit(),
          .type = LBM_BUILD_TYPE,
          .compiler = LBM_COMPILER,
          .cuda = LBM_CUDA_VERSION,
          .hdf5 = io::hdf5_version(),
          .yaml_cpp = LBM_YAML_VERSION,
          .vtk = LBM_VTK_VERSION,
          .mpi = LBM_MPI_VERSION,
          .hdf5_parallel = io::hdf5_is_parallel()};
}

}  // namespace lbm::cases
