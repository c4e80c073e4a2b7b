// SPDX-License-Identifier: Apache-2.0

// The file that holds this code: identifies the build.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lbm::cases {

// Python's extension module, or another shared library; empty where the program itself holds it.
std::optional<std::filesystem::path> own_library();

// own_library(), or the program. The path may be that of a link in /proc.
std::filesystem::path program_file();

// A checksum of program_file(), which tells builds apart on any host. Only the version where the
// file cannot be read.
std::string program_checksum();

}  // namespace lbm::cases
