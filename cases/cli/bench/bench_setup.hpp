// Completes a measurement of `lbm bench`: schedule, steps, memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cases/cli/bench/bench_case.hpp"

namespace lbm::cases {

// Empty members are chosen by the program.
struct BenchWanted {
  BenchGroup group;
  std::array<int, 3> cells;
  StorageType storage = StorageType::fp32;
  BenchBox box = BenchBox::cavity;
  std::optional<tiling::Scheme> scheme{};
  std::optional<int> k{}, planes{};
  std::uint64_t device_limit = ~std::uint64_t{0};  // additional to that of the limits
  double seconds = 1;                              // approximate duration
  std::int64_t least_steps = 1;                    // if the model chooses k
  // Run length for which the model chooses; whole sweeps of that schedule are measured. Empty: the
  // measured number of steps.
  std::optional<std::int64_t> run_steps{};
  bool whole_run = false;        // measure all of run_steps, in whole sweeps
  std::optional<int> threads{};  // empty: all of the backend
};

BenchCase make_bench_case(const BenchLimits& limits, const DeviceSpeeds& speeds,
                          const BenchWanted& wanted);

}  // namespace lbm::cases
