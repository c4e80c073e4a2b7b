// SPDX-License-Identifier: Apache-2.0

// The record of a step: forces on bodies, the heat that they give, probes, and (where a sweep
// samples the flow) sums and extremes over all cells, and sums over boxes. Its numbers are
// integers, because their sum does not depend on the order: schedule, threads and ranks change
// nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "solver/core/host_device.hpp"
#include "solver/lattice/reductions.hpp"

namespace lbm {

// A record has values_per_step() numbers: those of FlowValue; six for each body, force x, y, z and
// torque x, y, z; for each body the heat of each scalar (GivenHeat), 0 without
// Lattice::counts_heat; the macroscopic fields at each probe, scalars last, as the bits of doubles;
// those of BoxValue and of the scalars for each box.
LBM_HD constexpr int first_heat_value(int bodies) { return flow_values + 6 * bodies; }
LBM_HD constexpr int first_probe_value(int bodies, int scalars = 0) {
  return first_heat_value(bodies) + scalars * bodies;
}
LBM_HD constexpr int first_box_value(int bodies, int probes, int scalars = 0) {
  return first_probe_value(bodies, scalars) + macro_values_with(scalars) * probes;
}
LBM_HD constexpr int values_per_step(int bodies, int probes = 0, int boxes = 0, int scalars = 0) {
  return first_box_value(bodies, probes, scalars) + box_values_with(scalars) * boxes;
}

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

// Sums of one body on their way to a record.
template <int most>
struct BodySums {
  int body = -1;
  std::int64_t value[most] = {};

  LBM_HD void clear(int next) {
    body = next;
    for (std::int64_t& v : value) v = 0;
  }
  // bodies: where the values of body 0 are, `count` for each body.
  LBM_HD void add_to(std::int64_t* bodies, int count = most) const {
    for (int i = 0; i < count && body >= 0; ++i) {
      if (value[i] != 0) add_shared(bodies + count * body + i, value[i]);
    }
  }
};

// Force and torque on one body.
using BodyLoad = BodySums<6>;

// The heat that bodies give to fluid cells in a step: scalar x volume x the capacity relative to
// the fluid, stored values x cells.
struct GivenHeat {
  std::int64_t* record = nullptr;  // where the values of body 0 are; null: nothing is counted
  int scalars = 0;
  BodySums<most_scalars> sums;  // not in the record yet

  LBM_HD void add(int body, int scalar, double heat) {
    if (record == nullptr) return;
    if (body != sums.body) {
      sums.add_to(record, scalars);
      sums.clear(body);
    }
    sums.value[scalar] += fixed::from(heat, fixed::heat);
  }
};

// Writes the values of one probe.
template <class Real>
LBM_HD void put_probe(std::int64_t* to, const Moments<Real>& m) {
  const MacroValues<Real> values = macro_values_of(m);
  LBM_UNROLL
  for (int i = 0; i < macro_values; ++i) to[i] = bits_of(double{values.of[i]});
}

}  // namespace lbm

namespace lbm::differences {

// Differences of the velocity between neighbouring cells, for the record of a step: their sums of
// squares tell a flow that changes its sign from cell to cell from a smooth one.
//
// For each axis: first differences u(i+1) - u(i-1) and second ones u(i-1) - 2 u(i) + u(i+1) of all
// i whose two neighbours are in the grid. Along x they are taken inside groups of cells of a row.
// Along y and z the neighbours are not at hand, so the sums of squares are estimated: a sum of
// numbers with random signs has a square whose mean is the sum of their squares. The sum is linear
// in the velocities, so each row adds its own share of it.
inline constexpr int group = 32;  // cells of a row; the first and the last one have one neighbour
inline constexpr int parts = 8;   // of a row: part p has the cells with x = p modulo parts

inline std::uint32_t mix(std::uint32_t h) {  // 32-bit finalizer of MurmurHash3 (Appleby 2011)
  h = (h ^ h >> 16) * 0x85ebca6bU;
  h = (h ^ h >> 13) * 0xc2b2ae35U;
  return h ^ h >> 16;
}
inline std::uint32_t mix(std::uint32_t h, int value) {
  return mix(h ^ static_cast<std::uint32_t>(value) * 0x9e3779b1U);
}
// Without a branch, which would go the wrong way half of the time.
template <class Real>
Real with_sign(Real value, std::uint32_t bit) {
  return value * static_cast<Real>(1 - 2 * static_cast<int>(bit & 1U));
}

// Index in a record of a random sum of differences along an axis (1: y, 2: z): of their cells after
// the middle, in the middle or before it.
enum class Neighbour { after, none, before };
constexpr int random_sum(int axis, Neighbour neighbour, int number) {
  return random_differences + (3 * (axis - 1) + static_cast<int>(neighbour)) * random_sums + number;
}

// Where a row lies.
struct RowPlace {
  int y, z, ny, nz;
  std::uint32_t seed;  // of the step
};

// One row, cell by cell from x = 0 on.
class RowDifferences {
 public:
  explicit RowDifferences(std::uint32_t seed) : seed_(seed) {}

  template <class Real>
  void add(int x, const Moments<Real>& m) {
    // The velocity components with random signs, which depend on x alone.
    const std::uint32_t bits = mix(seed_, x);
    parts_[x % parts] += double{with_sign(m.ux, bits)} + double{with_sign(m.uy, bits >> 1)} +
                         double{with_sign(m.uz, bits >> 2)};
    neighbours_ = x == last_ + 1 && x % group != 0 ? neighbours_ + 1 : 0;
    last_ = x;
    const std::array<double, 3> cell{double{m.ux}, double{m.uy}, double{m.uz}};
    for (std::size_t a = 0; neighbours_ >= 2 && a < 3; ++a) {
      const double d1 = cell[a] - before_[0][a];
      const double d2 = before_[0][a] + cell[a] - 2 * before_[1][a];
      first_ += d1 * d1;
      second_ += d2 * d2;
    }
    before_[0] = before_[1];
    before_[1] = cell;
  }
  // record: of this thread alone.
  void add_to(std::int64_t* record, const RowPlace& row) const {
    record[first_differences_x] += fixed::from(first_, fixed::differences);
    record[second_differences_x] += fixed::from(second_, fixed::differences);
    for (int part = 0; part < parts; ++part) {
      for (int axis = 1; axis <= 2; ++axis) add_part(record, part, row, axis);
    }
  }

 private:
  // Adds what a part of the row contributes to the differences along one axis (1: y, 2: z). It
  // belongs to three of them: as the cells after the middle, in the middle, and before it.
  void add_part(std::int64_t* record, int part, const RowPlace& row, int axis) const {
    const int at = axis == 1 ? row.y : row.z, n = axis == 1 ? row.ny : row.nz;
    const std::uint32_t line = mix(mix(row.seed, 4 * part + axis), axis == 1 ? row.z : row.y);
    for (int middle = at - 1; middle <= at + 1; ++middle) {
      if (middle < 1 || middle > n - 2) continue;
      const std::uint32_t bits = mix(line, middle);
      const int sum = random_sum(axis, static_cast<Neighbour>(middle - at + 1),
                                 static_cast<int>(bits % random_sums));
      record[sum] += fixed::from(with_sign(parts_[part], bits >> 31), fixed::sum);
    }
  }

  std::uint32_t seed_;
  double first_ = 0, second_ = 0;  // sums of squares along x
  double parts_[parts] = {};       // sums of velocities with random signs
  std::array<double, 3> before_[2] = {};
  int last_ = -2, neighbours_ = 0;  // neighbours_: cells before the last one without a gap
};

}  // namespace lbm::differences

namespace lbm {

// A cell whose density and velocity are recorded after every step.
struct ProbeCell {
  std::int32_t x = 0, y = 0;
};

// As kernels read them. The probes of plane z are first[z] ... first[z + 1] - 1.
struct ProbeView {
  const ProbeCell* cells = nullptr;
  const std::int32_t* first = nullptr;
  int most_in_a_plane = 0;
  int first_value = 0;  // of probe 0 in a record (step_record.hpp)

  bool operator==(const ProbeView&) const = default;
};

// One piece of memory on the host, which a device gets in one copy.
class ProbeCells {
 public:
  ProbeCells() = default;
  // Distinct cells x, y, z of a grid of nz planes, in any order. Throws std::invalid_argument.
  ProbeCells(std::vector<std::array<int, 3>> cells, int nz);

  int size() const { return static_cast<int>(cells_.size()); }
  // In the order of records: by plane, then row.
  const std::vector<std::array<int, 3>>& cells() const { return cells_; }
  // The place of a cell in that order; it must be one of them.
  int index_of(const std::array<int, 3>& cell) const;
  int in_plane(int z) const;
  std::span<const std::byte> bytes() const { return bytes_; }
  static std::size_t bytes_needed(int cells, int nz);
  // Pointers into a copy of bytes() at `base`.
  ProbeView view(const std::byte* base, int bodies, int scalars) const;

 private:
  std::vector<std::array<int, 3>> cells_;
  std::vector<std::int32_t> first_;
  std::vector<std::byte> bytes_;  // first_, then the cells
  int most_in_a_plane_ = 0;
};

}  // namespace lbm
