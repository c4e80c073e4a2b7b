// SPDX-License-Identifier: Apache-2.0

// Which numbers are at both ends of the colours of a picture.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace lbm::cases {

struct ColourLimits {
  double low = 0, high = 1;
  friend bool operator==(const ColourLimits&, const ColourLimits&) = default;
};

// Numbers that are never below 0; of both signs, with 0 in the middle of the colours; all others.
enum class NumberKind { not_negative, both_signs, any };

// Chooses limits: round numbers around all but the 0.2 % smallest and largest values. They are kept
// from picture to picture as long as the values lie in them (or up to 5 % beyond) and fill 40 %, so
// that a film does not flicker.
class ColourRange {
 public:
  // given: limits that never change.
  ColourRange(NumberKind kind, std::optional<ColourLimits> given);

  // The limits for the next picture. Values that are not finite do not count.
  ColourLimits next(std::span<const float> values);

  // Limits of the latest picture; checkpoints save them.
  const std::optional<ColourLimits>& latest() const { return latest_; }
  void set_latest(std::optional<ColourLimits> limits) { latest_ = limits; }

 private:
  NumberKind kind_;
  std::optional<ColourLimits> given_, latest_;
};

// 1, 2 or 5 times a power of ten, the smallest that is not below `number` > 0.
double round_step(double number);

// Round numbers from low to high, at most `most` (at least 2) of them, and the distance between
// them.
struct Marks {
  double step = 1;
  std::vector<double> numbers;
};
Marks marks_between(const ColourLimits& limits, int most);

}  // namespace lbm::cases
