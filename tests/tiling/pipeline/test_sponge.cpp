// SPDX-License-Identifier: Apache-2.0

// Sponges (solver/lattice/lattice.hpp), from lattice to lattice: one step with a sponge against the
// same step without it, cell by cell, and what no step changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/tiling/pipeline/domains.hpp"

namespace lbm::tiling::test {
namespace {

constexpr Size size{37, 21, 18};

State after(const Domain& domain, const InitialState& initial, int steps) {
  const auto backend = make_cpu_backend(2);
  return run_lattice(*backend, domain.lattice, domain.boundaries, initial, {Scheme::in_core, 1, 4},
                     steps);
}

// The definition: sum over the faces of s_max (1 - d / thickness)^2.
double share_at(const Sponge& sponge, int x, int y, int z) {
  const double at[3] = {x + 0.5, y + 0.5, z + 0.5};
  const int n[3] = {size.nx, size.ny, size.nz};
  double sum = 0;
  for (int face = 0; face < 6; ++face) {
    if ((sponge.faces >> face & 1U) == 0) continue;
    const double d = face % 2 == 0 ? at[face / 2] : n[face / 2] - at[face / 2];
    const double inside = std::max(0.0, 1 - d / sponge.thickness);
    sum += sponge.most_share * inside * inside;
  }
  return sum;
}

void expect_definition(const Domain& domain) {
  Domain without = domain;
  without.lattice.sponge = {};
  const Sponge& sponge = domain.lattice.sponge;
  const InitialState initial = rough_flow(size.nx, size.ny, size.nz, 3);
  const State with_it = after(domain, initial, 1), plain = after(without, initial, 1);
  const double factor = sponge.factor.at(1);
  double far_field[D3Q19::directions];
  equilibrium(Moments<double>{sponge.drho, factor * sponge.velocity[0], factor * sponge.velocity[1],
                              factor * sponge.velocity[2]},
              far_field);
  const auto population = [](const State& state, int q, int x, int y, int z) {
    const auto value = [&](int i) { return state.value(i, x, y, z); };
    return state.lattice.representation == Representation::moments
               ? AsMoments<Fp64>::population(q, value)
               : Fp64::population(q, value);
  };
  int relaxed = 0;
  for (int z = 0; z < size.nz; ++z) {
    for (int y = 0; y < size.ny; ++y) {
      for (int x = 0; x < size.nx; ++x) {
        const bool solid = domain.boundaries.view().is_solid(x, y, z);
        const double share = solid ? 0 : share_at(sponge, x, y, z);
        relaxed += share > 0 ? 1 : 0;
        for (int q = 0; q < D3Q19::directions; ++q) {
          const double before = population(plain, q, x, y, z);
          ASSERT_NEAR(population(with_it, q, x, y, z), before - share * (before - far_field[q]),
                      1e-15)
              << x << " " << y << " " << z << " q " << q;
        }
      }
    }
  }
  EXPECT_GT(relaxed, 2000);
  EXPECT_LT(relaxed, size.nx * size.ny * size.nz);  // nor all cells
}

TEST(SpongeStep, IsThatOfItsDefinition) {
  expect_definition(tunnel_with_sponge(size, StorageType::fp64, std::nullopt));
}

TEST(SpongeStep, IsTheSameForMoments) {
  expect_definition(solids_with_sponge(size, StorageType::fp64,
                                       Model{CollisionKind::regularised, Representation::moments}));
}

TEST(SpongeStep, LayersOfAllFacesCount) {
  Domain domain = walls(size, StorageType::fp64, std::nullopt);
  domain.lattice.sponge = {0x3f, 4.25, 0.3, {0.01, 0.02, 0.03}, {}, -0.01};
  expect_definition(domain);
}

// The state of the far field stays, in a box that is open along the stream.
TEST(Sponge, LeavesTheFarFieldAlone) {
  for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    for (const Representation representation :
         {Representation::populations, Representation::moments}) {
      FaceBoundaries faces =
          lbm::test::face_specs({BoundaryKind::velocity, BoundaryKind::outflow, BoundaryKind::slip,
                                 BoundaryKind::slip, BoundaryKind::slip, BoundaryKind::slip});
      faces[0].condition.velocity = {0.05, 0, 0};
      CollisionSpec collision = bgk();
      collision.kind = CollisionKind::regularised;
      Domain domain{
          make_lattice(size.nx, size.ny, size.nz, storage, collision, faces, representation),
          Boundaries(size.nx, size.ny, size.nz, faces, nullptr, {})};
      domain.lattice.sponge = {0x3f, 5, 0.3, {0.05, 0, 0}, {}, 0};
      const State state = after(
          domain,
          [](int, int, const StateRow& row) { std::fill(row.ux.begin(), row.ux.end(), 0.05); },
          200);
      const double tolerance = storage == StorageType::fp64   ? 1e-12
                               : storage == StorageType::fp32 ? 1e-6
                                                              : 2e-4;
      for (int z = 0; z < size.nz; z += 3) {
        for (int x = 0; x < size.nx; ++x) {
          const auto sums = state.sums(x, z % size.ny, z);
          ASSERT_NEAR(sums.drho, 0, tolerance) << to_string(storage) << " x " << x;
          ASSERT_NEAR(sums.jx, 0.05, tolerance) << to_string(storage) << " x " << x;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lbm::tiling::test
