// SPDX-License-Identifier: Apache-2.0

// Runs the measurements of `lbm bench` one by one, on the pipeline of cases.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cases/cli/bench/bench_case.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

// Shares are fractions of 1; empty without the other measurement.
struct BenchRow {
  BenchCase bench;  // skipped: reason why it was not measured
  std::int64_t steps = 0;
  double seconds = 0;   // time loop including filling and draining the pipeline, without setup
  double mlups = 0;     // without the redundant updates of haloed tiles
  double gb_per_s = 0;  // 1e9 bytes: one read and one write of all values per cell and step
  std::optional<double> share_of_copy;
  // Out of core: relative to the last in-core measurement of the same group, planes and storage.
  std::optional<double> share_of_in_core;
  std::optional<double> predicted_mlups;
  std::uint64_t device_bytes = 0, host_bytes = 0;
};

class BenchStore;

class BenchRunner {
 public:
  // backend and speeds must outlive the object. most_lattice_bytes: of the largest host lattice.
  // stop: called between sweeps; true ends the measurement.
  BenchRunner(Backend& backend, const DeviceSpeeds& speeds, std::uint64_t most_lattice_bytes,
              std::function<bool()> stop);

  // Frees device memory afterwards; host memory is kept for the next measurement. Adds a row,
  // marked as skipped if memory is too little after all, or none if the measurement was stopped.
  // Throws DivergedError.
  void measure(const BenchCase& bench);

  const std::vector<BenchRow>& rows() const { return rows_; }

 private:
  void run(const BenchCase& bench, BenchRow& row);
  void add_speeds(BenchRow& row) const;

  Backend& backend_;
  const DeviceSpeeds& speeds_;
  std::function<bool()> stop_;
  std::shared_ptr<BenchStore> store_;
  std::vector<BenchRow> rows_;
};

}  // namespace lbm::cases
