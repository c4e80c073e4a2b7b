// SPDX-License-Identifier: Apache-2.0

// Mean and rms of a number over the angle of a body that turns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/text/csv.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

class PhaseTable {
 public:
  // bins: of a turn; bin i is around the angle 2 pi i / bins, half a bin to either side.
  explicit PhaseTable(std::int64_t bins) : bins_(static_cast<std::size_t>(bins)) {}

  void add(double radians, double value);
  // A row for each bin: angle (degrees), samples, mean, and rms of the fluctuations about the mean;
  // not numbers without samples.
  io::CsvTable table(std::vector<std::string> comments) const;

  // Restores the same bits; of null, or of another number of bins, an empty table.
  io::Json save() const;
  void load(const io::Json& json);

 private:
  struct Bin {
    std::int64_t samples = 0;
    double mean = 0, squares = 0;  // of the differences to the mean, summed (Welford 1962)
  };
  std::vector<Bin> bins_;
};

}  // namespace lbm::cases
