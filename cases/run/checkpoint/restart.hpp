// SPDX-License-Identifier: Apache-2.0

// The checkpoint that a run continues from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/run/records/stateful.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

class Restart {
 public:
  // given: a checkpoint, or the directory of a run, whose newest intact checkpoint is used.
  // Compares the cases. end: the last step of the new run. change: physics may differ where the
  // state permits. Throws UsageError for a missing or damaged checkpoint, a different grid or
  // physics (listing all differences, or those that cannot be changed), and an end before the
  // checkpoint.
  Restart(const std::filesystem::path& given, const Case& lbm_case, std::int64_t end,
          bool change = false);

  // Compares data that the case reads from files, and the memory layout of planes. Throws
  // UsageError.
  void check(const CaseModel& model) const;

  std::int64_t step() const { return step_; }
  // "fluid.reynolds: 100 -> 200" for each key of the physics that differs; empty without `change`.
  const std::vector<std::string>& changes() const { return changes_; }
  // Representation of the lattice in the checkpoint. The case has the same one, or auto.
  Representation representation() const { return representation_; }
  const std::filesystem::path& file() const { return reader_->path(); }
  // Differs between checkpoints of different contents.
  std::uint64_t identity() const { return reader_->identity(); }
  // Output directory of that run.
  const std::filesystem::path& directory() const { return directory_; }
  const std::set<std::filesystem::path>& damaged() const { return damaged_; }

  // Reads planes of the lattice; throws UsageError for a damaged one. Valid until fall_back().
  tiling::PlaneFill fill() const;
  // Restores the state of the parts, including their arrays.
  void load(const std::vector<Stateful*>& parts) const;

  // After an error of fill() or load(): switches to the previous intact checkpoint, if a directory
  // was given, and adds a note. Returns false if there is none.
  bool fall_back(const std::string& why);
  // Notes for the user: the checkpoint in use and the damaged ones.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void open(const std::filesystem::path& file);
  bool open_newest();
  io::Json header() const;
  void compare_cases();
  template <class Work>
  void reading(const char* text, const Work& work) const;
  void compare(const io::Json& found, const CaseModel& model) const;
  [[noreturn]] void refuse(const std::string& what) const;  // "FILE: what"
  void load_part(Stateful& part, const io::Json& state) const;

  const Case& case_;
  std::int64_t end_;
  bool change_;
  std::vector<std::string> changes_;
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> left_;  // remaining candidates, newest last
  std::set<std::filesystem::path> damaged_;
  std::unique_ptr<io::CheckpointReader> reader_;
  std::int64_t step_ = 0;
  Representation representation_ = Representation::populations;
  std::vector<std::string> notes_;
};

// True if a run in that directory was stopped on a coarser grid: its report has coarser grids, but
// no step. Given as RunOptions::restart it goes on from the checkpoint of the coarser grid, if
// there is one. Throws UsageError for a report that is not JSON.
bool ended_on_a_coarser_grid(const Case& lbm_case, const std::filesystem::path& directory);

// "fluid.reynolds: 100 -> 200" for each differing key that a continued run must not change.
std::vector<std::string> physics_differences(const Case& before, const Case& now);

}  // namespace lbm::cases
