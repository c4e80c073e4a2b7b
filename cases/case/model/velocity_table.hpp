// Velocities over a face from a CSV file.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Lines of five numbers: the two transverse coordinates, then the three components of the velocity,
// in the units of the case; lines that begin with # and one line of names are skipped. The points
// form a regular grid, in any order.
class VelocityTable {
 public:
  // Throws UsageError, one line with the file and what is wrong.
  explicit VelocityTable(const std::string& path);

  // Between the points bilinear, beyond them as at the edge.
  Vec3 at(double a, double b) const;

 private:
  std::vector<double> a_, b_;   // coordinates of the grid
  std::vector<Vec3> velocity_;  // a fastest
};

}  // namespace lbm::cases
