// How large and how long the measurements of `lbm bench` are on a machine.
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
  double seconds = 1;                       // of a measurement, about
  double chosen_seconds = 1;                // of one with the model's k and B
  double reference_seconds = 1;             // of the in-core one beside those
  bool reference_each = true;               // beside each of them; else one for all that are alike
  std::int64_t least_chosen_steps = 1;
};

// Halved until the smallest of each kind fits the limits: what one measures on a GPU of 80 GB is
// not for a laptop.
BenchSizes bench_sizes(const BenchLimits& limits);

// The device memory that a smaller card has: 16 GB, or a part of the lattice where that is small.
std::uint64_t bench_small_device(const BenchLimits& limits, const BenchSizes& sizes);

}  // namespace lbm::cases
