// SPDX-License-Identifier: Apache-2.0

// The functions that row_kernels.cpp compiles for each instruction set and storage type.
#pragma once

#include <array>
#include <cstddef>

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"

namespace lbm::cpu {

// The rows of a pair of launches that one thread does. Their planes between the two steps stay in
// the caches.
struct PairStrip {
  int y_begin, y_end;
  int piece;        // cells of a row done at a time, a multiple of 16
  bool stream;      // stores bypass the caches
  std::byte* ring;  // memory for the rows between the launches, aligned to 64 bytes
};

// The kernels of one storage type and representation. They are thread-safe for different rows.
struct RowKernels {
  // Updates rows [y_begin, y_end) of output plane `plane` of the launch. Expects that the CPU
  // treats subnormal floats as zero (FlushSubnormals). stream: stores bypass the caches.
  void (*update_rows)(const DeviceLattice& lattice, const UpdateLaunch& launch, int plane,
                      int y_begin, int y_end, bool stream);
  // Updates the rows of a strip by two launches in one pass; null where that does not exist.
  void (*update_pair)(const DeviceLattice& lattice, const LaunchPair& pair, const PairStrip& strip);
  // Rows of the fields of a rectangle (Backend::moments); flow sums, and sums over the
  // fluid cells of rows of a rectangle (step_record.hpp).
  void (*moment_rows)(const DeviceLattice& lattice, const PlaneState& plane,
                      const CellRectangle& rectangle, int row_begin, int row_end, float* fields);
  void (*sample_flow_rows)(const DeviceLattice& lattice, const PlaneState& plane, int y_begin,
                           int y_end, std::int64_t* record);
  void (*sum_rows)(const DeviceLattice& lattice, const PlaneState& plane,
                   const CellRectangle& rectangle, int row_begin, int row_end, double scale,
                   std::int64_t* sums);
};

enum class Isa { baseline, avx2, avx512 };

template <Isa isa, StorageType number>
struct RowKernelsOf {
  static const std::array<RowKernels, AllVelocitySets::count> populations;  // by VelocitySet
  static const RowKernels moments;
};

// See Kernels.
template <Isa isa>
struct HalfConversions {
  static void load(const std::uint16_t* from, float* to, int count);
  static void round(const float* from, std::uint16_t* to, int count, std::uint32_t key);
};

}  // namespace lbm::cpu
