// SPDX-License-Identifier: Apache-2.0

// Two steps of a GPU in one pass: which cells it cannot finish, and when it pays.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/backend/cuda/passes/pass_shape.hpp"
#include "solver/backend/cuda/passes/special_cells.hpp"
#include "solver/backend/pass_plan.hpp"
#include "tests/solver/update/cell_solids.hpp"

namespace lbm::cuda {
namespace {

using test::CellSolids;
using test::face_specs;

struct Grid {
  int nx, ny, nz;
};

Lattice lattice_of(const Grid& n, const FaceBoundaries& faces) {
  return make_lattice(n.nx, n.ny, n.nz, StorageType::fp32, CollisionSpec{}, faces);
}

// Special cells by looking at all cells, and at links one by one.
class BruteForce {
 public:
  BruteForce(const Grid& n, const Lattice& lattice, const Boundaries& boundaries)
      : n_(n), faces_(lattice.walls.faces), view_(boundaries.view()) {}

  bool special_fluid(int x, int y, int z) const { return near_wrong(x, y, z) && !wrong(x, y, z); }
  bool is_solid(int x, int y, int z) const { return view_.is_solid(x, y, z); }
  bool is_stored(int x, int y, int z) const {
    return any_around(x, y, z, [&](int i, int j, int k) { return near_wrong(i, j, k); });
  }

 private:
  bool wrap(int& i, int n, unsigned face) const {
    const bool outside = i < 0 || i >= n;
    i = (i + n) % n;
    return !outside || (faces_ & face) == 0;
  }
  template <class Predicate>
  bool any_around(int x, int y, int z, const Predicate& holds) const {
    for (int d = 0; d < 27; ++d) {
      int i = x + d % 3 - 1, j = y + d / 3 % 3 - 1, k = z + d / 9 - 1;
      if (wrap(i, n_.nx, x_min) && wrap(j, n_.ny, y_min) && wrap(k, n_.nz, z_min) && holds(i, j, k))
        return true;
    }
    return false;
  }
  // True if the cell or one of its neighbours needs the second pass or is solid.
  bool near_wrong(int x, int y, int z) const {
    return any_around(x, y, z, [&](int i, int j, int k) { return wrong(i, j, k); });
  }
  bool wrong(int x, int y, int z) const {
    const unsigned touched = touched_faces(view_.boundary_pass_faces, x, y, z, n_.nx, n_.ny, n_.nz);
    if (touched != 0 || view_.is_solid(x, y, z)) return true;
    const CellList* list = view_.list(z);
    for (int i = 0; list != nullptr && i < list->cells; ++i) {
      const LinkedCell& cell = view_.cells[list->first_cell + i];
      if (static_cast<int>(cell.x) == x && static_cast<int>(cell.y) == y) return true;
    }
    return false;
  }

  Grid n_;
  unsigned faces_;
  BoundaryView view_;
};

std::vector<std::uint32_t> stretch(const std::vector<std::uint32_t>& list, const CellRange& range) {
  const auto first = list.begin() + range.first;
  return {first, first + range.count};
}

void expect_cells(const Grid& n, const FaceBoundaries& faces, const CellSolids::BodyOf& body_of) {
  constexpr TileSize size{32, 3};
  const CellSolids solids(n.nx, n.ny, n.nz, body_of);
  const BodySpec bodies[1];
  const Boundaries boundaries(n.nx, n.ny, n.nz, faces, &solids, bodies);
  const Lattice lattice = lattice_of(n, faces);
  const BruteForce brute(n, lattice, boundaries);
  const auto found = find_special_cells(lattice, &boundaries, size);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->across, (n.nx + size.nx - 1) / size.nx);
  ASSERT_EQ(found->count, found->across * ((n.ny + size.ny - 1) / size.ny));
  std::size_t special = 0, stored = 0;
  for (int z = 0; z < n.nz; ++z) {
    std::vector<std::uint32_t> cells;
    std::set<std::uint32_t> words;
    std::uint32_t solid_count = 0;
    std::set<int> tiles;
    for (int y = 0; y < n.ny; ++y) {
      for (int x = 0; x < n.nx; ++x) {
        if (brute.special_fluid(x, y, z)) cells.push_back(static_cast<std::uint32_t>(y * n.nx + x));
        if (brute.is_solid(x, y, z)) {
          ++solid_count;
          words.insert(static_cast<std::uint32_t>(y * ((n.nx + 31) / 32) + x / 32));
        }
        if (brute.is_stored(x, y, z)) tiles.insert(y / size.ny * found->across + x / size.nx);
      }
    }
    const SpecialRange& range = found->range_of[static_cast<std::size_t>(z)];
    EXPECT_EQ(stretch(found->cells, range.fluid), cells) << "plane " << z;
    EXPECT_EQ(range.solid_cells, solid_count) << "plane " << z;
    EXPECT_EQ(stretch(found->words_with_solids, range.solid),
              std::vector<std::uint32_t>(words.begin(), words.end()))
        << "plane " << z;
    for (int tile = 0; tile < found->count; ++tile) {
      EXPECT_EQ(found->is_stored(z, tile), tiles.count(tile) != 0) << z << " " << tile;
    }
    special += cells.size();
    stored += tiles.size();
  }
  EXPECT_GT(special, 0U);
  EXPECT_LT(special, static_cast<std::size_t>(n.nx) * n.ny * n.nz / 2) << "some cells are not";
  EXPECT_LT(stored, static_cast<std::size_t>(found->count) * n.nz) << "some tiles are not";
}

int ball(int x, int y, int z, int cx, int cy, int cz, int r) {
  return (x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz) < r * r ? 1 : 0;
}

TEST(SpecialCells, AreAroundBodiesAndFacesOfTheSecondPass) {
  using K = BoundaryKind;
  const auto body = [](int x, int y, int z) { return ball(x, y, z, 45, 8, 9, 3); };
  const auto at_corner = [](int x, int y, int z) { return ball(x, y, z, 0, 0, 0, 3); };
  const auto none = [](int, int, int) { return 0; };
  const Grid n{99, 16, 20};
  const auto periodic =
      face_specs({K::periodic, K::periodic, K::periodic, K::periodic, K::periodic, K::periodic});
  expect_cells(n, periodic, body);
  expect_cells(n, periodic, at_corner);
  expect_cells(n, face_specs({K::wall, K::wall, K::slip, K::slip, K::wall, K::wall}), at_corner);
  expect_cells(n, face_specs({K::wall, K::wall, K::slip, K::slip, K::velocity, K::outflow}), body);
  expect_cells(
      n, face_specs({K::velocity, K::pressure, K::periodic, K::periodic, K::wall, K::wall}), none);
  expect_cells(
      n, face_specs({K::periodic, K::periodic, K::pressure, K::velocity, K::wall, K::wall}), none);
}

TEST(SpecialCells, PlainWallsHaveNone) {
  const auto found =
      find_special_cells(lattice_of({70, 20, 5}, FaceBoundaries{}), nullptr, {64, 7});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 6);
  EXPECT_TRUE(found->cells.empty());
  EXPECT_TRUE(found->words_with_solids.empty());
  for (const SpecialRange& range : found->range_of) {
    EXPECT_EQ(range.fluid.count + range.solid.count, 0U);
  }
}

// Every row of a tile and around it has a warp, and the ends of rows have one; the schedulers are
// about as busy.
TEST(MomentPassShape, EveryRowHasOneWarp) {
  using Shape = MomentPassShape<AsMoments<Fp32>, true>;
  const RowsOfWarps rows;
  std::set<int> all(std::begin(rows.row), std::end(rows.row));
  EXPECT_EQ(static_cast<int>(all.size()), Shape::warps);
  EXPECT_EQ(*all.rbegin(), Shape::rows);
  for (int scheduler = 0; scheduler < 4; ++scheduler) {
    int inner = 0;
    for (int i = scheduler; i < 16; i += 4) {
      inner += rows.row[i] >= 2 && rows.row[i] < Shape::rows - 2 ? 1 : 0;
    }
    EXPECT_GE(inner, 2);
    EXPECT_LE(inner, 3);
  }
}

TEST(PassShape, EveryTileHasOneBlockAndThoseAtFacesComeFirst) {
  for (const int across : {1, 2, 3, 5}) {
    for (const int down : {1, 2, 3, 7}) {
      for (const unsigned closed :
           {0U, x_min | x_max, y_min | y_max, x_min | x_max | y_min | y_max}) {
        std::set<int> tiles;
        bool inside = false;
        for (int block = 0; block < across * down; ++block) {
          const int tile = tile_of_block(block, across, down, closed);
          EXPECT_TRUE(tiles.insert(tile).second) << "twice";
          const int x = tile % across, y = tile / across;
          const bool at_x = (closed & x_min) != 0 && across > 2 && (x == 0 || x == across - 1);
          const bool at_y = (closed & y_min) != 0 && down > 2 && (y == 0 || y == down - 1);
          EXPECT_FALSE(inside && (at_x || at_y)) << "after a tile that is at no face";
          inside = inside || !(at_x || at_y);
        }
        EXPECT_EQ(*tiles.begin(), 0);
        EXPECT_EQ(*tiles.rbegin(), across * down - 1);
      }
    }
  }
}

// The directions that leave a column: each of the 16 once, by its z component.
TEST(PassShape, MovingDirectionsAreGrouped) {
  std::set<int> all;
  const auto expect = [&](int q, int rise, int place) {
    EXPECT_EQ(cz(q), rise);
    EXPECT_TRUE(cx(q) != 0 || cy(q) != 0);
    EXPECT_EQ(Moving::place(q), place);
    EXPECT_TRUE(all.insert(q).second);
  };
  for (int i = 0; i < Moving::Level::count; ++i) expect(Moving::Level::at(i), 0, i);
  for (int i = 0; i < Moving::Rising::count; ++i) expect(Moving::Rising::at(i), 1, i);
  for (int i = 0; i < Moving::Sinking::count; ++i) expect(Moving::Sinking::at(i), -1, i);
  EXPECT_EQ(all.size(), 16U);
}

Lattice cube(int n, StorageType storage = StorageType::fp32) {
  std::array<WallFace, 6> walls;
  return make_lattice(n, n, n, storage, 0.6, walls);
}

TEST(PassPlan, LargeGridsGainSmallOnesLose) {
  EXPECT_GT(parts_of_pass(cube(1024), 64, 132).gain, 1.3);
  EXPECT_GT(parts_of_pass(cube(512), 64, 132).gain, 1.1);
  EXPECT_LT(parts_of_pass(cube(64), 64, 132).gain, 1);
  EXPECT_LT(parts_of_pass(cube(1024, StorageType::fp16), 64, 132).gain, 1);
  EXPECT_EQ(parts_of_pass(cube(1024, StorageType::fp64), 64, 132).gain, 0);
  Lattice moments = cube(512, StorageType::fp16);
  moments.representation = Representation::moments;
  EXPECT_GT(parts_of_pass(moments, 64, 132).gain, 1.5);
  EXPECT_DOUBLE_EQ(relative_pass_speed(moments), 1);
  moments.collision.smagorinsky = 0.1;
  EXPECT_LT(relative_pass_speed(moments), 1);
  EXPECT_GT(parts_of_pass(moments, 64, 132).gain, 1.2);
  moments.collision.kind = CollisionKind::regularised_filtered;
  EXPECT_GT(parts_of_pass(moments, 64, 132).gain, 1.2) << "as the wind tunnel on the GPU";
}

// Its cells change after each step.
TEST(PassPlan, ASpongeIsMadeOneStepAtATime) {
  Lattice lattice = cube(1024);
  EXPECT_TRUE(has_passes(lattice));
  lattice.sponge.faces = x_max;
  EXPECT_FALSE(has_passes(lattice));
}

// A grid of few tiles is divided along z, until there is work for all multiprocessors.
TEST(PassPlan, FewTilesAreDivided) {
  EXPECT_EQ(parts_of_pass(cube(1024), 64, 132).parts, 1);
  EXPECT_GT(parts_of_pass(cube(128), 64, 132).parts, 1);
  EXPECT_EQ(parts_of_pass(cube(128), 3, 132).parts, 1) << "too few planes to divide";
}

TEST(PassPlan, SpeedsAreThoseOfPlainBgk) {
  EXPECT_DOUBLE_EQ(relative_pass_speed(cube(64)), 1);
  Lattice lattice = cube(64);
  lattice.collision.kind = CollisionKind::trt;
  EXPECT_LT(relative_pass_speed(lattice), 1);
  lattice.collision.smagorinsky = 0.1;
  EXPECT_LT(parts_of_pass(lattice, 64, 132).gain, 1);
}

}  // namespace
}  // namespace lbm::cuda
