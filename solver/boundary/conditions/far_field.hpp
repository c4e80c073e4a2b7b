// SPDX-License-Identifier: Apache-2.0

// A face to the far field: most sound leaves, and the state behind the face is given.
//
// The wave that enters, S = rho (1 + M) - j_n / c_s with the Mach number M = u_n / c_s of the cell
// and n out of the box, is all that such a face may prescribe (Thompson, J. Comput. Phys. 68 (1987)
// 1). It changes by
//   S(t+1) = S(t) - beta div_t j - K (S(t) - S_far),   beta = 1 / (1 + cos 45 degrees),
// with the divergence div_t along the face. Each difference in div_t is a mean over three
// neighbouring lines, (1, 2, 1) / 4: without it short waves grew in a stream along the face. Where
// fluid enters, beta falls to 0 at a Mach number of 0.05, since behind a body long waves grew
// otherwise. Without div_t a wave at the angle a to the normal comes back as
// (1 - cos a) / (1 + cos a), with it, at rest, as
//   (1 - cos a) (1 - beta (1 + cos a)) / ((1 + cos a) (1 - beta (1 - cos a))):
// nothing at 0 and 45 degrees, 6 % at 60; the one-way equation of Higdon, Math. Comput. 47 (1986)
// 437, for these two angles. K is the weak relaxation of an outflow (Boundaries::add_condition).
//
// The sums K_n over populations that leave, T along the face, U that enter give rho and j_n, so S
// determines U exactly, whatever the stress in the cell:
//   (1 + M + 1/c_s) U = S - (1 + M) T - (1 + M - 1/c_s) K_n
//   f_q(x, t+1) = b_q + w_q (U - sum of b_q) / (sum of w_q)
//   b_q = (f_q(x_s, t) + feq_q(rho, u)) / 2
// with x_s as in characteristic_outflow.hpp and rho, u of the cell at t. Where fluid enters, its
// velocity along the face is that of the far field, free of vorticity: u_far,t + grad_t u_n. This
// makes the face well-posed there (Giles, AIAA J. 28 (1990) 2050): without grad_t u_n disturbances
// grew. Copies alone keep modes that grow where fluid enters, equilibria alone such along the face;
// their mean keeps neither.
//
// Where the face meets another one, populations of both enter the same cell, and each would need
// the other's: there the equilibrium of the far field enters. Within four cells of the edge beta is
// 0, since disturbances of the edge grew otherwise. Free slip is a plane of symmetry, no edge.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

// The flow that enters a cell through a face; all links through the face share it. Scaled as
// Cell::load().
template <class Real>
struct EnteringFlow {
  int face = -1;
  bool at_edge = false;      // then the others do not count
  Real excess = 0;           // (U - sum of b_q) / (sum of w_q)
  Real drho = 0, u[3] = {};  // of feq_q
};

struct FarField {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(Cell& cell, const FaceLink& link) const {
    const auto& flow = entering(cell, link);
    if (flow.at_edge) return equilibrium_far_away(cell, link);
    return base(cell, link.e, flow) +
           multiply(weight<typename Cell::Set, typename Cell::Real>(link.e.q), flow.excess);
  }

 private:
  static constexpr double root = 1.7320508075688772;  // 1 / c_s
  static constexpr double beta = 2 / (2 + 1.4142135623730951);

  template <class Cell>
  static LBM_HD double velocity_factor(const Cell& cell, int face) {
    return cell.params.factor[condition_of(cell, face)];
  }

  // 1 where fluid leaves, falls to 0 at a Mach number of 0.05 of fluid that enters.
  template <class Real>
  static LBM_HD Real share_entering(Real one_m) {
    const Real share = Real(1) + multiply(Real(20), one_m - Real(1));
    return share < Real(0) ? Real(0) : share < Real(1) ? share : Real(1);
  }

  static constexpr int edge_cells = 4;  // beside an edge, without div_t

  // True if a closed face of another axis, without free slip, is fewer than `cells` cells away.
  template <class Cell>
  static LBM_HD bool near_edge(const Cell& cell, int face, int cells) {
    const unsigned others = cell.params.boundaries.closed_faces & ~(3U << (face & ~1));
    for (unsigned left = others; left != 0; left &= left - 1) {
      const int other = lowest_bit(left);
      if (cell.distance(other) < cells && kind_of(cell, other) != BoundaryKind::slip) return true;
    }
    return false;
  }

  template <class Cell>
  static LBM_HD typename Cell::Real equilibrium_far_away(const Cell& cell, const FaceLink& link) {
    const BoundaryConditionView& far = *link.condition;
    const double factor = velocity_factor(cell, link.face);
    const double u[3] = {factor * far.velocity[0], factor * far.velocity[1],
                         factor * far.velocity[2]};
    return cell.scaled(weight<typename Cell::Set, double>(link.e.q) *
                       (far.drho + multiply(1 + far.drho, moving_part(cell, link.e, u))));
  }

  // feq_q / (w_q rho) - 1
  template <class Cell, class Real>
  static LBM_HD Real moving_part(const Cell& cell, const Direction& e, const Real (&u)[3]) {
    if (cell.maxwellian()) {
      const auto parts = maxwell<typename Cell::Set>(e.c, u);
      return parts.even + Real(3) * parts.odd;
    }
    const Real cu = static_cast<Real>(e.c[0]) * u[0] + static_cast<Real>(e.c[1]) * u[1] +
                    static_cast<Real>(e.c[2]) * u[2];
    const Real square = (multiply(u[0], u[0]) + multiply(u[1], u[1])) + multiply(u[2], u[2]);
    return multiply(Real(3), cu) + multiply(multiply(Real(4.5), cu), cu) -
           multiply(Real(1.5), square);
  }

  // b_q
  template <class Cell>
  static LBM_HD typename Cell::Real base(const Cell& cell, const Direction& e,
                                         const EnteringFlow<typename Cell::Real>& flow) {
    using Real = typename Cell::Real;
    const LinkSource side = tangential_source(cell, e, flow.face);
    const Real copy = cell.is_solid(side.d) ? cell.populations[e.opposite] : cell.load(side);
    const Real rho = Real(Cell::scale) + flow.drho;
    const Real moving = multiply(rho, moving_part(cell, e, flow.u));
    const Real entering = multiply(weight<typename Cell::Set, Real>(e.q), flow.drho + moving);
    return Real(0.5) * (copy + entering);
  }

  // f_q(x, t+1) of a direction that does not cross the face.
  template <class Cell>
  static LBM_HD typename Cell::Real streamed(const Cell& cell, const Direction& e) {
    const LinkSource from = mirrored_source(e, cell.touched & entered_faces(e));
    return cell.is_solid(from.d) ? cell.populations[e.opposite] : cell.load(from);
  }

  // j at the neighbour at d in the plane of the face, mirrored at free slip; behind solid cells
  // that of the cell itself.
  template <class Cell>
  static LBM_HD void momentum_beside(const Cell& cell, const int (&d)[3],
                                     const typename Cell::Real (&j)[3],
                                     typename Cell::Real (&beside)[3]) {
    using Real = typename Cell::Real;
    int inside[3] = {d[0], d[1], d[2]};
    Real sign[3] = {1, 1, 1};
    for (int a = 0; a < 3; ++a) {
      if (d[a] == 0 || (cell.touched >> (2 * a + (d[a] > 0 ? 1 : 0)) & 1U) == 0) continue;
      inside[a] = 0;
      sign[a] = -1;
    }
    for (int a = 0; a < 3; ++a) beside[a] = j[a];
    if (!cell.is_solid(inside) && (inside[0] != 0 || inside[1] != 0 || inside[2] != 0)) {
      const auto sums = cell.sums_at(inside[0], inside[1], inside[2]);
      beside[0] = sums.jx;
      beside[1] = sums.jy;
      beside[2] = sums.jz;
    }
    for (int a = 0; a < 3; ++a) beside[a] *= sign[a];
  }

  // Differences of j along the face: the divergence, and the slope of the component along the
  // outward normal. Each is a mean over three lines.
  template <class Real>
  struct Differences {
    Real divergence = 0;
    Real slope[3] = {};  // along each axis of the face
  };

  template <class Cell>
  static LBM_HD auto differences(const Cell& cell, int face, const typename Cell::Real (&j)[3]) {
    using Real = typename Cell::Real;
    Differences<Real> sum;
    const int normal = face / 2, first = normal == 0 ? 1 : 0, second = 3 - normal - first;
    const Real out = (face & 1) != 0 ? Real(0.125) : Real(-0.125);
    LBM_NO_UNROLL
    for (int neighbour = 0; neighbour < 9; ++neighbour) {
      const int a = neighbour % 3 - 1, b = neighbour / 3 - 1;
      if (a == 0 && b == 0) continue;
      int d[3] = {0, 0, 0};
      d[first] = a;
      d[second] = b;
      Real beside[3];
      momentum_beside(cell, d, j, beside);
      const Real along_first = static_cast<Real>(a * (b == 0 ? 2 : 1));
      const Real along_second = static_cast<Real>(b * (a == 0 ? 2 : 1));
      sum.divergence += Real(0.125) * (along_first * beside[first] + along_second * beside[second]);
      sum.slope[first] += out * along_first * beside[normal];
      sum.slope[second] += out * along_second * beside[normal];
    }
    return sum;
  }

  template <class Cell>
  static LBM_HD const EnteringFlow<typename Cell::Real>& entering(Cell& cell,
                                                                  const FaceLink& link) {
    using Real = typename Cell::Real;
    EnteringFlow<Real>& flow = cell.entering_flow;
    if (flow.face == link.face) return flow;
    flow.face = link.face;
    flow.at_edge = near_edge(cell, link.face, 1);
    if (flow.at_edge) return flow;
    const int normal = link.face / 2, out = (link.face & 1) != 0 ? 1 : -1;
    const Sums<Real> sums = density_momentum(cell.populations);
    const Real j[3] = {sums.jx, sums.jy, sums.jz};
    const Real rho = Real(Cell::scale) + sums.drho;
    const Real jn = static_cast<Real>(out) * j[normal], un = jn / rho;
    const Real one_m = Real(1) + multiply(Real(root), un);

    const BoundaryConditionView& far = *link.condition;
    const double factor = velocity_factor(cell, link.face);
    flow.drho = sums.drho;
    const auto along_face = differences(cell, link.face, j);
    for (int a = 0; a < 3; ++a) {
      const bool given = un < 0 && a != normal;
      flow.u[a] = given ? static_cast<Real>(factor * far.velocity[a]) + along_face.slope[a] / rho
                        : j[a] / rho;
    }
    const bool damped = near_edge(cell, link.face, edge_cells);
    const Real share = damped ? Real(0) : Real(beta) * share_entering(one_m);
    const Real before = multiply(sums.drho, one_m) - multiply(Real(root), jn);
    const Real there = cell.scaled(out * (1 + far.drho) * factor * far.velocity[normal]);
    const Real wanted = multiply(cell.scaled(far.drho), one_m) - multiply(Real(root), there);
    const Real wave = before - multiply(share, along_face.divergence) -
                      multiply(static_cast<Real>(far.relaxation), before - wanted);

    Real leaving = 0, along = 0, entered = 0, weights = 0;
    LBM_NO_UNROLL
    for (int q = 0; q < Cell::Set::directions; ++q) {
      const Direction e = direction(q);
      const int outwards = out * e.c[normal];
      if (outwards > 0) {
        leaving += streamed(cell, e);
      } else if (outwards == 0) {
        along += streamed(cell, e);
      } else {  // also at an edge with free slip, which yields (face_link.hpp)
        entered += base(cell, e, flow);
        weights += weight<typename Cell::Set, Real>(q);
      }
    }
    const Real sum = (wave - multiply(one_m, along) - multiply(one_m - Real(root), leaving)) /
                     (one_m + Real(root));
    flow.excess = (sum - entered) / weights;
    return flow;
  }
};

}  // namespace lbm
