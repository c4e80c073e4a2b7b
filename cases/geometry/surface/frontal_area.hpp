// SPDX-License-Identifier: Apache-2.0

// The area that a surface turns towards a stream.
#pragma once

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// Area of the projection of all triangles along an axis (0 to 2), without what hides behind: on a
// grid of 1024 points along the longer side of the projection, so that its error is of the order of
// its outline / 1024. In the units of the mesh, squared.
double frontal_area(const Mesh& mesh, std::size_t axis);

}  // namespace lbm::geometry
