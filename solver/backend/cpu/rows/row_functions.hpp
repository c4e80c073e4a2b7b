// SPDX-License-Identifier: Apache-2.0

// The functions that row_kernels.cpp compiles for an instruction set and number type.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/rows/pair_strip.hpp"

namespace lbm::cpu {

// The kernels for a storage type and representation.
struct RowKernels {
  // Rows [y_begin, y_end) of output plane `plane` of the launch. Safe to call from many threads for
  // different rows. Expects subnormal floats to be treated as zero (see flush_subnormals). stream:
  // stores bypass the caches.
  void (*update_rows)(const DeviceLattice& lattice, const UpdateLaunch& launch, int plane,
                      int y_begin, int y_end, bool stream);
  // The rows of a strip of two launches in one pass; as above.
  void (*update_pair)(const DeviceLattice& lattice, const LaunchPair& pair, const PairStrip& strip);
  // Moments of rows of a rectangle; flow sums (step_record.hpp) of rows of a plane.
  void (*moment_rows)(const DeviceLattice& lattice, const PlaneState& plane,
                      const CellRectangle& rectangle, int row_begin, int row_end, float* drho,
                      float* velocity);
  void (*sample_flow_rows)(const DeviceLattice& lattice, const PlaneState& plane, int y_begin,
                           int y_end, std::int64_t* record);
};

}  // namespace lbm::cpu
