// SPDX-License-Identifier: Apache-2.0

// The CPU's kernels, compiled once per instruction set; the best one is chosen at run time.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/pair_strip.hpp"

namespace lbm::cpu {

struct Kernels {
  const char* name;
  // Rows [y_begin, y_end) of output plane `plane` of the launch. Safe to call from many threads for
  // different rows. Expects subnormal floats to be treated as zero (see flush_subnormals). stream:
  // stores bypass the caches.
  void (*update_rows)(const DeviceLattice& lattice, const UpdateLaunch& launch, int plane,
                      int y_begin, int y_end, bool stream);
  // The rows of a strip of two launches in one pass; as above.
  void (*update_pair)(const DeviceLattice& lattice, const LaunchPair& pair, const PairStrip& strip);
  // Moments of rows of a rectangle; flow sums (step_record.hpp) of rows of a plane.
  void (*moment_rows)(const DeviceLattice& lattice, const PlaneState& plane,
                      const CellRectangle& rectangle, int row_begin, int row_end, float* density,
                      float* velocity);
  void (*sample_flow_rows)(const DeviceLattice& lattice, const PlaneState& plane, int y_begin,
                           int y_end, std::int64_t* record);
  // Fp16::load_scaled and Fp16::store_rounded of `count` values, a multiple of 16: for tests of the
  // conversions that the other kernels use.
  void (*load_halves)(const std::uint16_t* from, float* to, int count);
  void (*round_halves)(const float* from, std::uint16_t* to, int count, std::uint32_t key);
};

extern const Kernels kernels_baseline;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

// The widest instruction set that this machine has; the environment variable LBM_CPU_ISA
// (baseline, avx2, avx512) asks for another one.
const Kernels& best_kernels();

}  // namespace lbm::cpu
