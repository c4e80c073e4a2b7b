// SPDX-License-Identifier: Apache-2.0

// Velocity profiles and the tables that they are compared with.
#pragma once

#include <string>
#include <vector>

namespace lbm::verification {

// A CSV file of numbers: lines that begin with # and the line of names are skipped; "nan" where the
// reference has no value. Throws std::runtime_error where it cannot be read.
std::vector<std::vector<double>> read_table(const std::string& path);

// A profile from wall to wall: n values in the middle of n cells of length 1 / n, and those of the
// walls at 0 and 1.
class Profile {
 public:
  Profile(double lower_wall, const std::vector<double>& cells, double upper_wall);
  // The cubic through the four nearest points.
  double operator()(double position) const;
  // Extrema of these cubics, from wall to wall.
  double smallest() const;
  double largest() const;
  // Walls included.
  const std::vector<double>& positions() const { return positions_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> positions_, values_;
};

}  // namespace lbm::verification
