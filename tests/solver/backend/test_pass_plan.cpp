// Two steps of a GPU in one pass: which tiles it may take, and when it pays.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/backend/cuda/passes/pass_shape.hpp"
#include "solver/backend/cuda/passes/tile_map.hpp"
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

// Whether a cell, or one beside it in its plane, needs the second pass or is solid: by looking at
// all of them, and at links one by one.
class BruteForce {
 public:
  BruteForce(const Grid& n, const Lattice& lattice, const Boundaries& boundaries)
      : n_(n), faces_(lattice.walls.faces), view_(boundaries.view()) {}

  bool special(int x, int y, int z) const {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        int i = x + dx, j = y + dy;
        if (wrap(i, n_.nx, x_min) && wrap(j, n_.ny, y_min) && needs_more(i, j, z)) return true;
      }
    }
    return false;
  }

 private:
  bool wrap(int& i, int n, unsigned face) const {
    const bool outside = i < 0 || i >= n;
    i = (i + n) % n;
    return !outside || (faces_ & face) == 0;
  }
  bool needs_more(int x, int y, int z) const {
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

void expect_map(const Grid& n, const FaceBoundaries& faces, const CellSolids::BodyOf& body_of) {
  constexpr TileSize size{8, 3};
  const CellSolids solids(n.nx, n.ny, n.nz, body_of);
  const BodySpec bodies[1];
  const Boundaries boundaries(n.nx, n.ny, n.nz, faces, &solids, bodies);
  const Lattice lattice = lattice_of(n, faces);
  const BruteForce brute(n, lattice, boundaries);
  const TileMap map = make_tile_map(lattice, &boundaries, size);
  ASSERT_EQ(map.across, (n.nx + size.nx - 1) / size.nx);
  ASSERT_EQ(map.count, map.across * ((n.ny + size.ny - 1) / size.ny));
  std::vector<std::set<int>> expected(static_cast<std::size_t>(n.nz));
  for (int z = 0; z < n.nz; ++z) {
    for (int y = 0; y < n.ny; ++y) {
      for (int x = 0; x < n.nx; ++x) {
        const int tile = y / size.ny * map.across + x / size.nx;
        if (brute.special(x, y, z)) expected[static_cast<std::size_t>(z)].insert(tile);
      }
    }
  }
  const auto listed = [](const std::vector<PlaneTile>& tiles, const std::vector<std::size_t>& first,
                         int z) {
    std::set<int> found;
    for (std::size_t i = first[static_cast<std::size_t>(z)];
         i < first[static_cast<std::size_t>(z) + 1]; ++i) {
      EXPECT_EQ(tiles[i].z, z);
      EXPECT_TRUE(found.insert(tiles[i].tile).second) << "twice";
    }
    return found;
  };
  std::size_t some = 0;
  for (int z = 0; z < n.nz; ++z) {
    const std::set<int>& here = expected[static_cast<std::size_t>(z)];
    some += here.size();
    for (int tile = 0; tile < map.count; ++tile) {
      EXPECT_EQ(map.is_special(z, tile), here.count(tile) != 0) << z << " " << tile;
    }
    EXPECT_EQ(listed(map.special_tiles, map.special_first, z), here);
    std::set<int> near;
    for (const int d : {-1, 0, 1}) {
      const bool beyond = z + d < 0 || z + d >= n.nz;
      if (beyond && !lattice.periodic_z()) continue;
      const auto& plane = expected[static_cast<std::size_t>((z + d + n.nz) % n.nz)];
      near.insert(plane.begin(), plane.end());
    }
    EXPECT_EQ(listed(map.near_special, map.near_first, z), near);
  }
  EXPECT_GT(some, 0U);
  EXPECT_LT(some, static_cast<std::size_t>(map.count) * n.nz) << "some tiles are plain";
}

int ball(int x, int y, int z, int cx, int cy, int cz, int r) {
  return (x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz) < r * r ? 1 : 0;
}

TEST(TileMap, IsSpecialAroundBodiesAndFacesOfTheSecondPass) {
  using K = BoundaryKind;
  const auto body = [](int x, int y, int z) { return ball(x, y, z, 15, 8, 9, 3); };
  const auto at_corner = [](int x, int y, int z) { return ball(x, y, z, 0, 0, 0, 3); };
  const auto none = [](int, int, int) { return 0; };
  const Grid n{33, 16, 20};
  const auto periodic =
      face_specs({K::periodic, K::periodic, K::periodic, K::periodic, K::periodic, K::periodic});
  expect_map(n, periodic, body);
  expect_map(n, periodic, at_corner);
  expect_map(n, face_specs({K::wall, K::wall, K::slip, K::slip, K::wall, K::wall}), at_corner);
  expect_map(n, face_specs({K::wall, K::wall, K::slip, K::slip, K::velocity, K::outflow}), body);
  expect_map(n, face_specs({K::velocity, K::pressure, K::periodic, K::periodic, K::wall, K::wall}),
             none);
  expect_map(n, face_specs({K::periodic, K::periodic, K::pressure, K::velocity, K::wall, K::wall}),
             none);
}

TEST(TileMap, PlainWallsHaveNoSpecialTiles) {
  const TileMap map = make_tile_map(lattice_of({70, 20, 5}, FaceBoundaries{}), nullptr, {64, 7});
  EXPECT_EQ(map.count, 6);
  EXPECT_TRUE(map.special_tiles.empty());
  EXPECT_TRUE(map.near_special.empty());
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
  const auto expect = [&](int q, int cz, int place) {
    EXPECT_EQ(d3q19::cz(q), cz);
    EXPECT_TRUE(d3q19::cx(q) != 0 || d3q19::cy(q) != 0);
    EXPECT_EQ(Moving::place(q), place);
    EXPECT_TRUE(all.insert(q).second);
  };
  for (int i = 0; i < Moving::level; ++i) expect(Moving::level_direction(i), 0, i);
  for (int i = 0; i < Moving::rising; ++i) expect(Moving::rising_direction(i), 1, i);
  for (int i = 0; i < Moving::sinking; ++i) expect(Moving::sinking_direction(i), -1, i);
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
