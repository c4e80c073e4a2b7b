// SPDX-License-Identifier: Apache-2.0

// Tells whether a number has become steady (run.until_steady).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// Steady: at three samples in a row its relative change per convective time was below the
// tolerance.
class SteadyWatch {
 public:
  SteadyWatch(const Case& lbm_case, const Derived& derived, const Units& units)
      : tolerance_(lbm_case.run.until_steady.tolerance.value_or(0)),
        convective_time_(derived.convective_time) {
    if (tolerance_ == 0) return;
    const double every =
        lbm_case.run.until_steady.every.value_or(derived.convective_time * units.time);
    every_ =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::round(to_steps(units, every))));
  }

  std::int64_t every() const { return every_; }  // steps between samples; 0: none
  bool is_due(std::int64_t step) const { return every_ > 0 && step % every_ == 0; }
  void add(std::int64_t step, double value) {
    if (step_ > 0) {
      const double times = static_cast<double>(step - step_) / convective_time_;
      change_ = std::abs(value - value_) / std::max(std::abs(value), 1e-300) / times;
      calm_ = *change_ < tolerance_ ? calm_ + 1 : 0;
    }
    step_ = step;
    value_ = value;
  }
  bool is_steady() const { return calm_ >= 3; }
  std::int64_t step() const { return step_; }  // of the newest sample; 0: none
  // Between the newest two samples; empty: there are none, or only from before a restart.
  std::optional<double> change() const { return change_; }

  io::Json save() const {
    return {{"every", every_},
            {"tolerance", tolerance_},
            {"step", step_},
            {"value", value_},
            {"calm", calm_}};
  }
  // A changed criterion starts anew. Older checkpoints have samples of the flow ("last_look") for
  // the kinetic energy.
  void load(const io::Json& saved) {
    step_ = calm_ = 0;
    change_.reset();
    if (io::whole_in(io::member(saved, "every")) != every_ ||
        io::number_in(io::member(saved, "tolerance")) != tolerance_) {
      return;
    }
    const io::Json& sample = io::member(saved, "last_look");
    const bool older = sample.is_object();
    step_ = io::whole_in(io::member(older ? sample : saved, "step")).value_or(0);
    value_ =
        io::number_in(older ? io::member(sample, "kinetic_energy") : io::member(saved, "value"))
            .value_or(0);
    calm_ = static_cast<int>(
        io::whole_in(io::member(saved, older ? "calm_looks" : "calm")).value_or(0));
  }

 private:
  double tolerance_, convective_time_;
  std::int64_t every_ = 0, step_ = 0;
  double value_ = 0;
  std::optional<double> change_;
  int calm_ = 0;  // samples in a row with a small change
};

}  // namespace lbm::cases
