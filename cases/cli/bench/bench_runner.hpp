// Makes one measurement of `lbm bench` after the other, with the pipeline that runs cases.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cases/cli/bench/bench_case.hpp"
#include "cases/cli/bench/bench_planes.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

// Shares are of 1; empty where the other number was not measured.
struct BenchRow {
  BenchCase bench;  // skipped says why nothing was measured
  std::int64_t steps = 0;
  double seconds = 0;   // of the time loop, filling and draining the pipeline included: no setup
  double mlups = 0;     // redundant updates of haloed tiles are not counted
  double gb_per_s = 0;  // 1e9 bytes: every value of every cell read and written once a step
  std::optional<double> share_of_copy;
  // Out of core: of the last measurement in core before it, of the same group, planes and storage.
  std::optional<double> share_of_in_core;
  std::optional<double> predicted_mlups;
  std::uint64_t device_bytes = 0, host_bytes = 0;
};

class BenchRunner {
 public:
  // Backend and speeds must outlive it. most_lattice_bytes: of the largest lattice on the host.
  // stop: asked between sweeps; true ends the measurement.
  BenchRunner(Backend& backend, const DeviceSpeeds& speeds, std::uint64_t most_lattice_bytes,
              std::function<bool()> stop);

  // Device memory is free again afterwards; the host's stays for the next measurement. Where memory
  // is short after all the row is a skipped one. Throws DivergedError. A measurement that was
  // stopped is no row.
  void measure(const BenchCase& bench);

  const std::vector<BenchRow>& rows() const { return rows_; }

 private:
  void run(const BenchCase& bench, BenchRow& row);
  void add_speeds(BenchRow& row) const;

  Backend& backend_;
  const DeviceSpeeds& speeds_;
  std::uint64_t most_lattice_bytes_;
  std::function<bool()> stop_;
  std::shared_ptr<BenchPattern> pattern_;
  std::shared_ptr<BenchArena> arena_;
  std::vector<BenchRow> rows_;
};

}  // namespace lbm::cases
