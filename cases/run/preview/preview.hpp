// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview`: the bodies in the box, and the flow that comes to them, as a picture,
// which Python draws.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {

// Which way the flow goes, as far as the case says so before a run.
struct Wind {
  Vec3 direction{};  // unit vector
  std::string text;  // the key that makes it: "boundaries.z_min"
};

// The mean velocity of the faces and patches through which it enters the box; else the body force
// with pressure drops and differences of pressure faces; else the uniform initial velocity. Empty
// where none of them has a direction. Inlets of a formula or table count as normal to their face.
std::optional<Wind> wind_of(const Case& lbm_case, const Derived& derived);

// Throws UsageError where `file` cannot be written, does not end in .png, is case_file, or exists
// without `overwrite`, or where there is no Python that draws; before any work.
void check_preview_file(const std::filesystem::path& file, const std::filesystem::path& case_file,
                        bool overwrite);

// Draws and writes it. derived: of validate(). Throws as above, UsageError for files of bodies, and
// ResourceError where Python fails.
void write_preview(const Case& lbm_case, const Derived& derived, const std::filesystem::path& file,
                   bool overwrite);

}  // namespace lbm::cases
