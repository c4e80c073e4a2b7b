// SPDX-License-Identifier: Apache-2.0

// The build: its commit, and the file that holds this code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lbm::cases {

// Python's extension module, or another shared library; empty where the program itself holds it.
std::optional<std::filesystem::path> own_library();

// own_library(), or the program. The path may be that of a link in /proc.
std::filesystem::path program_file();

// The version and a checksum of program_file(), which tells builds apart on any host.
std::string program_checksum();

// As `git describe --always --dirty` said it for the sources; "unknown" outside a repository. A
// static string.
const char* commit();

}  // namespace lbm::cases
