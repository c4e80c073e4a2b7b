// SPDX-License-Identifier: Apache-2.0

// Chooses what is stored of a cell where the case leaves it open (lattice.representation: auto).
#pragma once

#include <string>

#include "cases/case/case.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm::cases {

struct RepresentationChoice {
  Representation representation = Representation::populations;
  std::string reason;  // for users; empty where the case or its collision leaves no choice
};

// Moments for collisions that need no more, else populations. It follows from the case alone, so
// every machine computes the same bits.
RepresentationChoice choose_representation(const Case& lbm_case);

}  // namespace lbm::cases
