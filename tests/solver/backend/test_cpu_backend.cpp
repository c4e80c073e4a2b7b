// SPDX-License-Identifier: Apache-2.0

// The parts of the CPU backend that the bits of whole runs depend on.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "solver/backend/cpu/fitting_threads.hpp"
#include "solver/backend/cpu/pair_runner.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm::cpu {
namespace {

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> all = {&kernels_baseline};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) {
    all.push_back(&kernels_avx2);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
    all.push_back(&kernels_avx512);
  }
#endif
  return all;
}

constexpr int batch = 16;

TEST(HalfRows, LoadEveryHalfAsTheIntegerCodeDoes) {
  const FlushSubnormals flush;
  for (const Kernels* kernels : all_kernels()) {
    for (unsigned first = 0; first < 65536; first += batch) {
      std::uint16_t half[batch];
      float value[batch];
      for (unsigned i = 0; i < batch; ++i) half[i] = static_cast<std::uint16_t>(first + i);
      kernels->load_halves(half, value, batch);
      for (int i = 0; i < batch; ++i) {
        if ((half[i] & 0x7fffU) > 0x7c00U) continue;  // NaN
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value[i]),
                  std::bit_cast<std::uint32_t>(half_to_float(half[i])))
            << kernels->name << " half " << half[i];
      }
    }
  }
}

// Floats of every sign and exponent with many mantissas, subnormals among them.
TEST(HalfRows, RoundFloatsAsTheIntegerCodeDoes) {
  const FlushSubnormals flush;
  std::uint32_t key = 1;
  for (const Kernels* kernels : all_kernels()) {
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 16 * 251) {
      float value[batch];
      std::uint16_t half[batch];
      for (unsigned i = 0; i < batch; ++i) {
        value[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits + 251 * i));
      }
      key = key * 1664525U + 1013904223U;
      kernels->round_halves(value, half, batch, key);
      for (int i = 0; i < batch; ++i) {
        if (!std::isfinite(value[i])) continue;
        ASSERT_EQ(half[i], float_to_half_stochastic(value[i], key))
            << kernels->name << " bits " << std::bit_cast<std::uint32_t>(value[i]);
      }
    }
  }
}

}  // namespace
}  // namespace lbm::cpu
