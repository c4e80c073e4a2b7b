// SPDX-License-Identifier: Apache-2.0

// The transform of a body: scale, then rotate in order, then translate.
#pragma once

#include "cases/case/case.hpp"
#include "cases/geometry/affine.hpp"

namespace lbm::cases {

// Factors along x, y and z.
Vec3 scale_of(const Body& body);

// The smallest of them, without its sign.
double smallest_scale(const Body& body);

// In units of the case, from the coordinates of the shape. Throws UsageError for an axis of
// rotation without a finite length.
geometry::Affine transform_of(const Body& body);

}  // namespace lbm::cases
