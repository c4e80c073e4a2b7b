// From what a measurement of `lbm bench` fixes to all that it needs: schedule, steps, memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cases/cli/bench/bench_case.hpp"

namespace lbm::cases {

// What is empty is the program's choice.
struct BenchWanted {
  BenchGroup group;
  std::array<int, 3> cells;
  StorageType storage = StorageType::fp32;
  BenchBox box = BenchBox::cavity;
  std::optional<tiling::Scheme> scheme{};
  std::optional<int> k{}, planes{};
  std::uint64_t device_limit = ~std::uint64_t{0};  // besides that of the limits
  double seconds = 1;                              // about
  std::int64_t least_steps = 1;                    // where the model chooses k
  // The model chooses for a run of so many steps, and whole sweeps of it are measured; empty: for
  // the steps that are measured.
  std::optional<std::int64_t> run_steps{};
  bool whole_run = false;        // and measures all of them, in whole sweeps
  std::optional<int> threads{};  // empty: the backend's
};

BenchCase make_bench_case(const BenchLimits& limits, const DeviceSpeeds& speeds,
                          const BenchWanted& wanted);

}  // namespace lbm::cases
