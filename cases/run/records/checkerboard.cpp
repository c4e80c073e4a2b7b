// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/checkerboard.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "cases/case/validate/validate.hpp"
#include "solver/core/error.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {
namespace {

// docs/method.md has the measurements behind these numbers.
constexpr double checkerboard = 0.9;  // of Alternation::value
// Smaller alternations are ignored: least share of the kinetic energy, and least root mean square
// in reference velocities.
constexpr double least_share = 0.01, least_velocity = 1e-3;
// Weight of the newest sample in the mean. The mean has less scatter than a sample, whose sums
// along y and z are estimates.
constexpr double newest = 1.0 / 3;
// The run stops after so many samples in a row with such a mean, if they span so many steps.
constexpr std::int64_t samples_to_stop = 10, steps_to_stop = 1280;

// Squares along y or z, estimated from sums with random signs (step_record.hpp).
Differences::Squares squares_along(std::span<const std::int64_t> record, int axis) {
  using differences::Neighbour;
  Differences::Squares squares;
  for (int i = 0; i < random_sums; ++i) {
    const auto sum = [&](Neighbour neighbour) {
      const auto at = static_cast<std::size_t>(differences::random_sum(axis, neighbour, i));
      return fixed::to(record[at], fixed::sum);
    };
    const double after = sum(Neighbour::after), before = sum(Neighbour::before);
    squares.first += std::pow(after - before, 2);
    squares.second += std::pow(after + before - 2 * sum(Neighbour::none), 2);
  }
  return squares;
}

}  // namespace

Differences differences_of(std::span<const std::int64_t> record, std::int64_t cells) {
  Differences result;
  result.energy = fixed::to(record[kinetic_energy], fixed::flow(cells));
  result.axes[0] = {fixed::to(record[first_differences_x], fixed::differences),
                    fixed::to(record[second_differences_x], fixed::differences)};
  for (const int axis : {1, 2}) {
    result.axes[static_cast<std::size_t>(axis)] = squares_along(record, axis);
  }
  return result;
}

Alternation alternation_of(const Differences& differences, double fluid_cells, double velocity) {
  Alternation most;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& [first, second] = differences.axes[static_cast<std::size_t>(axis)];
    // For u = (-1)^i a each second difference is +-4 a.
    const double alternating = second / 16;
    if (alternating <= least_share * 2 * differences.energy) continue;
    if (alternating <= fluid_cells * std::pow(least_velocity * velocity, 2)) continue;
    // For exp(i k x) the squares are 4 sin^2 k and 16 sin^4(k/2): the value is sin^2(k/2).
    const double value = second / (first + second);
    if (value > most.value) most = {value, axis};
  }
  return most;
}

void CheckerboardWatch::add(std::int64_t step, const Alternation& sample) {
  mean_ += newest * (sample.value - mean_);
  if (mean_ <= checkerboard) {
    samples_ = 0;
    return;
  }
  if (samples_++ == 0) since_ = step;
  const std::string what =
      fmt::format("the velocity changes its sign from cell to cell along {} (alternation {:.3f})",
                  "xyz"[sample.axis], mean_);
  if (!warned_) {
    warned_ = true;
    notices_.warn(fmt::format("step {}: the flow has become a checkerboard and is wrong: {}; {}",
                              step, what, remedy_for_divergence(case_, derived_)));
  }
  if (case_.run.on_checkerboard == Run::OnCheckerboard::warn) return;
  if (samples_ >= samples_to_stop && step - since_ >= steps_to_stop) {
    throw CheckerboardError(
        fmt::format("the flow diverged into a checkerboard before step {}: {}, and "
                    "run.on_checkerboard is stop",
                    step, what));
  }
}

}  // namespace lbm::cases
