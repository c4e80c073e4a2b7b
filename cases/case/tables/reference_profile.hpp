// SPDX-License-Identifier: Apache-2.0

// Reference data along a centre line, from a CSV file.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

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

}  // namespace lbm::cases
