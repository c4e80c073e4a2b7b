// SPDX-License-Identifier: Apache-2.0

// Cells of bodies that move: partially saturated cells (Noble & Torczynski, Int. J. Mod. Phys. C 9
// (1998) 1189). A cell of which the share e is solid gets, of populations f that streamed into it,
//
//   f + (1 - B) C(f) + B S(f),   B = e (tau - 1/2) / ((1 - e) + (tau - 1/2)),
//   S_q = f_p - f_q + feq_q(rho, u_s) - feq_p(rho, u),   p = opposite(q),
//
// C: the collision, u_s: velocity of the body in the cell. The body gets the force B rho (u - u_s);
// it includes the change of momentum of the fluid inside the body. The surface of a wall lies where
// the share says within 0.03 cells (Couette flow, tau from 0.505 to 1).
//
// The cells are done after all others of a step, from the same input planes. So schedules do not
// know of bodies that move.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/boundary/boundaries.hpp"
#include "solver/boundary/conditions/interpolated_bounce_back.hpp"
#include "solver/boundary/moving_body.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// In cells that are solid as a whole this share of the part that S reflects is kept: with all of it
// density inside a cylinder that turns grows without end (tau 0.62, radius 20).
inline constexpr double kept_inside = 0.98;
inline constexpr float whole_share = 0.999F;

// A body after a step, as kernels read it. Its cells lie in a box around `cell`, the one with the
// middle of the samples.
struct ImmersedBody {
  int number = 0;  // in records
  float tau_less_half = 0;
  int cell[3] = {};
  int low[3] = {}, count[3] = {};  // the box: cells from cell + low on
  bool periodic[3] = {};
  int n[3] = {};                // cells of the lattice
  float middle[3] = {};         // from the centre of `cell`
  float to_samples[3][3] = {};  // from the box to the frame, in samples
  float middle_sample[3] = {};
  int samples[3] = {};
  std::int64_t first = 0;  // its first value in BoundaryView::fractions
  float arm[3] = {};       // from the centre of the rotation to the middle
  float velocity[3] = {}, angular_velocity[3] = {};

  // The distance along an axis from `cell` to cell i; below `low` where i is outside the box of the
  // body.
  LBM_HD int distance(int axis, int i) const {
    int d = i - cell[axis];
    if (periodic[axis] && d < low[axis]) d += n[axis];
    if (periodic[axis] && d >= low[axis] + count[axis]) d -= n[axis];
    return d >= low[axis] && d < low[axis] + count[axis] ? d : low[axis] - 1;
  }
  LBM_HD bool has(int axis, int i) const { return distance(axis, i) >= low[axis]; }
  // The cell at a distance.
  LBM_HD int at(int axis, int d) const {
    const int i = cell[axis] + d;
    return i < 0 ? i + n[axis] : (i >= n[axis] ? i - n[axis] : i);
  }

  // Solid share of the cell whose centre lies `from` the middle. Products are rounded by
  // themselves: a CPU and a GPU find the same share, whatever the precision of the lattice.
  LBM_HD float share(const std::uint8_t* fractions, const float (&from)[3]) const {
    int begin[3];
    float weight[3];
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      float s = middle_sample[a];
      LBM_UNROLL
      for (int b = 0; b < 3; ++b) s += multiply(to_samples[a][b], from[b]);
      const float last = static_cast<float>(samples[a] - 1);
      s = s > 0 ? (s < last ? s : last) : 0;
      begin[a] = static_cast<int>(s);
      if (begin[a] > 0 && begin[a] == samples[a] - 1) --begin[a];
      weight[a] = s - static_cast<float>(begin[a]);
    }
    const std::int64_t row = samples[0], plane = row * samples[1];
    const std::uint8_t* const corner =
        fractions + first + begin[2] * plane + begin[1] * row + begin[0];
    const std::int64_t step[3] = {samples[0] > 1 ? 1 : 0, samples[1] > 1 ? row : 0,
                                  samples[2] > 1 ? plane : 0};
    const auto between = [](float weight_of_high, float low_value, float high_value) {
      return low_value + multiply(weight_of_high, high_value - low_value);
    };
    const auto along_x = [&](const std::uint8_t* at) {
      return between(weight[0], at[0], at[step[0]]);
    };
    const auto along_y = [&](const std::uint8_t* at) {
      return between(weight[1], along_x(at), along_x(at + step[1]));
    };
    return multiply(between(weight[2], along_y(corner), along_y(corner + step[2])), 1.0F / 255);
  }
  // B of a solid share.
  LBM_HD float weight_of(float share) const {
    return multiply(share, tau_less_half) / ((1 - share) + tau_less_half);
  }
  // Velocity of the body at that place.
  LBM_HD void velocity_at(const float (&from)[3], float (&u)[3], float (&arms)[3]) const {
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) arms[a] = arm[a] + from[a];
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      const int i = (a + 1) % 3, j = (a + 2) % 3;
      u[a] = velocity[a] +
             (multiply(angular_velocity[i], arms[j]) - multiply(angular_velocity[j], arms[i]));
    }
  }
};

// The bodies of a lattice that move, after the step that begins at `step`.
std::vector<ImmersedBody> immersed_bodies(const Lattice& lattice, const Boundaries* host,
                                          std::int64_t step);

// Mixes a cell with a body. d: distances from ImmersedBody::cell. gather(q): as for update_cell().
// values: what the rest of the step has stored of the cell, `pitch` apart. counts: the forces of
// the cell are added to `load`.
template <class Storage, class Params, class Gather>
LBM_HD void immerse_cell(const Params& params, const ImmersedBody& body, const int (&d)[3],
                         const Gather& gather, typename Storage::Value* values, bool counts,
                         BodyLoad& load) {
  using Real = typename Storage::Real;
  using Set = typename Storage::Set;
  constexpr Real unit = 1 / Storage::scale;
  float from[3];
  LBM_UNROLL
  for (int a = 0; a < 3; ++a) from[a] = static_cast<float>(d[a]) - body.middle[a];
  const float share = body.share(params.boundaries.fractions, from);
  if (!(share > 0)) return;
  const Real weight = body.weight_of(share);
  float velocity[3], arm[3];
  body.velocity_at(from, velocity, arm);
  Real f[Set::directions];
  LBM_UNROLL
  for (int q = 0; q < Set::directions; ++q) f[q] = gather(q);
  const Sums<Real> sums = density_momentum(f);
  const Real drho = sums.drho * unit, rho = Real(1) + drho, inverse = unit / rho;
  Real solid[Set::directions], fluid[Set::directions];
  const Moments<Real> of_solid{drho, Real(velocity[0]), Real(velocity[1]), Real(velocity[2])};
  // feq_p(u) = feq_q(-u)
  const Moments<Real> reversed{drho, -multiply(sums.jx, inverse), -multiply(sums.jy, inverse),
                               -multiply(sums.jz, inverse)};
  if (params.maxwellian) {
    maxwell_equilibrium(of_solid, solid);
    maxwell_equilibrium(reversed, fluid);
  } else {
    equilibrium(of_solid, solid);
    equilibrium(reversed, fluid);
  }
  const Real kept = Real(share > whole_share ? kept_inside : 1);
  Real mixed[Set::directions];
  LBM_UNROLL
  for (int q = 0; q < Set::directions; ++q) {
    const Real reflected = f[opposite(q)] - Storage::scale * fluid[q];
    mixed[q] = multiply_add(kept, reflected, Storage::scale * solid[q]);
  }
  if constexpr (holds_moments<Storage>) ten_moments::project<Real>(mixed);
  const int pitch = params.layout.pitch;
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    const Real stored = Storage::load_scaled(values[v * pitch]);
    mixed[v] = multiply_add(weight, mixed[v] - stored, stored);
  }
  constexpr std::uint32_t other_bits = 0x3c3c3c3cU;  // than those of the other parts of a step
  const auto random = Storage::rounding(params.rounding ^ other_bits, mixed[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    values[v * pitch] = Storage::store_rounded(mixed[v], random);
  }
  if (!counts) return;
  if (load.body != body.number) load.clear(body.number);
  const double momentum[3] = {double{sums.jx}, double{sums.jy}, double{sums.jz}};
  double force[3];
  for (int a = 0; a < 3; ++a) {
    force[a] = double{weight} * (momentum[a] / double{Storage::scale} - double{rho} * velocity[a]);
    load.value[a] += fixed::from(force[a], fixed::force);
  }
  for (int a = 0; a < 3; ++a) {
    const int i = (a + 1) % 3, j = (a + 2) % 3;
    const double torque = arm[i] * force[j] - arm[j] * force[i];
    load.value[3 + a] += fixed::from(torque, fixed::torque);
  }
}

}  // namespace lbm
