// Which values of a cell are stored: its 19 populations, or ten moments that these are a function
// of (ten_moments.hpp).
#pragma once

#include "solver/core/enum_names.hpp"
#include "solver/lattice/d3q19.hpp"

namespace lbm {

enum class Representation { populations, moments };
inline constexpr Representation all_representations[] = {Representation::populations,
                                                         Representation::moments};

constexpr auto enum_names(Representation) { return std::array{"populations", "moments"}; }

// Values per cell.
constexpr int values_of(Representation representation) {
  return representation == Representation::moments ? 10 : d3q19::directions;
}

}  // namespace lbm
