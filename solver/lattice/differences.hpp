// SPDX-License-Identifier: Apache-2.0

// Differences of the velocity between neighbouring cells, for the record of a step: their sums of
// squares tell a flow that changes its sign from cell to cell from a smooth one.
//
// For each axis: first differences u(i+1) - u(i-1) and second ones u(i-1) - 2 u(i) + u(i+1) of all
// i whose two neighbours are in the grid. Along x they are taken inside groups of cells of a row.
// Along y and z the neighbours are not at hand, so the sums of squares are estimated: a sum of
// numbers with random signs has a square whose mean is the sum of their squares. The sum is linear
// in the velocities, so each row adds its own share of it.
#pragma once

#include <cstdint>

#include "solver/lattice/step_record.hpp"

namespace lbm::differences {

inline constexpr int group = 32;  // cells of a row; the first and the last one have one neighbour
inline constexpr int parts = 8;   // of a row: part p has the cells with x = p modulo parts

LBM_HD std::uint32_t mix(std::uint32_t h) {  // 32-bit finalizer of MurmurHash3 (Appleby 2011)
  h = (h ^ h >> 16) * 0x85ebca6bU;
  h = (h ^ h >> 13) * 0xc2b2ae35U;
  return h ^ h >> 16;
}
LBM_HD std::uint32_t mix(std::uint32_t h, int value) {
  return mix(h ^ static_cast<std::uint32_t>(value) * 0x9e3779b1U);
}
// Without a branch, which would go the wrong way half of the time.
template <class Real>
LBM_HD Real with_sign(Real value, std::uint32_t bit) {
  return value * static_cast<Real>(1 - 2 * static_cast<int>(bit & 1U));
}

// Sums of squares along x.
struct SquaresAlongX {
  double first = 0, second = 0;

  template <class Real>
  LBM_HD void add(const Moments<Real>& left, const Moments<Real>& m, const Moments<Real>& right) {
    add(left.ux, m.ux, right.ux);
    add(left.uy, m.uy, right.uy);
    add(left.uz, m.uz, right.uz);
  }
  template <class Add>
  LBM_HD void add_to(std::int64_t* record, const Add& add) const {
    add(record + first_differences_x, fixed::from(first, fixed::differences));
    add(record + second_differences_x, fixed::from(second, fixed::differences));
  }

 private:
  template <class Real>
  LBM_HD void add(Real left, Real middle, Real right) {
    const double d1 = double{right} - double{left};
    const double d2 = double{left} + double{right} - 2 * double{middle};
    first += d1 * d1;
    second += d2 * d2;
  }
};

// Index in a record of a random sum of differences along an axis (1: y, 2: z): of their cells after
// the middle, in the middle or before it.
enum class Neighbour { after, none, before };
LBM_HD constexpr int random_sum(int axis, Neighbour neighbour, int number) {
  return random_differences + (3 * (axis - 1) + static_cast<int>(neighbour)) * random_sums + number;
}

// The velocity components of a cell with random signs, which depend on x alone. seed: of the step.
template <class Real>
LBM_HD double signed_velocity(const Moments<Real>& m, int x, std::uint32_t seed) {
  const std::uint32_t bits = mix(seed, x);
  return double{with_sign(m.ux, bits)} + double{with_sign(m.uy, bits >> 1)} +
         double{with_sign(m.uz, bits >> 2)};
}

// Where a row lies.
struct RowPlace {
  int y, z, ny, nz;
  std::uint32_t seed;
};

// Adds what a part of a row contributes to the differences along one axis (1: y, 2: z). It belongs
// to three of them: as the cells after the middle, in the middle, and before it.
template <class Add>
LBM_HD void add_part(std::int64_t* record, int part, double velocity, const RowPlace& row, int axis,
                     const Add& add) {
  const int at = axis == 1 ? row.y : row.z, n = axis == 1 ? row.ny : row.nz;
  const std::uint32_t line = mix(mix(row.seed, 4 * part + axis), axis == 1 ? row.z : row.y);
  for (int middle = at - 1; middle <= at + 1; ++middle) {
    if (middle < 1 || middle > n - 2) continue;
    const std::uint32_t bits = mix(line, middle);
    const int sum = random_sum(axis, static_cast<Neighbour>(middle - at + 1),
                               static_cast<int>(bits % random_sums));
    add(record + sum, fixed::from(with_sign(velocity, bits >> 31), fixed::sum));
  }
}

// velocity: sum of signed_velocity() over the cells of the part. add: add_shared(), or another sum.
template <class Add>
LBM_HD void add_part(std::int64_t* record, int part, double velocity, const RowPlace& row,
                     const Add& add) {
  for (int axis = 1; axis <= 2; ++axis) add_part(record, part, velocity, row, axis, add);
}

// One row, cell by cell from x = 0 on.
class RowDifferences {
 public:
  explicit RowDifferences(std::uint32_t seed) : seed_(seed) {}

  template <class Real>
  void add(int x, const Moments<Real>& m) {
    const Cell cell{double{m.drho}, double{m.ux}, double{m.uy}, double{m.uz}};
    parts_[x % parts] += signed_velocity(m, x, seed_);
    neighbours_ = x == last_ + 1 && x % group != 0 ? neighbours_ + 1 : 0;
    last_ = x;
    if (neighbours_ >= 2) squares_.add(before_[0], before_[1], cell);
    before_[0] = before_[1];
    before_[1] = cell;
  }
  // record: of this thread alone.
  LBM_HD void add_to(std::int64_t* record, const RowPlace& row) const {
    const auto add = [](std::int64_t* to, std::int64_t value) { *to += value; };
    squares_.add_to(record, add);
    for (int part = 0; part < parts; ++part) add_part(record, part, parts_[part], row, add);
  }

 private:
  using Cell = Moments<double>;

  std::uint32_t seed_;
  SquaresAlongX squares_;
  double parts_[parts] = {};
  Cell before_[2] = {};
  int last_ = -2, neighbours_ = 0;  // neighbours_: cells before the last one without a gap
};

}  // namespace lbm::differences
