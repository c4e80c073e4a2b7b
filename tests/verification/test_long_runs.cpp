// SPDX-License-Identifier: Apache-2.0

// Many steps in a closed box: rounding makes and loses no mass.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

// Change of the mean density of a lid-driven cavity after `steps`.
double drift(CollisionKind kind, StorageType storage, std::int64_t steps) {
  Problem p;
  p.cells = {10, 10, 10};
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
  p.faces[5].condition.velocity = {0.1, 0, 0};
  p.collision.kind = kind;
  p.collision.omega = 1 / 0.53;
  p.storage = storage;
  Flow flow(p);
  flow.advance(steps);
  EXPECT_GT(flow.kinetic_energy(), 0.05) << "the flow must move for this to tell";
  return flow.mass() / static_cast<double>(flow.fluid_cells());
}

class ClosedCavity : public ::testing::TestWithParam<CollisionKind> {};

TEST_P(ClosedCavity, KeepsItsMassForManySteps) {
  Evidence evidence(std::string("mass of a closed cavity, ") + to_string(GetParam()),
                    "conservation of mass");
  evidence.on("10 x 10 x 10, 1e5 steps");
  evidence.within("change of the mean density, fp32", drift(GetParam(), StorageType::fp32, 100000),
                  1e-6);
  evidence.on("10 x 10 x 10, 1e4 steps");
  evidence.within("change of the mean density, fp16", drift(GetParam(), StorageType::fp16, 10000),
                  1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, ClosedCavity,
                         ::testing::Values(CollisionKind::bgk, CollisionKind::trt,
                                           CollisionKind::regularised,
                                           CollisionKind::central_moments, CollisionKind::cumulant),
                         [](const auto& model) { return std::string(to_string(model.param)); });

}  // namespace
}  // namespace lbm::verification
