// SPDX-License-Identifier: Apache-2.0

// Runs pairs of launches on all threads, each a strip of rows.
#pragma once

#include <vector>

#include "solver/backend/cpu/kernels.hpp"

namespace lbm::cpu {

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
