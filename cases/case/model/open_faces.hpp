// SPDX-License-Identifier: Apache-2.0

// Faces through which the mass in the box may change.
#pragma once

#include "cases/case/case.hpp"

namespace lbm::cases {

// True if the condition fixes the pressure: fluid enters and leaves freely.
constexpr bool fixes_pressure(BoundaryKind kind) {
  return kind == BoundaryKind::pressure || kind == BoundaryKind::outflow ||
         kind == BoundaryKind::far_field;
}

// True if a face or patch fixes the pressure: the mass in the box may then change.
bool is_open(const Case& lbm_case);

}  // namespace lbm::cases
