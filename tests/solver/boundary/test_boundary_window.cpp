// SPDX-License-Identifier: Apache-2.0

// Boundary data of a part of the planes: places that do not overlap within a window, and copies
// after which the memory holds the same data as the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "solver/boundary/boundary_window.hpp"
#include "tests/solver/update/cell_solids.hpp"

namespace lbm {
namespace {

// True if two of the items overlap.
bool overlap(const WindowPlaces& places, const std::vector<std::size_t>& sizes,
             const std::set<int>& items) {
  std::vector<bool> taken(places.size);
  for (const int item : items) {
    const auto i = static_cast<std::size_t>(item);
    for (std::size_t at = places.begin[i]; at < places.begin[i] + sizes[i]; ++at) {
      if (taken.at(at)) return true;
      taken[at] = true;
    }
  }
  return false;
}

TEST(WindowPlaces, DoNotOverlapWithinAWindow) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const int nz = 1 + static_cast<int>(random() % 60),
              window = 1 + static_cast<int>(random() % 30);
    std::vector<std::int32_t> item_of;
    std::vector<std::size_t> sizes;
    for (int z = 0; z < nz; ++z) {
      const auto kind = random() % 4;
      if (kind < 2 || (kind == 2 && sizes.empty()))
        sizes.push_back(1 + random() % (i % 2 == 0 ? 1 : 9));
      item_of.push_back(kind < 3 ? static_cast<int>(sizes.size()) - 1 : -1);
    }
    const WindowPlaces places = window_places(item_of, sizes, window);
    ASSERT_EQ(places.begin.size(), sizes.size());
    ASSERT_LE(places.size, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    for (int first = 0; first < nz; ++first) {
      std::set<int> items;
      for (int z = first; z < first + std::min(window, nz); ++z) {
        if (item_of[static_cast<std::size_t>(z % nz)] >= 0) {
          items.insert(item_of[static_cast<std::size_t>(z % nz)]);
        }
      }
      ASSERT_FALSE(overlap(places, sizes, items)) << "case " << i << ", window at " << first;
    }
  }
}

TEST(WindowPlaces, OfOneRankOfEightAreLittleMoreThanAnEighth) {
  std::vector<std::int32_t> item_of(400);
  std::iota(item_of.begin(), item_of.end(), 0);
  const std::vector<std::size_t> sizes(400, 1);
  EXPECT_EQ(window_places(item_of, sizes, 50).size, 50U);
  EXPECT_EQ(window_places(item_of, sizes, 53).size, 58U);  // 7 of them
  EXPECT_EQ(window_places(item_of, sizes, 60).size, 67U);  // 6
  EXPECT_EQ(window_places(item_of, sizes, 201).size, 400U);
}

// Cells of two bodies, more of them in the middle of the grid; none in some planes.
struct Rock {
  int nx, ny, nz;
  CellsStored stored;

  // at_periodic_faces: the second body meets them.
  Boundaries make(bool at_periodic_faces = true) const {
    std::mt19937 random(3);
    std::vector<int> body(static_cast<std::size_t>(nx) * ny * nz);
    for (int z = 0; z < nz; ++z) {
      const bool none = z % 11 == 5, as_before = z % 7 == 3;
      for (int i = 0; i < nx * ny; ++i) {
        auto& cell = body[static_cast<std::size_t>(z) * nx * ny + i];
        if (as_before) {
          cell = body[static_cast<std::size_t>(z - 1) * nx * ny + i];
        } else if (!none) {
          cell = static_cast<int>(random() % (z > nz / 3 && z < nz / 2 ? 5 : 40)) % 3;
        }
      }
    }
    const test::CellSolids solids(nx, ny, nz, [&](int x, int y, int z) {
      return body[(static_cast<std::size_t>(z) * ny + y) * nx + x];
    });
    std::vector<BodySpec> bodies(2);
    bodies[1].motion.velocity[0] = 0.25;
    bodies[0].slanted = true;
    if (at_periodic_faces) bodies[1].bounds = {{2, 2, 2}, {9, 9, double(nz)}};
    FaceBoundaries faces =
        test::face_specs({BoundaryKind::velocity, BoundaryKind::outflow, BoundaryKind::slip,
                          BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
    faces[0].condition.velocity = {0.05, 0, 0};
    faces[0].condition.profile.assign(static_cast<std::size_t>(3) * ny * nz, 0.5F);
    return {nx, ny, nz, faces, &solids, bodies, stored};
  }
};

template <class T>
bool same(const T* a, const T* b, std::int64_t count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(T)) == 0;
}

// Expects the same data of plane z in both views, as far as kernels read the data.
void expect_same_plane(const BoundaryView& view, const BoundaryView& whole, int z) {
  ASSERT_EQ(view.solid_plane(z) == nullptr, whole.solid_plane(z) == nullptr) << z;
  const std::int64_t words = whole.mask_words;
  if (whole.solid_plane(z) != nullptr) {
    EXPECT_TRUE(same(view.solid_plane(z), whole.solid_plane(z), 2 * words)) << "mask " << z;
  }
  ASSERT_EQ(view.fluid_words == nullptr, whole.fluid_words == nullptr);
  if (whole.fluid_words != nullptr) {
    const FluidPlane plane = view.fluid_plane(z), expected = whole.fluid_plane(z);
    EXPECT_TRUE(same(plane.words, expected.words, words + 1)) << "numbers " << z;
    EXPECT_TRUE(same(plane.starts, expected.starts, (expected.words[words].first() + 31) / 32 + 1))
        << z;
  }
  ASSERT_EQ(view.list(z) == nullptr, whole.list(z) == nullptr) << z;
  if (whole.list(z) == nullptr) return;
  const CellList &list = *view.list(z), &expected = *whole.list(z);
  ASSERT_EQ(list.cells, expected.cells);
  EXPECT_TRUE(same(view.cells + list.first_cell, whole.cells + expected.first_cell, list.cells))
      << z;
  const LinkedCell& last = whole.cells[expected.first_cell + expected.cells - 1];
  const std::int64_t links = last.first + std::popcount(last.blocked);
  EXPECT_EQ(list.to_slants, links);
  EXPECT_TRUE(same(view.links + list.first_link, whole.links + expected.first_link, 2 * links))
      << "links and slants " << z;
}

void copy(const std::vector<BoundaryWindow::Copy>& copies, std::vector<std::byte>& memory) {
  for (const auto& copy : copies) {
    ASSERT_LE(copy.to + copy.from.size(), memory.size());
    std::memcpy(memory.data() + copy.to, copy.from.data(), copy.from.size());
  }
}

class BoundaryWindows : public testing::TestWithParam<CellsStored> {};

// Programs of before the images go on from each other's checkpoints.
TEST_P(BoundaryWindows, ImagesOfBodiesComeAfterAllOtherBytes) {
  const Rock rock{37, 11, 64, GetParam()};
  const Boundaries with = rock.make(true), without = rock.make(false);
  EXPECT_EQ(without.view().images, nullptr);
  ASSERT_NE(with.view().images, nullptr);
  EXPECT_EQ(with.view().images[0].period[2], 0);
  EXPECT_EQ(with.view().images[1].period[2], 64);
  EXPECT_EQ(with.view().images[1].period[0], 0);
  const auto checked = [](const Boundaries& boundaries) {
    std::vector<std::byte> bytes;
    boundaries.visit_for_checksum(
        [&](auto piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
  };
  EXPECT_EQ(checked(with), checked(without));
}

// Not images of bodies: a restart with another force would go unnoticed.
TEST(Boundaries, ForcesBelongToTheChecksum) {
  const lbm::test::CellSolids ball(
      12, 12, 12, [](int x, int y, int z) { return (x + 6) % 12 + (y + 6) % 12 + z < 14 ? 1 : 0; });
  FaceBoundaries faces;
  for (FaceBoundary& face : faces) face.condition.kind = BoundaryKind::periodic;
  BodySpec body;
  body.bounds = {{-3, -3, -3}, {3, 3, 14}};
  const auto checked = [&](float size) {
    ForceField force;
    force.fill = [=](int, std::span<float> values) { std::ranges::fill(values, size); };
    force.same_in_all_planes = true;
    const Boundaries boundaries(12, 12, 12, faces, &ball, std::span(&body, 1), CellsStored::all,
                                &force);
    EXPECT_NE(boundaries.view().images, nullptr);
    std::vector<std::byte> bytes;
    boundaries.visit_for_checksum(
        [&](auto piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
  };
  EXPECT_EQ(checked(1e-5F), checked(1e-5F));
  EXPECT_NE(checked(1e-5F), checked(2e-5F));
}

TEST_P(BoundaryWindows, HoldTheSameDataWhereverTheyAre) {
  const Rock rock{37, 11, 64, GetParam()};
  const Boundaries boundaries = rock.make();
  ASSERT_TRUE(BoundaryWindow::useful(boundaries));
  BoundaryWindow window(boundaries, 14);
  EXPECT_LT(window.bytes(), boundaries.bytes().size());
  std::vector<std::byte> memory(window.bytes(), std::byte{0xa5});
  const std::vector<std::byte> tables = window.tables();
  std::memcpy(memory.data(), tables.data(), tables.size());
  const BoundaryView view = window.view(memory.data()), whole = boundaries.view();

  EXPECT_TRUE(same(view.conditions, whole.conditions, 1));
  EXPECT_TRUE(same(view.profiles, whole.profiles, 3 * rock.ny * rock.nz));
  EXPECT_TRUE(same(view.bodies, whole.bodies, 2));
  EXPECT_TRUE(same(view.images, whole.images, 2));
  std::mt19937 random(9);
  int low = -3;  // of the window
  std::size_t copied = 0;
  for (int visit = 0; visit < 500; ++visit) {
    // Planes of the visit before and of this one lie within 14.
    const int count = 1 + static_cast<int>(random() % 7);
    const auto copies = window.fetch(low, count, visit, visit - 2);
    for (const auto& c : copies) copied += c.from.size();
    ASSERT_NO_FATAL_FAILURE(copy(copies, memory));
    for (int z = low; z < low + count; ++z) {
      ASSERT_NO_FATAL_FAILURE(expect_same_plane(view, whole, (z + rock.nz) % rock.nz));
    }
    low = (low + static_cast<int>(random() % 4)) % rock.nz;
  }
  // Some twelve times through the grid: nothing is copied twice on the way.
  EXPECT_LT(copied, 14 * boundaries.bytes().size());
}

TEST_P(BoundaryWindows, KeepThePlanesOfVisitsThatMayNotBeDone) {
  const Boundaries boundaries = Rock{37, 11, 64, GetParam()}.make();
  BoundaryWindow window(boundaries, 14);
  window.fetch(0, 14, 1, -1);
  EXPECT_TRUE(window.fetch(3, 8, 2, 0).empty());
  // Visit 1 and 2 may still read planes 0 to 13.
  EXPECT_THROW(window.fetch(14, 30, 3, 0), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Of, BoundaryWindows, testing::Values(CellsStored::all, CellsStored::fluid),
                         [](const auto& test) {
                           return test.param == CellsStored::all ? "AllCells" : "FluidCells";
                         });

}  // namespace
}  // namespace lbm
