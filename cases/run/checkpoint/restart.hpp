// The checkpoint from which a run goes on.
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
#include "io/checkpoint/checkpoint_reader.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

class Restart {
 public:
  // given: a checkpoint, or the directory of a run, whose newest one that is whole is taken.
  // Compares the cases. Throws UsageError: no checkpoint, a damaged one, another grid or other
  // physics (with all that differs), an end that is before it.
  Restart(const std::filesystem::path& given, const Case& lbm_case);

  // Compares what the case takes from files, and how planes lie in memory. Throws UsageError.
  void check(const CaseModel& model) const;

  std::int64_t step() const { return step_; }
  const std::filesystem::path& file() const { return reader_->path(); }
  // Where that run wrote.
  const std::filesystem::path& directory() const { return directory_; }
  const std::set<std::filesystem::path>& damaged() const { return damaged_; }

  // Reads planes of the lattice. Throws UsageError where one is damaged; valid until fall_back().
  tiling::PlaneFill fill() const;
  // Puts the state of parts back, their arrays too.
  void load(const std::vector<Stateful*>& parts) const;

  // After an error of fill() or load(): takes the checkpoint before, if a directory was given and
  // has one that is whole; says so in notes(). False: there is none.
  bool fall_back(const std::string& why);
  // What the user should know: which one was taken, which ones are damaged.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void open(const std::filesystem::path& file);
  bool open_newest();
  void note_damage(const std::filesystem::path& file, const std::string& why);
  io::Json header() const;
  void read_header();
  void load(Stateful& part, const io::Json& state) const;

  const Case& case_;
  std::filesystem::path given_, directory_;
  std::vector<std::filesystem::path> left_;  // candidates, newest last
  std::set<std::filesystem::path> damaged_;
  std::unique_ptr<io::CheckpointReader> reader_;
  std::int64_t step_ = 0;
  std::vector<std::string> notes_;
};

// "fluid.reynolds: 100 -> 200" for each key that a run may not change when it goes on.
std::vector<std::string> physics_differences(const Case& before, const Case& now);

}  // namespace lbm::cases
