// SPDX-License-Identifier: Apache-2.0

// The ways in which planes go from one process to another.
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm::tiling {

enum class ExchangeKind {
  device,  // through memory of one device that the other device reaches
  host,    // through memory that the processes of a host share
  mpi,     // by MPI messages
};

constexpr auto enum_names(ExchangeKind) { return std::array{"device", "host", "mpi"}; }
using lbm::to_string;

}  // namespace lbm::tiling
