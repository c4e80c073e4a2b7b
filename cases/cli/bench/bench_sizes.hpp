// SPDX-License-Identifier: Apache-2.0

// Sizes and durations of the measurements of `lbm bench` on a machine.
#pragma once

#include <array>
#include <vector>

#include "cases/cli/bench/bench_case.hpp"

namespace lbm::cases {

struct BenchSizes {
  std::vector<std::array<int, 3>> in_core;  // the first one with every storage type and box
  int edge = 0, planes = 0;                 // out of core: edge x edge x planes
  std::vector<int> steps;                   // k, out of core
  std::vector<int> halo_steps;              // k of haloed tiles
  double seconds = 1;                       // approximate duration of a measurement
  double chosen_seconds = 1;                // ... with k and B chosen by the model
  double reference_seconds = 1;             // ... of their in-core references
  bool reference_each = true;               // one for each; else one for all alike
  std::int64_t least_chosen_steps = 1;
};

// Halved until the smallest grids fit the limits: measurements for a GPU of 80 GB do not suit a
// laptop.
BenchSizes bench_sizes(const BenchLimits& limits);

// Device memory of a smaller card: 16 GB, or part of a small lattice.
std::uint64_t bench_small_device(const BenchLimits& limits, const BenchSizes& sizes);

}  // namespace lbm::cases
