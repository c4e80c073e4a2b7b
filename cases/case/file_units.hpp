// SPDX-License-Identifier: Apache-2.0

// The units of result files, as their attribute `units` says them (docs/output.md).
#pragma once

#include <string_view>

namespace lbm::cases::units_text {

inline constexpr std::string_view reference =
    "lengths / reference length, velocities / reference velocity, times / convective time, "
    "density / initial density, pressure and stress / (initial density x reference velocity^2)";
inline constexpr std::string_view physical =
    "SI: m, s, m/s, kg/m^3, Pa (pressure relative to that at the reference density)";
inline constexpr std::string_view lattice =
    "lattice units: cells, steps, density / initial density";

}  // namespace lbm::cases::units_text
