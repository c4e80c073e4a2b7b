// SPDX-License-Identifier: Apache-2.0

// The choice of lattice.representation: auto depends on the collision alone.
#include "cases/run/setup/setup.hpp"

#include <gtest/gtest.h>

namespace lbm::cases {
namespace {

TEST(RepresentationChoice, FollowsFromTheCollisionAlone) {
  Case lbm_case;
  for (const CollisionKind kind : {CollisionKind::bgk, CollisionKind::trt}) {
    lbm_case.lattice.collision = kind;
    EXPECT_EQ(choose_representation(lbm_case).representation, Representation::populations);
    EXPECT_EQ(choose_representation(lbm_case).reason, "") << "there is no choice";
  }
  for (const CollisionKind kind :
       {CollisionKind::regularised, CollisionKind::regularised_filtered}) {
    for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
      lbm_case.lattice.collision = kind;
      lbm_case.lattice.storage = storage;
      EXPECT_EQ(choose_representation(lbm_case).representation, Representation::moments);
      EXPECT_NE(choose_representation(lbm_case).reason, "");
    }
  }
}

TEST(RepresentationChoice, IsWhatTheCaseSays) {
  Case lbm_case;
  lbm_case.lattice.collision = CollisionKind::regularised;
  lbm_case.lattice.representation = Representation::populations;
  EXPECT_EQ(choose_representation(lbm_case).representation, Representation::populations);
  EXPECT_EQ(choose_representation(lbm_case).reason, "");
}

}  // namespace
}  // namespace lbm::cases
