// SPDX-License-Identifier: Apache-2.0

// Several cells at once, as one thread of a GPU updates them, against one cell after the other.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "solver/update/update_cells.hpp"

namespace lbm {
namespace {

template <class Storage>
class Planes {
 public:
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

  Planes(int nx, int ny, const std::array<WallFace, 6>& faces)
      : lattice_(make_lattice(nx, ny, 3, Storage::type, 0.6, faces)),
        params_(make_update_params<Storage>(lattice_)),
        values_(lattice_.layout.bytes / sizeof(Value)) {
    std::mt19937 random(nx);
    std::uniform_real_distribution<double> noise(-0.01, 0.01);
    for (auto& plane : planes_) {
      plane.resize(values_);
      for (Value& value : plane) value = Storage::store(static_cast<Real>(noise(random)));
    }
  }

  InputPlanes<Storage> in() const {
    return {{planes_[0].data(), planes_[1].data(), planes_[2].data()}};
  }
  const UpdateParams<Storage>& params() const { return params_; }
  const PlaneLayout& layout() const { return params_.layout; }
  std::vector<Value> empty() const { return std::vector<Value>(values_); }
  unsigned touched(int x, int y, int z) const {
    return touched_faces(params_.walls.faces, x, y, z, layout().nx, layout().ny, 3);
  }

  // Expects in `out` the cell as update_cell() computes it, link by link.
  void expect(int x, int y, int z, const std::vector<Value>& out) const {
    const CellOffsets at(layout(), x, y);
    const auto planes = in();
    update_cell<Storage, Real>(
        params_.collision, LinkGather{params_, planes, at, touched(x, y, z)},
        [](int) { return Real(0); },  // no filter of the stress
        [&](int q, Real g) {
          const Value want = Storage::store_rounded(g, Storage::rounding(params_.rounding, g));
          const Value got = out[layout().index(q, y, x)];
          EXPECT_EQ(std::memcmp(&want, &got, sizeof want), 0)
              << to_string(Storage::type) << " nx=" << layout().nx << " x=" << x << " y=" << y
              << " q=" << q << " walls=" << params_.walls.faces;
        });
  }

 private:
  Lattice lattice_;
  UpdateParams<Storage> params_;
  std::size_t values_;
  std::vector<Value> planes_[3];
};

std::array<WallFace, 6> faces_with(bool x_walls, bool other_walls) {
  std::array<WallFace, 6> faces;
  for (int f = 0; f < 6; ++f) faces[f].wall = f < 2 ? x_walls : other_walls;
  if (x_walls) {  // each its own, so that none can stand for the other
    faces[0].velocity = {0, 0.03, -0.02};
    faces[1].velocity = {0, -0.01, 0.04};
  }
  return faces;
}

template <class Storage, int cells>
void expect_fluid_cells() {
  constexpr int ny = 3, z = 1;
  for (const bool x_walls : {false, true}) {
    for (const int nx : {cells + 1, cells + 2, 7, 16, 17, 33}) {
      if (nx <= cells) continue;
      const Planes<Storage> planes(nx, ny, faces_with(x_walls, false));
      auto out = planes.empty();
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; x += cells) {
          update_fluid<Storage, cells>(planes.params(), planes.in(), out.data(), x, y,
                                       x == 0 || x + cells >= nx);
        }
        for (int x = 0; x < nx; ++x) planes.expect(x, y, z, out);
      }
    }
  }
}

TEST(UpdateCells, FluidCellsComeOutAsOneByOne) {
  expect_fluid_cells<Fp32, 1>();
  expect_fluid_cells<Fp64, 1>();
  expect_fluid_cells<Fp16, 2>();
}

// Free slip at one end, a wall at the other.
TEST(UpdateCells, RowsMayEndAtFreeSlip) {
  for (const int end : {0, 1}) {
    auto faces = faces_with(true, false);
    faces[end].free_slip = true;
    const Planes<Fp32> planes(21, 3, faces);
    auto out = planes.empty();
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 21; ++x) {
        update_fluid<Fp32, 1>(planes.params(), planes.in(), out.data(), x, y, x % 20 == 0);
      }
      for (int x = 0; x < 21; ++x) planes.expect(x, y, 1, out);
    }
  }
}

TEST(UpdateCells, LinkedCellsComeOutAsOneByOne) {
  constexpr int ny = 4;
  for (const int nx : {1, 2, 5, 8}) {
    const Planes<Fp16> planes(nx, ny, faces_with(true, true));
    for (int z = 0; z < 3; ++z) {
      auto out = planes.empty();
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; x += 2) {
          const bool fluid[] = {false, false};
          const unsigned touched[] = {planes.touched(x, y, z),
                                      x + 1 < nx ? planes.touched(x + 1, y, z) : 0};
          update_linked<Fp16, 2>(planes.params(), planes.in(), out.data(), x, y, touched, fluid);
        }
        for (int x = 0; x < nx; ++x) planes.expect(x, y, z, out);
      }
    }
  }
}

// A thread that updates two cells at the end of an odd row writes the second into the padding.
TEST(UpdateCells, NothingButTheRowAndItsPaddingIsWritten) {
  constexpr int nx = 7, ny = 3, y = 1;
  const Planes<Fp16> planes(nx, ny, faces_with(false, false));
  const PlaneLayout& layout = planes.layout();
  auto out = planes.empty();
  constexpr std::uint16_t untouched = 0x7abc;
  for (auto& value : out) value = untouched;
  for (int x = 0; x < nx; x += 2) {
    update_fluid<Fp16, 2>(planes.params(), planes.in(), out.data(), x, y, x == 0 || x + 2 >= nx);
  }
  for (int other = 0; other < ny; ++other) {
    for (int q = 0; q < D3Q19::directions; ++q) {
      for (int x = 0; x < layout.pitch; ++x) {
        if (other == y && x < nx + 1) continue;
        EXPECT_EQ(out[layout.index(q, other, x)], untouched) << "y=" << other << " x=" << x;
      }
    }
  }
}

}  // namespace
}  // namespace lbm
