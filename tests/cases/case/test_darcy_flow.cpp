// SPDX-License-Identifier: Apache-2.0

// Pressures of blocks that are joined by conductances, and the flow that starts with them.
#include <cmath>
#include <random>

#include "cases/case/initial/block_network.hpp"
#include "cases/case/initial/darcy_flow.hpp"
#include "cases/case/validate/validate.hpp"
#include "solver/boundary/boundaries.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using test::error_of;

BlockNetwork network_of(const std::array<int, 3>& blocks) {
  BlockNetwork network;
  network.blocks = blocks;
  const auto count = static_cast<std::size_t>(blocks[0] * blocks[1] * blocks[2]);
  for (auto& link : network.link) link.resize(count);
  network.open.resize(count);
  network.source.resize(count);
  return network;
}

// Calls visit(i, before, next): the numbers of each block and of its neighbours along each axis.
template <class Visit>
void visit_neighbours(const std::array<int, 3>& n, const Visit& visit) {
  const auto at = [&](int x, int y, int z) {
    return static_cast<std::size_t>((x + n[0]) % n[0] +
                                    n[0] * ((y + n[1]) % n[1] + n[1] * ((z + n[2]) % n[2])));
  };
  for (int z = 0; z < n[2]; ++z) {
    for (int y = 0; y < n[1]; ++y) {
      for (int x = 0; x < n[0]; ++x) {
        visit(at(x, y, z), std::array{at(x - 1, y, z), at(x, y - 1, z), at(x, y, z - 1)},
              std::array{at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)});
      }
    }
  }
}

// Layers in series carry one flow: the harmonic mean of their conductances times the drive.
TEST(BlockNetwork, LayersInSeriesCarryTheFlowOfTheHarmonicMean) {
  BlockNetwork network = network_of({1, 1, 7});
  network.link[2] = {1, 4, 0.5, 2, 8, 0.25, 3};
  double resistance = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    resistance += 1.0 / network.link[2][i];
    network.source[i] = network.link[2][(i + 6) % 7] - network.link[2][i];  // of a unit force
  }
  const std::vector<double> p = block_pressures(network);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(network.link[2][i] * (1 + p[i] - p[(i + 1) % 7]), 7 / resistance, 1e-6);
  }
}

// Conductances that differ by a factor of 3000, and a block without any.
TEST(BlockNetwork, FlowsIntoEachBlockAddToZero) {
  const std::array<int, 3> n{5, 4, 6};
  BlockNetwork network = network_of(n);
  std::mt19937 draw(5);
  std::uniform_real_distribution<double> exponent(-4, 4);
  for (auto& link : network.link) {
    for (float& value : link) value = static_cast<float>(std::exp(exponent(draw)));
  }
  double size = 0;
  visit_neighbours(n, [&](std::size_t i, const auto& before, const auto&) {
    if (i == 57) {
      for (std::size_t a = 0; a < 3; ++a) network.link[a][i] = network.link[a][before[a]] = 0;
    }
  });
  for (const std::size_t axis : {0U, 2U}) {
    visit_neighbours(n, [&](std::size_t i, const auto& before, const auto&) {
      network.source[i] += double{network.link[axis][before[axis]]} - network.link[axis][i];
    });
  }
  for (const double source : network.source) size += source * source;
  const std::vector<double> p = block_pressures(network);
  std::vector<double> left = network.source;
  visit_neighbours(n, [&](std::size_t i, const auto& before, const auto& next) {
    for (std::size_t a = 0; a < 3; ++a) {
      left[i] -= network.link[a][i] * (p[i] - p[next[a]]) +
                 network.link[a][before[a]] * (p[i] - p[before[a]]);
    }
  });
  double rest = 0;
  for (const double value : left) rest += value * value;
  EXPECT_LT(std::sqrt(rest / size), 1e-5);
  EXPECT_EQ(p[57], 0);
}

TEST(DarcyFlow, BlocksStayBelowTheirLargestNumber) {
  EXPECT_EQ(darcy_block_edge({100, 100, 100}), 4);
  EXPECT_EQ(darcy_block_edge({1144, 1144, 6000}), 16);
}

// Between two pressures without solids the density is linear; a force adds nothing there, since
// the pressures fix both ends, and without a flow it would be balanced.
TEST(DarcyFlow, IsLinearBetweenPressuresWithoutSolids) {
  const std::array<int, 3> cells{6, 5, 37};
  FaceBoundaries faces{};
  for (std::size_t f = 0; f < 4; ++f) faces[f].condition.kind = BoundaryKind::slip;
  for (std::size_t f = 4; f < 6; ++f) faces[f].condition.kind = BoundaryKind::pressure;
  faces[4].condition.drho = 0.01;
  const Boundaries none;
  for (const double force : {0.0, 1e-4}) {
    const InitialState flow = darcy_state(cells, faces, none.view(), {0, 0, force});
    std::vector<double> memory(24);
    const auto part = [&](std::size_t i) { return std::span(memory).subspan(6 * i, 6); };
    for (int z = 0; z < 37; ++z) {
      flow(2, z, {part(0), part(1), part(2), part(3)});
      for (const double drho : part(0)) EXPECT_NEAR(drho, 0.01 * (1 - (z + 0.5) / 37), 1e-7) << z;
      for (const double u : part(3)) EXPECT_EQ(u, 0);
    }
  }
}

TEST(DarcyFlow, IsRefusedWithoutAConstantDrive) {
  const auto error = [](const std::string& more) {
    return error_of([&] {
      validate(
          parse_case("grid: {cells: [8, 8, 8]}\nfluid: {reynolds: 1}\nrun: {steps: 1}\n"
                     "initial: {flow: darcy}\n" +
                         more,
                     "c.yaml"));
    });
  };
  const std::string force = "force: {acceleration: [0, 0, 1]}\n";
  const std::string both = "boundaries: {z_min: {type: pressure, pressure: 1}, z_max: ";
  for (const auto& [more, key] :
       {std::pair<std::string, std::string>{"", "c.yaml:4: initial.flow: found darcy, which needs"},
        {"force: {acceleration: [0, 0, cos(t)]}\n", "force.acceleration: found a formula, which"},
        {force + "boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}\n",
         "boundaries.z_max.velocity: found a moving wall, which"},
        {force + "boundaries: {z_min: {type: velocity, velocity: [0, 0, 1]}, z_max: outflow}\n",
         "boundaries.z_min: found velocity, which"},
        {both + "{type: pressure, pressure: 1}}\n", "initial.flow: found darcy, which needs"},
        {"boundaries: {z_min: {type: periodic, pressure_drop: 1}, z_max: periodic}\n",
         "boundaries.z_min.pressure_drop: conflicts with initial.flow: darcy"}}) {
    EXPECT_NE(error(more).find(key), std::string::npos) << error(more);
  }
}

}  // namespace
}  // namespace lbm::cases
