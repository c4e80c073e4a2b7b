// SPDX-License-Identifier: Apache-2.0

// The door for C++ programs that embed the solver. It is installed as <lbm/simulation.hpp>;
// docs/embedding.md has an example.
#pragma once

#include "cases/case/read/read_case.hpp"
#include "cases/run/simulation.hpp"

namespace lbm {

using cases::Case;
using cases::CellBox;
using cases::parse_case;
using cases::read_case;
using cases::RunCallbacks;
using cases::RunOptions;
using cases::Simulation;
using Field = fields::Kind;

}  // namespace lbm
