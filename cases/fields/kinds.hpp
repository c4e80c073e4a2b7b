// The kinds of all fields, for lists of their names.
#pragma once

#include <array>

#include "cases/fields/quantities.hpp"

namespace lbm::fields {

inline constexpr std::array all_kinds = {
    Kind::density,     Kind::pressure,    Kind::velocity,          Kind::vorticity,
    Kind::q_criterion, Kind::strain_rate, Kind::wall_shear_stress, Kind::solid};

}  // namespace lbm::fields
