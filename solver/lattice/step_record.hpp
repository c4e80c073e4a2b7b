// SPDX-License-Identifier: Apache-2.0

// The record of a step: forces on bodies, probes, and (where a sweep samples the flow) sums and
// extremes over all cells. Its numbers are integers, because their sum does not depend on the
// order: schedule, threads and ranks change nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/moments.hpp"

namespace lbm {

// A record has values_per_step() numbers: those of FlowValue; six for each body, force x, y, z and
// torque x, y, z; four for each probe, density less 1 and velocity in lattice units as the
// bits of doubles.
inline constexpr int random_sums = 16;
enum FlowValue : int {
  first_bad_cell,  // largest of (cell_limit - cell index) of cells outside the limits; 0: none
  bad_cells,
  mass,            // sum of rho - 1
  kinetic_energy,  // sum of rho u^2 / 2
  momentum_x,
  momentum_y,
  momentum_z,
  speed_max,    // largest |u|
  density_max,  // largest rho - 1 + 1
  density_min,  // largest of 1 - (rho - 1)
  // Differences of the velocity between neighbours (solver/lattice/differences.hpp): squares along
  // x; then along y and along z sums with random signs.
  first_differences_x,
  second_differences_x,
  random_differences,
  flow_values = random_differences + 6 * random_sums
};

inline constexpr int probe_values = 4;
LBM_HD constexpr int first_probe_value(int bodies) { return flow_values + 6 * bodies; }
LBM_HD constexpr int values_per_step(int bodies, int probes = 0) {
  return first_probe_value(bodies) + probe_values * probes;
}

// Cells are counted x fastest, z slowest; fewer than this.
inline constexpr std::int64_t cell_limit = std::int64_t{1} << 62;

// Fixed-point numbers. The scales leave room for sums over 10^12 cells.
namespace fixed {
// Scale of mass, momentum and kinetic energy: the largest power of two for which a sum over `cells`
// cells fits, as each value is below 1 in a cell. Creeping flows need this precision.
LBM_HD double flow(std::int64_t cells) {
  double scale = 0x1p62;
  for (; cells > 1; cells -= cells / 2) scale /= 2;
  return scale;
}
inline constexpr double sum = 0x1p34;  // random differences
inline constexpr double differences = 0x1p36;
inline constexpr double extreme = 0x1p40;
inline constexpr double force = 0x1p42;
inline constexpr double torque = 0x1p34;

LBM_HD std::int64_t from(double value, double scale) {
  return static_cast<std::int64_t>(rint(value * scale));
}
constexpr double to(std::int64_t value, double scale) { return static_cast<double>(value) / scale; }
}  // namespace fixed

// Doubles as a record keeps them.
LBM_HD std::int64_t bits_of(double value) {
  std::int64_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
LBM_HD double from_bits(std::int64_t bits) {
  double value = 0;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// Writes the values of one probe.
template <class Real>
LBM_HD void put_probe(std::int64_t* values, const Moments<Real>& m) {
  values[0] = bits_of(double{m.drho});
  values[1] = bits_of(double{m.ux});
  values[2] = bits_of(double{m.uy});
  values[3] = bits_of(double{m.uz});
}

// Atomic addition.
LBM_HD void add_shared(std::int64_t* to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}

// Atomic maximum of numbers that are not negative.
LBM_HD void raise_shared(std::int64_t* to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<long long*>(to), static_cast<long long>(value));
#else
  std::int64_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (seen < value &&
         !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

// Sums and extremes over some cells.
struct FlowSums {
  double mass = 0, energy = 0, momentum[3] = {}, speed_squared = 0, density_up = 0,
         density_down = 0;
  std::int64_t first_bad = 0, bad = 0;

  // Returns whether the cell is inside the limits.
  template <class Real>
  LBM_HD bool add(const Moments<Real>& m, std::int64_t cell, const FlowLimits& limits) {
    const double drho = double{m.drho}, rho = 1 + drho, ux = double{m.ux}, uy = double{m.uy},
                 uz = double{m.uz};
    const double uu = ux * ux + uy * uy + uz * uz;
    // False for NaN.
    const bool good = rho >= limits.density_min && rho <= limits.density_max &&
                      3 * uu <= limits.mach_max * limits.mach_max;
    if (!good) {
      ++bad;
      if (cell_limit - cell > first_bad) first_bad = cell_limit - cell;
      return false;
    }
    mass += drho;
    energy += rho * uu / 2;
    momentum[0] += rho * ux;
    momentum[1] += rho * uy;
    momentum[2] += rho * uz;
    if (uu > speed_squared) speed_squared = uu;
    if (rho > density_up) density_up = rho;
    if (2 - rho > density_down) density_down = 2 - rho;
    return true;
  }

  // record: shared with other threads. scale: fixed::flow() of all cells of the grid.
  LBM_HD void add_to(std::int64_t* record, double scale) const {
    if (bad > 0) {
      raise_shared(record + first_bad_cell, first_bad);
      add_shared(record + bad_cells, bad);
    }
    add_shared(record + lbm::mass, fixed::from(mass, scale));
    add_shared(record + kinetic_energy, fixed::from(energy, scale));
    for (int a = 0; a < 3; ++a) {
      add_shared(record + momentum_x + a, fixed::from(momentum[a], scale));
    }
    raise_shared(record + speed_max, fixed::from(sqrt(speed_squared), fixed::extreme));
    raise_shared(record + density_max, fixed::from(density_up, fixed::extreme));
    raise_shared(record + density_min, fixed::from(density_down, fixed::extreme));
  }
};

}  // namespace lbm
