// SPDX-License-Identifier: Apache-2.0

// The boundary data of bodies and faces: masks, lists of links, boundary conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "solver/update/boundary_cell.hpp"
#include "tests/solver/update/cell_solids.hpp"

namespace lbm {
namespace {

constexpr int nx = 37, ny = 5, nz = 6;

class RandomCells {
 public:
  RandomCells() : body_(nx * ny * nz) {
    std::mt19937 random(3);
    for (int& b : body_) b = random() % 12 == 0 ? static_cast<int>(1 + random() % 3) : 0;
  }
  int at(int x, int y, int z) const { return body_[(z * ny + y) * nx + x]; }
  test::CellSolids solids() const {
    return {nx, ny, nz, [this](int x, int y, int z) { return at(x, y, z); }};
  }

 private:
  std::vector<int> body_;
};

// The source of a link, by the definition of each face: nothing beyond a wall.
struct Source {
  bool there;
  int x, y, z;
  bool mirrored[3];
};

Source source_of(int x, int y, int z, int q, const std::array<BoundaryKind, 6>& kinds) {
  int at[3] = {x - cx(q), y - cy(q), z - cz(q)};
  const int n[3] = {nx, ny, nz}, own[3] = {x, y, z};
  Source s{true, 0, 0, 0, {}};
  for (int a = 0; a < 3; ++a) {
    if (at[a] >= 0 && at[a] < n[a]) continue;
    const BoundaryKind kind = kinds[2 * a + (at[a] < 0 ? 0 : 1)];
    if (kind == BoundaryKind::periodic) {
      at[a] = (at[a] + n[a]) % n[a];
    } else if (kind == BoundaryKind::slip) {
      at[a] = own[a];
      s.mirrored[a] = true;
    } else {
      s.there = false;
    }
  }
  s.x = at[0], s.y = at[1], s.z = at[2];
  return s;
}

TEST(Boundaries, ListEveryLinkThatABodyBlocks) {
  using enum BoundaryKind;
  const RandomCells cells;
  const auto solids = cells.solids();
  const std::vector<std::array<BoundaryKind, 6>> boxes = {
      {wall, wall, wall, wall, wall, wall},
      {periodic, periodic, wall, slip, periodic, periodic},
      {slip, wall, periodic, periodic, slip, outflow}};
  for (const auto& kinds : boxes) {
    BodySpec bodies[3] = {{{}, true}, {{}, false}, {{}, true}};
    bodies[0].slanted = bodies[1].slanted = true;
    const Boundaries boundaries(nx, ny, nz, test::face_specs(kinds), &solids, bodies);
    const BoundaryView view = boundaries.view();
    std::int64_t links = 0;
    for (int z = 0; z < nz; ++z) {
      std::map<std::pair<int, int>, const LinkedCell*> listed;
      const CellList* list = view.list(z);
      for (int i = 0; list != nullptr && i < list->cells; ++i) {
        const LinkedCell& cell = view.cells[list->first_cell + i];
        listed[{static_cast<int>(cell.y), static_cast<int>(cell.x)}] = &cell;
      }
      EXPECT_EQ(static_cast<int>(listed.size()), boundaries.linked_cells(z));
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          const bool solid = cells.at(x, y, z) != 0;
          ASSERT_EQ(view.is_solid(x, y, z), solid);
          const auto found = listed.find({y, x});
          unsigned expected = 0;
          int number = 0;
          for (int q = 1; q < D3Q19::directions && !solid; ++q) {
            const Source from = source_of(x, y, z, q, kinds);
            const int body = from.there ? cells.at(from.x, from.y, from.z) : 0;
            if (body == 0) continue;
            expected |= 1U << q;
            ++links;
            ASSERT_NE(found, listed.end());
            const BlockedLink* const at = view.links + list->first_link + found->second->first;
            const BlockedLink link = at[number], slant = at[list->to_slants + number];
            ++number;
            EXPECT_EQ(body_of(link), body - 1);
            std::array<double, 3> fluid{x + 0.5, y + 0.5, z + 0.5}, there = fluid;
            const int c[3] = {cx(q), cy(q), cz(q)};
            for (int a = 0; a < 3; ++a) {
              there[a] -= c[a];
              if (from.mirrored[a]) std::swap(fluid[a], there[a]);
            }
            const double wall = body == 2 ? 0.5 : solids.wall_distance(body - 1, fluid, there);
            EXPECT_NEAR(wall_position(link), wall, 1.0 / 65536);
            const bool slanted = body < 3 && q <= 6;
            EXPECT_NEAR(slant_of(slant), slanted ? solids.slant(fluid, there) : 1, 1e-9);
          }
          ASSERT_EQ(found != listed.end(), expected != 0) << x << " " << y << " " << z;
          if (expected != 0) {
            EXPECT_EQ(found->second->blocked, expected);
            EXPECT_TRUE(view.is_set(view.solid_plane(z) + view.mask_words, x, y));
          }
        }
      }
    }
    EXPECT_EQ(boundaries.blocked_links(), links);
  }
}

TEST(Boundaries, TheMiddleOfALinkIsExact) {
  const test::CellSolids solids(4, 4, 4,
                                [](int x, int y, int z) { return x + y + z == 0 ? 1 : 0; });
  const BodySpec body{{}, false};
  const Boundaries boundaries(4, 4, 4, {}, &solids, std::span(&body, 1));
  EXPECT_EQ(wall_position(boundaries.view().links[0]), 0.5);
}

// An extruded body costs as much as one of its planes, fluid nothing.
TEST(Boundaries, PlanesThatLookTheSameShareTheirLists) {
  const auto bytes = [](int first, int last) {
    const test::CellSolids solids(20, 20, 100, [=](int x, int y, int z) {
      return x > 5 && x < 9 && y > 3 && y < 12 && z >= first && z < last ? 1 : 0;
    });
    const BodySpec body;
    BodySpec staircase = body;
    staircase.interpolated = false;
    return Boundaries(20, 20, 100, {}, &solids, std::span(&staircase, 1)).bytes().size();
  };
  EXPECT_EQ(bytes(10, 90), bytes(10, 20));
  EXPECT_TRUE(Boundaries(20, 20, 100, {}, nullptr, {}).none());
}

TEST(Boundaries, PlainWallsAndPeriodicFacesNeedNoSecondPass) {
  FaceBoundaries faces;
  faces[5].condition.velocity = {0.1, 0, 0};
  faces[0].condition.kind = faces[1].condition.kind = BoundaryKind::periodic;
  EXPECT_EQ(Boundaries(4, 4, 4, faces, nullptr, {}).view().boundary_pass_faces, 0U);
  faces[5].condition.kind = BoundaryKind::velocity;
  faces[5].condition.factor = {TimeFactor::Kind::wave, 10};
  faces[4].condition.kind = BoundaryKind::slip;
  EXPECT_TRUE(Boundaries(4, 4, 4, faces, nullptr, {}).none());
  EXPECT_TRUE(make_lattice(4, 4, 4, StorageType::fp32, {}, faces).walls_change);
  faces[5].condition.turbulence.rms = 0.01;
  faces[5].condition.turbulence.length = 3;
  const Boundaries turbulent(4, 4, 4, faces, nullptr, {});
  EXPECT_EQ(turbulent.view().boundary_pass_faces, unsigned{z_max});
  EXPECT_TRUE(turbulent.changes_in_time());
  faces[5] = {};
  faces[5].condition.kind = BoundaryKind::outflow;
  EXPECT_EQ(Boundaries(4, 4, 4, faces, nullptr, {}).view().boundary_pass_faces, unsigned{z_max});
  faces[5] = {};
  faces[0].density_drop = faces[1].density_drop = 0.1;
  EXPECT_EQ(Boundaries(4, 4, 4, faces, nullptr, {}).view().boundary_pass_faces,
            unsigned{x_min | x_max});
}

// Patches that only scalars tell apart cost the flow nothing.
TEST(Boundaries, PatchesLikeTheirFaceNeedNoPass) {
  FaceBoundaries faces;
  faces[0].condition.velocity = {0, 0.1, 0};
  faces[0].patches = {faces[0].condition};
  faces[0].patch_of = {0, 1, 1, 0};
  EXPECT_FALSE(faces[0].needs_boundary_pass());
  const Boundaries same(2, 2, 2, faces, nullptr, {});
  EXPECT_EQ(same.view().boundary_pass_faces, 0U);
  ASSERT_NE(same.view().patch_of[0], nullptr);
  EXPECT_EQ(same.view().patch_of[0][2], 1);
  faces[0].patches[0].velocity = {};
  EXPECT_TRUE(faces[0].needs_boundary_pass());
  faces[0].patches[0] = faces[0].condition;
  faces[0].patches[0].factor = {TimeFactor::Kind::ramp, 10};
  EXPECT_TRUE(faces[0].needs_boundary_pass());
  faces[0].patches[0] = faces[0].condition;
  faces[0].shifted = true;
  EXPECT_TRUE(faces[0].needs_boundary_pass());
}

TEST(Boundaries, RefuseWhatDoesNotFit) {
  FaceBoundaries faces;
  faces[0].condition.kind = BoundaryKind::periodic;
  EXPECT_THROW(Boundaries(4, 4, 4, faces, nullptr, {}), std::invalid_argument);
  faces = {};
  faces[0].condition.kind = BoundaryKind::velocity;
  faces[0].condition.profile.resize(7);
  EXPECT_THROW(Boundaries(4, 4, 4, faces, nullptr, {}), std::invalid_argument);
  faces = {};
  faces[0].patches.resize(30);
  faces[0].patch_of.resize(16);
  EXPECT_THROW(Boundaries(4, 4, 4, faces, nullptr, {}), std::invalid_argument);
}

// As seen by another process: by the name alone.
TEST(Boundaries, AreTheSameWhereTheyAreShared) {
  const RandomCells cells;
  const auto solids = cells.solids();
  FaceBoundaries faces;
  faces[2].condition.kind = faces[3].condition.kind = BoundaryKind::periodic;
  faces[4].condition.kind = BoundaryKind::velocity;
  faces[4].condition.velocity = {0, 0, 0.1};
  faces[4].condition.factor = {TimeFactor::Kind::ramp, 10};
  for (const CellsStored stored : {CellsStored::all, CellsStored::fluid}) {
    std::vector<BodySpec> bodies(3);
    bodies[1].factor = {TimeFactor::Kind::wave, 7};
    ForceField force;
    force.fill = [](int z, std::span<float> values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 1e-4F * static_cast<float>(i % 7 + static_cast<std::size_t>(z));
      }
    };
    force.factor = {TimeFactor::Kind::ramp, 9};
    const ForceField* const asked = stored == CellsStored::all ? &force : nullptr;
    const auto make = [&] { return Boundaries(nx, ny, nz, faces, &solids, bodies, stored, asked); };
    const Boundaries right = make();
    Boundaries shared = make();
    const std::string name = shared.share();
    const auto opened = Boundaries::open(name, nx, ny, nz, faces, {&bodies[1].factor, 1},
                                         asked != nullptr ? force.factor : TimeFactor());
    ASSERT_TRUE(opened.has_value());
    EXPECT_NE(opened->bytes().data(), shared.bytes().data());
    EXPECT_NE(opened->identity(), shared.identity());
    for (const Boundaries* other : std::initializer_list<const Boundaries*>{&shared, &*opened}) {
      EXPECT_TRUE(std::ranges::equal(right.bytes(), other->bytes()));
      EXPECT_EQ(right.view(), other->view(right.bytes().data()));
      EXPECT_EQ(right.bodies(), other->bodies());
      EXPECT_EQ(right.solid_cells(), other->solid_cells());
      EXPECT_EQ(right.blocked_links(), other->blocked_links());
      EXPECT_EQ(right.fluid_cells(), other->fluid_cells());
      EXPECT_TRUE(other->changes_in_time());
      EXPECT_EQ(right.force_factor(5), other->force_factor(5));
      EXPECT_EQ(other->has_force(0), asked != nullptr);
      for (int z = 0; z < nz; ++z) EXPECT_EQ(right.linked_cells(z), other->linked_cells(z));
      double expected[max_boundary_conditions], factors[max_boundary_conditions];
      right.factors(5, expected);
      other->factors(5, factors);
      EXPECT_TRUE(std::ranges::equal(expected, factors));
      EXPECT_EQ(factors[right.view().bodies[1].factor], bodies[1].factor.at(5));
    }
    const Boundaries copy = *opened;  // outlives the first
    EXPECT_EQ(copy.bytes().data(), opened->bytes().data());
  }
}

TEST(Boundaries, OutOfReachAreNotOpened) {
  const RandomCells cells;
  const auto solids = cells.solids();
  std::string name;
  {
    const std::vector<BodySpec> bodies(3);
    Boundaries shared(nx, ny, nz, {}, &solids, bodies);
    name = shared.share();
    EXPECT_TRUE(Boundaries::open(name, nx, ny, nz, {}, {}).has_value());
  }
  for (const std::string& none :
       {name, std::string(), std::string("1:2:3"), std::string("a b c")}) {
    EXPECT_FALSE(Boundaries::open(none, nx, ny, nz, {}, {}).has_value()) << none;
  }
}

TEST(Mirrored, FlipsTheComponentsAskedFor) {
  for (int q = 0; q < D3Q19::directions; ++q) {
    for (unsigned axes = 0; axes < 8; ++axes) {
      const int m = mirrored(q, axes);
      EXPECT_EQ(cx(m), (axes & 1) != 0 ? -cx(q) : cx(q));
      EXPECT_EQ(cy(m), (axes & 2) != 0 ? -cy(q) : cy(q));
      EXPECT_EQ(cz(m), (axes & 4) != 0 ? -cz(q) : cz(q));
    }
  }
}

TEST(TimeFactor, RisesAndSwings) {
  const TimeFactor ramp{TimeFactor::Kind::ramp, 100}, wave{TimeFactor::Kind::wave, 100};
  EXPECT_EQ(ramp.at(0), 0);
  EXPECT_NEAR(ramp.at(50), 0.5, 1e-12);
  EXPECT_EQ(ramp.at(100), 1);
  EXPECT_EQ(ramp.at(1e9), 1);
  EXPECT_EQ(wave.at(0), 1);
  EXPECT_NEAR(wave.at(1e6 + 50), -1, 1e-9);
  EXPECT_EQ(TimeFactor{}.at(5), 1);
}

// Statistics of the sum of waves over many places and times, and that no wave has a divergence.
TEST(InletTurbulence, HasTheStrengthAskedForAndNoDivergence) {
  const auto modes = turbulence_modes({0.01, 12, 5}, {0, 0, 0.05});
  double squares[3] = {};
  int count = 0;
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i, ++count) {
    float u[3] = {};
    const auto place = [&] { return static_cast<float>(random() % 2000); };
    add_turbulence(modes.data(), static_cast<int>(modes.size()), place(), place(), place(),
                   random(), 1, u);
    for (int a = 0; a < 3; ++a) squares[a] += double{u[a]} * double{u[a]};
  }
  const double all = squares[0] + squares[1] + squares[2];
  EXPECT_NEAR(std::sqrt(all / 3 / count), 0.01, 5e-4);
  for (const double s : squares) EXPECT_NEAR(s / all, 1.0 / 3, 0.12);
  for (const TurbulenceMode& m : modes) {
    const float k = std::sqrt(m.kx * m.kx + m.ky * m.ky + m.kz * m.kz);
    const float u = std::sqrt(m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
    EXPECT_NEAR(m.kx * m.ux + m.ky * m.uy + m.kz * m.uz, 0, 1e-5F * k * u);
  }
}

// The mean flow carries the waves: what passes a place comes to the one downstream later.
TEST(InletTurbulence, IsCarriedByTheMeanFlow) {
  const auto modes = turbulence_modes({0.01, 12, 5}, {0, 0, 0.0625});
  const auto at = [&](float z, std::int64_t step) {
    float u[3] = {};
    add_turbulence(modes.data(), static_cast<int>(modes.size()), 3, 4, z, step, 1, u);
    return u[0];
  };
  EXPECT_NEAR(at(10, 1000), at(20, 1000 + 160), 1e-3 * 0.01 * 8);
  EXPECT_GT(std::abs(at(10, 1000) - at(20, 1000)), 1e-4);
}

}  // namespace
}  // namespace lbm
