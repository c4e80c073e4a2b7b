// SPDX-License-Identifier: Apache-2.0

// Numbers made of all cells of the grid, or of a box, while a step is sampled: their table, and the
// sums and extremes over some cells. They are kept as integers (step_record.hpp). A new reduction
// over the grid is an enumerator, a row and a number in FlowSums::add().
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/macro_fields.hpp"

namespace lbm {

inline constexpr int random_sums = 16;
enum FlowValue : int {
  mass,            // of rho - 1
  kinetic_energy,  // of rho u^2 / 2
  momentum_x,
  momentum_y,
  momentum_z,
  speed_max,
  density_min,
  density_max,
  reductions,                   // the number of those above
  first_bad_cell = reductions,  // largest cell_limit - index of cells outside the limits; 0: none
  bad_cells,
  // Differences of the velocity between neighbours (below): squares along
  // x; then along y and along z sums with random signs.
  first_differences_x,
  second_differences_x,
  random_differences,
  flow_values = random_differences + 6 * random_sums
};

// How the values of cells, and the parts of threads and ranks, become one number.
enum class Join : std::uint8_t {
  sum,
  largest,
  root,     // of the largest
  smallest  // kept as the largest 2 - value, since records begin with zeros
};

// A number of all fluid cells, as devices make it, ranks join it, and monitor.csv and report.json
// show it. A sum is shown as its mean; "_x", "_y", "_z" are components of one vector.
struct Reduction {
  const char* name;
  Join join;
  int densities = 0, velocities = 0;  // powers in its unit
};
// In the order of FlowValue. FlowSums::add() has what they are made of.
inline constexpr Reduction reduction_rows[] = {{"mass", Join::sum},
                                               {"kinetic_energy", Join::sum, 1, 2},
                                               {"momentum_x", Join::sum, 1, 1},
                                               {"momentum_y", Join::sum, 1, 1},
                                               {"momentum_z", Join::sum, 1, 1},
                                               {"speed_max", Join::root, 0, 1},
                                               {"density_min", Join::smallest},
                                               {"density_max", Join::largest}};

static_assert(std::size(reduction_rows) <= 32, "detail::joins has two bits for each");

namespace detail {
// Two bits a row, since tables in memory of the host are unknown to a GPU.
inline constexpr std::uint64_t joins = [] {
  std::uint64_t bits = 0;
  int i = 0;
  for (const Reduction& row : reduction_rows) bits |= std::uint64_t(row.join) << 2 * i++;
  return bits;
}();
}  // namespace detail

LBM_HD constexpr Join join_of(int value) {
  if (value < reductions) return static_cast<Join>(detail::joins >> 2 * value & 3U);
  return value == first_bad_cell ? Join::largest : Join::sum;
}

// Sums over the fluid cells of a box: of the macroscopic fields of the flow, and of |u|; then for
// each scalar those of the scalar and of its products with the velocity, over box_scalar_room.
// Their scale is fixed::flow() of its cells.
enum BoxValue : int { box_speed = macro_values, box_values };
inline constexpr int box_values_of_scalar = 4;   // s, s u_x, s u_y, s u_z
inline constexpr double box_scalar_room = 1024;  // scalars are below it, the flow is below 1
LBM_HD constexpr int box_values_with(int scalars) {
  return box_values + box_values_of_scalar * scalars;
}

// Cells are counted x fastest, z slowest; fewer than this.
inline constexpr std::int64_t cell_limit = std::int64_t{1} << 62;

// Fixed-point numbers. The scales leave room for sums over 10^12 cells.
namespace fixed {
// Scale of mass, momentum, kinetic energy and the sums of boxes: the largest power of two for which
// a sum over `cells` cells fits, as each value is below 1 in a cell. Creeping flows need this
// precision: rounding each row of 500^3 cells puts an error of some 1e-16 on a mean.
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
inline constexpr double heat = 0x1p38;  // of scalars: stored values x cells per step

LBM_HD std::int64_t from(double value, double scale) {
  return static_cast<std::int64_t>(rint(value * scale));
}
constexpr double to(std::int64_t value, double scale) { return static_cast<double>(value) / scale; }
}  // namespace fixed

// The sum or extreme of a reduction in a record of a grid of so many cells, lattice units.
inline double reduced(std::span<const std::int64_t> record, FlowValue value, std::int64_t cells) {
  const Join join = join_of(value);
  const std::int64_t kept = record[static_cast<std::size_t>(value)];
  if (join == Join::sum) return fixed::to(kept, fixed::flow(cells));
  const double extreme = fixed::to(kept, fixed::extreme);
  return join == Join::smallest ? 2 - extreme : extreme;
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

// Joins a number of a record with a part of it.
LBM_HD void join_shared(std::int64_t* record, int value, std::int64_t part) {
  if (join_of(value) == Join::sum) {
    add_shared(record + value, part);
  } else {
    raise_shared(record + value, part);
  }
}

// Sums and extremes over some cells.
struct FlowSums {
  double values[reductions] = {};
  std::int64_t first_bad = 0, bad = 0;

  // Returns whether the cell is inside the limits. sane: whether its scalars are.
  template <class Real>
  LBM_HD bool add(const Moments<Real>& m, std::int64_t cell, const FlowLimits& limits,
                  bool sane = true) {
    const double drho = double{m.drho}, rho = 1 + drho, ux = double{m.ux}, uy = double{m.uy},
                 uz = double{m.uz};
    const double uu = ux * ux + uy * uy + uz * uz;
    // False for NaN.
    const bool good = sane && rho >= limits.density_min && rho <= limits.density_max &&
                      3 * uu <= limits.mach_max * limits.mach_max;
    if (!good) {
      ++bad;
      if (cell_limit - cell > first_bad) first_bad = cell_limit - cell;
      return false;
    }
    const double of_cell[] = {drho, rho * uu / 2, rho * ux, rho * uy, rho * uz, uu, 2 - rho, rho};
    static_assert(sizeof(of_cell) == sizeof(values) && std::size(reduction_rows) == reductions);
    LBM_UNROLL
    for (int i = 0; i < reductions; ++i) {
      if (join_of(i) == Join::sum) {
        values[i] += of_cell[i];
      } else if (of_cell[i] > values[i]) {
        values[i] = of_cell[i];
      }
    }
    return true;
  }

  // record: shared with other threads. scale: fixed::flow() of all cells of the grid.
  LBM_HD void add_to(std::int64_t* record, double scale) const {
    add_bad_to(record);
    LBM_UNROLL
    for (int i = 0; i < reductions; ++i) {
      const double value = join_of(i) == Join::root ? sqrt(values[i]) : values[i];
      const double own = join_of(i) == Join::sum ? scale : fixed::extreme;
      join_shared(record, i, fixed::from(value, own));
    }
  }
  LBM_HD void add_bad_to(std::int64_t* record) const {
    if (bad == 0) return;
    join_shared(record, first_bad_cell, first_bad);
    join_shared(record, bad_cells, bad);
  }
};

// Sums over some fluid cells of a box.
struct BoxSums {
  double sums[box_values_with(most_scalars)] = {};

  template <class Real>
  LBM_HD void add(const Moments<Real>& m) {
    const double ux = double{m.ux}, uy = double{m.uy}, uz = double{m.uz};
    const double uu = ux * ux + uy * uy + uz * uz;
    // False for NaN: such a cell ends the run (FlowSums).
    if (!(uu < 1)) return;
    const MacroValues<Real> values = macro_values_of(m);
    LBM_UNROLL
    for (int i = 0; i < macro_values; ++i) sums[i] += double{values.of[i]};
    sums[box_speed] += sqrt(uu);
  }

  template <class Real>
  LBM_HD void add_scalar(int scalar, double value, const Moments<Real>& m) {
    double* const of_scalar = sums + box_values_with(scalar);
    const double factors[box_values_of_scalar] = {1, double{m.ux}, double{m.uy}, double{m.uz}};
    const double share = value / box_scalar_room;
    for (int i = 0; i < box_values_of_scalar; ++i) of_scalar[i] += share * factors[i];
  }

  // record: the values of the box, shared with other threads; `count` of them.
  LBM_HD void add_to(std::int64_t* record, double scale, int count = box_values) const {
    for (int i = 0; i < count; ++i) add_shared(record + i, fixed::from(sums[i], scale));
  }
};

}  // namespace lbm
