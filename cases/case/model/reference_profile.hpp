// A centre-line profile from a CSV file, to compare with.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

class ReferenceProfile {
 public:
  // Lines of a coordinate and a value. Throws UsageError, one line with the file and what is wrong.
  explicit ReferenceProfile(const std::string& path);

  // Largest less smallest value.
  double range() const;
  double first_position() const;
  double last_position() const;

  struct Deviation {
    double position = 0, value = 0, expected = 0;
  };
  // Where |value - expected| is largest. values: of cells of that size whose centres start at half
  // a cell; between them linear, and beyond the outermost ones as from the last two.
  Deviation largest_deviation(const std::vector<double>& values, double cell) const;

 private:
  std::vector<std::vector<double>> rows_;
};

}  // namespace lbm::cases
