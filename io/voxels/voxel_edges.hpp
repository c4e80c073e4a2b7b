// SPDX-License-Identifier: Apache-2.0

// The size of a voxel as headers tell it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// lengths: along x, y, z; nan: not told, as in NRRD. unit: as the file writes it, such as "micron";
// a word that is no unit of length, such as "pixel", counts as not told. Throws UsageError, one
// line that begins with the path, unless the lengths are three numbers > 0.
VoxelEdges voxel_edges(const std::filesystem::path& path, std::string_view key,
                       const std::vector<double>& lengths, std::string_view unit);

// "0.002 x 0.006 x 0.002 mm"; "?" for an edge that is not told; empty if none is.
std::string text_of(const VoxelEdges& edges);

}  // namespace lbm::io
