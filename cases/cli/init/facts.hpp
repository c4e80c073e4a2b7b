// SPDX-License-Identifier: Apache-2.0

// Facts of the user's file, for which a flow is made.
#pragma once

#include <vector>

#include "cases/case/case_bodies.hpp"
#include "cases/cli/init/flow.hpp"

namespace lbm::cases::init {

// The key `facts` of the flow says what it needs; both throw UsageError.
//   body   the surface --stl, turned into the axes of a wind tunnel (x across, y up, z along the
//          stream) and scaled. Adds in m: its width w, height h and length l, its corner low_x,
//          low_y, low_z, the scale; in m^2 the area that it turns towards the stream; triangles,
//          closed (1 or 0), has_rotate, and the texts rotate and up.
//   image  the voxels --image. Adds nx, ny, nz; in units of voxels the porosity and the surface of
//          the pores in a unit of volume.
void add_facts(const Flow& flow, Values& values);

// Rotations by multiples of 90 degrees, none to two, that turn `stream` to z and `up` to y; both
// are axes, and not the same one.
std::vector<Rotation> rotations(const Vec3& stream, const Vec3& up);

}  // namespace lbm::cases::init
