// SPDX-License-Identifier: Apache-2.0

// Pulling at plain walls, free slip and periodic faces is written four times, for speed: LinkGather
// with and without free slip, gather_across (in update_fluid), RowSources with load_at_ends. Each
// against the definition, for every cell, direction and combination of faces.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "solver/backend/cpu/rows/update_row.hpp"
#include "solver/update/update_cells.hpp"

namespace lbm {
namespace {

constexpr int ny = 3, nz = 3;

// Leaves the gathered populations as they are.
template <class Storage>
struct NoCollision {
  static NoCollision of(const CollisionSpec&, double) { return {}; }
  template <class T>
  void operator()(T (&)[Storage::Set::directions]) const {}

  // As cpu::StripCollision.
  using Packed = cpu::PackedCells<Storage>;
  template <class Part>
  void update(const Part& part) const {
    part.update([&](const cpu::VectorG<Storage>& g, int, Packed& packed) {
      collide(g, nullptr, 0, part.params.rounding, packed);
    });
  }
  void collide(const cpu::VectorG<Storage>& g, const void*, int, std::uint32_t rounding,
               Packed& packed) const {
    for (int i = 0; i < Storage::values; ++i) packed[i] = cpu::Lanes<Storage>::pack(g[i], rounding);
  }
  template <class Shifts>
  void collide_at_walls(const Shifts&, const cpu::VectorG<Storage>& g, const void*, int,
                        std::uint32_t rounding, Packed& packed) const {
    collide(g, nullptr, 0, rounding, packed);
  }
};

using Faces = std::array<WallFace, 6>;

// Each wall has a velocity of its own, so that none can stand for another.
Faces faces_of(int combination) {
  Faces faces;
  for (int axis = 0; axis < 3; ++axis, combination /= 5) {
    for (int side = 0; side < 2; ++side) {
      WallFace& face = faces[2 * axis + side];
      const int kind = combination % 5;  // 0: periodic; then the bits of kind - 1: free slip
      face.wall = kind != 0;
      face.free_slip = face.wall && ((kind - 1) >> side & 1) != 0;
      face.velocity = {0.01 + 0.02 * side, 0.02 - 0.03 * axis, 0.01 * (axis + side)};
    }
  }
  return faces;
}

bool has_free_slip(const Faces& faces) {
  return std::any_of(faces.begin(), faces.end(), [](const WallFace& f) { return f.free_slip; });
}

template <class Storage>
class Box {
 public:
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;
  template <bool free_slip>
  using Params = UpdateParams<Storage, NoCollision<Storage>, free_slip>;

  Box(int nx, const Faces& faces)
      : faces_(faces),
        lattice_(make_lattice(
            nx, ny, nz, Storage::type, 0.6, faces,
            CellValues(
                holds_moments<Storage> ? Representation::moments : Representation::populations,
                Storage::Set::directions > 19 ? VelocitySet::D3Q27 : VelocitySet::D3Q19))) {
    std::mt19937 random(nx);
    std::uniform_real_distribution<double> noise(-0.01, 0.01);
    for (auto& plane : planes_) {
      plane = empty();
      for (Value& value : plane) value = Storage::store(static_cast<Real>(noise(random)));
    }
  }

  const PlaneLayout& layout() const { return lattice_.layout; }
  std::vector<Value> empty() const {
    return std::vector<Value>(lattice_.layout.bytes / sizeof(Value));
  }
  template <bool free_slip>
  Params<free_slip> params() const {
    return make_update_params<Storage, NoCollision<Storage>, free_slip>(lattice_);
  }
  // Beyond a wall there is no plane: to read it ends the test.
  InputPlanes<Storage> in(int z) const {
    const auto plane = [&](int i) {
      if ((i < 0 || i >= nz) && !lattice_.periodic_z()) return static_cast<const Value*>(nullptr);
      return planes_[(i + nz) % nz].data();
    };
    return {{plane(z - 1), plane(z), plane(z + 1)}};
  }
  unsigned touched(int x, int y, int z) const {
    return touched_faces(lattice_.walls.faces, x, y, z, layout().nx, ny, nz);
  }

  // The incoming population by definition.
  double expected(int x, int y, int z, int q) const {
    const int n[3] = {layout().nx, ny, nz}, cell[3] = {x, y, z};
    const int c[3] = {cx(q), cy(q), cz(q)};
    int source[3], direction[3];
    std::vector<const WallFace*> walls;
    bool mirrored[3] = {};
    for (int a = 0; a < 3; ++a) {
      source[a] = cell[a] - c[a];
      direction[a] = c[a];
      if (source[a] >= 0 && source[a] < n[a]) continue;
      const WallFace& face = faces_[2 * a + (source[a] < 0 ? 0 : 1)];
      if (!face.wall) {
        source[a] = (source[a] + n[a]) % n[a];
      } else if (face.free_slip) {
        source[a] = cell[a];
        direction[a] = -c[a];
        mirrored[a] = true;
      } else {
        walls.push_back(&face);
      }
    }
    if (walls.empty()) return stored(source[0], source[1], source[2], direction);
    double term = 0;
    for (int a = 0; a < 3; ++a) {
      if (mirrored[a]) continue;
      double u = walls.front()->velocity[a];
      for (const WallFace* wall : walls) u = common_component(u, wall->velocity[a]);
      term += 6 * weight<typename Storage::Set, double>(q) * c[a] * u;
    }
    const int opposite[3] = {-c[0], -c[1], -c[2]};
    return stored(x, y, z, opposite) + term;
  }

  void expect(const std::string& gather, int x, int y, int z, int q, double found) const {
    // fp16: a unit in the last place of values up to 2^-5, to which they are rounded up or down
    if (std::abs(found - expected(x, y, z, q)) < 1.6e-5) return;
    ADD_FAILURE() << gather << ", " << to_string(Storage::type) << ", nx=" << layout().nx << ", ("
                  << x << " " << y << " " << z << "), q=" << q << ", faces " << lattice_.walls.faces
                  << ", free slip " << lattice_.walls.free_slip << ": found " << found
                  << ", expected " << expected(x, y, z, q);
  }
  // With moments, a row stores the first ten of the gathered populations.
  void expect_row(const std::string& gather, int y, int z, const std::vector<Value>& out) const {
    for (int q = 0; q < Storage::values; ++q) {
      for (int x = 0; x < layout().nx; ++x) {
        expect(gather, x, y, z, q, double{Storage::load(out[layout().index(q, y, x)])});
      }
    }
  }

 private:
  double stored(int x, int y, int z, const int (&c)[3]) const {
    int q = 0;
    while (cx(q) != c[0] || cy(q) != c[1] || cz(q) != c[2]) ++q;
    return double{Storage::population(
        q, [&](int i) { return Storage::load(planes_[z][layout().index(i, y, x)]); })};
  }

  Faces faces_;
  Lattice lattice_;
  std::vector<Value> planes_[nz];
};

template <bool free_slip, class Storage>
void expect_links(const Box<Storage>& box, int y, int z) {
  const auto params = box.template params<free_slip>();
  const auto in = box.in(z);
  for (int x = 0; x < box.layout().nx; ++x) {
    const CellOffsets at(box.layout(), x, y);
    const LinkGather gather{params, in, at, box.touched(x, y, z)};
    for (int q = 0; q < Storage::Set::directions; ++q) {
      box.expect(free_slip ? "LinkGather" : "LinkGather::walls_only", x, y, z, q,
                 double{gather(q)} / double{Storage::scale});
    }
  }
}

// gather_across serves rows that touch no closed face of y or z.
template <bool free_slip, int cells, class Storage>
void expect_fluid(const Box<Storage>& box, int y, int z) {
  if constexpr (!holds_moments<Storage>) {
    const int nx = box.layout().nx;
    if (nx <= cells || box.touched(-1, y, z) != 0) return;
    auto out = box.empty();
    for (int x = 0; x < nx; x += cells) {
      update_fluid<Storage, cells>(box.template params<free_slip>(), box.in(z), out.data(), x, y,
                                   x == 0 || x + cells >= nx);
    }
    box.expect_row("gather_across", y, z, out);
  }
}

template <class Storage>
void expect_rows(const Box<Storage>& box, int y, int z) {
  const auto params = box.template params<true>();
  const cpu::RowSources<Storage> from(params, box.in(z), y, z);
  auto out = box.empty();
  cpu::update_cells<Storage>(params, from, nullptr, 0, box.layout().pitch, false,
                             out.data() + y * box.layout().row);
  box.expect_row("RowSources", y, z, out);
}

template <class Storage, int cells>
void expect_all() {
  for (int combination = 0; combination < 125; ++combination) {
    const Faces faces = faces_of(combination);
    for (const int nx : {1, 2, 5, 21}) {
      const Box<Storage> box(nx, faces);
      for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
          expect_links<true>(box, y, z);
          expect_fluid<true, cells>(box, y, z);
          expect_rows(box, y, z);
          if (has_free_slip(faces)) continue;
          expect_links<false>(box, y, z);
          expect_fluid<false, cells>(box, y, z);
        }
      }
    }
    if (testing::Test::HasFailure()) return;  // the first combination says enough
  }
}

TEST(Gathers, FollowTheDefinitionInSinglePrecision) { expect_all<Fp32, 1>(); }
TEST(Gathers, FollowTheDefinitionInDoublePrecision) { expect_all<Fp64, 1>(); }
TEST(Gathers, FollowTheDefinitionInHalfPrecision) { expect_all<Fp16, 2>(); }
TEST(Gathers, FollowTheDefinitionWithD3Q27) {
  expect_all<WithSet<Fp32, D3Q27>, 1>();
  expect_all<WithSet<Fp16, D3Q27>, 2>();
}
TEST(Gathers, FollowTheDefinitionWithMoments) { expect_all<AsMoments<Fp32>, 1>(); }

}  // namespace
}  // namespace lbm
