// SPDX-License-Identifier: Apache-2.0

// Tables from CSV files of a case: numbers, reference data along a centre line, velocities on a
// face.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Reads lines of `columns` numbers; skips lines that begin with # and one line of column names
// above them, none of which begins as a number does. what, line_rule: for messages, the content of
// the file and of a line, such as "velocities", "five numbers: ...". Throws UsageError, one line
// with the file and the error, also for a file without numbers.
std::vector<std::vector<double>> read_number_table(const std::string& path, std::size_t columns,
                                                   const std::string& what,
                                                   const std::string& line_rule);

// Coordinates along a centre line and values.
class ReferenceProfile {
 public:
  // Reads lines of coordinate and value. Throws UsageError, one line with the file and the error.
  explicit ReferenceProfile(const std::string& path);

  // Largest minus smallest value.
  double range() const { return range_; }
  double first_position() const { return first_position_; }
  double last_position() const { return last_position_; }

  struct Deviation {
    double position = 0, value = 0, expected = 0;
  };
  // The largest |value - expected|. values: at cell centres, the first at half a cell; linear
  // between them, extrapolated beyond the outermost ones.
  Deviation largest_deviation(const std::vector<double>& values, double cell) const;

 private:
  std::vector<std::vector<double>> rows_;
  double first_position_ = 0, last_position_ = 0, range_ = 0;
};

// Lines of five numbers: two transverse coordinates, three velocity components, in units of the
// case. The points form a regular grid, in any order.
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
