// SPDX-License-Identifier: Apache-2.0

// Two launches in one pass (solver/backend/cpu/rows/row_pairs.hpp) give the bits of one after the
// other.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "solver/backend/cpu/fitting_threads.hpp"
#include "solver/backend/cpu/pair_runner.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/lattice/storage.hpp"
#include "tests/solver/update/cell_solids.hpp"

namespace lbm::cpu {
namespace {

UpdateLaunch launch(int first_plane, std::vector<int> in, std::vector<int> out,
                    std::uint64_t passing = 0) {
  UpdateLaunch launch;
  launch.first_plane = first_plane;
  launch.count = static_cast<int>(out.size());
  std::copy(in.begin(), in.end(), launch.in.begin());
  std::copy(out.begin(), out.end(), launch.out.begin());
  launch.passing = passing;
  return launch;
}

// Planes 1 to 4 of step 1 from slots 0 to 5, planes 0 to 3 of step 2. Slots 10 and 11 hold planes
// -1 and 0 of step 1, slots 20 to 23 take step 1, 30 to 33 step 2.
const UpdateLaunch step1 = launch(1, {0, 1, 2, 3, 4, 5}, {20, 21, 22, 23}, 0b0011);
const UpdateLaunch step2 = launch(0, {10, 11, 20, 21, 22, 23}, {30, 31, 32, 33});

TEST(LaunchPair, SaysWhereEveryInputComesFrom) {
  const auto pair = pair_of(step1, step2);
  ASSERT_TRUE(pair);
  const std::vector<int> made(pair->made.begin(), pair->made.begin() + 6);
  EXPECT_EQ(made, (std::vector<int>{-1, -1, 0, 1, 2, 3}));
  EXPECT_EQ(pair->kept & 0xfU, 0b1100U);
  EXPECT_EQ(pair->apart, 0U);
}

TEST(LaunchPair, KnowsPlanesThatTheSecondDoesNotRead) {
  const auto pair = pair_of(step1, launch(0, {10, 11, 20, 21, 22}, {30, 31, 32}));
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->apart, 0b1000U);
}

TEST(LaunchPair, RefusesWhatWouldDisturbItself) {
  const auto with_output = [](int slot) {
    UpdateLaunch second = step2;
    second.out[2] = slot;
    return pair_of(step1, second).has_value();
  };
  EXPECT_TRUE(with_output(99));
  EXPECT_FALSE(with_output(3)) << "an input of the first";
  EXPECT_FALSE(with_output(11)) << "an older input of the second";
  EXPECT_FALSE(with_output(23)) << "kept";
}

// Four planes, periodic: the second launch goes once around, and reads two planes at both its ends.
TEST(LaunchPair, RefusesToMakeAPlaneTwice) {
  const UpdateLaunch first = launch(0, {3, 0, 1, 2, 3, 0}, {20, 21, 22, 23}, 0b1111);
  EXPECT_FALSE(pair_of(first, launch(1, {20, 21, 22, 23, 20, 21}, {30, 31, 32, 33})));
  // A plane next to a wall stands for the one beyond it.
  EXPECT_TRUE(pair_of(first, launch(0, {20, 20, 21, 22, 23, 23}, {30, 31, 32, 33})));
}

TEST(LaunchPair, RefusesWhatDoesNotPay) {
  EXPECT_FALSE(pair_of(step2, step1)) << "nothing to do with each other";
  UpdateLaunch first = step1;
  first.passing = 0b0001;
  EXPECT_FALSE(pair_of(first, step2)) << "three of four planes are stored anyway";
}

TEST(LaunchPair, RowsAreCutWhereTheyAreTooLongForTheCache) {
  const auto pair = pair_of(step1, step2);
  std::array<WallFace, 6> walls;
  for (const int nx : {16, 100, 1000, 10000, 60000}) {
    const Lattice lattice = make_lattice(nx, 4, 9, StorageType::fp32, 0.6, walls);
    const int piece = cells_per_piece(lattice, *pair);
    EXPECT_EQ(piece % 16, 0);
    const auto bytes = static_cast<long>(pair_ring_bytes(lattice, 6));
    if (bytes <= cache_for_rows()) {
      EXPECT_GE(piece, nx);
    } else {
      EXPECT_LE(bytes / lattice.layout.pitch * (piece - 16), cache_for_rows());
    }
    EXPECT_GE(planes_in_cache(lattice), 4);
    EXPECT_LE(planes_in_cache(lattice), 16);
  }
}

struct Variant {
  StorageType storage;
  bool periodic;
  bool solids;
};

class PairRows : public testing::TestWithParam<Variant> {
 protected:
  static constexpr int nx = 83, ny = 19, nz = 9, slots = 34;

  PairRows() : lattice_(make_lattice(nx, ny, nz, GetParam().storage, 0.55, faces())) {
    device_.lattice = lattice_;
    if (!GetParam().solids) return;
    std::mt19937 random(3);
    std::vector<int> body(nx * ny * nz);
    for (int& cell : body) cell = random() % 40 == 0 ? 1 : 0;
    const lbm::test::CellSolids solids(
        nx, ny, nz, [&](int x, int y, int z) { return body[(z * ny + y) * nx + x]; });
    FaceBoundaries specs;
    for (FaceBoundary& face : specs) {
      face.condition.kind = GetParam().periodic ? BoundaryKind::periodic : BoundaryKind::wall;
    }
    const BodySpec one;
    boundaries_ = Boundaries(nx, ny, nz, specs, &solids, std::span(&one, 1));
    device_.boundaries = boundaries_.view();
    device_.host = &boundaries_;
  }

  static std::array<WallFace, 6> faces() {
    std::array<WallFace, 6> faces;
    for (WallFace& face : faces) face.wall = !GetParam().periodic;
    if (!GetParam().periodic) faces[5].velocity = {0.05, 0.02, 0};
    return faces;
  }

  // Planes of random populations in all slots.
  Buffer rough_planes() const {
    Buffer planes = map_host_memory(slots * lattice_.layout.bytes, "test");
    visit_storage(lattice_, [&](auto storage) {
      using Storage = decltype(storage);
      auto* values = reinterpret_cast<typename Storage::Value*>(planes.data());
      std::mt19937 random(5);
      std::uniform_real_distribution<double> noise(-0.01, 0.01);
      for (std::size_t i = 0; i < planes.size() / sizeof *values; ++i) {
        values[i] = Storage::store(static_cast<typename Storage::Real>(noise(random)));
      }
    });
    return planes;
  }

  DeviceLattice on(const Buffer& planes) const {
    DeviceLattice device = device_;
    device.slots = planes.data();
    return device;
  }

  bool same_cells(const Buffer& a, const Buffer& b, int slot) const {
    const PlaneLayout& layout = lattice_.layout;
    const std::size_t value = bytes_per_value(lattice_.storage);
    for (int y = 0; y < ny; ++y) {
      for (int q = 0; q < D3Q19::directions; ++q) {
        const std::size_t at = static_cast<std::size_t>(slot) * layout.bytes +
                               static_cast<std::size_t>(layout.index(q, y, 0)) * value;
        if (std::memcmp(a.data() + at, b.data() + at, nx * value) != 0) return false;
      }
    }
    return true;
  }

  Lattice lattice_;
  Boundaries boundaries_;
  DeviceLattice device_;
};

TEST_P(PairRows, SameBitsAsOneAfterTheOther) {
  const Kernels& kernels = best_kernels();
  const auto pair = pair_of(step1, step2);
  ASSERT_TRUE(pair);
  const Buffer expected = rough_planes();
  {
    const FlushSubnormals flush;
    for (const UpdateLaunch* each : {&step1, &step2}) {
      for (int plane = 0; plane < each->count; ++plane) {
        kernels.of(lattice_).update_rows(on(expected), *each, plane, 0, ny, false);
      }
    }
  }
  for (const int threads : {1, 2}) {
    for (const int piece : {16, 32, 48, 96}) {
      const Buffer planes = rough_planes();
      PairRunner runner;
      ASSERT_TRUE(runner.run(kernels, on(planes), *pair, threads, piece));
      for (const int slot : {22, 23, 30, 31, 32, 33}) {
        EXPECT_TRUE(same_cells(planes, expected, slot))
            << "slot " << slot << " piece " << piece << " threads " << threads;
      }
      for (const int slot : {0, 5, 10, 11, 29}) {
        EXPECT_TRUE(same_cells(planes, rough_planes(), slot)) << "slot " << slot << " was written";
      }
    }
  }
}

TEST_P(PairRows, TooFewRowsForTheThreads) {
  const Buffer planes = rough_planes();
  PairRunner runner;
  EXPECT_FALSE(runner.run(best_kernels(), on(planes), *pair_of(step1, step2), 3));
  EXPECT_TRUE(same_cells(planes, rough_planes(), 30));
}

INSTANTIATE_TEST_SUITE_P(All, PairRows,
                         testing::Values(Variant{StorageType::fp32, false, false},
                                         Variant{StorageType::fp32, true, false},
                                         Variant{StorageType::fp32, true, true},
                                         Variant{StorageType::fp32, false, true},
                                         Variant{StorageType::fp16, true, false},
                                         Variant{StorageType::fp16, false, true},
                                         Variant{StorageType::fp64, true, true}));

}  // namespace
}  // namespace lbm::cpu
