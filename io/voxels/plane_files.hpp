// SPDX-License-Identifier: Apache-2.0

// Names of files that hold one plane of an image each.
#pragma once

#include <filesystem>
#include <vector>

namespace lbm::io {

// A folder, or a name with * or ? in its last part that is not itself the name of a file.
bool names_plane_files(const std::filesystem::path& path);

// The files: those of the pattern, or all .tif and .tiff files of the folder, hidden files never.
// Sorted by name, in which numbers count as numbers: rock_9.tif comes before rock_10.tif. Throws
// UsageError, one line that begins with the path, where there is none, where there are more than an
// image may have planes, and where the last numbers of the names do not follow each other evenly:
// then a plane is missing.
std::vector<std::filesystem::path> plane_files(const std::filesystem::path& path);

}  // namespace lbm::io
