// SPDX-License-Identifier: Apache-2.0

// The bytes of one execution as a file.
#pragma once

#include <filesystem>
#include <string_view>

namespace lbm::fuzz {

// The file of this name in a directory of this process, in memory where the system has /dev/shm.
// The same file for all executions: each replaces it.
std::filesystem::path file_of(const char* name, std::string_view bytes);

}  // namespace lbm::fuzz
