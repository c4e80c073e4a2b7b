// A lock on a directory, held by one process at a time.
#pragma once

#include <filesystem>

#include "io/files/posix_file.hpp"

namespace lbm::io {

inline constexpr const char* lock_name = ".lbm-lock";

// Creates `<directory>/.lbm-lock` and locks it; the lock ends with the descriptor or the process,
// so a crash leaves no stale lock (only the file). Returns an invalid descriptor when another run
// holds it. Throws ResourceError when the file cannot be made. File systems without locks count as
// locked.
UniqueFd lock_directory(const std::filesystem::path& directory);

// Removes the lock file, then unlocks. Does nothing for an invalid descriptor.
void unlock_directory(const std::filesystem::path& directory, UniqueFd& lock);

}  // namespace lbm::io
