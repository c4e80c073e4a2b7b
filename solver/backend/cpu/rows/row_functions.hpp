// SPDX-License-Identifier: Apache-2.0

// The functions that row_kernels.cpp compiles for each instruction set and storage type.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/rows/pair_strip.hpp"

namespace lbm::cpu {

// The kernels of one storage type and representation. They are thread-safe for different rows.
struct RowKernels {
  // Updates rows [y_begin, y_end) of output plane `plane` of the launch. Expects that the CPU
  // treats subnormal floats as zero (flush_subnormals). stream: stores bypass the caches.
  void (*update_rows)(const DeviceLattice& lattice, const UpdateLaunch& launch, int plane,
                      int y_begin, int y_end, bool stream);
  // Updates the rows of a strip by two launches in one pass.
  void (*update_pair)(const DeviceLattice& lattice, const LaunchPair& pair, const PairStrip& strip);
  // Rows of drho [ny][nx] and velocity [ny][nx][3] of a rectangle; flow sums (step_record.hpp).
  void (*moment_rows)(const DeviceLattice& lattice, const PlaneState& plane,
                      const CellRectangle& rectangle, int row_begin, int row_end, float* drho,
                      float* velocity);
  void (*sample_flow_rows)(const DeviceLattice& lattice, const PlaneState& plane, int y_begin,
                           int y_end, std::int64_t* record);
};

}  // namespace lbm::cpu
