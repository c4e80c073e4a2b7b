// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_transform.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::cases {

Vec3 scale_of(const Body& body) { return body.scale.value_or(Vec3{1, 1, 1}); }

double smallest_scale(const Body& body) {
  const Vec3 s = scale_of(body);
  return std::min({std::abs(s[0]), std::abs(s[1]), std::abs(s[2])});
}

geometry::Affine transform_of(const Body& body) {
  geometry::Affine all;
  if (body.scale && *body.scale != Vec3{1, 1, 1}) all = geometry::scaling(*body.scale) * all;
  for (const Rotation& r : body.rotate) all = geometry::rotation(r.axis, r.degrees) * all;
  if (body.translate) all = geometry::translation(*body.translate) * all;
  return all;
}

}  // namespace lbm::cases
