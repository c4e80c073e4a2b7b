// SPDX-License-Identifier: Apache-2.0

// The update of the scalars of a row, after that of its flow (update/scalar_cells.hpp): vectors of
// cells, of which those at faces of x, at bodies and at faces whose cells differ are done again one
// by one. Where only fluid cells are stored, all of them stream in one by one.
#pragma once

#include <algorithm>

#include "solver/backend/cpu/rows/boundary_cells.hpp"
#include "solver/update/scalar_cell.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// Pushes the flow of a vector of cells, collides and stores their scalars. mark: 1 for a fluid
// cell; others, of mark 0, get zeros. out: their first values, the other values each `pitch` later.
template <class Storage, class Vector>
void finish_vector(const ScalarCells<Storage>& cells, const Vector& mark,
                   const ScalarMoments<Vector> (&streamed)[most_scalars],
                   const Vector (&own)[most_scalars], int pitch, typename Storage::Value* out) {
  using L = Lanes<Storage>;
  const Vector zero{};
  const auto masked = [&](const Vector& v) -> Vector { return mark != zero ? v : zero; };
  Vector values[Storage::values];
  for (int v = 0; v < Storage::values; ++v) values[v] = L::load(out + v * pitch);
  ForceVector<Vector> push{zero, zero, zero};
  if (cells.buoyant) push = cells.push(streamed);
  push = {masked(push.x), masked(push.y), masked(push.z)};
  Vector added{};
  const bool turbulent = cells.turbulence.any();
  if (turbulent) added = cells.added_tau(values);
  const ForceVector<Vector> flow = cells.flow(values, push);
  if (cells.buoyant) {
    cells.forced.push(values, push);
    for (int v = 0; v < Storage::values; ++v) {
      store_vector(out + v * pitch, L::pack(values[v], cells.forced.rounding));
    }
  }
  for (int s = 0; s < cells.count; ++s) {
    const auto next = turbulent
                          ? cells.template collided<true>(s, streamed[s], own[s], flow, added)
                          : cells.template collided<false>(s, streamed[s], own[s], flow, added);
    const std::uint32_t key = cells.rounding + static_cast<std::uint32_t>(s);
    auto* const to = out + ScalarCells<Storage>::first(s) * pitch;
    store_vector(to, L::pack(masked(next.value), key));
    for (int a = 0; a < 3; ++a) {
      store_vector(to + (1 + a) * pitch, L::pack(masked(next.flux[a]), key));
    }
  }
}

template <class Storage>
class ScalarRow {
 public:
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  using L = Lanes<Storage>;
  using Vector = typename L::Vector;
  using Cells = ScalarCells<Storage>;

  // out: the first value of the row, whose flow is that after the step.
  ScalarRow(const Cells& cells, const InputPlanes<Storage>& in, int y, int z, GivenHeat& heat,
            Value* out)
      : cells_(cells), in_(in), y_(y), z_(z), heat_(heat), out_(out) {
    const PlaneLayout& layout = cells.layout;
    const auto wrapped = [](int i, int n) { return ScalarCell<Storage>::wrapped(i, n); };
    const int rows[3] = {wrapped(y - 1, layout.ny), y, wrapped(y + 1, layout.ny)};
    for (int i = 0; i < 3; ++i) begins_[i] = rows[i] * static_cast<int>(layout.row);
    const unsigned ends = x_min | x_max;
    faces_ = touched_faces(cells.closed, 0, y, z, layout.nx, layout.ny, cells.nz) & ~ends;
    for (int s = 0; s < cells.count; ++s) {
      for (int f = 2; f < 6; ++f) varies_ |= (faces_ >> f & 1U) != 0 && cells.of[s].varies(f);
    }
    const auto add = [&](int plane, int row) {
      const std::uint32_t* const words = cells.boundaries.solid_plane(plane);
      if (words != nullptr) solids_[count_++] = words + row * cells.boundaries.words_per_row;
    };
    own_solids_ = cells.boundaries.solid_plane(z);
    if (own_solids_ != nullptr) own_solids_ += y * cells.boundaries.words_per_row;
    for (const int row : rows) add(z, row);
    add(wrapped(z - 1, cells.nz), y);
    add(wrapped(z + 1, cells.nz), y);
  }

  void update() const {
    const int nx = cells_.layout.nx;
    for (int x = 0; x < nx; x += L::count) {
      ScalarMoments<Vector> streamed[most_scalars];
      Vector own[most_scalars];
      const bool solids = near_solids(x), all = solids || varies_;
      const bool special = all || x == 0 || x + L::count >= nx;
      for (int s = 0; s < cells_.count; ++s) {
        own[s] = L::load(in_.plane[1] + begins_[1] + Cells::first(s) * cells_.layout.pitch + x);
        streamed[s] = all_cells(s, own[s], x);
        if (special) do_special_cells(s, x, all, streamed[s]);
      }
      finish(x, streamed, own);
      if (solids && cells_.conducting) conduct(x);
    }
  }

 private:
  // True if a cell of the vector, or a neighbour of one, is solid.
  bool near_solids(int x) const {
    for (int row = 0; row < count_; ++row) {
      for (int word = std::max(x - 1, 0) >> 5; word <= (x + L::count) >> 5; ++word) {
        if (solids_[row][word] != 0) return true;
      }
    }
    return false;
  }
  bool is_fluid(int x) const {
    return x < cells_.layout.nx &&
           (own_solids_ == nullptr || (own_solids_[x >> 5] >> (x & 31) & 1U) == 0);
  }
  // Values of the padding and of solid cells may be read, but count for no other cell.
  ScalarMoments<Vector> all_cells(int s, const Vector& own, int x) const {
    const int pitch = cells_.layout.pitch;
    const Value* const here = in_.plane[1] + begins_[1] + Cells::first(s) * pitch + x;
    const auto own_flux = [&](int axis) -> Vector { return L::load(here + (1 + axis) * pitch); };
    const auto entering = [&](int q) -> Vector {
      const auto& face = cells_.of[s].faces[q - 1];
      if ((faces_ >> (q - 1) & 1U) != 0 && face.kind != ScalarBoundary::periodic) {
        const Vector flux = own_flux((q - 1) / 2);
        const Vector out = Cells::population(opposite(q), own, flux);
        const Vector same = Cells::population(q, own, flux);
        return Cells::through_face(face, face.value, out, same);
      }
      const Value* const from =
          in_.plane[1 - cz(q)] + begins_[1 - cy(q)] + Cells::first(s) * pitch + x - cx(q);
      return Cells::population(q, L::load(from), L::load(from + (1 + (q - 1) / 2) * pitch)) +
             cells_.gained(s, q);
    };
    return Cells::streamed(cells_.of[s], cells_.of[s].share, own, own_flux, entering);
  }
  // Cells at the ends of the row and, with `all`, all fluid cells.
  [[gnu::noinline]] void do_special_cells(int s, int x, bool all,
                                          ScalarMoments<Vector>& moments) const {
    alignas(64) Real lanes[values_per_scalar][L::count];
    store_vector(lanes[0], moments.value);
    for (int a = 0; a < 3; ++a) store_vector(lanes[1 + a], moments.flux[a]);
    for (int i = 0; i < L::count; ++i) {
      const bool end = x + i == 0 || x + i == cells_.layout.nx - 1;
      if (!end && (!all || !is_fluid(x + i))) continue;
      const CellOffsets at(cells_.layout, x + i, y_);
      GivenHeat* const heat = is_fluid(x + i) ? &heat_ : nullptr;
      const auto streamed = ScalarCell<Storage>(cells_, in_, at, x + i, y_, z_, heat).streamed(s);
      lanes[0][i] = streamed.value;
      for (int a = 0; a < 3; ++a) lanes[1 + a][i] = streamed.flux[a];
    }
    moments.value = load_vector<Vector>(lanes[0]);
    for (int a = 0; a < 3; ++a) moments.flux[a] = load_vector<Vector>(lanes[1 + a]);
  }
  // Solid cells and the padding get zeros.
  void finish(int x, const ScalarMoments<Vector> (&streamed)[most_scalars],
              const Vector (&own)[most_scalars]) const {
    alignas(64) Real marks[L::count];
    for (int i = 0; i < L::count; ++i) marks[i] = is_fluid(x + i) ? Real(1) : Real(0);
    finish_vector(cells_, load_vector<Vector>(marks), streamed, own, cells_.layout.pitch, out_ + x);
  }

  void conduct(int x) const {
    for (int i = x; i < std::min(x + L::count, cells_.layout.nx); ++i) {
      if (!is_fluid(i)) update_solid_scalars(cells_, in_, i, y_, z_, out_ + i);
    }
  }

  const Cells& cells_;
  const InputPlanes<Storage>& in_;
  int y_, z_;
  GivenHeat& heat_;
  Value* out_;
  int begins_[3];                   // of rows y - 1, y and y + 1
  unsigned faces_;                  // bits of those of y and z that the row touches
  bool varies_ = false;             // one of them has a condition that varies along it
  const std::uint32_t* solids_[5];  // masks of the row and of those around it
  int count_ = 0;                   // of these
  const std::uint32_t* own_solids_;
};

// Where only fluid cells are stored: the cells of a row stream in one by one and collide a vector
// at a time.
template <class Storage>
class FluidScalarRows {
 public:
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  using L = Lanes<Storage>;
  using Vector = typename L::Vector;
  using Cells = ScalarCells<Storage>;

  // planes, in: of the planes around; z: of the output plane, whose first value is at `out`, and
  // whose flow is that after the step.
  FluidScalarRows(const Cells& cells, const FluidPlanesAround& planes,
                  const InputPlanes<Storage>& in, int z, GivenHeat& heat, Value* out)
      : cells_(cells), planes_(planes), in_(in), z_(z), heat_(heat), out_(out) {}

  void update(int y) {
    for_each_fluid_cell(planes_.plane[1], y, cells_.layout.nx, [&](int x) { add(x, y); });
    flush();
  }

 private:
  void add(int x, int y) {
    const FluidAxisOffsets at(planes_, cells_.layout, x, y);
    const ScalarCell<Storage, FluidAxisOffsets> cell(cells_, in_, at, x, y, z_, &heat_);
    for (int s = 0; s < cells_.count; ++s) {
      const ScalarMoments<Real> streamed = cell.streamed(s);
      Real(&lanes)[values_per_scalar + 1][L::count] = lanes_[s];
      lanes[0][count_] = streamed.value;
      for (int a = 0; a < 3; ++a) lanes[1 + a][count_] = streamed.flux[a];
      lanes[values_per_scalar][count_] = cell.own(s);
    }
    place_[count_] = at.of(0, 0, 0);
    if (++count_ == L::count) flush();
  }
  void flush() {
    if (count_ == 0) return;
    ScalarMoments<Vector> streamed[most_scalars];
    Vector own[most_scalars];
    for (int s = 0; s < cells_.count; ++s) {
      streamed[s].value = load_vector<Vector>(lanes_[s][0]);
      for (int a = 0; a < 3; ++a) streamed[s].flux[a] = load_vector<Vector>(lanes_[s][1 + a]);
      own[s] = load_vector<Vector>(lanes_[s][values_per_scalar]);
    }
    const int pitch = cells_.layout.pitch;
    for (int v = 0; v < Storage::values; ++v) {
      for (int i = 0; i < count_; ++i) values_[v][i] = out_[v * pitch + place_[i]];
    }
    finish_vector(cells_, Vector{} + Real(1), streamed, own, L::count, values_[0]);
    const int first = cells_.buoyant ? 0 : Storage::values;
    for (int v = first; v < Cells::first(cells_.count); ++v) {
      for (int i = 0; i < count_; ++i) out_[v * pitch + place_[i]] = values_[v][i];
    }
    count_ = 0;
  }

  const Cells& cells_;
  const FluidPlanesAround& planes_;
  const InputPlanes<Storage>& in_;
  int z_;
  GivenHeat& heat_;
  Value* out_;
  int count_ = 0;
  int place_[L::count];
  // Streamed moments of each scalar, and the scalar before the step.
  alignas(64) Real lanes_[most_scalars][values_per_scalar + 1][L::count] = {};
  alignas(64) Value values_[Storage::values + values_per_scalar * most_scalars][L::count] = {};
};

}  // namespace
}  // namespace lbm::cpu
