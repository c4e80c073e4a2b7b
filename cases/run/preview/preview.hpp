// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview`: the bodies in the box, and the flow that comes to them, as a picture,
// which Python draws.
#pragma once

#include <filesystem>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Throws UsageError where `file` cannot be written, does not end in .png, or exists without
// `overwrite`, or where there is no Python that draws; before any work.
void check_preview_file(const std::filesystem::path& file, bool overwrite);

// Draws and writes it. lbm_case: valid. Throws as above, UsageError for files of bodies, and
// ResourceError where Python fails.
void write_preview(const Case& lbm_case, const std::filesystem::path& file, bool overwrite);

}  // namespace lbm::cases
