// SPDX-License-Identifier: Apache-2.0

// Where the planes of a lattice on the host belong, on machines that are not there; and where pages
// are, on this one.
#include <gtest/gtest.h>

#include <numeric>

#include "solver/core/host_memory.hpp"
#include "solver/core/numa.hpp"
#include "tests/machines/machines.hpp"

namespace lbm {
namespace {

using testing::gibibyte;
using testing::machine;
using Parts = std::vector<PlacedPart>;

std::size_t bytes_of(const Parts& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const PlacedPart& part) { return sum + part.bytes; });
}

TEST(Placement, OnAGh200IsBoundToTheNodeWithCpus) {
  const auto nodes = numa_nodes(machine("gh200"));
  const Parts all_on_0{{400 * gibibyte, {0}}};
  EXPECT_EQ(plan_placement(nodes, 0, 400 * gibibyte), all_on_0);
  EXPECT_EQ(plan_placement(nodes, 1, 400 * gibibyte), all_on_0) << "next to the GPU's own memory";
  EXPECT_EQ(plan_placement(nodes, -1, 400 * gibibyte), all_on_0) << "GPU's node unknown";
}

// Binding more than a node has would end the program; 459 GiB are free or file cache.
TEST(Placement, IsNotBoundWhereTheNodeHasTooLittle) {
  const auto nodes = numa_nodes(machine("gh200"));
  EXPECT_EQ(plan_placement(nodes, 0, 460 * gibibyte), Parts{});
  EXPECT_EQ(plan_placement(nodes, 0, 453 * gibibyte), Parts{}) << "a part for the node itself";
  EXPECT_EQ(plan_placement(nodes, 0, 451 * gibibyte).size(), 1U);
  EXPECT_EQ(plan_placement(nodes, 0, 300 * gibibyte, 2), Parts{}) << "two processes there";
}

TEST(Placement, OnAGb200FillsTheNearSocketFirst) {
  const auto nodes = numa_nodes(machine("gb200"));
  EXPECT_EQ(plan_placement(nodes, 1, 100 * gibibyte), (Parts{{100 * gibibyte, {1}}}));
  const Parts parts = plan_placement(nodes, 1, 400 * gibibyte);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].nodes, std::vector<int>{1});
  EXPECT_EQ(parts[1].nodes, (std::vector<int>{0, 1})) << "and on no node without CPUs";
  EXPECT_GT(parts[0].bytes, 199 * gibibyte);
  EXPECT_LT(parts[0].bytes, 207 * gibibyte) << "what node 1 has free";
  EXPECT_EQ(bytes_of(parts), 400 * gibibyte);
  EXPECT_EQ(parts[0].bytes % (std::size_t{2} << 20), 0U);
}

TEST(Placement, HasNoChoiceOnOneNode) {
  EXPECT_EQ(plan_placement(numa_nodes(machine("gb10")), 0, gibibyte), Parts{});
  EXPECT_EQ(plan_placement({}, 0, gibibyte), Parts{});
}

TEST(Placement, NeedsANodeWhereAllHaveCpus) {
  auto nodes = numa_nodes(machine("gb200"));
  nodes.resize(2);
  EXPECT_EQ(plan_placement(nodes, -1, gibibyte), Parts{});
  EXPECT_EQ(plan_placement(nodes, 0, gibibyte), (Parts{{gibibyte, {0}}}));
}

TEST(Placement, KeepsToAllowedNodes) {
  auto nodes = numa_nodes(machine("gb200"));
  nodes[0].allowed = false;
  EXPECT_EQ(plan_placement(nodes, 0, gibibyte), (Parts{{gibibyte, {1}}}));
}

// The machine is described, the call is real: the one node with memory here is node 0.
TEST(Placement, BoundPagesAreWhereTheyBelong) {
  const Buffer memory = map_host_memory(std::size_t{16} << 20, "a test");
  const Placement placement = place_near(memory.data(), memory.size(), 0, machine("gh200"));
  if (placement == Placement::refused) GTEST_SKIP() << "the system binds no memory";
  EXPECT_EQ(placement, Placement::bound);
  EXPECT_TRUE(node_shares(memory.data(), memory.size()).empty()) << "no page was touched";
  touch_host_memory(memory.data(), memory.size());
  const auto shares = node_shares(memory.data(), memory.size());
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(shares[0].node, 0);
  EXPECT_EQ(shares[0].share, 1);
}

}  // namespace
}  // namespace lbm
