// SPDX-License-Identifier: Apache-2.0

// A run that is ready to begin: the case, the device, the schedule, the checkpoint to restart from
// and, for one of several ranks, its slab and its neighbours.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "cases/case/case.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// The lattice is not allocated yet.
struct PreparedRun {
  // Checks the case and the checkpoint, takes the device and chooses the schedule. Warnings go to
  // `notices`. ranks: null for one process; otherwise all ranks must call it, and it throws
  // SharedError in all of them alike. Throws UsageError, ResourceError.
  PreparedRun(Case given, const RunOptions& options, tiling::Ranks* ranks, Notices& notices);
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  const Restart* checkpoint() const { return restart ? &*restart : nullptr; }
  // Puts the choice into the case.
  void take(const RepresentationChoice& choice);
  std::int64_t first_step() const { return restart ? restart->step() : 0; }
  // The arguments of a pipeline with these sinks. Allocates the store and fills it with the planes
  // of this process: with the initial flow, whose data are freed, or from the checkpoint. Throws as
  // tiling::make_store().
  tiling::PipelineConfig pipeline_config(tiling::FieldSink* fields, tiling::RecordSink* records);

  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  tiling::Ranks* const ranks;
  Case lbm_case;  // with the representation that was chosen where the given case says auto
  std::optional<Restart> restart;
  std::filesystem::path resumed;  // directory of a run that ended on a coarser grid; empty: none
  std::unique_ptr<Backend> backend;
  Setup setup;                                    // derived: from the beginning
  double copy_bytes_per_second = 0;               // of all devices together; 0: not measured
  std::optional<tiling::PlaneExchange> exchange;  // of several ranks; destroyed before the device

 private:
  void check(const RunOptions& options);
  void check_arrays(const RunOptions& options) const;
  void set_initial_flow(const RunOptions& options);
  void prepare_alone(const RunOptions& options);
  void prepare_as_rank(const RunOptions& options);

  std::string representation_reason_;
};

// The case of a run that restarts: the flow is in the checkpoint, and a file that the run began
// from may be gone.
Case without_initial_flow(Case lbm_case);

// Sets the speed that the model predicts for the run. planes: of the slab; 0 for the whole grid.
void predict_speed(const DeviceSpeeds& speeds, int planes, PreparedRun& run);

// Why a run with writes_files == false warns.
inline constexpr const char* no_directory_warning =
    "the case asks for files, and there is no directory for them: nothing will be written";

}  // namespace lbm::cases
