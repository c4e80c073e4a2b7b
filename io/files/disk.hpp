// SPDX-License-Identifier: Apache-2.0

// Free space on disks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lbm::io {

// Bytes that this user may still write to the disk of `path`, or of its nearest existing parent.
// Throws ResourceError if the disk cannot be queried.
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

// As above, but empty on errors.
std::optional<std::uint64_t> try_free_disk_bytes(const std::filesystem::path& path);

}  // namespace lbm::io
