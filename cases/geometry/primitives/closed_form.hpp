// SPDX-License-Identifier: Apache-2.0

// Functions that the shapes with a closed form share.
#pragma once

#include <vector>

#include "cases/geometry/vec.hpp"

namespace lbm::geometry {

inline int sign(double value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

inline void add_share(double share, std::vector<double>& shares) {
  if (share >= 0 && share <= 1) shares.push_back(share);
}

// These throw UsageError, "WHAT is FOUND: it must be ALLOWED".
void require(bool good, const char* what, double found, const char* allowed);
void require_point(const Vec& p, const char* what);   // finite
void require_size(double size, const char* what);     // finite and positive
void require_length(const Vec& v, const char* what);  // the same of the length

}  // namespace lbm::geometry
