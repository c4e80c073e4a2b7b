// SPDX-License-Identifier: Apache-2.0

// Checkpoints of a run: contents, names, sizes, how many are kept, when one is due, and when a run
// must stop for its walltime.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/files/run_directory.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

// Such as "checkpoint_000012000.h5".
std::string checkpoint_name(std::int64_t step);
// Empty if the name is not that of a checkpoint.
std::optional<std::int64_t> step_of_checkpoint(const std::filesystem::path& file);
// Checkpoints in a directory, newest last.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& directory);

// Metadata of a checkpoint. Some of them must agree with the run that continues from it.
io::Json checkpoint_header(const CaseModel& model, std::int64_t step);
// Covers all that a case reads from files and that affects the lattice.
std::string boundaries_checksum(const Boundaries& boundaries);

// PlanesOfState: receives consecutive planes of the populations from `first` on. ReadState: passes
// all planes to such a consumer.
using PlanesOfState = std::function<void(int first, std::span<const std::byte>)>;
using ReadState = std::function<void(const PlanesOfState& take)>;
// Writes all planes of Checkpoints::populations to the file.
using WriteState = std::function<void(io::CheckpointWriter& writer)>;

// The array of populations in a checkpoint: planes as stored.
io::PlaneArray lattice_array(const Lattice& lattice);

// Bytes of one checkpoint within a few kilobytes: populations, sums of statistics, case.
std::uint64_t checkpoint_bytes(const Case& lbm_case, const Derived& derived,
                               const Lattice& lattice);

// Largest number of checkpoints on the disk at once beyond the `there` existing ones, when the run
// continues after a step. Checkpoints requested by signals do not count.
std::int64_t checkpoints_to_come(const Case& lbm_case, const Derived& derived,
                                 std::int64_t after_step = 0, std::int64_t there = 0);

struct CheckpointStats {
  int count = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;  // of all checkpoints written
};

class Checkpoints {
 public:
  static constexpr std::size_t populations = 0;  // index of the array in the file

  Checkpoints(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory)
      : case_(lbm_case), model_(model), directory_(directory) {}

  // Adds a part whose state is saved, too; it must outlive this object.
  void add(Stateful& part) { parts_.push_back(&part); }
  const std::vector<Stateful*>& parts() const { return parts_; }
  // The run continues from a checkpoint of `step` in its directory. Files of later steps and
  // damaged ones are removed once a new checkpoint exists.
  void continue_from(std::int64_t step, std::set<std::filesystem::path> damaged) {
    saved_step_ = step;
    damaged_ = std::move(damaged);
  }

  // Approximate bytes of one checkpoint, and of all that will be on the disk at once beyond the
  // existing ones when the run continues after a step.
  std::uint64_t bytes() const { return checkpoint_bytes(case_, model_.derived, model_.lattice); }
  std::uint64_t bytes_needed(std::int64_t after_step) const;

  // Saves the state at `step`; write_state writes the populations. Does nothing if that step is
  // already saved. The file gets its name after the files of all parts are on the disk, and older
  // ones are removed after that. Throws ResourceError and then keeps the older ones.
  void save(std::int64_t step, const WriteState& write_state);

  // Saves to another file, for which no checkpoint is removed. Throws UsageError if it exists.
  void save_to(const std::filesystem::path& file, std::int64_t step, const WriteState& write_state);

  const CheckpointStats& stats() const { return stats_; }
  // The newest checkpoint of this run; empty: none.
  const std::filesystem::path& newest() const { return newest_; }

 private:
  void write(std::int64_t step, const WriteState& write_state, const io::Place& place);
  std::vector<std::filesystem::path> names() const;  // of all checkpoints, newest last
  void rotate(std::int64_t step);

  const Case& case_;
  const CaseModel& model_;
  const io::RunDirectory& directory_;
  std::vector<Stateful*> parts_;
  std::optional<std::int64_t> saved_step_;
  std::set<std::filesystem::path> damaged_;
  std::filesystem::path newest_;
  CheckpointStats stats_;
};

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class CheckpointTimes {
 public:
  using Clock = std::chrono::steady_clock;

  // begin: start of the program. checkpoint_bytes: size, to estimate the duration of the first one.
  CheckpointTimes(const Case& lbm_case, Clock::time_point begin, std::uint64_t checkpoint_bytes);

  // The next later step at which a checkpoint is due; empty: none.
  std::optional<std::int64_t> next_step_after(std::int64_t step) const;
  bool is_due_at(std::int64_t step) const;
  // Due by wall-clock time at `step`: never twice at the same step, however short the interval is.
  bool is_due(std::int64_t step) const;
  // True once the sweeps in flight, a checkpoint and the end of the program need the whole
  // remaining walltime.
  bool must_stop() const;

  // A sweep to `step` was requested; all steps up to `step` are complete. The time between the two
  // calls is that needed to stop.
  void asked(std::int64_t step);
  void completed(std::int64_t step);
  // Time from the last requested sweep until everything was complete, outputs included.
  void drained(double seconds);
  // A checkpoint of `step` was written in this time, or failed.
  void saved(std::int64_t step, double seconds);
  void failed(std::int64_t step);

 private:
  struct Asked {
    std::int64_t step;
    Clock::time_point when;
  };

  const Case& case_;
  Clock::time_point begin_, last_save_;
  std::optional<std::int64_t> last_step_;  // of the last checkpoint, or attempt
  std::deque<Asked> asked_;
  double save_seconds_, sweep_seconds_ = 0;
  bool measured_ = false;
};

}  // namespace lbm::cases
