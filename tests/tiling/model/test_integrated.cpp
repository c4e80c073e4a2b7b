// SPDX-License-Identifier: Apache-2.0

// The schedule on an integrated GPU, whose memory is the host's: never out of core.
#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/tiling/model/made_up_speeds.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace lbm::tiling::test {
namespace {

class IntegratedGpu : public testing::Test {
 protected:
  IntegratedGpu() {
    request_.run.steps = 6400;
    request_.speeds = [this]() -> const DeviceSpeeds& { return speeds_; };
    request_.integrated = true;
  }
  ScheduleChoice choose(std::uint64_t planes) const {
    return choose_schedule(lattice_, Boundaries(), request_, planes * lattice_.layout.bytes);
  }

  Lattice lattice_ = lattice_of(512, 512, 800);
  DeviceSpeeds speeds_ = large_gpu();
  ScheduleRequest request_;
};

TEST_F(IntegratedGpu, IsInCoreOrRefused) {
  EXPECT_EQ(choose(1000).options.scheme, Scheme::in_core);
  try {
    choose(400);
    ADD_FAILURE() << "not refused";
  } catch (const ResourceError& error) {
    const std::string line = error.what();
    EXPECT_NE(line.find("no other memory than the host's"), std::string::npos) << line;
    EXPECT_EQ(line.find("wavefront"), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  request_.integrated = false;
  EXPECT_EQ(choose(400).options.scheme, Scheme::wavefront);
}

TEST_F(IntegratedGpu, RefusesASchemeOutOfCore) {
  request_.scheme = Scheme::wavefront;
  try {
    choose(1000);
    ADD_FAILURE() << "not refused";
  } catch (const ResourceError& error) {
    const std::string line = error.what();
    EXPECT_EQ(line.find("found tiling.scheme: wavefront"), 0U) << line;
  }
}

TEST_F(IntegratedGpu, TheSmallestScheduleIsInCore) {
  EXPECT_GT(least_device_bytes(lattice_, Boundaries(), request_), lattice_.bytes());
  request_.integrated = false;
  EXPECT_LT(least_device_bytes(lattice_, Boundaries(), request_), lattice_.bytes());
}

}  // namespace
}  // namespace lbm::tiling::test
