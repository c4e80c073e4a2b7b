// Free space on disks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lbm::io {

// Bytes that this user may still write on the disk of `path`; what does not exist yet is judged by
// its nearest existing parent. Throws ResourceError when the disk cannot be asked.
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

// The same, but empty instead of an error.
std::optional<std::uint64_t> try_free_disk_bytes(const std::filesystem::path& path);

}  // namespace lbm::io
