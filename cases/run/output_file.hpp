// SPDX-License-Identifier: Apache-2.0

// A file that the user named for results: checked before the work whose results it takes.
#pragma once

#include <filesystem>
#include <string_view>

namespace lbm::cases {

// Throws UsageError, which starts with the option, where `file` cannot be a new file, or exists and
// may not be overwritten. Leaves no file behind.
void check_output_file(std::string_view option, const std::filesystem::path& file, bool overwrite);

}  // namespace lbm::cases
