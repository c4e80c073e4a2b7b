// SPDX-License-Identifier: Apache-2.0

// The D3Q19 velocity set (Qian, d'Humieres & Lallemand, Europhys. Lett. 17 (1992) 479).
//
// q = 0 is rest; opposite directions are neighbours: (1,2) = +-x, (3,4) = +-y, (5,6) = +-z,
// (7,8) = +-(x+y), (9,10) = +-(x+z), (11,12) = +-(y+z), (13,14) = +-(x-y), (15,16) = +-(x-z),
// (17,18) = +-(y-z). Odd q is the positive one. The functions are constexpr of q and fold away in
// unrolled loops, on the host and on the GPU.
#pragma once

#include "solver/core/host_device.hpp"

namespace lbm::d3q19 {

inline constexpr int directions = 19;

namespace detail {
// Component of direction q along one axis, from two bits per pair: 0 -> 0, 1 -> +1, 2 -> -1.
// Pair p = (q + 1) / 2 for q > 0.
LBM_HD constexpr int component(unsigned pairs, int q) {
  if (q == 0) return 0;
  const int code = static_cast<int>((pairs >> (2 * ((q - 1) / 2))) & 3U);
  const int positive = code == 0 ? 0 : (code == 1 ? 1 : -1);
  return (q & 1) != 0 ? positive : -positive;
}
// Pairs from the lowest bits: x, y, z, x+y, x+z, y+z, x-y, x-z, y-z.
inline constexpr unsigned x_pairs = 1U | 1U << 6 | 1U << 8 | 1U << 12 | 1U << 14;
inline constexpr unsigned y_pairs = 1U << 2 | 1U << 6 | 1U << 10 | 2U << 12 | 1U << 16;
inline constexpr unsigned z_pairs = 1U << 4 | 1U << 8 | 1U << 10 | 2U << 14 | 2U << 16;
}  // namespace detail

LBM_HD constexpr int cx(int q) { return detail::component(detail::x_pairs, q); }
LBM_HD constexpr int cy(int q) { return detail::component(detail::y_pairs, q); }
LBM_HD constexpr int cz(int q) { return detail::component(detail::z_pairs, q); }

// The direction with the opposite velocity.
LBM_HD constexpr int opposite(int q) { return q == 0 ? 0 : ((q & 1) != 0 ? q + 1 : q - 1); }

// A direction that is not a compile-time constant: its components are computed once.
struct Direction {
  int q, opposite;
  int c[3];
};
LBM_HD constexpr Direction direction(int q) { return {q, opposite(q), {cx(q), cy(q), cz(q)}}; }
LBM_HD constexpr Direction reversed(const Direction& e) {
  return {e.opposite, e.q, {-e.c[0], -e.c[1], -e.c[2]}};
}

// Lattice weight: 1/3 at rest, 1/18 along an axis, 1/36 along a diagonal.
template <class Real>
LBM_HD constexpr Real weight(int q) {
  return q == 0 ? Real(1) / Real(3) : (q <= 6 ? Real(1) / Real(18) : Real(1) / Real(36));
}

}  // namespace lbm::d3q19
