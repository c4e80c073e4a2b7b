// SPDX-License-Identifier: Apache-2.0

// The parts of a run and the order of its life: begin, advance, finish, give up.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/time_loop.hpp"

namespace lbm::cases {

// Ends the other ranks with the run of the root. After an error they cannot go on: then all
// processes end at once.
class OtherRanks {
 public:
  // ranks: null for one process.
  explicit OtherRanks(tiling::Ranks* ranks) : ranks_(ranks) {}
  ~OtherRanks();
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;

  ExitCode error = exit_ok;  // that has ended the run

 private:
  tiling::Ranks* ranks_;
};

// Each member refers only to members above it.
struct RunEngine {
  RunEngine(Case lbm_case, const RunOptions& options, RunCallbacks callbacks, tiling::Ranks* ranks);

  // Begins the run where it has not begun. Throws RunEnded after an error.
  TimeLoop& running();
  // False: interrupted.
  bool advance_to(std::int64_t step);
  // Frees the lattice, and completes what can be completed of the files and the report.
  void give_up(const std::string& exit_reason);
  // An error has ended the run.
  bool is_lost() const { return others.error != exit_ok; }

  RunCallbacks callbacks;
  Notices notices;
  PreparedRun prepared;
  OtherRanks others;  // end before the halo planes in `prepared`, which wait for their neighbours
  RunResults results;
  std::optional<TimeLoop> loop;

 private:
  void begin();
  void make_loop();
  void finish_if_over();
  void fail(const std::exception& caught);
  std::string advice(const DivergedError& error) const;
};

}  // namespace lbm::cases
