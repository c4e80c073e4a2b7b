// SPDX-License-Identifier: Apache-2.0

// The MPI library in use, for `lbm doctor`.
#pragma once

#include <string>

namespace lbm::tiling {

// Name and version that the library reports, in one line; empty for a program without MPI. Does not
// initialise MPI.
std::string mpi_library();

}  // namespace lbm::tiling
