// SPDX-License-Identifier: Apache-2.0

// Which cells are stored, and which values of a cell: its 19 populations, or ten moments that these
// are a function of (ten_moments.hpp).
#pragma once

#include "solver/core/enum_names.hpp"
#include "solver/lattice/d3q19.hpp"

namespace lbm {

enum class Representation { populations, moments };
inline constexpr Representation all_representations[] = {Representation::populations,
                                                         Representation::moments};

constexpr auto enum_names(Representation) { return std::array{"populations", "moments"}; }

// Which cells have memory (PlaneLayout::fluid_only).
enum class CellsStored { all, fluid };

constexpr auto enum_names(CellsStored) { return std::array{"all", "fluid"}; }

// Values per cell.
constexpr int values_of(Representation representation) {
  return representation == Representation::moments ? 10 : d3q19::directions;
}

}  // namespace lbm
