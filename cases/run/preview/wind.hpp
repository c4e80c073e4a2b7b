// SPDX-License-Identifier: Apache-2.0

// Which way the flow goes, as far as the case says so before a run.
#pragma once

#include <optional>
#include <string>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

struct Wind {
  Vec3 direction{};  // unit vector
  std::string text;  // what makes it: "boundaries.z_min, 30 m/s"
};

// The mean velocity of the faces and patches through which it enters the box; else the body force
// with pressure drops and differences of pressure faces; else the uniform initial velocity. Empty
// where none of them has a direction. Inlets of a formula or table count as normal to their face.
std::optional<Wind> wind_of(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
