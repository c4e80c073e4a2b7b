// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/colour_range.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::cases {
namespace {

constexpr double left_out = 0.002;   // part of the values at each end
constexpr double over = 0.05;        // part of the limits that values may lie beyond
constexpr double least_fill = 0.4;   // part of the limits that values must fill
constexpr int steps_of_limits = 10;  // limits are multiples of about a tenth of their distance

// All but the smallest and the largest values; empty without finite ones.
std::optional<ColourLimits> extent(std::span<const float> values) {
  std::vector<float> finite;
  finite.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](float value) { return std::isfinite(value); });
  if (finite.empty()) return std::nullopt;
  const auto at = static_cast<std::ptrdiff_t>(left_out * static_cast<double>(finite.size()));
  const auto low = finite.begin() + at, high = finite.end() - 1 - at;
  std::nth_element(finite.begin(), low, finite.end());
  const double lowest = *low;
  std::nth_element(finite.begin(), high, finite.end());
  return ColourLimits{lowest, *high};
}

// As the kind of number wants it: from 0, or around 0.
ColourLimits around(const ColourLimits& extent, NumberKind kind) {
  const double most = std::max(std::abs(extent.low), std::abs(extent.high));
  if (kind == NumberKind::not_negative) return {0, std::max(extent.high, 0.0)};
  if (kind == NumberKind::both_signs) return {-most, most};
  return extent;
}

ColourLimits rounded(const ColourLimits& limits) {
  const double size = std::max(std::abs(limits.low), std::abs(limits.high));
  // A field of one value, or of differences that only rounding makes.
  const double least = size > 0 ? 1e-5 * size : 1e-9;
  const double step = round_step(std::max(limits.high - limits.low, least) / steps_of_limits);
  const double low = std::floor(limits.low / step) * step,
               high = std::ceil(limits.high / step) * step;
  return {low, high > low ? high : low + step};
}

bool still_fits(const ColourLimits& old, const ColourLimits& now) {
  const double distance = old.high - old.low;
  return now.low >= old.low - over * distance && now.high <= old.high + over * distance &&
         now.high - now.low >= least_fill * distance;
}

}  // namespace

double round_step(double number) {
  const double power = std::pow(10.0, std::floor(std::log10(number)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= number * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

ColourRange::ColourRange(NumberKind kind, std::optional<ColourLimits> given)
    : kind_(kind), given_(given) {}

ColourLimits ColourRange::next(std::span<const float> values) {
  if (given_) return *given_;
  const auto now = extent(values);
  if (!now) return latest_.value_or(ColourLimits{});
  const ColourLimits wanted = around(*now, kind_);
  if (!latest_ || !still_fits(*latest_, wanted)) latest_ = rounded(wanted);
  return *latest_;
}

Marks marks_between(const ColourLimits& limits, int most) {
  Marks marks;
  marks.step = round_step((limits.high - limits.low) / std::max(most - 1, 1));
  const double slack = 1e-6 * marks.step;
  const double first = std::ceil((limits.low - slack) / marks.step);
  for (int i = 0; i < most; ++i) {  // first + i may be first, where limits are all but equal
    const double number = (first + i) * marks.step;
    if (!(number <= limits.high + slack)) break;
    marks.numbers.push_back(number);
  }
  return marks;
}

}  // namespace lbm::cases
