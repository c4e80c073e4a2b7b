// SPDX-License-Identifier: Apache-2.0

// Statistics of series whose mean, scatter, correlation and frequency are known.
#include "cases/run/records/time_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "cases/run/records/steady.hpp"

namespace lbm::cases {
namespace {

constexpr double pi = std::numbers::pi;

TimeSeries sine(int samples, double period, double mean, double amplitude) {
  TimeSeries series;
  for (int i = 1; i <= samples; ++i) {
    series.add(mean + amplitude * std::sin(2 * pi * i / period));
  }
  return series;
}

TEST(TimeSeries, TellsMeanRmsAndFrequencyOfASine) {
  for (const int samples : {4000, 400000}) {  // kept one by one, and in batches of 128
    const TimeStatistics s = sine(samples, 1000, 3, 0.5).statistics(0.01);
    EXPECT_EQ(s.samples, samples);
    EXPECT_NEAR(s.mean, 3, 1e-9);
    EXPECT_NEAR(s.rms, 0.5 / std::sqrt(2), 1e-9);
    ASSERT_TRUE(s.frequency.has_value());
    EXPECT_NEAR(*s.frequency, 0.1, 2e-5);
    EXPECT_LT(*s.frequency_error, 2e-4);
    ASSERT_TRUE(s.mean_error.has_value());
    // Groups of 20 periods have nearly the same mean; those of a fifth of a period do not.
    EXPECT_LT(*s.mean_error, samples > 4000 ? 1e-3 : 0.15);
  }
}

TEST(TimeSeries, KeepsItsExtremesAndTheirPlacesThroughACheckpoint) {
  TimeSeries before;
  for (int i = 0; i < 10000; ++i) before.add(i == 17 || i == 40 ? 2.5 : i == 9001 ? -3 : i % 2);
  TimeSeries series;
  series.load(before.save());
  for (const double value : {2.5, 1.0}) series.add(value);
  const TimeStatistics s = series.statistics(1);
  ASSERT_TRUE(s.maximum && s.minimum);
  EXPECT_EQ(s.maximum->value, 2.5);
  EXPECT_EQ(s.maximum->sample, 17);
  EXPECT_EQ(s.minimum->value, -3);
  EXPECT_EQ(s.minimum->sample, 9001);
  io::Json older = before.save();
  older.erase("maximum");
  series.load(older);
  series.add(7);
  EXPECT_FALSE(series.statistics(1).maximum.has_value());
}

// 10 samples a period: after 8192 samples a period has fewer than four batches.
TEST(TimeSeries, KeepsTheFrequencyOfManyPeriods) {
  for (const int samples : {9000, 20000, 40000, 300000}) {
    const TimeStatistics s = sine(samples, 10, 3, 0.5).statistics(0.01);
    ASSERT_TRUE(s.frequency.has_value()) << samples;
    EXPECT_NEAR(*s.frequency, 10, 0.01) << samples;
  }
}

// Means over batches make fast oscillations look slow; none of these is taken for a frequency.
TEST(TimeSeries, TakesNoFastOscillationForASlowOne) {
  for (double period = 2.01; period < 3.9; period += 0.07) {
    for (const int samples : {3000, 6000, 12000, 24000, 100000}) {
      EXPECT_FALSE(sine(samples, period, 3, 0.5).statistics(1).frequency.has_value())
          << period << " " << samples;
    }
  }
}

// Rounding must not spoil small fluctuations about a large mean.
TEST(TimeSeries, TellsTheRmsOfASmallFluctuation) {
  EXPECT_NEAR(sine(100000, 100, 1000, 1e-3).statistics(1).rms, 1e-3 / std::sqrt(2), 1e-9);
}

// Noise crosses the mean often; only the crossings of the sine count.
TEST(TimeSeries, TellsTheFrequencyOfANoisySine) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.1);
  TimeSeries series;
  for (int i = 0; i < 20000; ++i) series.add(std::sin(2 * pi * i / 200.0) + noise(random));
  const TimeStatistics s = series.statistics(1);
  ASSERT_TRUE(s.frequency.has_value());
  EXPECT_NEAR(*s.frequency, 1.0 / 200, 1.0 / 200 * 0.01);
  EXPECT_GT(*s.frequency_error, 0);
}

// Independent samples: sigma / sqrt(n), and sigma / sqrt(2 n) for the rms of a normal distribution.
TEST(TimeSeries, TellsTheErrorsOfIndependentSamples) {
  constexpr int runs = 200, samples = 3000;
  double mean_error = 0, rms_error = 0;
  for (unsigned seed = 0; seed < runs; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(5, 2);
    TimeSeries series;
    for (int i = 0; i < samples; ++i) series.add(noise(random));
    const TimeStatistics s = series.statistics(1);
    mean_error += s.mean_error.value() / runs;
    rms_error += s.rms_error.value() / runs;
  }
  // Raised by the share of chance correlations that are positive.
  EXPECT_NEAR(mean_error, 2 / std::sqrt(samples), 0.15 * 2 / std::sqrt(samples));
  EXPECT_NEAR(rms_error, 2 / std::sqrt(2 * samples), 0.15 * 2 / std::sqrt(2 * samples));
}

// x_i = a x_(i-1) + noise has the variance 1 / (1 - a^2), and means of n the variance (1 + a) / (1
// - a) of that / n. A standard error holds the true mean in 68 % of all runs.
TEST(TimeSeries, ItsErrorsHoldForCorrelatedSamples) {
  constexpr int runs = 300;
  constexpr double a = 0.98;
  for (const int samples : {8000, 100000}) {
    int inside = 0;
    double squares = 0;
    for (unsigned seed = 0; seed < runs; ++seed) {
      std::mt19937 random(seed);
      std::normal_distribution<double> noise(0, 1);
      double x = noise(random) / std::sqrt(1 - a * a);
      TimeSeries series;
      for (int i = 0; i < samples; ++i) {
        x = a * x + noise(random);
        series.add(x);
      }
      const TimeStatistics s = series.statistics(1);
      inside += std::abs(s.mean) < s.mean_error.value() ? 1 : 0;
      squares += std::pow(s.mean_error.value(), 2) / runs;
    }
    EXPECT_NEAR(static_cast<double>(inside) / runs, 0.683, 0.08) << samples;
    const double exact = 1 / std::sqrt(samples) / (1 - a);
    EXPECT_NEAR(std::sqrt(squares), exact, 0.25 * exact) << samples;
  }
}

TEST(TimeSeries, SaysNothingWhereItCannotTell) {
  EXPECT_EQ(TimeSeries().statistics(1).samples, 0);
  TimeSeries series;
  for (int i = 0; i < 19; ++i) series.add(i);
  EXPECT_FALSE(series.statistics(1).mean_error.has_value());
  EXPECT_FALSE(series.statistics(1).frequency.has_value());
  TimeSeries constant;
  for (int i = 0; i < 1000; ++i) constant.add(7.25);
  const TimeStatistics s = constant.statistics(1);
  EXPECT_EQ(s.mean, 7.25);
  EXPECT_EQ(s.rms, 0);
  EXPECT_EQ(s.mean_error, 0.0);
  EXPECT_FALSE(s.frequency.has_value());
  EXPECT_FALSE(sine(150, 100, 0, 1).statistics(1).frequency.has_value());  // one period
}

TEST(TimeSeries, ContinuesBitForBit) {
  for (const int saved : {1, 17, 4096, 9001}) {
    TimeSeries whole, begun;
    const auto value = [](int i) { return std::sin(0.37 * i) + 1e-3 * i; };
    for (int i = 0; i < saved; ++i) begun.add(value(i));
    TimeSeries continued;
    continued.load(io::parse_json(io::json_text(begun.save()), "state"));
    for (int i = saved; i < 20000; ++i) continued.add(value(i));
    for (int i = 0; i < 20000; ++i) whole.add(value(i));
    EXPECT_EQ(io::json_text(continued.save()), io::json_text(whole.save())) << saved;
  }
}

TEST(TimeSeries, IsEmptyAfterAStateThatIsNone) {
  TimeSeries series;
  series.add(1);
  series.load(io::parse_json("{\"length\": 4, \"open_samples\": 9}", "state"));
  EXPECT_EQ(series.samples(), 0);
}

// The samples of run.until_steady.error up to the first step with an estimated error below `error`
// at three samples in a row; up to 10^6 steps.
struct Ended {
  std::int64_t step = 0;  // 0: never
  LimitEstimate estimate;
};

template <class Function>
Ended ended(double error, const Function& value) {
  const std::int64_t least = 8;
  std::vector<StepValue> samples;
  int calm = 0;
  for (std::int64_t step = least; step <= 1000000; ++step) {
    if (step % steady_spacing(least, step) != 0) continue;
    samples.push_back({step, value(static_cast<double>(step))});
    const LimitEstimate estimate = estimate_limit(samples);
    calm = estimate.error < error ? calm + 1 : 0;
    if (calm == 3) return {step, estimate};
  }
  return {};
}

TEST(LimitEstimate, IsSampledAtASixteenthToAThirtySecondOfTheRun) {
  for (std::int64_t step = 1; step < 100000; ++step) {
    const std::int64_t spacing = steady_spacing(6, step);
    EXPECT_EQ(spacing % 6, 0);
    EXPECT_LE(step, 32 * spacing);
    if (spacing > 6) {
      EXPECT_GT(step, 16 * spacing);
    }
  }
}

// exp(-t / 200) is below an error after 200 log(1 / error) steps.
TEST(LimitEstimate, IsExactForAnExponential) {
  for (const double error : {1e-2, 1e-3, 1e-5}) {
    const Ended e = ended(error, [](double t) { return 3 - 3 * std::exp(-t / 200); });
    const double ideal = 200 * std::log(1 / error);
    EXPECT_GE(static_cast<double>(e.step), ideal);
    EXPECT_LT(static_cast<double>(e.step), 1.25 * ideal);
    EXPECT_NEAR(e.estimate.limit, 3, 1e-9);
    const double true_error = std::exp(-static_cast<double>(e.step) / 200);
    EXPECT_NEAR(e.estimate.error, true_error, 0.01 * true_error);
  }
}

// A second decay, 2 to 100 times as slow, of either sign; and algebraic decays. Slower ones are out
// of sight: a part A of the limit is seen while 10 A t / (time constant) is above the error.
TEST(LimitEstimate, IsWithinTwiceTheErrorForSlowDecays) {
  for (const double ratio : {2., 5., 10., 30., 100.}) {
    for (const double slow : {-0.3, -0.1, -0.03, -0.01, 0.01, 0.03, 0.1, 0.3}) {
      for (const double error : {1e-2, 1e-3}) {
        const Ended e = ended(error, [&](double t) {
          return 1 - std::exp(-t / 200) + slow * std::exp(-t / 200 / ratio);
        });
        ASSERT_GT(e.step, 0) << ratio << " " << slow;
        EXPECT_LE(std::abs(e.estimate.value - 1), 2 * error)
            << ratio << " " << slow << " " << error;
      }
    }
  }
  for (const double power : {0.5, 1., 2.}) {
    const Ended e = ended(1e-2, [&](double t) { return 1 - std::pow(1 + t / 20, -power); });
    if (e.step > 0) {
      EXPECT_LE(std::abs(e.estimate.value - 1), 1e-2) << power;
    }
    EXPECT_TRUE(e.step > 0 || power == 0.5);  // needs 200,000 steps
  }
}

TEST(LimitEstimate, WaitsForSoundToDecay) {
  for (const double period : {20., 60., 200., 1000.}) {
    for (const double decay : {100., 300., 1000., 5000.}) {
      const Ended e = ended(1e-3, [&](double t) {
        return 1 - std::exp(-t / 200) + 0.3 * std::exp(-t / decay) * std::sin(2 * pi * t / period);
      });
      ASSERT_GT(e.step, 0) << period << " " << decay;
      EXPECT_LE(std::abs(e.estimate.value - 1), 1e-3) << period << " " << decay;
      EXPECT_LT(static_cast<double>(e.step), 3 * std::max(1400., decay * std::log(300)));
    }
  }
}

TEST(LimitEstimate, EndsWithNoiseAndSwingsBelowTheErrorAlone) {
  for (const double size :
       {0.1, 0.2, 2., 5.}) {  // standard deviation, or amplitude, over the error
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0, 1e-3 * size);
    const Ended noisy =
        ended(1e-3, [&](double t) { return 1 - std::exp(-t / 200) + normal(random); });
    EXPECT_EQ(noisy.step > 0, size < 1) << size;
    if (noisy.step > 0) {
      EXPECT_NEAR(noisy.estimate.value, 1, 1e-3);
    }
    for (const double period : {60., 500., 5000.}) {
      const Ended swinging = ended(1e-3, [&](double t) {
        return 1 - std::exp(-t / 200) + 1e-3 * size * std::sin(2 * pi * t / period);
      });
      EXPECT_EQ(swinging.step > 0, size < 1) << size << " " << period;
    }
  }
}

// A start that comes late, a number that tends to 0, one that is 0, one that grows.
TEST(LimitEstimate, IsUnknownWhereThereIsNoLimitYet) {
  const Ended late =
      ended(1e-3, [](double t) { return t < 3000 ? 0.0 : 1 - std::exp((3000 - t) / 200); });
  EXPECT_GT(late.step, 3000 + 1400);
  // The error is relative to the largest value of the newest third of the run.
  const Ended zero = ended(1e-2, [](double t) { return std::exp(-t / 200); });
  EXPECT_NEAR(static_cast<double>(zero.step), 3 * 200 * std::log(100),
              0.25 * 3 * 200 * std::log(100));
  EXPECT_EQ(ended(1e-2, [](double) { return 0.0; }).step, 0);
  EXPECT_EQ(ended(1e-2, [](double t) { return 1e-3 * t; }).step, 0);
  EXPECT_EQ(ended(1e-2, [](double t) { return std::log(t); }).step, 0);
  EXPECT_GT(ended(1e-2, [](double) { return 5.0; }).step, 0);
}

}  // namespace
}  // namespace lbm::cases
