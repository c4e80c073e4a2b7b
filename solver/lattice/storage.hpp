// SPDX-License-Identifier: Apache-2.0

// Storage policies: which values of a cell are kept in memory, how, and with which type they are
// computed.
//
// A policy has Set (the velocity set), Value (in memory), Real (arithmetic), load(Value) -> Real
// and store(Real) -> Value. load_scaled and store_scaled are the same for values times `scale`, a
// power of two: the collision works on those, so that no time is spent on multiplying every value.
// store_rounded is store_scaled after a step: fp16 rounds stochastically, since steps smaller than
// half a unit in the last place would be lost. rounding(key, first) gives what it needs for the
// values of a cell: `key` is the rounding_key() of the step, `first` the first of the values, which
// is NaN where any of them is, as each of them depends on the density.
//
// It has `values` per cell. Where these are the populations themselves, each is stored minus its
// lattice weight, f_q - w_q: small numbers, so that no digits are spent on the constant part
// (Skordos, Phys. Rev. E 48 (1993) 4823). population(q, value) gives one of them from value(i), the
// stored values, which are numbers or vectors of several cells; density_momentum(value) their sums;
// to_values(g) makes stored values of all populations, in place.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm {

// IEEE 754 binary16 to and from binary32, round to nearest even, written on integers without
// branches so that compilers vectorise it for any instruction set. Gives the same bits as the
// GPU's conversions for every non-NaN value.
//
// Exact: every half is a float. No branch makes a subnormal float, which would cost a hundred
// cycles on most CPUs.
LBM_HD float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t normal = (magnitude << 13) + (112U << 23);  // move the exponent's bias
  // Below 2^-14 halves are multiples of 2^-24, which is the spacing of floats in [0.5, 1).
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(0x3f000000U | magnitude) - 0.5F);
  std::uint32_t bits = magnitude < 0x400U ? subnormal : normal;
  bits = magnitude >= 0x7c00U ? 0x7f800000U | (magnitude << 13) : bits;  // infinity, NaN
  return std::bit_cast<float>(bits | sign);
}

// Rounds to nearest even; from +-65520 on gives infinity; NaN stays NaN.
LBM_HD std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // Normal halves: drop 13 mantissa bits with round to even, then move the exponent's bias.
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
  const std::uint32_t normal = (rounded >> 13) - (112U << 10);
  // Below 2^-14: rounds to a multiple of 2^-24, the spacing of floats in [0.5, 1).
  const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x477ff000U ? 0x7c00U : result;  // 65520 and above: infinity
  result = magnitude > 0x7f800000U ? 0x7e00U : result;   // NaN
  return static_cast<std::uint16_t>(result | sign);
}

// 13 pseudo-random bits, as many as a float has below the last place of a normal half: a function
// of the float's bits and the key. A multiplicative hash (Knuth, The Art of Computer Programming 3,
// 6.4): over random keys each value has uniform noise, and different values have different noise.
// Bits: a 32-bit number, or a vector of them.
inline constexpr std::uint32_t half_noise_factor = 0x9e3779b1U;
template <class Bits>
LBM_HD Bits half_noise(Bits bits, std::uint32_t key, std::uint32_t factor = half_noise_factor) {
  return (bits * factor + key) >> 19;
}

// Rounds towards zero; beyond +-65504 gives +-65504; infinity and NaN stay as they are.
LBM_HD std::uint16_t float_to_half_truncated(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude >> 13) - (112U << 10);
  // Below 2^-14: the nearest multiple of 2^-24, less one where that is larger.
  const float size = std::bit_cast<float>(magnitude), shifted = size + 0.5F;
  const std::uint32_t nearest = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  const std::uint32_t subnormal = shifted - 0.5F > size ? nearest - 1 : nearest;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x47800000U ? 0x7bffU : result;
  result = magnitude == 0x7f800000U ? 0x7c00U : result;
  result = magnitude > 0x7f800000U ? 0x7e00U : result;
  return static_cast<std::uint16_t>(result | sign);
}

// Stochastic rounding (Croci et al., R. Soc. Open Sci. 9 (2022) 211631): noise below the last place
// makes the mean exact from 2^-14 on; smaller values tend towards zero. The noise depends on the
// value and on `key`, not on place or order. Halves, also zero, stay as they are. Infinity may
// become NaN.
LBM_HD std::uint16_t float_to_half_stochastic(float value, std::uint32_t key) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return float_to_half_truncated(std::bit_cast<float>(bits + half_noise(bits, key)));
}

// The key of a time step: a mixed number, so that the keys of all steps are unrelated (the
// finaliser of SplitMix64; Steele, Lea & Flood, OOPSLA 2014).
inline std::uint32_t rounding_key(std::int64_t step) {
  std::uint64_t z = static_cast<std::uint64_t>(step) + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

}  // namespace lbm

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace lbm {

// A number format with the populations of a velocity set as stored values.
template <class Format, class Velocities>
struct AsPopulations : Format {
  using Number = Format;
  using Set = Velocities;
  static constexpr int values = Set::directions;
  template <class Values>
  static LBM_HD auto population(int q, const Values& value, bool reversed = false) {
    return value(reversed ? opposite(q) : q);
  }
  template <class Values>
  static LBM_HD auto density_momentum(const Values& value) {
    std::remove_cvref_t<decltype(value(0))> g[Set::directions];
    LBM_UNROLL
    for (int q = 0; q < Set::directions; ++q) g[q] = value(q);
    return lbm::density_momentum(g);
  }
  template <class T>
  static LBM_HD void to_values(T (&)[Set::directions]) {}
};

// Populations as numbers of the type that they are computed in.
template <class T, StorageType stored>
struct Unrounded {
  using Value = T;
  using Real = T;
  static constexpr Real scale = 1;
  static constexpr StorageType type = stored;
  static LBM_HD Real load(Value value) { return value; }
  static LBM_HD Value store(Real value) { return value; }
  static LBM_HD Real load_scaled(Value value) { return value; }
  static LBM_HD Value store_scaled(Real value) { return value; }
  struct Rounding {};
  static LBM_HD Rounding rounding(std::uint32_t, Real) { return {}; }
  static LBM_HD Value store_rounded(Real value, Rounding) { return value; }
};

// Half precision, scaled by 2^15: the range becomes +-1.999, far beyond any |f - w| of a stable
// flow, and the spacing near zero 2^-39 (Lehmann et al., Phys. Rev. E 106 (2022) 015308).
struct Half {
  using Value = std::uint16_t;
  using Real = float;
  static constexpr StorageType type = StorageType::fp16;
  static constexpr Real scale = 0x1p15F;
  static LBM_HD Real load_scaled(Value value) {
#if defined(__CUDA_ARCH__)
    return __half2float(__ushort_as_half(value));
#else
    return half_to_float(value);
#endif
  }
  static LBM_HD Value store_scaled(Real value) {
#if defined(__CUDA_ARCH__)
    return __half_as_ushort(__float2half_rn(value));
#else
    return float_to_half(value);
#endif
  }
  struct Rounding {
    std::uint32_t factor, key;  // of half_noise()
  };
  static LBM_HD Rounding rounding(std::uint32_t key, [[maybe_unused]] Real first) {
#if defined(__CUDA_ARCH__)
    if (first != first) return {0, 0};  // noise would make zero of a NaN of the GPU
#endif
    return {half_noise_factor, key};
  }
  static LBM_HD Value store_rounded(Real value, Rounding rounding) {
#if defined(__CUDA_ARCH__)
    return __half_as_ushort(__float2half_rz(with_noise(value, rounding)));
#else
    return float_to_half_stochastic(value, rounding.key);
#endif
  }
  // store_rounded() of two values, the first in the lower half: one instruction of a GPU.
  static LBM_HD std::uint32_t store_rounded_pair(Real first, Real second, Rounding of_first,
                                                 Rounding of_second) {
#if defined(__CUDA_ARCH__)
    std::uint32_t both;
    asm("cvt.rz.f16x2.f32 %0, %1, %2;"
        : "=r"(both)
        : "f"(with_noise(second, of_second)), "f"(with_noise(first, of_first)));
    return both;
#else
    return store_rounded(first, of_first) | std::uint32_t{store_rounded(second, of_second)} << 16;
#endif
  }
#if defined(__CUDA_ARCH__)
  static __device__ float with_noise(float value, Rounding rounding) {
    const std::uint32_t bits = __float_as_uint(value);
    return __uint_as_float(bits + half_noise(bits, rounding.key, rounding.factor));
  }
#endif
  static LBM_HD Real load(Value value) { return load_scaled(value) * (1 / scale); }
  static LBM_HD Value store(Real value) { return store_scaled(value * scale); }
};

using Fp32 = AsPopulations<Unrounded<float, StorageType::fp32>, D3Q19>;
using Fp64 = AsPopulations<Unrounded<double, StorageType::fp64>, D3Q19>;
using Fp16 = AsPopulations<Half, D3Q19>;

// Ten moments of a cell (moments.hpp), each stored as the policy Scalar stores a number.
template <class Scalar>
struct AsMoments : Scalar {
  using Set = ten_moments::Set;
  using Real = typename Scalar::Real;
  static constexpr int values = ten_moments::count;
  template <class Values>
  static LBM_HD auto population(int q, const Values& value, bool reversed = false) {
    return ten_moments::population<Real>(q, value, reversed);
  }
  template <class Values>
  static LBM_HD auto density_momentum(const Values& value) {
    return ten_moments::density_momentum<Real>(value);
  }
  template <class T>
  static LBM_HD void to_values(T (&g)[Set::directions]) {
    ten_moments::project<Real>(g);
  }
};

template <class Storage>
inline constexpr bool holds_moments = Storage::values == ten_moments::count;

// Population q of the cell whose values begin at plane[offset], times Storage::scale. pitch: from
// one value to the next.
template <class Storage>
LBM_HD typename Storage::Real population_at(const typename Storage::Value* plane, int offset,
                                            int pitch, int q, bool reversed = false) {
  return Storage::population(
      q, [&](int i) { return Storage::load_scaled(plane[i * pitch + offset]); }, reversed);
}

// Scalar number s of a cell, `cell` being its first stored value.
template <class Storage>
LBM_HD typename Storage::Real scalar_of(const typename Storage::Value* cell, int pitch, int s) {
  return Storage::load(cell[(Storage::values + values_per_scalar * s) * pitch]);
}

// True if the scalars of the cell are inside their limit. False for NaN.
template <class Storage>
LBM_HD bool scalars_are_sane(const typename Storage::Value* cell, int pitch, int scalars,
                             double most) {
  for (int s = 0; s < scalars; ++s) {
    const double value = scalar_of<Storage>(cell, pitch, s);
    if (!(value >= -most && value <= most)) return false;
  }
  return true;
}

// `force` plus that of the buoyant scalars of the cell.
template <class Storage>
LBM_HD ForceVector<double> with_buoyancy(ForceVector<double> force, const Buoyancy& buoyancy,
                                         const typename Storage::Value* cell, int pitch) {
  for (int s = 0; s < buoyancy.scalars; ++s) {
    const double scalar = scalar_of<Storage>(cell, pitch, s);
    force.x += scalar * double{buoyancy.force[s][0]};
    force.y += scalar * double{buoyancy.force[s][1]};
    force.z += scalar * double{buoyancy.force[s][2]};
  }
  return force;
}

// The policy with another velocity set.
template <class Storage, class Set>
using WithSet = AsPopulations<typename Storage::Number, Set>;

// Calls visitor(Policy{}) with the policy that has the populations of D3Q19 in that number format.
template <class Visitor>
decltype(auto) visit_number(StorageType type, Visitor&& visitor) {
  if (type == StorageType::fp16) return visitor(Fp16{});
  if (type == StorageType::fp64) return visitor(Fp64{});
  return visitor(Fp32{});
}

// Calls visitor(Policy{}) with the policy of the cells in that number format.
template <class Number, class Visitor>
decltype(auto) visit_storage_of(const CellValues& cell, Visitor&& visitor) {
  if (cell.representation == Representation::moments) return visitor(AsMoments<Number>{});
  return visit_set(cell.set, [&]<class Set>(Set) { return visitor(WithSet<Number, Set>{}); });
}
// Calls visitor(Policy{}) with the policy of a lattice.
template <class Visitor>
decltype(auto) visit_storage(StorageType type, const CellValues& cell, Visitor&& visitor) {
  return visit_number(
      type, [&]<class Number>(Number) { return visit_storage_of<Number>(cell, visitor); });
}
template <class Visitor>
decltype(auto) visit_storage(const Lattice& lattice, Visitor&& visitor) {
  return visit_storage(lattice.storage, lattice.cell_values(), visitor);
}

}  // namespace lbm
