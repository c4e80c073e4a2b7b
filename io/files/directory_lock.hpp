// SPDX-License-Identifier: Apache-2.0

// A directory lock, held by one process at a time.
#pragma once

#include <memory>

#include "io/files/posix_file.hpp"

namespace lbm::io {

inline constexpr const char* lock_name = ".lbm-lock";

// Creates and locks `<directory>/.lbm-lock`. The lock ends with the descriptor or the process, so
// that a crash leaves the file but no lock. Returns an invalid descriptor if another run holds it.
// File systems without locks count as locked by this run. Throws ResourceError if the file cannot
// be created.
UniqueFd lock_directory(const std::shared_ptr<const HeldDirectory>& directory);

// Removes the lock file, then unlocks. No effect on an invalid descriptor.
void unlock_directory(const std::shared_ptr<const HeldDirectory>& directory, UniqueFd& lock);

}  // namespace lbm::io
