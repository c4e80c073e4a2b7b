// SPDX-License-Identifier: Apache-2.0

// Changes that the keys of a body of voxels make to its image: crop, resample, axes, coarsen or
// refine, mirror, repeat, in this order. The keys `connected` and `reservoir` are not handled here.
#pragma once

#include <memory>
#include <string>

#include "cases/case/case_bodies.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "cases/geometry/voxels/voxel_planes.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// The part of an image of `file` voxels that is read. Throws UsageError, which names the key, if
// the part is not within the image.
geometry::VoxelRange part_of_file(const Body& body, const geometry::Voxels& file);

// Cells of the image along x, y, z of the box. Throws UsageError, which names the key: the part is
// not within the image, its voxels are no cubes, a factor does not divide it, or the result is
// longer than max_cells_per_axis.
geometry::Voxels cells_of_image(const Body& body, const io::VoxelFormat& format);

// "cropped, turned and mirrored"; empty if nothing is changed.
std::string changes_text(const Body& body);

// The image with its changes. Throws as cells_of_image() does, and as geometry::turned() does.
geometry::VoxelPlanesPtr changed_image(const Body& body,
                                       std::shared_ptr<const io::VoxelImage> image,
                                       const TimeLimit& limit);

}  // namespace lbm::cases
