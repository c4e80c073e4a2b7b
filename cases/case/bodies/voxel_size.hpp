// SPDX-License-Identifier: Apache-2.0

// The size of a voxel, as the header of its file or `voxel_size` of the body tells it.
#pragma once

#include <string>

#include "cases/case/case_bodies.hpp"
#include "cases/geometry/voxels/voxel_planes.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::cases {

// Voxels along x, y, z after `resample`, of `part` voxels of the file: all their edges are the
// shortest one of the file. Throws UsageError, which names the key, for voxels that are no cubes
// unless `resample` is set.
geometry::Voxels cubic_voxels(const Body& body, const io::VoxelFormat& format,
                              const geometry::Voxels& part);

// Throws UsageError where the edge of a cell of the image is not `spacing`, in m. A unit that the
// file does not tell may be m, mm, um or nm; an edge of 1 without a unit tells nothing.
void check_spacing(const Body& body, const io::VoxelFormat& format, double spacing);

// "0.002 x 0.002 x 0.002 mm", without a unit if the body tells it; empty if neither the file nor
// the body does.
std::string voxel_size_text(const Body& body, const io::VoxelFormat& format);

}  // namespace lbm::cases
