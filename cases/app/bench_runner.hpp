// Makes one measurement of `lbm bench` after the other, with the pipeline that runs cases.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cases/app/bench_cases.hpp"
#include "solver/backend/speeds.hpp"
#include "tiling/plane_store.hpp"

namespace lbm::app {

struct BenchRow {
  BenchCase bench;
  std::int64_t steps = 0;
  double seconds = 0;    // of the time loop: no setup, no output
  double mlups = 0;      // redundant updates of halo are not counted
  double gb_per_s = 0;   // 1e9 bytes: every value of every cell read and written once a step
  // Shares of 1. Empty where the other number was not measured.
  std::optional<double> share_of_copy;
  std::optional<double> share_of_in_core;  // out of core only
  std::optional<double> predicted_mlups;
  std::uint64_t device_bytes = 0, host_bytes = 0;  // taken
};

class BenchRunner {
 public:
  // Both must outlive it.
  BenchRunner(Backend& backend, const DeviceSpeeds& speeds);
  ~BenchRunner();
  BenchRunner(const BenchRunner&) = delete;
  BenchRunner& operator=(const BenchRunner&) = delete;

  // Device memory is free again afterwards; a lattice on the host stays for the next measurement
  // that can use it. Throws ResourceError where memory is short, DivergedError.
  const BenchRow& measure(const BenchCase& bench);

  const std::vector<BenchRow>& rows() const { return rows_; }

 private:
  tiling::PlaneStore& store_for(const BenchCase& bench, const Lattice& lattice);
  void judge(BenchRow& row) const;

  Backend& backend_;
  const DeviceSpeeds& speeds_;
  std::unique_ptr<tiling::PlaneStore> store_;
  Lattice store_lattice_;  // of store_; nz: how many planes it has
  std::vector<BenchRow> rows_;
};

}  // namespace lbm::app
