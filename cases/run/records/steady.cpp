// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/steady.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "io/text/json.hpp"

namespace lbm::cases {
namespace {

// docs/quantities.md has the measurements behind these numbers.
constexpr double lasting = 10;      // a drift goes on for so many times the steps of the run so far
constexpr double significance = 2;  // in standard errors
constexpr std::size_t in_a_row = 3;
// Samples in the time in which sound crosses the box twice, with the default spacing.
constexpr double samples_of_sound = 16;

using Samples = std::span<const StepValue>;

double mean_of(Samples samples) {
  double sum = 0;
  for (const StepValue& s : samples) sum += s.value;
  return sum / static_cast<double>(samples.size());
}

double range_of(Samples samples) {
  const auto [least, most] =
      std::minmax_element(samples.begin(), samples.end(),
                          [](const auto& a, const auto& b) { return a.value < b.value; });
  return most->value - least->value;
}

// Mean square of the noise: of distances from the straight line through both neighbours, whose
// variance is 3/2 of that of white noise at equal distances.
double noise_of(Samples samples) {
  double squares = 0;
  for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
    const StepValue &before = samples[i - 1], &here = samples[i], &after = samples[i + 1];
    const double share = static_cast<double>(here.step - before.step) /
                         static_cast<double>(after.step - before.step);
    squares += std::pow(here.value - before.value - share * (after.value - before.value), 2);
  }
  return squares / 1.5 / std::max(1.0, static_cast<double>(samples.size()) - 2);
}

// The samples from that many thirds of the run on.
Samples since_thirds(Samples samples, std::int64_t thirds) {
  const std::int64_t newest = samples.back().step;
  const auto first = std::find_if(samples.begin(), samples.end(),
                                  [&](const auto& s) { return 3 * s.step >= thirds * newest; });
  return samples.subspan(static_cast<std::size_t>(first - samples.begin()));
}

// The newest sample at or before that step.
double value_at(Samples samples, std::int64_t step) {
  const auto after = std::upper_bound(samples.begin(), samples.end(), step,
                                      [](std::int64_t at, const auto& s) { return at < s.step; });
  return std::prev(after)->value;
}

}  // namespace

LimitEstimate estimate_limit(Samples samples) {
  LimitEstimate result;
  if (samples.empty()) return result;
  result.value = result.limit = samples.back().value;
  const std::int64_t newest = samples.back().step;
  if (samples.size() < 2 || 3 * samples.front().step > newest) return result;
  const std::int64_t spacing = newest - samples[samples.size() - 2].step;
  const std::int64_t h = newest / (6 * spacing) * spacing;
  const Samples last = since_thirds(samples, 2), both = since_thirds(samples, 1);
  const Samples middle = both.first(both.size() - last.size());
  if (h == 0 || middle.empty()) return result;
  const double range = range_of(last);
  double scale = 0;
  for (const StepValue& s : last) scale = std::max(scale, std::abs(s.value));
  if (scale == 0) return result;

  std::array<double, 4> v{};
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = value_at(samples, newest - static_cast<std::int64_t>(i) * h);
  }
  const double d1 = v[0] - v[1], d2 = v[1] - v[2], d3 = v[2] - v[3];
  const double to_drift = lasting * static_cast<double>(newest) / static_cast<double>(h);
  double error = 3 * lasting * range;
  if (d1 == d2 && d2 == d3) {
    error = std::min(error, to_drift * std::abs(d1));
  } else if (const double r = (d1 - d2) / (d2 - d3); r >= 0 && r < 1) {
    const double b = (d1 - d2) / (r - 1), rest = b * r * r / (1 - r);
    const double decaying = std::abs(rest) + to_drift * std::abs(d2 - b);
    if (decaying < error) {
      error = decaying;
      result.limit = v[0] + rest;
    }
  }
  const auto n = static_cast<double>(last.size()), m = static_cast<double>(middle.size());
  const double mean = mean_of(last);
  const double scatter = significance * std::sqrt(noise_of(both) * (1 / n + 1 / m));
  const double wandering =
      range + 3 * lasting * std::max(0.0, std::abs(mean - mean_of(middle)) - scatter);
  if (wandering < error) {
    error = wandering;
    result.limit = mean;
  }
  result.error = error / scale;
  return result;
}

std::int64_t steady_spacing(std::int64_t least, std::int64_t step) {
  std::int64_t spacing = least;
  while (step > 32 * spacing) spacing *= 2;
  return spacing;
}

SteadyWatch::SteadyWatch(const Case& lbm_case, const Derived& derived, const Units& units,
                         double rounding)
    : tolerance_(lbm_case.run.until_steady.tolerance.value_or(0)),
      error_(lbm_case.run.until_steady.error.value_or(0)),
      convective_time_(derived.convective_time),
      rounding_(rounding) {
  const auto corrections = correction_steps(lbm_case, derived);
  if (!corrections.empty()) corrected_ = corrections.back();
  const auto& every = lbm_case.run.until_steady.every;
  const auto whole = [](double steps) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::round(steps)));
  };
  if (tolerance_ > 0) {
    every_ = whole(to_steps(units, every.value_or(derived.convective_time * units.time)));
  } else if (error_ > 0) {
    const auto& cells = lbm_case.grid.cells;
    // On coarser grids sound has crossed the box before: what is left are scales of their cells.
    const int coarsest = std::max(lbm_case.run.coarsest, 1 << (lbm_case.run.cascade - 1));
    const double twice =
        2 * std::numbers::sqrt3 * *std::max_element(cells.begin(), cells.end()) / coarsest;
    first_ = static_cast<std::int64_t>(std::ceil(twice));
    // Even: in narrow pores even and odd steps may differ for ever.
    every_ = 2 * whole((every ? to_steps(units, *every) : twice / samples_of_sound) / 2);
  }
}

bool SteadyWatch::is_due(std::int64_t step) const {
  if (every_ == 0) return false;
  return step % (error_ > 0 ? steady_spacing(every_, step) : every_) == 0;
}

std::optional<std::int64_t> SteadyWatch::next_after(std::int64_t step) const {
  if (every_ == 0) return std::nullopt;
  const std::int64_t spacing = error_ > 0 ? steady_spacing(every_, step + 1) : every_;
  return (step / spacing + 1) * spacing;
}

void SteadyWatch::add(std::int64_t step, double value) {
  if (step <= corrected_ && corrected_ > 0) return;
  if (error_ > 0) return add_to_series(step, value);
  if (step_ > 0) {
    const double times = static_cast<double>(step - step_) / convective_time_;
    change_ = std::abs(value - value_) / std::max(std::abs(value), 1e-300) / times;
    calm_ = *change_ < tolerance_ ? calm_ + 1 : 0;
  }
  step_ = step;
  value_ = value;
}

void SteadyWatch::add_to_series(std::int64_t step, double value) {
  step_ = step;
  samples_.push_back({step, value});
  std::vector<StepValue> since = samples_;
  for (StepValue& sample : since) sample.step -= corrected_;
  LimitEstimate& newest = estimates_.emplace_back(estimate_limit(since));
  // A value of 0 has an infinite error already.
  if (value != 0) newest.error += rounding_ / std::abs(value);
  calm_ = newest.error < error_ ? calm_ + 1 : 0;
  change_.reset();
  if (const auto worst = limit(); worst && std::isfinite(worst->error)) change_ = worst->error;
}

std::optional<LimitEstimate> SteadyWatch::limit() const {
  if (estimates_.empty()) return std::nullopt;
  LimitEstimate result = estimates_.back();
  const std::size_t n = estimates_.size();
  for (std::size_t i = n - std::min(n, in_a_row); i < n; ++i) {
    result.error = std::max(result.error, estimates_[i].error);
  }
  return result;
}

io::Json SteadyWatch::save() const {
  if (error_ > 0) {
    io::Json samples = io::Json::array();
    for (const StepValue& s : samples_) samples.push_back(io::Json::array({s.step, s.value}));
    return {{"every", every_}, {"samples", std::move(samples)}};
  }
  return {{"every", every_},
          {"tolerance", tolerance_},
          {"step", step_},
          {"value", value_},
          {"calm", calm_}};
}

void SteadyWatch::load(const io::Json& saved) {
  step_ = calm_ = 0;
  change_.reset();
  samples_.clear();
  estimates_.clear();
  if (io::whole_in(io::member(saved, "every")) != every_) return;
  if (error_ > 0) {
    const io::Json& samples = io::member(saved, "samples");
    for (std::size_t i = 0; samples.is_array() && i < samples.size(); ++i) {
      const auto step = io::whole_in(io::item(samples[i], 0));
      const auto value = io::number_in(io::item(samples[i], 1));
      if (!step || !value || *step <= step_) return;
      add(*step, *value);
    }
    return;
  }
  if (io::number_in(io::member(saved, "tolerance")) != tolerance_) return;
  const io::Json& sample = io::member(saved, "last_look");
  const bool older = sample.is_object();
  const auto number = [](const io::Json& json) { return io::number_in(json).value_or(0); };
  step_ = io::whole_in(io::member(older ? sample : saved, "step")).value_or(0);
  value_ = number(older ? io::member(sample, "kinetic_energy") : io::member(saved, "value"));
  calm_ = io::whole_in(io::member(saved, older ? "calm_looks" : "calm")).value_or(0);
  if (step_ <= corrected_) step_ = calm_ = 0;
}

}  // namespace lbm::cases
