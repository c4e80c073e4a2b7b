// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview`: the bodies in the box, and the flow that comes to them, as a picture.
#pragma once

#include <filesystem>

#include "cases/case/case.hpp"
#include "io/picture/canvas.hpp"

namespace lbm::cases {

// lbm_case: valid. Throws UsageError for files of bodies.
io::Canvas draw_preview(const Case& lbm_case);

// Throws UsageError where `file` cannot be written, does not end in .png, or exists and is no PNG
// file, unless `overwrite`; before any work.
void check_preview_file(const std::filesystem::path& file, bool overwrite);

// Draws and writes it. Throws as both above.
void write_preview(const Case& lbm_case, const std::filesystem::path& file, bool overwrite);

}  // namespace lbm::cases
