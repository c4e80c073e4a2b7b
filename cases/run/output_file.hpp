// A file that the user named for results: judged before the work that fills it.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/files/posix_file.hpp"

namespace lbm::cases {

// Throws UsageError, which starts with the option, where `file` cannot be a new file, or is there
// and may not be overwritten.
void check_output_name(std::string_view option, const std::filesystem::path& file, bool overwrite);

// Creates the partial file of `file`, which the caller must remove or commit. Throws UsageError.
io::UniqueFd create_output(std::string_view option, const std::filesystem::path& file);

// Both, and leaves nothing behind.
void check_output_file(std::string_view option, const std::filesystem::path& file, bool overwrite);

}  // namespace lbm::cases
