// SPDX-License-Identifier: Apache-2.0

// Statistics of one number over time, whose samples have equal intervals and are kept in bounded
// memory; and the watch for a checkerboard: an instability whose velocity changes its sign from
// cell to cell, which may stay inside the limits of density and speed, so that nothing else stops
// the run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

// The largest or smallest sample, the first one of several.
struct Extreme {
  double value = 0;
  std::int64_t sample = 0;  // its number from 0
};

// Errors are standard errors (one sigma). Empty: the series is too short to tell.
struct TimeStatistics {
  std::int64_t samples = 0;
  double mean = 0;
  double rms = 0;  // root mean square of the fluctuations about the mean
  // Empty: the series began in a checkpoint that does not have them.
  std::optional<Extreme> maximum, minimum;
  std::optional<double> mean_error, rms_error;
  std::optional<double> frequency, frequency_error;  // per unit of the interval
};

// The sums of consecutive batches of equal length. Where there would be more than most_batches, two
// neighbours are joined: a run of any length keeps 2048 to 4096 of them.
class TimeSeries {
 public:
  static constexpr std::size_t most_batches = 4096;

  void add(double value);
  std::int64_t samples() const {
    return static_cast<std::int64_t>(batches_.size()) * length_ + in_open_;
  }

  // interval: between two samples.
  //
  // Errors: the variance of the means of 20 to 39 groups of batches (batch means; Schmeiser 1982,
  // Operations Research 30, 556), raised by (1 + r) / (1 - r) where neighbouring groups have a
  // positive correlation r, as in an autoregressive series of first order. At least 20 batches.
  //
  // Frequency: of the upward crossings of the mean, each interpolated linearly between two batches.
  // A crossing counts after the series was below the mean by 0.6 of its rms. At least three
  // crossings, and four batches a period; where batches have become longer than that, it is the
  // frequency of the samples before, of 500 periods or more. Its error is the scatter of the
  // periods over the root of their number.
  TimeStatistics statistics(double interval) const;

  // Restores the same bits; of null an empty series.
  io::Json save() const;
  void load(const io::Json& json);

 private:
  // Sums of values minus origin_: this reduces rounding where the fluctuations are small.
  struct Batch {
    double sum = 0, squares = 0;
    void add(const Batch& other) {
      sum += other.sum;
      squares += other.squares;
    }
  };
  struct Frequency {
    double value = 0, error = 0;  // per sample
  };
  Batch sums() const;
  std::optional<Frequency> frequency(const Batch& all) const;
  void join_pairs();
  void add_errors(TimeStatistics& to) const;

  double origin_ = 0;           // the first sample
  std::int64_t length_ = 1;     // samples of a batch
  std::vector<Batch> batches_;  // complete
  Batch open_;                  // not complete
  std::int64_t in_open_ = 0;    // its samples
  std::optional<Extreme> maximum_, minimum_;
  // When batches were joined last and short enough.
  std::optional<Frequency> kept_frequency_;
};

// Sums over the fluid, in lattice units; those along y and z are estimates.
struct Differences {
  // Along one axis, the sums of squares of u(i+1) - u(i-1) and of u(i-1) - 2 u(i) + u(i+1).
  struct Squares {
    double first = 0, second = 0;
  };
  std::array<Squares, 3> axes;
  double energy = 0;  // sum of rho u^2 / 2
};

// record: of a sample of the whole box, which has so many cells.
Differences differences_of(std::span<const std::int64_t> record, std::int64_t cells);

// How much the velocity alternates along the axis where it does so most.
struct Alternation {
  // Mean of sin^2(k / 2) over the wave numbers k of the velocity (radians per cell), weighted with
  // the energy of its gradient: 0 smooth, 3/4 random in each cell, 1 checkerboard. 0 where the
  // alternating part is too small to matter.
  double value = 0;
  int axis = 0;
};

// fluid_cells: of the box. velocity: the reference velocity in lattice units.
Alternation alternation_of(const Differences& differences, double fluid_cells, double velocity);

// The values are finite, but the flow is wrong.
struct CheckerboardError : DivergedError {
  using DivergedError::DivergedError;
};

// A restart begins anew: the samples between two steps depend on where sweeps end, and a checkpoint
// has the same bytes wherever they do.
class CheckerboardWatch {
 public:
  // All must outlive it.
  CheckerboardWatch(const Case& lbm_case, const Derived& derived, Notices& notices)
      : case_(lbm_case), derived_(derived), notices_(notices) {}

  // Samples come in the order of steps. Warns once where the flow has become a checkerboard. Throws
  // CheckerboardError where it remains one, unless the case says run.on_checkerboard: warn.
  void add(std::int64_t step, const Alternation& sample);

 private:
  const Case& case_;
  const Derived& derived_;
  Notices& notices_;
  double mean_ = 0;                       // of Alternation::value, the newest samples weigh most
  std::int64_t since_ = 0, samples_ = 0;  // first step and number of alternating samples in a row
  bool warned_ = false;
};

}  // namespace lbm::cases
