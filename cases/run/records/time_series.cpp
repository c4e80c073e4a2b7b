// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/time_series.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lbm::cases {
namespace {

constexpr std::size_t least_groups = 20;
// A correlation of groups above this says no more than that the series is too short.
constexpr double most_correlation = 0.9;
constexpr double least_batches_per_period = 4;
// In rms. A sine with fewer than four batches a period is not taken for a slower one: where the
// mean over batches would leave it so, its amplitude is below this.
constexpr double hysteresis = 0.6;

double square(double x) { return x * x; }

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

io::Json to_json(const std::optional<Extreme>& extreme) {
  return extreme ? io::Json::array({extreme->value, extreme->sample}) : io::Json();
}

std::optional<Extreme> extreme_in(const io::Json& json) {
  if (json.size() != 2) return std::nullopt;
  const auto value = io::number_in(io::item(json, 0));
  const auto sample = io::whole_in(io::item(json, 1));
  return value && sample ? std::optional(Extreme{*value, *sample}) : std::nullopt;
}

}  // namespace

std::int64_t TimeSeries::samples() const {
  return static_cast<std::int64_t>(batches_.size()) * length_ + in_open_;
}

void TimeSeries::compare(double value) {
  const Extreme here{value, samples()};
  if (here.sample == 0) maximum_ = minimum_ = here;
  if (maximum_ && value > maximum_->value) maximum_ = here;
  if (minimum_ && value < minimum_->value) minimum_ = here;
}

void TimeSeries::add(double value) {
  if (samples() == 0) origin_ = value;
  compare(value);
  const double x = value - origin_;
  open_.sum += x;
  open_.squares += x * x;
  if (++in_open_ < length_) return;
  batches_.push_back(open_);
  open_ = {};
  in_open_ = 0;
  if (batches_.size() == most_batches) join_pairs();
}

void TimeSeries::join_pairs() {
  const Batch all = sums();
  const double n = static_cast<double>(samples()), mean = all.sum / n;
  kept_frequency_ =
      frequency(origin_ + mean, std::sqrt(std::max(0.0, all.squares / n - mean * mean)));
  for (std::size_t i = 0; i < batches_.size() / 2; ++i) {
    const Batch &a = batches_[2 * i], &b = batches_[2 * i + 1];
    batches_[i] = {a.sum + b.sum, a.squares + b.squares};
  }
  batches_.resize(batches_.size() / 2);
  length_ *= 2;
}

TimeSeries::Estimate TimeSeries::mean_with_error(const std::vector<double>& groups) {
  const auto n = static_cast<double>(groups.size());
  Estimate result;
  for (const double value : groups) result.mean += value / n;
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    squares += square(groups[i] - result.mean);
    if (i > 0) products += (groups[i] - result.mean) * (groups[i - 1] - result.mean);
  }
  if (squares == 0) return result;
  const double r = std::clamp(products / squares, 0.0, most_correlation);
  result.error = std::sqrt(squares / (n - 1) / n * (1 + r) / (1 - r));
  return result;
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
    for (std::size_t i = 0; i < each; ++i) {
      const Batch& batch = batches_[left_out + g * each + i];
      group.sum += batch.sum;
      group.squares += batch.squares;
    }
    const double mean = group.sum / samples;
    means.push_back(mean);
    variances.push_back(std::max(0.0, group.squares / samples - square(mean)) +
                        square(mean - middle));
  }
  to.mean_error = mean_with_error(means).error;
  // d rms = d variance / (2 rms)
  to.rms_error = to.rms > 0 ? mean_with_error(variances).error / (2 * to.rms) : 0;
}

std::optional<TimeSeries::Frequency> TimeSeries::frequency(double mean, double rms) const {
  if (const auto found = frequency_of_batches(mean, rms)) return found;
  const auto& kept = kept_frequency_;
  const bool too_fast =
      kept && 1 / (kept->value * static_cast<double>(length_)) < least_batches_per_period;
  return too_fast ? kept : std::nullopt;
}

std::optional<TimeSeries::Frequency> TimeSeries::frequency_of_batches(double mean,
                                                                      double rms) const {
  const auto length = static_cast<double>(length_);
  // The rounding of single precision is no oscillation.
  if (!(rms > 1e-6 * std::abs(mean))) return std::nullopt;
  std::vector<double> values;
  for (const Batch& batch : batches_) {
    values.push_back(batch.sum / length - (mean - origin_));
  }
  // The hysteresis may miss every other crossing of a fast oscillation.
  if (mean_period(upward_crossings(values, 0)) < least_batches_per_period) return std::nullopt;
  const std::vector<double> times = upward_crossings(values, hysteresis * rms);
  if (times.size() < 3) return std::nullopt;
  const auto periods = static_cast<double>(times.size() - 1);
  const double period = mean_period(times);
  double scatter = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    scatter += square(times[i] - times[i - 1] - period) / (periods - 1);
  }
  const double value = 1 / (period * length);
  return Frequency{value, value * std::sqrt(scatter / periods) / period};
}

TimeSeries::Batch TimeSeries::sums() const {
  Batch all = open_;
  for (const Batch& batch : batches_) {
    all.sum += batch.sum;
    all.squares += batch.squares;
  }
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
  result.rms = std::sqrt(std::max(0.0, all.squares / n - square(all.sum / n)));
  add_errors(result);
  if (const auto found = frequency(result.mean, result.rms)) {
    result.frequency = found->value / interval;
    result.frequency_error = found->error / interval;
  }
  return result;
}

io::Json TimeSeries::save() const {
  io::Json sums = io::Json::array(), squares = io::Json::array();
  for (const Batch& batch : batches_) {
    sums.push_back(batch.sum);
    squares.push_back(batch.squares);
  }
  return {{"origin", origin_},
          {"length", length_},
          {"sums", std::move(sums)},
          {"squares", std::move(squares)},
          {"open_sum", open_.sum},
          {"open_squares", open_.squares},
          {"open_samples", in_open_},
          {"maximum", to_json(maximum_)},
          {"minimum", to_json(minimum_)},
          {"frequency", kept_frequency_
                            ? io::Json::array({kept_frequency_->value, kept_frequency_->error})
                            : io::Json()}};
}

void TimeSeries::load(const io::Json& json) {
  clear();
  const auto number = [&](const io::Json& value) { return io::number_in(value).value_or(0); };
  const io::Json &sums = io::member(json, "sums"), &squares = io::member(json, "squares");
  const std::int64_t length = io::whole_in(io::member(json, "length")).value_or(0);
  const std::int64_t in_open = io::whole_in(io::member(json, "open_samples")).value_or(-1);
  const bool whole = length > 0 && in_open >= 0 && in_open < length &&
                     sums.size() == squares.size() && sums.size() < most_batches;
  if (!whole) return;
  origin_ = number(io::member(json, "origin"));
  length_ = length;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    batches_.push_back({number(io::item(sums, i)), number(io::item(squares, i))});
  }
  open_ = {number(io::member(json, "open_sum")), number(io::member(json, "open_squares"))};
  in_open_ = in_open;
  maximum_ = extreme_in(io::member(json, "maximum"));
  minimum_ = extreme_in(io::member(json, "minimum"));
  const io::Json& kept = io::member(json, "frequency");
  if (kept.is_array()) {
    kept_frequency_ = Frequency{number(io::item(kept, 0)), number(io::item(kept, 1))};
  }
}

}  // namespace lbm::cases
