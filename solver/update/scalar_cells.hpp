// SPDX-License-Identifier: Apache-2.0

// The update of the scalars of a cell (solver/lattice/scalars.hpp), after that of its flow. The
// force of buoyant scalars is added to the flow; its momentum then advects all scalars, and they
// diffuse.
//
// Lattice: D3Q7 with c_s^2 = 1/4, w_0 = 1/4, w_1..6 = 1/8. A cell keeps the zeroth and first
// moments of its populations after the collision, the scalar phi and its flux J; those of second
// order are in equilibrium (regularised collision: Latt & Chopard, Math. Comput. Simul. 72 (2006)
// 165). So
//   f_0 = phi/4,   f_q = (phi + 4 c_q . J)/8                             are the populations, and
//   phi = sum f_q + source,   J = sum c_q f_q,   J <- J + omega (phi u - J) + (1 - omega/2) u dphi
// a step: the sums are over the populations that stream into the cell, dphi is the change of phi in
// this step without the source. The force has phi without it, too. u is the momentum over the
// reference density, which in a steady flow has no divergence: a uniform scalar stays uniform. The
// last term takes away the part of the flux that comes from the change in time of phi u, without
// which streams diffuse too little (Chopard, Falcone & Latt, Eur. Phys. J. Special Topics 171
// (2009) 245; here without the change of u).
//
// Below a diffusivity of 3/8 u^2 (along an axis; von Neumann analysis) errors grow on a stream. So
// a cell has tau = 1/2 + least_tau_of_square u^2 at least, 1.1 times that bound.
//
// A scalar with bounds keeps them: its flux is cut so that the populations of phi less the lower
// bound, and those of the upper bound less phi, are not negative (positivity rule: Brownlee, Gorban
// & Levesley, Phys. Rev. E 75 (2007) 036711). Such a flux exists for |u| <= 1/4 along each axis.
//
// Conductors: solid cells with u = 0 and an omega of their own, to and from which populations
// stream as between fluid cells. Where capacities C differ, all populations belong to a material
// with the least one, C_0, and the rest of C phi stays in its cell (total enthalpy: Huang & Wu, J.
// Comput. Phys. 294 (2015) 346):
//   phi <- phi + C_0/C (sum_{q>0} f_q - 3/4 phi),   tau = 1/2 + 4 conductivity/C_0,
// and u/C_0 carries phi. C and the conductivity are those relative to the fluid.
//
// With a macroscopic gradient G the lattice holds phi - G . x: a population that streams from cell
// to cell along c_q loses w_q G . c_q, and phi loses G . u.
//
// Walls lie half a cell outside the outermost cells: bounce-back where nothing passes,
// anti-bounce-back where phi is given (Ginzburg, Adv. Water Resour. 28 (2005) 1171). Bodies that
// hold a value have it where their surface cuts a link (Li, Mei & Klausner, J. Comput. Phys. 238
// (2013) 155, the linear scheme).
#pragma once

#include "solver/boundary/boundaries.hpp"
#include "solver/update/late_cells.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// A scalar of a cell, or of several, and its flux.
template <class T>
struct ScalarMoments {
  T value, flux[3];
};

// The scalars of a lattice for one step, in the arithmetic of a storage policy, as kernels get
// them. Values are multiplied by Storage::scale.
template <class Storage>
struct ScalarCells {
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  struct Face {
    ScalarBoundary kind;
    Real value, coefficient;
  };
  struct Body {
    Real value;          // that it holds
    Real omega, source;  // of a conductor
    Real share;          // C_0/C
  };
  struct Component {
    Real omega, tau;
    Real source;
    Real share;     // C_0
    Real carried;   // 1/C_0
    Real force[3];  // on the fluid, where the scalar is 1; without Storage::scale
    Real gradient[3];
    bool bounded;
    Real low, high;  // the bounds
    Face faces[6];
    unsigned held, conducting;  // bits of the bodies that hold a value, and that conduct
    Body of_body[most_holding_bodies];

    LBM_HD bool conducts(int body) const {
      return body >= 0 && body < most_holding_bodies && (conducting >> body & 1U) != 0;
    }
    LBM_HD bool holds(int body) const {
      return body >= 0 && body < most_holding_bodies && (held >> body & 1U) != 0;
    }
  };

  PlaneLayout layout;
  int nz;
  BoundaryView boundaries;
  int count = 0;
  bool buoyant = false;
  bool conducting = false;  // a body conducts a scalar
  unsigned closed = 0;      // bits of the faces that are not periodic for some scalar
  std::uint32_t rounding = 0;
  ForceVector<Real> half_force;  // of the flow's own body force, after the step
  ForcedCells<Storage> forced;   // pushes the flow
  Component of[most_scalars];

  // Index of the first value of a scalar among those of a cell.
  static LBM_HD int first(int scalar) { return Storage::values + values_per_scalar * scalar; }

  // The scalar and its flux after a step's streaming, before its collision. own: those of the cell
  // before; share: C_0/C; entering(q): the population that comes in.
  template <class T, class Entering>
  static LBM_HD ScalarMoments<T> streamed(const T& own, Real share, const Entering& entering) {
    ScalarMoments<T> sum;
    sum.value = (Real(1) - Real(0.75) * share) * own;
    LBM_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      const T plus = entering(1 + 2 * axis), minus = entering(2 + 2 * axis);
      sum.value = multiply_add(share, T(plus + minus), sum.value);
      sum.flux[axis] = plus - minus;
    }
    return sum;
  }
  // What a population of direction q gains on its way to the next cell.
  LBM_HD Real gained(int s, int q) const {
    const Real part = Real(0.125) * of[s].gradient[(q - 1) / 2];
    return (q & 1) != 0 ? -part : part;
  }
  // The population of direction q, 1 to 6, of stored moments.
  template <class T>
  static LBM_HD T population(int q, const T& value, const T& flux) {
    const T even = Real(0.125) * value, odd = Real(0.5) * flux;
    return (q & 1) != 0 ? T(even + odd) : T(even - odd);
  }

  // The population that enters cells at a face that is not periodic. out, own: the populations of
  // the cells that leave through it, and that move as the entering one does.
  template <class T>
  static LBM_HD T through_face(const Face& face, const T& out, const T& own) {
    constexpr Real quarter = Real(0.25);
    switch (face.kind) {
      case ScalarBoundary::value:
        return T(quarter * face.value - out);
      case ScalarBoundary::flux:
        return T(out + face.value);
      case ScalarBoundary::convection: {
        // in = out + h (value - 4 (in + out)): the sum of both is a quarter of the scalar at the
        // face
        const Real h = Real(4) * face.coefficient, share = Real(1) / (Real(1) + h);
        return multiply(share,
                        multiply_add(Real(1) - h, out, multiply(face.coefficient, face.value)));
      }
      case ScalarBoundary::open:
        return own;
      default:
        return out;
    }
  }

  // Momentum per volume of cells with those stored values, over the reference density. push: the
  // force of the scalars, which the values lack and half of which is added.
  template <class T>
  LBM_HD ForceVector<T> flow(const T (&values)[Storage::values], const ForceVector<T>& push) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const Sums<T> sums = Storage::density_momentum([&](int i) { return values[i]; });
    return {T(unit * (sums.jx - half_force.x + half * push.x)),
            T(unit * (sums.jy - half_force.y + half * push.y)),
            T(unit * (sums.jz - half_force.z + half * push.z))};
  }
  // The force of the scalars, times Storage::scale. streamed: of each scalar.
  template <class T, int most>
  LBM_HD ForceVector<T> push(const ScalarMoments<T> (&streamed)[most]) const {
    ForceVector<T> sum{T{}, T{}, T{}};
    LBM_UNROLL
    for (int s = 0; s < most; ++s) {
      if (s >= count) break;
      sum.x = multiply_add(of[s].force[0], streamed[s].value, sum.x);
      sum.y = multiply_add(of[s].force[1], streamed[s].value, sum.y);
      sum.z = multiply_add(of[s].force[2], streamed[s].value, sum.z);
    }
    return sum;
  }
  // The collision. own: the scalar before the step.
  template <class T>
  LBM_HD ScalarMoments<T> collided(int s, const ScalarMoments<T>& streamed, const T& own,
                                   const ForceVector<T>& momentum) const {
    const Component& c = of[s];
    const T u[3] = {momentum.x, momentum.y, momentum.z};
    T value = streamed.value, square{};
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      value = multiply_add(-c.gradient[a], u[a], value);
      square = multiply_add(u[a], u[a], square);
    }
    square = multiply(c.carried * c.carried, square);
    const T least = multiply_add(Real(least_tau_of_square), square, T{} + Real(0.5));
    const T given = T{} + c.tau;
    const T omega = least > given ? reciprocal<Real>(least) : T{} + c.omega;
    const T change = multiply(T(Real(1) - Real(0.5) * omega), T(value - own));
    ScalarMoments<T> next;
    next.value = value + c.source;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      const T v = c.carried * u[a];
      const T away = multiply_add(next.value, v, T(-streamed.flux[a]));
      next.flux[a] = multiply_add(change, v, multiply_add(omega, away, streamed.flux[a]));
      if (c.bounded) next.flux[a] = cut(c, next.value, v, next.flux[a]);
    }
    return next;
  }
  // The flux along an axis within its bounds; v carries the scalar along it.
  template <class T>
  static LBM_HD T cut(const Component& c, const T& value, const T& v, const T& flux) {
    const T zero{}, above_low = value - c.low, below_high = c.high - value;
    const T from_low = Real(0.25) * T(above_low > zero ? above_low : zero);
    const T from_high = Real(0.25) * T(below_high > zero ? below_high : zero);
    const T low[2] = {T(multiply(c.low, v) - from_low), T(multiply(c.high, v) - from_high)};
    const T high[2] = {T(multiply(c.low, v) + from_low), T(multiply(c.high, v) + from_high)};
    T inside = flux;
    LBM_UNROLL
    for (int i = 0; i < 2; ++i) inside = inside > low[i] ? inside : low[i];
    LBM_UNROLL
    for (int i = 0; i < 2; ++i) inside = inside < high[i] ? inside : high[i];
    return inside;
  }
};

// A cell whose scalars stream in one by one: at faces, at bodies, or any.
template <class Storage>
struct ScalarCell {
  using Real = typename Storage::Real;
  const ScalarCells<Storage>& cells;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;
  int x, y, z;
  unsigned touched;  // bits of the faces of the box beside the cell, those of cells.closed
  unsigned solid;    // bits of the directions 1 to 6 whose source is solid

  LBM_HD ScalarCell(const ScalarCells<Storage>& all, const InputPlanes<Storage>& planes,
                    const CellOffsets& offsets, int i, int j, int k)
      : cells(all),
        in(planes),
        at(offsets),
        x(i),
        y(j),
        z(k),
        touched(touched_faces(all.closed, i, j, k, all.layout.nx, all.layout.ny, all.nz)),
        solid(0) {
    if (all.boundaries.mask_of == nullptr) return;
    LBM_UNROLL
    for (int q = 1; q <= 6; ++q) {
      if ((touched >> (q - 1) & 1U) == 0 && is_solid(-cx(q), -cy(q), -cz(q))) solid |= 1U << q;
    }
  }
  LBM_HD static int wrapped(int i, int n) { return i < 0 ? n - 1 : (i == n ? 0 : i); }
  LBM_HD bool is_solid(int dx, int dy, int dz) const {
    return cells.boundaries.is_solid(wrapped(x + dx, cells.layout.nx),
                                     wrapped(y + dy, cells.layout.ny), wrapped(z + dz, cells.nz));
  }
  // The body of a neighbour, -1 in the fluid. Only where a body conducts.
  LBM_HD int body_at(int dx, int dy, int dz) const {
    return cells.boundaries.body_of_cell(wrapped(x + dx, cells.layout.nx),
                                         wrapped(y + dy, cells.layout.ny),
                                         wrapped(z + dz, cells.nz));
  }
  // A stored value of a neighbour: 0 the scalar, 1 to 3 its flux.
  LBM_HD Real load(int s, int value, int dx, int dy, int dz) const {
    const auto* plane = dz < 0 ? in.plane[0] : (dz > 0 ? in.plane[2] : in.plane[1]);
    const int place = (ScalarCells<Storage>::first(s) + value) * cells.layout.pitch;
    return Storage::load_scaled(plane[place + at.of(dx, dy, dz)]);
  }
  LBM_HD Real own(int s) const { return load(s, 0, 0, 0, 0); }
  // Population q of the neighbour.
  LBM_HD Real population(int s, int q, int dx, int dy, int dz) const {
    const int axis = (q - 1) / 2;
    return ScalarCells<Storage>::population(q, load(s, 0, dx, dy, dz),
                                            load(s, 1 + axis, dx, dy, dz));
  }

  // The population of scalar s that streams in along direction q. inside: the cell is a
  // conductor's.
  LBM_HD Real entering(int s, int q, bool inside) const {
    // Direction q enters through face q - 1.
    if ((touched >> (q - 1) & 1U) != 0) {
      const auto& face = cells.of[s].faces[q - 1];
      if (face.kind != ScalarBoundary::periodic) {
        return ScalarCells<Storage>::through_face(face, population(s, opposite(q), 0, 0, 0),
                                                  population(s, q, 0, 0, 0));
      }
    } else if ((solid >> q & 1U) != 0) {
      const auto& c = cells.of[s];
      const int body = cells.conducting ? body_at(-cx(q), -cy(q), -cz(q)) : -1;
      if (!c.conducts(body)) {
        if (!inside) return from_body(s, q);
        const Real out = population(s, opposite(q), 0, 0, 0);
        return c.holds(body) ? Real(0.25) * c.of_body[body].value - out : out;
      }
    }
    return population(s, q, -cx(q), -cy(q), -cz(q)) + cells.gained(s, q);
  }
  LBM_HD Real from_body(int s, int q) const {
    const Real out = population(s, opposite(q), 0, 0, 0);
    if (cells.of[s].held == 0) return out;
    const BoundaryView& view = cells.boundaries;
    const CellList* const list = view.list(z);
    const LinkedCell* const linked = list == nullptr ? nullptr : find(*list);
    if (linked == nullptr || (linked->blocked >> q & 1U) == 0) return out;
    const int before = count_bits(linked->blocked & ((1U << q) - 1));
    const BlockedLink link = view.links[list->first_link + linked->first + before];
    const int body = body_of(link);
    if (!cells.of[s].holds(body)) return out;
    const Real value = cells.of[s].of_body[body].value, d = static_cast<Real>(wall_position(link));
    if (d >= Real(0.5)) {
      const Real share = Real(0.5) / d;
      return multiply(Real(1) - share, population(s, q, 0, 0, 0)) +
             multiply(share, Real(0.25) * value - out);
    }
    // Away from the wall is another cell, or the wall is taken to be half a cell away.
    const bool alone = (solid >> opposite(q) & 1U) != 0 || (touched >> (opposite(q) - 1) & 1U) != 0;
    if (alone) return Real(0.25) * value - out;
    const Real behind = population(s, opposite(q), cx(q), cy(q), cz(q));
    return Real(0.25) * value - multiply(Real(2) * d, out) -
           multiply(Real(1) - Real(2) * d, behind);
  }
  // The entry of the cell in the list of its plane, sorted by y, then x; null if it has none.
  LBM_HD const LinkedCell* find(const CellList& list) const {
    const LinkedCell* const cell = cells.boundaries.cells + list.first_cell;
    int low = 0, high = list.cells;
    while (low < high) {
      const int middle = (low + high) / 2;
      const bool is_before =
          static_cast<int>(cell[middle].y) < y ||
          (static_cast<int>(cell[middle].y) == y && static_cast<int>(cell[middle].x) < x);
      if (is_before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool found = low < list.cells && static_cast<int>(cell[low].x) == x &&
                       static_cast<int>(cell[low].y) == y;
    return found ? cell + low : nullptr;
  }

  LBM_HD ScalarMoments<Real> streamed(int s) const {
    return ScalarCells<Storage>::streamed(own(s), cells.of[s].share,
                                          [&](int q) { return entering(s, q, false); });
  }
  // The scalar of a cell of the conductor `body` after the step.
  LBM_HD ScalarMoments<Real> conducted(int s, int body) const {
    const auto& b = cells.of[s].of_body[body];
    ScalarMoments<Real> next = ScalarCells<Storage>::streamed(
        own(s), b.share, [&](int q) { return entering(s, q, true); });
    next.value += b.source;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) next.flux[a] = multiply_add(-b.omega, next.flux[a], next.flux[a]);
    return next;
  }
};

// The scalar and its flux that stream into a cell away from faces and solid cells: without
// branches, so that a GPU loads all values at once.
template <class Storage>
LBM_HD ScalarMoments<typename Storage::Real> streamed_between_cells(
    const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in, const CellOffsets& at, int s,
    typename Storage::Real own) {
  const int pitch = cells.layout.pitch, first = ScalarCells<Storage>::first(s) * pitch;
  return ScalarCells<Storage>::streamed(own, cells.of[s].share, [&](int q) {
    const auto* const from = in.plane[1 - cz(q)] + first + at.of(-cx(q), -cy(q), 0);
    const auto here = ScalarCells<Storage>::population(
        q, Storage::load_scaled(from[0]), Storage::load_scaled(from[(1 + (q - 1) / 2) * pitch]));
    return here + cells.gained(s, q);
  });
}

// Stores a scalar of a cell.
template <class Storage>
LBM_HD void store_scalar(const ScalarCells<Storage>& cells, int s,
                         const ScalarMoments<typename Storage::Real>& next,
                         typename Storage::Value* out) {
  const int pitch = cells.layout.pitch;
  const auto rounding =
      Storage::rounding(cells.rounding + static_cast<std::uint32_t>(s), next.value);
  auto* const to = out + ScalarCells<Storage>::first(s) * pitch;
  to[0] = Storage::store_rounded(next.value, rounding);
  LBM_UNROLL
  for (int a = 0; a < 3; ++a) {
    to[(1 + a) * pitch] = Storage::store_rounded(next.flux[a], rounding);
  }
}

// The scalars of a solid cell after a step: zero where its body does not conduct them.
template <class Storage>
LBM_HD void update_solid_scalars(const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in,
                                 int x, int y, int z, typename Storage::Value* out) {
  const CellOffsets at(cells.layout, x, y);
  const ScalarCell<Storage> cell(cells, in, at, x, y, z);
  const int body = cells.conducting ? cell.body_at(0, 0, 0) : -1;
  for (int s = 0; s < cells.count; ++s) {
    ScalarMoments<typename Storage::Real> next{};
    if (cells.of[s].conducts(body)) next = cell.conducted(s, body);
    store_scalar(cells, s, next, out);
  }
}

// Collides and stores the scalars of a fluid cell, and pushes its flow. streamed: of each scalar;
// own: the scalars before the step; values: the stored values of the flow after the step, times
// Storage::scale; out: the first value of the cell, behind whose flow the scalars are stored.
template <class Storage, int most>
LBM_HD void finish_scalars(const ScalarCells<Storage>& cells,
                           const ScalarMoments<typename Storage::Real> (&streamed)[most],
                           const typename Storage::Real (&own)[most],
                           typename Storage::Real (&values)[Storage::values],
                           typename Storage::Value* out) {
  using Real = typename Storage::Real;
  ForceVector<Real> push{};
  if (cells.buoyant) push = cells.push(streamed);
  const ForceVector<Real> flow = cells.flow(values, push);
  if (cells.buoyant) cells.forced.push(values, push);
  LBM_UNROLL
  for (int s = 0; s < most; ++s) {
    if (s >= cells.count) break;
    store_scalar(cells, s, cells.collided(s, streamed[s], own[s], flow), out);
  }
}

// Updates the scalars of any cell whose flow is stored already, and pushes that.
template <class Storage>
LBM_HD void update_scalars(const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in, int x,
                           int y, int z, typename Storage::Value* out) {
  using Real = typename Storage::Real;
  const int pitch = cells.layout.pitch;
  if (cells.boundaries.is_solid(x, y, z)) {
    update_solid_scalars(cells, in, x, y, z, out);
    return;
  }
  Real values[Storage::values];
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) values[v] = Storage::load_scaled(out[v * pitch]);
  const CellOffsets at(cells.layout, x, y);
  const ScalarCell<Storage> cell(cells, in, at, x, y, z);
  ScalarMoments<Real> streamed[most_scalars] = {};
  Real own[most_scalars] = {};
  LBM_UNROLL
  for (int s = 0; s < most_scalars; ++s) {
    if (s >= cells.count) break;
    own[s] = cell.own(s);
    streamed[s] = cell.streamed(s);
  }
  finish_scalars(cells, streamed, own, values, out);
  if (!cells.buoyant) return;
  const auto rounding = Storage::rounding(cells.forced.rounding, values[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * pitch] = Storage::store_rounded(values[v], rounding);
  }
}

// step: before the update.
template <class Storage>
static ScalarCells<Storage> make_scalar_cells(const Lattice& lattice,
                                              const BoundaryView& boundaries, std::int64_t step) {
  using Real = typename Storage::Real;
  ScalarCells<Storage> made{};
  if (lattice.scalars.empty()) return made;
  made.layout = lattice.layout;
  made.nz = lattice.nz;
  made.boundaries = boundaries;
  made.count = lattice.scalar_count();
  // Other random bits than those of the flow of this step.
  made.rounding = rounding_key(step) ^ 0x3c3c3c3cU;
  const auto scaled = [](double value) {
    return static_cast<Real>(value * double{Storage::scale});
  };
  const auto force = lattice.collision.force.at(static_cast<double>(step + 1));
  made.half_force = {scaled(force[0] / 2), scaled(force[1] / 2), scaled(force[2] / 2)};
  made.forced = {Real(0), static_cast<Real>(lattice.collision.omega),
                 rounding_key(step) ^ 0xc3c3c3c3U};
  for (std::size_t s = 0; s < lattice.scalars.size(); ++s) {
    const ScalarSpec& spec = lattice.scalars[s];
    auto& component = made.of[s];
    const double capacity = spec.reference_capacity();
    const double tau = 0.5 + (1 / spec.omega - 0.5) / capacity;
    component.omega = static_cast<Real>(1 / tau);
    component.tau = static_cast<Real>(tau);
    component.source = scaled(spec.source);
    component.share = static_cast<Real>(capacity);
    component.carried = static_cast<Real>(1 / capacity);
    component.bounded = spec.bounds.has_value();
    if (spec.bounds) {
      component.low = scaled((*spec.bounds)[0]);
      component.high = scaled((*spec.bounds)[1]);
    }
    made.buoyant = made.buoyant || spec.is_buoyant();
    for (std::size_t a = 0; a < 3; ++a) {
      component.force[a] = static_cast<Real>(spec.buoyancy[a]);
      component.gradient[a] = scaled(spec.gradient[a]);
    }
    for (std::size_t f = 0; f < 6; ++f) {
      const ScalarFace& face = spec.faces[f];
      const bool flux = face.kind == ScalarBoundary::flux;
      component.faces[f] = {face.kind, scaled(flux ? face.value / capacity : face.value),
                            static_cast<Real>(face.coefficient / capacity)};
      if (face.kind != ScalarBoundary::periodic) made.closed |= 1U << f;
    }
    for (const auto& [body, value] : spec.bodies) {
      component.held |= 1U << body;
      component.of_body[body].value = scaled(value);
    }
    for (const ScalarConductor& conductor : spec.conductors) {
      made.conducting = true;
      component.conducting |= 1U << conductor.body;
      auto& body = component.of_body[conductor.body];
      body.omega = static_cast<Real>(
          scalar_omega(scalar_diffusivity(spec) * conductor.conductivity / capacity));
      body.source = scaled(conductor.source);
      body.share = static_cast<Real>(capacity / conductor.capacity);
    }
  }
  return made;
}

}  // namespace lbm
