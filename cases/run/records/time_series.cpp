// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/time_series.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "cases/case/validate/validate.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {
namespace {

constexpr std::size_t least_groups = 20;
// A correlation of groups above this says no more than that the series is too short.
constexpr double most_correlation = 0.9;
constexpr double least_batches_per_period = 4;
// In rms. A sine with fewer than four batches a period is not taken for a slower one: where the
// mean over batches would leave it so, its amplitude is below this.
constexpr double hysteresis = 0.6;

double squared(double x) { return x * x; }

// Times of the upward crossings of zero, in units of the distance of values.
std::vector<double> upward_crossings(const std::vector<double>& values, double below) {
  std::vector<double> times;
  bool armed = false;  // the series was low enough since the last crossing
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double before = values[i - 1], now = values[i];
    armed = armed || before < -below;
    if (!armed || before >= 0 || now < 0) continue;
    times.push_back(static_cast<double>(i - 1) + before / (before - now));
    armed = false;
  }
  return times;
}

// 0 for less than two crossings.
double mean_period(const std::vector<double>& times) {
  if (times.size() < 2) return 0;
  return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

// The standard error of the mean of groups.
double error_of(const std::vector<double>& groups) {
  const auto n = static_cast<double>(groups.size());
  double mean = 0, squares = 0, products = 0;
  for (const double value : groups) mean += value / n;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    squares += squared(groups[i] - mean);
    if (i > 0) products += (groups[i] - mean) * (groups[i - 1] - mean);
  }
  if (squares == 0) return 0;
  const double r = std::clamp(products / squares, 0.0, most_correlation);
  return std::sqrt(squares / (n - 1) / n * (1 + r) / (1 - r));
}

double number(const io::Json& json) { return io::number_in(json).value_or(0); }

io::Json to_json(const std::optional<Extreme>& extreme) {
  return extreme ? io::Json::array({extreme->value, extreme->sample}) : io::Json();
}

std::optional<Extreme> extreme_in(const io::Json& json) {
  const auto value = io::number_in(io::item(json, 0));
  const auto sample = io::whole_in(io::item(json, 1));
  return value && sample ? std::optional(Extreme{*value, *sample}) : std::nullopt;
}

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

void TimeSeries::add(double value) {
  const Extreme here{value, samples()};
  if (here.sample == 0) {
    origin_ = value;
    maximum_ = minimum_ = here;
  }
  if (maximum_ && value > maximum_->value) maximum_ = here;
  if (minimum_ && value < minimum_->value) minimum_ = here;
  const double x = value - origin_;
  open_.add({x, x * x});
  if (++in_open_ < length_) return;
  batches_.push_back(open_);
  open_ = {};
  in_open_ = 0;
  if (batches_.size() == most_batches) join_pairs();
}

void TimeSeries::join_pairs() {
  kept_frequency_ = frequency(sums());
  for (std::size_t i = 0; i < batches_.size() / 2; ++i) {
    Batch pair = batches_[2 * i];
    pair.add(batches_[2 * i + 1]);
    batches_[i] = pair;
  }
  batches_.resize(batches_.size() / 2);
  length_ *= 2;
}

void TimeSeries::add_errors(TimeStatistics& to) const {
  if (batches_.size() < least_groups) return;
  const std::size_t each = batches_.size() / least_groups;  // batches of a group
  const std::size_t groups = batches_.size() / each, left_out = batches_.size() - groups * each;
  const auto samples = static_cast<double>(each) * static_cast<double>(length_);
  const double middle = to.mean - origin_;
  std::vector<double> means, variances;
  for (std::size_t g = 0; g < groups; ++g) {
    Batch group;
    for (std::size_t i = 0; i < each; ++i) group.add(batches_[left_out + g * each + i]);
    const double mean = group.sum / samples;
    means.push_back(mean);
    variances.push_back(std::max(0.0, group.squares / samples - squared(mean)) +
                        squared(mean - middle));
  }
  to.mean_error = error_of(means);
  // d rms = d variance / (2 rms)
  to.rms_error = to.rms > 0 ? error_of(variances) / (2 * to.rms) : 0;
}

std::optional<TimeSeries::Frequency> TimeSeries::frequency(const Batch& all) const {
  const auto n = static_cast<double>(samples()), length = static_cast<double>(length_);
  const double mean = origin_ + all.sum / n;
  const double rms = std::sqrt(std::max(0.0, all.squares / n - squared(all.sum / n)));
  std::optional<Frequency> kept = kept_frequency_;
  if (kept && 1 / (kept->value * length) >= least_batches_per_period) kept.reset();
  // The rounding of single precision is no oscillation.
  if (!(rms > 1e-6 * std::abs(mean))) return kept;
  std::vector<double> values;
  for (const Batch& batch : batches_) values.push_back(batch.sum / length - (mean - origin_));
  // The hysteresis may miss every other crossing of a fast oscillation.
  if (mean_period(upward_crossings(values, 0)) < least_batches_per_period) return kept;
  const std::vector<double> times = upward_crossings(values, hysteresis * rms);
  if (times.size() < 3) return kept;
  const auto periods = static_cast<double>(times.size() - 1);
  const double period = mean_period(times);
  double scatter = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    scatter += squared(times[i] - times[i - 1] - period) / (periods - 1);
  }
  const double value = 1 / (period * length);
  return Frequency{value, value * std::sqrt(scatter / periods) / period};
}

TimeSeries::Batch TimeSeries::sums() const {
  Batch all = open_;
  for (const Batch& batch : batches_) all.add(batch);
  return all;
}

TimeStatistics TimeSeries::statistics(double interval) const {
  TimeStatistics result;
  result.samples = samples();
  if (result.samples == 0) return result;
  const Batch all = sums();
  const auto n = static_cast<double>(result.samples);
  result.maximum = maximum_;
  result.minimum = minimum_;
  result.mean = origin_ + all.sum / n;
  result.rms = std::sqrt(std::max(0.0, all.squares / n - squared(all.sum / n)));
  add_errors(result);
  if (const auto found = frequency(all)) {
    result.frequency = found->value / interval;
    result.frequency_error = found->error / interval;
  }
  return result;
}

io::Json TimeSeries::save() const {
  io::Json sums = io::Json::array(), squares = io::Json::array(), kept;
  for (const Batch& batch : batches_) {
    sums.push_back(batch.sum);
    squares.push_back(batch.squares);
  }
  if (kept_frequency_) kept = io::Json::array({kept_frequency_->value, kept_frequency_->error});
  return {{"origin", origin_},
          {"length", length_},
          {"sums", std::move(sums)},
          {"squares", std::move(squares)},
          {"open_sum", open_.sum},
          {"open_squares", open_.squares},
          {"open_samples", in_open_},
          {"maximum", to_json(maximum_)},
          {"minimum", to_json(minimum_)},
          {"frequency", std::move(kept)}};
}

void TimeSeries::load(const io::Json& json) {
  *this = TimeSeries();
  const auto of = [&](const char* key) -> const io::Json& { return io::member(json, key); };
  const io::Json &sums = of("sums"), &squares = of("squares"), &kept = of("frequency");
  const std::int64_t length = io::whole_in(of("length")).value_or(0);
  const std::int64_t in_open = io::whole_in(of("open_samples")).value_or(-1);
  const bool whole = length > 0 && in_open >= 0 && in_open < length &&
                     sums.size() == squares.size() && sums.size() < most_batches;
  if (!whole) return;
  origin_ = number(of("origin"));
  length_ = length;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    batches_.push_back({number(io::item(sums, i)), number(io::item(squares, i))});
  }
  open_ = {number(of("open_sum")), number(of("open_squares"))};
  in_open_ = in_open;
  maximum_ = extreme_in(of("maximum"));
  minimum_ = extreme_in(of("minimum"));
  if (kept.is_array()) {
    kept_frequency_ = Frequency{number(io::item(kept, 0)), number(io::item(kept, 1))};
  }
}

Differences differences_of(std::span<const std::int64_t> record, std::int64_t cells) {
  Differences result;
  result.energy = reduced(record, kinetic_energy, cells);
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
