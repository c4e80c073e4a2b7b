// SPDX-License-Identifier: Apache-2.0

// Bodies that move freely (bodies.NAME.free): mechanics without a fluid, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "solver/boundary/free_body.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/motion/ball_case.hpp"

namespace lbm::cases {
namespace {

constexpr std::array<int, 3> box{40, 40, 40};

DisplacedFluid displaced_by(const geometry::ShapePtr& shape) {
  return displaced_fluid(sample_solid_fraction(*shape, box, {false, false, true}, {}), box);
}

FreeBodyMotion between_faces(double density_ratio) {
  FreeBodyMotion motion;
  motion.density_ratio = density_ratio;
  motion.low = {0, 0, 0};
  motion.high = {40, 40, 40};
  return motion;
}

TEST(FreeBodies, MassAndInertiaOfABallAndARod) {
  const double r = 7.3, volume = 4 * std::numbers::pi / 3 * r * r * r;
  const DisplacedFluid ball = displaced_by(geometry::make_sphere({20.2, 19.7, 20.4}, r));
  EXPECT_NEAR(ball.mass / volume, 1, 0.003);
  EXPECT_NEAR(ball.centroid[0], 20.2, 0.01);
  EXPECT_NEAR(ball.inertia[1][1] / (0.4 * volume * r * r), 1, 0.005);
  EXPECT_NEAR(ball.inertia[0][2] / (0.4 * volume * r * r), 0, 0.003);
  // As long as the periodic box.
  const DisplacedFluid rod = displaced_by(geometry::make_cylinder({20, 20, -9}, {20, 20, 90}, 5));
  EXPECT_EQ(rod.endless_axis, 2);
  EXPECT_NEAR(rod.mass / (std::numbers::pi * 25 * 40), 1, 0.003);
  EXPECT_NEAR(rod.inertia[2][2] / (0.5 * rod.mass * 25), 1, 0.005);
}

// Without a fluid outside the weight less the buoyancy acts on what the body has more than fluid.
TEST(FreeBodies, FallsWithGravityAfterItsRelease) {
  FreeBodyMotion motion = between_faces(2.5);
  motion.gravity = {0, -1e-5, 0};
  motion.release = 20;
  FreeBody body(displaced_by(geometry::make_sphere({20, 30, 20}, 4)), motion, {});
  while (body.state().step < 20) body.advance({}, {});
  EXPECT_EQ(body.state().velocity, Vector3{});
  for (int i = 0; i < 200; ++i) body.advance({}, {});
  EXPECT_NEAR(body.state().acceleration[1] / -1e-5, 1, 1e-9);
  EXPECT_NEAR(body.state().center[1], 30 - 0.5e-5 * 200 * 200, 0.004);
}

// The axis of the middle moment of inertia: the body turns over and over.
TEST(FreeBodies, TurnsWithoutATorqueAndKeepsItsAngularMomentum) {
  FreeBodyMotion motion = between_faces(3);
  motion.angular_velocity = {0.000075, 0.005, 0.00005};
  const DisplacedFluid brick = displaced_by(geometry::make_box({20, 20, 20}, {20, 12, 5}));
  FreeBody body(brick, motion, {});
  const auto momentum = [&] {
    const Matrix3 r = body.place().rotation;
    const Vector3& w = body.state().angular_velocity;
    Vector3 spin{}, sum{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) spin[i] += r[j][i] * w[j];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) sum[i] += r[i][j] * brick.inertia[j][j] * spin[j];
    }
    return sum;
  };
  const Vector3 before = momentum();
  double least = 1;  // component of its angular velocity in the frame, over the first one
  for (int i = 0; i < 8000; ++i) {
    body.advance({}, {});
    double own = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      own += body.place().rotation[j][1] * body.state().angular_velocity[j];
    }
    least = std::min(least, own / 0.005);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(momentum()[a] / before[1], before[a] / before[1], 0.01) << a;
  }
  EXPECT_LT(least, -0.9);
}

TEST(FreeBodies, StopsAtFaces) {
  FreeBodyMotion motion = between_faces(2);
  motion.gravity = {1e-3, 0, 0};
  FreeBody body(displaced_by(geometry::make_sphere({20, 20, 20}, 4)), motion,
                {{24, 20, 20}, {16, 20, 20}});
  for (int i = 0; i < 300; ++i) body.advance({}, {});
  EXPECT_NEAR(body.state().center[0], 36, 0.01);
  EXPECT_EQ(body.state().velocity[0], 0);
  EXPECT_EQ(body.stopped_at(), 2U);
}

TEST(FreeBodies, RefusalsNameTheKey) {
  const auto says = [](const std::vector<std::string>& overrides, const std::string& key,
                       const std::string& text) {
    const std::string line = test::error_of([&] {
      const Case c = parse_case(test::ball, "c.yaml", overrides);
      make_case_model(c, validate(c));
    });
    EXPECT_NE(line.find(key), std::string::npos) << line;
    EXPECT_NE(line.find(text), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  };
  says({"bodies.ball.free.density_ratio=null"}, "bodies.ball.free.gravity", "density_ratio");
  says({"bodies.ball.motion={axis: [0,0,1], rate: 1}"}, "bodies.ball.motion", "keep one");
  says({"bodies.ball.center_of_rotation=[1,1,1]"}, "bodies.ball.center_of_rotation", "remove");
  says({"tiling.steps_per_visit=4"}, "tiling.steps_per_visit", "take 1");
  says({"bodies.ball.center=[3, 10, 22]"}, "bodies.ball", "leaves the box along x");
  says({"bodies.post={shape: box, center: [10, 10, 18], size: [4, 4, 4]}"}, "bodies.ball", "meets");
  says({"bodies.ball.free.velocity=[0, 0, 9]"}, "bodies.ball", "Mach");
  says({"bodies.post={shape: box, center: [3, 3, 3], size: [2, 2, 2]}",
        "quantities.height.bodies=[post]"},
       "quantities.height.bodies", "motion or free");
}

}  // namespace
}  // namespace lbm::cases
