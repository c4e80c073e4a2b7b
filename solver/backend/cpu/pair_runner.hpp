// SPDX-License-Identifier: Apache-2.0

// The CPU's kernels, compiled once for each instruction set and number type (rows/row_kernels.cpp),
// of which the widest set is chosen at run time; and pairs of launches, run on all threads, each a
// strip of rows as large as the caches allow.
#pragma once

#include <vector>

#include "solver/backend/cpu/rows/row_functions.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cpu {

// The kernels of an instruction set.
struct Kernels {
  const char* name;
  // By StorageType, then by VelocitySet.
  const std::array<RowKernels, AllVelocitySets::count>* of_populations[3];
  const RowKernels* of_moments[3];
  // Fp16::load_scaled and Fp16::store_rounded of `count` values, a multiple of 16: for tests of the
  // conversions that the other kernels use.
  void (*load_halves)(const std::uint16_t* from, float* to, int count);
  void (*round_halves)(const float* from, std::uint16_t* to, int count, std::uint32_t key);

  const RowKernels& of(const Lattice& lattice) const {
    const auto type = static_cast<std::size_t>(lattice.storage);
    if (lattice.representation == Representation::moments) return *of_moments[type];
    return (*of_populations[type])[static_cast<std::size_t>(lattice.velocities)];
  }
};

extern const Kernels kernels_baseline;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

// The widest instruction set that this machine has; the environment variable LBM_CPU_ISA
// (baseline, avx2, avx512) asks for another one.
const Kernels& best_kernels();

// True if planes leave the caches before the next step reads them. Stores should then bypass the
// caches.
bool exceeds_caches(const Lattice& lattice);

// Bytes of a core's second-level cache that one thread may use for rows between two steps; the rest
// is for the other rows that it reads and writes.
long cache_for_rows();

// Size of the ring: three rows of each of `planes` planes.
std::size_t pair_ring_bytes(const Lattice& lattice, int planes);

// Planes per visit for which the rows of two steps in one pass fit cache_for_rows(): 4 to 16, or 8
// where rows are so long that they are done in pieces.
int planes_in_cache(const Lattice& lattice);

// Cells of a row to be done at a time for the ring to fit the cache.
int cells_per_piece(const Lattice& lattice, const LaunchPair& pair);

// Owns the rings between the two launches.
class PairRunner {
 public:
  // Returns false, with nothing done, where there are too few rows for the threads. piece: as in
  // PairStrip; 0: chosen for the caches.
  bool run(const Kernels& kernels, const DeviceLattice& lattice, const LaunchPair& pair,
           int threads, int piece = 0);

 private:
  std::vector<Buffer> rings_;  // by thread
};

}  // namespace lbm::cpu
