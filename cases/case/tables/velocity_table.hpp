// SPDX-License-Identifier: Apache-2.0

// Velocities on a face, from a CSV file.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Lines of five numbers: two transverse coordinates, three velocity components, in units of the
// case. Lines that begin with # and one line of column names are skipped. The points form a regular
// grid, in any order.
class VelocityTable {
 public:
  // Throws UsageError, one line with the file and the error.
  explicit VelocityTable(const std::string& path);

  // Bilinear interpolation, constant beyond the grid.
  Vec3 at(double a, double b) const;

  // Velocity of the point with the largest speed.
  Vec3 fastest() const;
  // First and last coordinate along the first (0) or second (1) transverse axis.
  Vec2 range(std::size_t axis) const;

 private:
  std::vector<double> a_, b_;   // coordinates of the grid
  std::vector<Vec3> velocity_;  // a runs fastest
};

}  // namespace lbm::cases
