// SPDX-License-Identifier: Apache-2.0

// Statistics of series whose mean, scatter, correlation and frequency are known.
#include "cases/run/records/time_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

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

}  // namespace
}  // namespace lbm::cases
