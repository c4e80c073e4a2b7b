// SPDX-License-Identifier: Apache-2.0

// The choice between populations and moments, from forecasts and from made-up speeds.
#include "cases/run/setup/representation_choice.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/case/yaml/yaml_reader.hpp"
#include "tests/tiling/model/made_up_speeds.hpp"

namespace lbm::cases {
namespace {

constexpr RepresentationForecast no_room{false, 1};

RepresentationForecast takes(double seconds) { return {true, seconds}; }

Representation better(const RepresentationForecast& populations,
                      const RepresentationForecast& moments) {
  return better_representation({populations, moments}).representation;
}

TEST(RepresentationChoice, IsMomentsUnlessPopulationsAreClearlyFaster) {
  EXPECT_EQ(better(takes(3), takes(1)), Representation::moments);
  EXPECT_EQ(better(takes(1), takes(1)), Representation::moments);
  EXPECT_EQ(better(takes(1), takes(0.99 * worth_the_memory)), Representation::moments);
  EXPECT_EQ(better(takes(1), takes(1.01 * worth_the_memory)), Representation::populations);
}

TEST(RepresentationChoice, IsWhatFits) {
  EXPECT_EQ(better(no_room, takes(100)), Representation::moments);
  EXPECT_EQ(better(no_room, no_room), Representation::moments) << "the run's error is about less";
}

TEST(RepresentationChoice, IsTheSmallerOneWhereSpeedsAreUnknown) {
  EXPECT_EQ(better(takes(0), takes(0)), Representation::moments);
  EXPECT_EQ(better(takes(0), takes(5)), Representation::moments);
}

TEST(RepresentationChoice, SaysWhy) {
  const auto reason = [](const RepresentationForecast& a, const RepresentationForecast& b) {
    return better_representation({a, b}).reason;
  };
  EXPECT_EQ(reason(takes(1), takes(2)), "predicted 2 times as fast as moments");
  EXPECT_EQ(reason(takes(3), takes(2)), "predicted 1.5 times as fast as populations");
  EXPECT_EQ(reason(takes(1), takes(1)),
            "half the memory, and predicted 1 times as fast as populations");
  EXPECT_EQ(reason(no_room, takes(1)), "populations do not fit the memory");
}

TEST(RepresentationChoice, OfRanksFollowsTheSlowestAndTheSmallest) {
  const auto join = [](const std::vector<RepresentationForecasts>& all) {
    return better_representation(join_forecasts(all)).representation;
  };
  // Moments are faster on one device, but the other one decides how long the run takes.
  EXPECT_EQ(join({{takes(2), takes(1)}, {takes(3), takes(9)}}), Representation::populations);
  EXPECT_EQ(join({{takes(3), takes(9)}, {no_room, takes(9)}}), Representation::moments);
  EXPECT_EQ(join({{takes(3), takes(9)}, {takes(0), takes(9)}}), Representation::moments);
}

// A box of 64 x 64 x 64 cells; 20 MiB of populations in fp32, 11 MiB of moments.
class Box {
 public:
  explicit Box(const std::vector<std::string>& sets = {}) {
    std::vector<std::string> all{"lattice.collision=regularised", "lattice.representation=auto",
                                 "device.threads=2", "device.backend=cpu"};
    all.insert(all.end(), sets.begin(), sets.end());
    case_ = parse_case("grid: {cells: [64, 64, 64]}\nfluid: {reynolds: 10}\nrun: {steps: 50}\n",
                       "c.yaml", all);
    backend_ = make_backend(case_);
  }

  RepresentationChoice choose(const DeviceSpeeds& speeds, int planes = 0) {
    auto request = make_schedule_request(case_, derive(case_), *backend_);
    asked_ = false;
    request.speeds = [&]() -> const DeviceSpeeds& {
      asked_ = true;
      return speeds;
    };
    return choose_representation(case_, *backend_, request, planes);
  }
  bool asked_for_speeds() const { return asked_; }

 private:
  Case case_;
  std::unique_ptr<Backend> backend_;
  bool asked_ = false;
};

// Bytes per second; an update of populations moves 1.9 times as many bytes.
DeviceSpeeds cpu(double populations, double moments) {
  DeviceSpeeds speeds = tiling::test::device_of(1e10, populations, 1e10);
  speeds.queues_overlap = false;
  speeds.moments_fp16 = speeds.moments_fp32 = speeds.moments_fp64 = {moments, 0, 0};
  return speeds;
}

TEST(RepresentationOfACase, IsTheFasterOneByTheSpeedsOfTheDevice) {
  Box box;
  const RepresentationChoice equal_bytes = box.choose(cpu(1e10, 1e10));
  EXPECT_EQ(equal_bytes.representation, Representation::moments);
  EXPECT_EQ(equal_bytes.reason, "predicted 1.9 times as fast as populations");
  EXPECT_EQ(box.choose(cpu(3e10, 1e10)).representation, Representation::populations);
  EXPECT_EQ(box.choose(DeviceSpeeds{}).reason, "half the memory; the speeds are not known");
}

TEST(RepresentationOfACase, IsThatWhichFitsTheMemory) {
  const DeviceSpeeds slow_moments = cpu(3e10, 1e9);
  Box small({"host.memory_limit=16 MiB", "device.memory=100 MiB"});
  EXPECT_EQ(small.choose(slow_moments).reason, "populations do not fit the memory");
  EXPECT_EQ(small.choose(slow_moments, 32).representation, Representation::populations)
      << "half of the box fits";
  Box in_core({"device.memory=14 MiB", "tiling.scheme=in_core"});
  EXPECT_EQ(in_core.choose(slow_moments).representation, Representation::moments);
  Box tiny({"host.memory_limit=1 MiB"});
  EXPECT_EQ(tiny.choose(slow_moments).representation, Representation::moments);
}

TEST(RepresentationOfACase, OutOfCoreCountsTheLinkToo) {
  // Slow copies decide, and moments are half as many bytes.
  DeviceSpeeds speeds = cpu(3e10, 1e10);
  speeds.link_in = speeds.link_out = speeds.link_in_both = speeds.link_out_both = 1e8;
  Box box({"device.memory=4 MiB", "tiling.steps_per_visit=1"});
  EXPECT_EQ(box.choose(speeds).representation, Representation::moments);
}

TEST(RepresentationOfACase, NeedsNoSpeedsWhereThereIsNoChoice) {
  const DeviceSpeeds speeds = cpu(1e10, 1e10);
  for (const char* collision : {"bgk", "trt"}) {
    Box box({std::string("lattice.collision=") + collision});
    const RepresentationChoice choice = box.choose(speeds);
    EXPECT_EQ(choice.representation, Representation::populations);
    EXPECT_EQ(choice.reason, fmt::format("lattice.collision: {} needs them", collision));
    EXPECT_FALSE(box.asked_for_speeds());
  }
  Box stated({"lattice.representation=populations"});
  EXPECT_EQ(stated.choose(speeds).representation, Representation::populations);
  EXPECT_EQ(stated.choose(speeds).reason, "");
  EXPECT_FALSE(stated.asked_for_speeds());
}

}  // namespace
}  // namespace lbm::cases
