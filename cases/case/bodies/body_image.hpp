// SPDX-License-Identifier: Apache-2.0

// The image of a body of voxels by the keys of the body: the size of its voxels, its changes (crop,
// resample, axes, coarsen or refine, mirror, repeat, in this order), and a box of its size. The key
// `connected` is not handled here.
#pragma once

#include <memory>
#include <string>

#include "cases/case/case.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// Format of the file of a body, as far as the keys of the body give it.
io::VoxelHints hints_of(const Body& body);

// Throws UsageError where the edge of a cell of the image is not `spacing`, in m. A unit that the
// file does not tell may be m, mm, um or nm; an edge of 1 without a unit tells nothing.
void check_spacing(const Body& body, const io::VoxelFormat& format, double spacing);

// "0.002 x 0.002 x 0.002 mm", without a unit if the body tells it; empty if neither the file nor
// the body does.
std::string voxel_size_text(const Body& body, const io::VoxelFormat& format);

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

// True if the case gives no size of its box and has exactly one body of voxels: the image of that
// body then sets the size.
bool has_box_of_image(const Case& lbm_case);

// Sets grid.cells, where has_box_of_image(): the image with its changes, and its reservoirs. Reads
// the header of the file. Readers of cases call it; code that builds a case without grid.cells must
// do so. Throws UsageError: the file is wrong, its changes do not suit it, or the body has a
// translate.
void resolve_image_grid(Case& lbm_case);

}  // namespace lbm::cases
