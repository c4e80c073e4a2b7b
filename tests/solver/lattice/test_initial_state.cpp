// SPDX-License-Identifier: Apache-2.0

// The lattice at time zero: the short ways give the bits of the long way, and a developed flow has
// the moments that it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

void PrintTo(StorageType type, std::ostream* out) { *out << to_string(type); }

namespace {

constexpr int nx = 21, ny = 3;

// All of one plane.
std::vector<std::byte> plane_of(StorageType storage, const InitialState& state) {
  const Lattice lattice = make_lattice(nx, ny, 1, storage, 0.6, {});
  std::vector<std::byte> plane(lattice.layout.bytes, std::byte{0xff});
  write_initial_plane(lattice, state, 0, plane.data());
  return plane;
}

class InitialStates : public testing::TestWithParam<StorageType> {};

// A row of equal cells is computed once; one odd cell at its end makes it compute them all.
TEST_P(InitialStates, EqualCellsHaveTheBitsOfCellsComputedOneByOne) {
  const auto flow = [](double odd) {
    return [odd](int y, int, const StateRow& row) {
      std::fill(row.drho.begin(), row.drho.end(), 0.01 + 0.001 * y);
      std::fill(row.ux.begin(), row.ux.end(), 0.0123);
      std::fill(row.uy.begin(), row.uy.end(), -0.0456);
      std::fill(row.uz.begin(), row.uz.end(), 0.07 / 3);
      row.uz.back() += odd;
    };
  };
  const auto quick = plane_of(GetParam(), flow(0)), slow = plane_of(GetParam(), flow(0.01));
  const PlaneLayout layout = make_plane_layout(nx, ny, GetParam());
  const std::size_t value = bytes_per_value(GetParam());
  for (int q = 0; q < layout.values_per_cell; ++q) {
    for (int y = 0; y < ny; ++y) {
      const std::size_t row = static_cast<std::size_t>(layout.index(q, y, 0)) * value;
      ASSERT_EQ(std::memcmp(&quick[row], &slow[row], (nx - 1) * value), 0) << q << " " << y;
    }
  }
  EXPECT_NE(quick, slow) << "the odd cell must show";
}

// Each component alone makes a row unequal.
TEST_P(InitialStates, EveryComponentCounts) {
  for (int component = 0; component < 4; ++component) {
    const auto flow = [component](int, int, const StateRow& row) {
      const std::span<double> all[] = {row.drho, row.ux, row.uy, row.uz};
      all[component].back() += 0.03;
    };
    EXPECT_NE(plane_of(GetParam(), flow), plane_of(GetParam(), {})) << component;
  }
}

TEST_P(InitialStates, AtRestAllBytesAreZero) {
  const auto rest = plane_of(GetParam(), {});
  EXPECT_EQ(rest, std::vector<std::byte>(rest.size()));
  EXPECT_EQ(plane_of(GetParam(), [](int, int, const StateRow&) {}), rest);
}

INSTANTIATE_TEST_SUITE_P(All, InitialStates,
                         testing::Values(StorageType::fp32, StorageType::fp16, StorageType::fp64),
                         [](const auto& test) { return std::string(to_string(test.param)); });

// Strain rates xx, yy, zz, xy, xz, yz of one cell; its density and velocity. Lattice units.
constexpr double rates[]{0.0011, -0.0007, -0.0003, 0.0021, -0.0013, 0.0017};
constexpr double cell_rho = 1.013, cell_u[]{0.031, -0.052, 0.017};

// The moments of the last cell of the plane, whose neighbours are at rest.
ten_moments::MomentSums<double> developed_moments(const CollisionSpec& spec,
                                                  Representation representation) {
  const Lattice lattice = make_lattice(nx, ny, 1, StorageType::fp64, spec, {}, representation);
  std::vector<std::byte> bytes(lattice.layout.bytes);
  const auto fill = [](int, int, const StateRow& row) {
    row.drho.back() = cell_rho - 1;
    row.ux.back() = cell_u[0];
    row.uy.back() = cell_u[1];
    row.uz.back() = cell_u[2];
    for (std::size_t i = 0; i < 6; ++i) row.strain[i].back() = rates[i];
  };
  write_initial_plane(lattice, {fill, true}, 0, bytes.data());
  const auto* plane = reinterpret_cast<const double*>(bytes.data());
  double g[D3Q19::directions]{};
  for (int i = 0; i < lattice.layout.values_per_cell; ++i) {
    g[i] = plane[lattice.layout.index(i, ny - 1, nx - 1)];
  }
  if (representation == Representation::populations) return ten_moments::sums_of(g);
  double populations[D3Q19::directions];
  for (int q = 0; q < D3Q19::directions; ++q) {
    populations[q] = ten_moments::population<double>(q, [&](int i) { return g[i]; });
  }
  return ten_moments::sums_of(populations);
}

// By the definitions: the stress before the collision is P = -2/3 rho tau S, with the tau of the
// turbulence model that P itself has (Hou et al. 1996); the collision leaves 1 - 1/tau of it and
// adds the force (Guo et al. 2002).
void expect_developed(const CollisionSpec& spec, Representation representation) {
  const double size =
      std::sqrt(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2] +
                2 * (rates[3] * rates[3] + rates[4] * rates[4] + rates[5] * rates[5]));
  const double tau_0 = 1 / spec.omega;
  double tau = tau_0;
  for (int i = 0; i < 200; ++i) {
    const double stress = 2.0 / 3 * cell_rho * tau * size;
    tau = (tau_0 + std::sqrt(tau_0 * tau_0 + 18 * std::sqrt(2.0) * spec.smagorinsky *
                                                 spec.smagorinsky * stress / cell_rho)) /
          2;
  }
  const auto force = spec.force.at(0);
  const auto stress = [&](int a, int b, double rate) {
    return (a == b ? (cell_rho - 1) / 3 : 0) + cell_rho * cell_u[a] * cell_u[b] -
           (1 - 1 / tau) * 2.0 / 3 * cell_rho * tau * rate +
           (cell_u[a] * force[b] + cell_u[b] * force[a]) / 2;
  };
  const auto m = developed_moments(spec, representation);
  EXPECT_NEAR(m.drho, cell_rho - 1, 1e-15);
  EXPECT_NEAR(m.jx, cell_rho * cell_u[0] + force[0] / 2, 1e-15);
  EXPECT_NEAR(m.jy, cell_rho * cell_u[1] + force[1] / 2, 1e-15);
  EXPECT_NEAR(m.jz, cell_rho * cell_u[2] + force[2] / 2, 1e-15);
  EXPECT_NEAR(m.xx, stress(0, 0, rates[0]), 1e-15);
  EXPECT_NEAR(m.yy, stress(1, 1, rates[1]), 1e-15);
  EXPECT_NEAR(m.zz, stress(2, 2, rates[2]), 1e-15);
  EXPECT_NEAR(m.xy, stress(0, 1, rates[3]), 1e-15);
  EXPECT_NEAR(m.xz, stress(0, 2, rates[4]), 1e-15);
  EXPECT_NEAR(m.yz, stress(1, 2, rates[5]), 1e-15);
}

TEST(DevelopedState, HasTheMomentsOfItsDefinition) {
  for (const double tau : {0.52, 0.9, 1.7}) {
    for (const double smagorinsky : {0.0, 0.2}) {
      CollisionSpec spec;
      spec.omega = 1 / tau;
      spec.smagorinsky = smagorinsky;
      spec.force.mean = {1e-4, -3e-4, 2e-4};
      for (const CollisionKind kind : {CollisionKind::bgk, CollisionKind::regularised}) {
        spec.kind = kind;
        expect_developed(spec, Representation::populations);
      }
      expect_developed(spec, Representation::moments);
    }
  }
}

// Without strain rates and force nothing is added.
TEST(DevelopedState, OfAUniformFlowIsItsEquilibrium) {
  const Lattice lattice = make_lattice(nx, ny, 1, StorageType::fp32, 0.6, {});
  const auto fill = [](int, int, const StateRow& row) {
    std::fill(row.uy.begin(), row.uy.end(), 0.0456);
  };
  std::vector<std::byte> plain(lattice.layout.bytes), developed(lattice.layout.bytes);
  write_initial_plane(lattice, fill, 0, plain.data());
  write_initial_plane(lattice, {fill, true}, 0, developed.data());
  EXPECT_EQ(plain, developed);
}

}  // namespace
}  // namespace lbm
