// SPDX-License-Identifier: Apache-2.0

// The ways to schedule a run.
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm::tiling {

enum class Scheme {
  in_core,    // all planes live on the device
  wavefront,  // temporal blocking: planes stream through the device, time-skewed, no redundant work
  halo,       // temporal blocking: planes stream through in tiles with recomputed halos
};

constexpr auto enum_names(Scheme) { return std::array{"in_core", "wavefront", "halo"}; }
using lbm::to_string;

}  // namespace lbm::tiling
