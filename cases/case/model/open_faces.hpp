// SPDX-License-Identifier: Apache-2.0

// Faces through which the mass in the box may change.
#pragma once

#include "cases/case/case.hpp"

namespace lbm::cases {

// Whether fluid enters and leaves freely, so that the condition fixes the pressure.
constexpr bool fixes_pressure(BoundaryKind kind) {
  return kind == BoundaryKind::pressure || kind == BoundaryKind::outflow ||
         kind == BoundaryKind::far_field;
}

// Whether a face or patch fixes the pressure, so that the mass in the box is free.
bool is_open(const Case& lbm_case);

}  // namespace lbm::cases
