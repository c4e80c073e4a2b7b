// SPDX-License-Identifier: Apache-2.0

// The check that a number has become steady (run.until_steady): by its rate of change, or by an
// estimate of its distance from its limit.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

struct StepValue {
  std::int64_t step = 0;
  double value = 0;
};

// Where a number goes.
struct LimitEstimate {
  double value = 0;  // of the newest sample
  double limit = 0;  // extrapolated
  // That of `value`, relative to the largest magnitude in the newest third of the run. Infinite:
  // unknown.
  double error = std::numeric_limits<double>::infinity();
};

// The estimate for the newest sample. Steps increase, and samples are those of steady_spacing().
//
// Four samples at equal distances h of about a sixth of the run, the newest one first, have the
// differences d1, d2 and d3. A decay towards a drift has d = c + b r^i, which three differences
// determine; the decay still to come is b r^2 / (1 - r) (Aitken 1926, Proc. R. Soc. Edinburgh 46,
// 289). The drift c may be the beginning of a slower decay, or the rest of an algebraic one: the
// error includes the change by it in ten times the steps of the run so far. Where the differences
// do not decay, the range of the newest third of the run counts as such a drift.
// A number that wanders about its limit has means of the newest and the middle third of the run
// that differ by no more than their scatter. Its error is the range of the newest third, and a
// drift of these means beyond twice their standard error. The smaller error of the two counts.
LimitEstimate estimate_limit(std::span<const StepValue> samples);

// Distance of the samples at and before `step`: `least` up to 32 of them, then twice as much with
// each doubling of the step, so that the last half of a run has 16 to 32 samples.
std::int64_t steady_spacing(std::int64_t least, std::int64_t step);

// Steady with `tolerance`: at three samples in a row the relative change of the number per
// convective time was below it. With `error`: at three samples in a row the estimated error was
// below it, after sound has crossed the box twice, or with run.cascade the part of it that is left
// when the coarsest grid is 2, 4, ... times as coarse: half, a quarter, ...
class SteadyWatch {
 public:
  // Samples before the last of run.flow_rate_corrections are left out: it changes the flow.
  // rounding: error of values added, absolute.
  SteadyWatch(const Case& lbm_case, const Derived& derived, const Units& units,
              double rounding = 0);

  bool is_due(std::int64_t step) const;
  // The next step that is due; empty: none.
  std::optional<std::int64_t> next_after(std::int64_t step) const;
  void add(std::int64_t step, double value);
  bool is_steady() const { return calm_ >= 3 && step_ >= first_; }
  std::int64_t step() const { return step_; }  // of the newest sample; 0: none
  // The last step of a run that is_steady(): behind the newest sample, for the outputs that are
  // wanted at the end, and with `error` even, too.
  std::int64_t end() const { return step_ + (error_ > 0 ? 2 : 1); }
  // To compare with run.until_steady: the change between the newest two samples, or the error.
  // Empty: too few samples, or only from before a restart.
  std::optional<double> change() const { return change_; }
  // With run.until_steady.error: of the newest sample, with the largest error of the newest three.
  std::optional<LimitEstimate> limit() const;

  io::Json save() const;
  // A changed criterion starts anew, but for another `error` at the same steps. Older checkpoints
  // have samples of the flow ("last_look") for the kinetic energy.
  void load(const io::Json& saved);

 private:
  void add_to_series(std::int64_t step, double value);

  double tolerance_, error_, convective_time_, rounding_;
  std::int64_t every_ = 0, step_ = 0, calm_ = 0;  // calm_: good samples in a row
  std::int64_t first_ = 0;                        // step before which nothing is steady
  std::int64_t corrected_ = 0;  // step of the last correction of the pressure; samples begin behind
  double value_ = 0;
  std::optional<double> change_;
  std::vector<StepValue> samples_;  // with run.until_steady.error
  std::vector<LimitEstimate> estimates_;
};

// How far a deciding number is from its limit, for reports.
struct NamedLimit {
  std::string name;  // kinetic_energy, or that of a quantity
  std::int64_t step = 0;
  LimitEstimate estimate;
};

}  // namespace lbm::cases
