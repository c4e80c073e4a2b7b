// SPDX-License-Identifier: Apache-2.0

// The velocity sets D3Q19 and D3Q27 (Qian, d'Humieres & Lallemand, Europhys. Lett. 17 (1992) 479).
//
// All sets share one order of directions; a smaller set has the first of them. q = 0 is rest;
// opposite directions are neighbours: (1,2) = +-x, (3,4) = +-y, (5,6) = +-z, (7,8) = +-(x+y),
// (9,10) = +-(x+z), (11,12) = +-(y+z), (13,14) = +-(x-y), (15,16) = +-(x-z), (17,18) = +-(y-z),
// (19,20) = +-(x+y+z), (21,22) = +-(x+y-z), (23,24) = +-(x-y+z), (25,26) = +-(x-y-z). Odd q is the
// positive one. So the velocity of q is the same in every set, and only the number of directions
// and the weights belong to a set. The functions are constexpr of q and fold away in unrolled
// loops, on the host and on the GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/core/host_device.hpp"

namespace lbm {

namespace detail {
// Component of direction q along one axis, from two bits per pair: 0 -> 0, 1 -> +1, 2 -> -1.
// Pair p = (q + 1) / 2 for q > 0.
LBM_HD constexpr int component(unsigned pairs, int q) {
  if (q == 0) return 0;
  const int code = static_cast<int>((pairs >> (2 * ((q - 1) / 2))) & 3U);
  const int positive = code == 0 ? 0 : (code == 1 ? 1 : -1);
  return (q & 1) != 0 ? positive : -positive;
}
// Pairs from the lowest bits, in the order above.
inline constexpr unsigned x_pairs = 1U | 1U << 6 | 1U << 8 | 1U << 12 | 1U << 14 | 0x55U << 18;
inline constexpr unsigned y_pairs =
    1U << 2 | 1U << 6 | 1U << 10 | 2U << 12 | 1U << 16 | 1U << 18 | 1U << 20 | 2U << 22 | 2U << 24;
inline constexpr unsigned z_pairs =
    1U << 4 | 1U << 8 | 1U << 10 | 2U << 14 | 2U << 16 | 1U << 18 | 2U << 20 | 1U << 22 | 2U << 24;
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

// A velocity set has a name, `directions`, and the weight of each. Traits that are false by
// default:
//   has_pair_pass     two steps in one pass
//   has_fluid_planes  only fluid cells are stored (PlaneLayout::fluid_only)
struct VelocitySetTraits {
  static constexpr bool has_pair_pass = false, has_fluid_planes = false;
};

struct D3Q19 : VelocitySetTraits {
  static constexpr const char* name = "D3Q19";
  static constexpr int directions = 19;
  static constexpr bool has_pair_pass = true, has_fluid_planes = true;
  // 1/3 at rest, 1/18 along an axis, 1/36 along a diagonal.
  template <class Real>
  LBM_HD static constexpr Real weight(int q) {
    return q == 0 ? Real(1) / Real(3) : (q <= 6 ? Real(1) / Real(18) : Real(1) / Real(36));
  }
};

struct D3Q27 : VelocitySetTraits {
  static constexpr const char* name = "D3Q27";
  static constexpr int directions = 27;
  // 8/27 at rest, 2/27 along an axis, 1/54 along a diagonal of two axes, 1/216 of three.
  template <class Real>
  LBM_HD static constexpr Real weight(int q) {
    if (q > 18) return Real(1) / Real(216);
    return q == 0 ? Real(8) / Real(27) : (q <= 6 ? Real(2) / Real(27) : Real(1) / Real(54));
  }
};

template <class Set, class Real>
LBM_HD constexpr Real weight(int q) {
  return Set::template weight<Real>(q);
}

// A set that is chosen at run time: the place in the list of all sets.
enum class VelocitySet { D3Q19, D3Q27 };

template <class... Set>
struct VelocitySets {
  static constexpr std::size_t count = sizeof...(Set);
  static constexpr int most_directions = std::max({Set::directions...});

  // The array of make(Set{}) of all sets.
  template <class Make>
  static constexpr auto all(const Make& make) {
    return std::array{make(Set{})...};
  }
  // Calls visitor(Set{}) with one set.
  template <class Visitor>
  static constexpr decltype(auto) visit(VelocitySet set, Visitor&& visitor) {
    return visit_from<0, Set...>(static_cast<int>(set), visitor);
  }

 private:
  template <int i, class First, class... Rest, class Visitor>
  static constexpr decltype(auto) visit_from(int chosen, Visitor& visitor) {
    if constexpr (sizeof...(Rest) == 0) {
      return visitor(First{});
    } else {
      if (chosen == i) return visitor(First{});
      return visit_from<i + 1, Rest...>(chosen, visitor);
    }
  }
};
using AllVelocitySets = VelocitySets<D3Q19, D3Q27>;

constexpr auto enum_names(VelocitySet) {
  return AllVelocitySets::all([](auto set) { return decltype(set)::name; });
}

template <class Visitor>
constexpr decltype(auto) visit_set(VelocitySet set, Visitor&& visitor) {
  return AllVelocitySets::visit(set, visitor);
}

constexpr int directions_of(VelocitySet set) {
  return visit_set(set, [](auto chosen) { return decltype(chosen)::directions; });
}

constexpr bool has_fluid_planes(VelocitySet set) {
  return visit_set(set, [](auto chosen) { return decltype(chosen)::has_fluid_planes; });
}
constexpr bool has_pair_pass(VelocitySet set) {
  return visit_set(set, [](auto chosen) { return decltype(chosen)::has_pair_pass; });
}

// The set with so many directions: an array of populations says by its size which set it is of.
template <int directions>
struct SetOf;
template <>
struct SetOf<D3Q19::directions> {
  using Set = D3Q19;
};
template <>
struct SetOf<D3Q27::directions> {
  using Set = D3Q27;
};

// Directions to neighbours that share a face or an edge; the others point to corners.
inline constexpr int edge_directions = D3Q19::directions;

}  // namespace lbm
