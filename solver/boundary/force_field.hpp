// SPDX-License-Identifier: Apache-2.0

// A body force that depends on the place.
#pragma once

#include <functional>
#include <span>

#include "solver/lattice/boundary_condition.hpp"

namespace lbm {

// Force per volume (acceleration times the density 1), cells per step^2.
struct ForceField {
  // Writes the force in plane z, without the factor: the x components of all cells, row by row,
  // then the y and the z components; 3 nx ny values. Called for one plane after the other; may
  // throw.
  std::function<void(int z, std::span<float> values)> fill;
  bool same_in_all_planes = false;  // then plane 0 alone is asked for
  TimeFactor factor;
};

}  // namespace lbm
