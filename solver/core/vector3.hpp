// SPDX-License-Identifier: Apache-2.0

// Vectors of three components, on the host.
#pragma once

#include <array>

namespace lbm {

using Vector3 = std::array<double, 3>;

constexpr Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace lbm
