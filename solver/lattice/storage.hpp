// Storage policies: how a population is kept in memory and with which type it is computed.
//
// A policy has Value (in memory), Real (arithmetic), load(Value) -> Real and store(Real) -> Value.
// load_scaled and store_scaled are the same for populations times `scale`, a power of two: the
// collision works on those, so that no time is spent on multiplying every value.
// Stored is the population minus its lattice weight, f_q - w_q: small numbers, so that no
// digits are spent on the constant part (Skordos, Phys. Rev. E 48 (1993) 4823).
#pragma once

#include <cstdint>

#include "solver/core/host_device.hpp"
#include "solver/lattice/half.hpp"
#include "solver/lattice/storage_type.hpp"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace lbm {

struct Fp32 {
  using Value = float;
  using Real = float;
  static constexpr Real scale = 1;
  static constexpr StorageType type = StorageType::fp32;
  static LBM_HD Real load(Value value) { return value; }
  static LBM_HD Value store(Real value) { return value; }
  static LBM_HD Real load_scaled(Value value) { return value; }
  static LBM_HD Value store_scaled(Real value) { return value; }
};

struct Fp64 {
  using Value = double;
  using Real = double;
  static constexpr Real scale = 1;
  static constexpr StorageType type = StorageType::fp64;
  static LBM_HD Real load(Value value) { return value; }
  static LBM_HD Value store(Real value) { return value; }
  static LBM_HD Real load_scaled(Value value) { return value; }
  static LBM_HD Value store_scaled(Real value) { return value; }
};

// Half precision, scaled by 2^15: the range becomes +-1.999, far beyond any |f - w| of a stable
// flow, and the spacing near zero 2^-39 (Lehmann et al., Phys. Rev. E 106 (2022) 015308).
struct Fp16 {
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
  static LBM_HD Real load(Value value) { return load_scaled(value) * (1 / scale); }
  static LBM_HD Value store(Real value) { return store_scaled(value * scale); }
};

// Calls visitor(Policy{}) with the policy of a runtime type.
template <class Visitor>
decltype(auto) visit_storage(StorageType type, Visitor&& visitor) {
  switch (type) {
    case StorageType::fp16:
      return visitor(Fp16{});
    case StorageType::fp64:
      return visitor(Fp64{});
    case StorageType::fp32:
      break;
  }
  return visitor(Fp32{});
}

}  // namespace lbm
