// Checkpoints of a run: what is in them, where they are, how many stay.
#pragma once

#include <cstdint>
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
#include "io/checkpoint/checkpoint_writer.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

// "checkpoint_000012000.h5"
std::string checkpoint_name(std::int64_t step);
// Empty for a file that is no checkpoint by its name.
std::optional<std::int64_t> step_of_checkpoint(const std::filesystem::path& file);
// Those in a directory, newest last.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& directory);

// What a checkpoint says of itself; part of it must be the same in the run that goes on from it.
io::Json checkpoint_header(const CaseModel& model, std::int64_t step);
// Over all that a case takes from files and that the lattice feels.
std::string boundaries_checksum(const Boundaries& boundaries);

// Takes planes of the populations, as many as come at a time, `first` and the ones after it; and
// hands out all of them to one that does.
using PlanesOfState = std::function<void(int first, std::span<const std::byte>)>;
using ReadState = std::function<void(const PlanesOfState& take)>;
// Has all planes of Checkpoints::populations in the file.
using WriteState = std::function<void(io::CheckpointWriter& writer)>;

struct CheckpointStats {
  int count = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;  // of all that were written
};

class Checkpoints {
 public:
  static constexpr std::size_t populations = 0;  // their place among the arrays of the file

  Checkpoints(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory);

  // A part whose state is saved, too; it must outlive this object.
  void add(Stateful& part) { parts_.push_back(&part); }
  const std::vector<Stateful*>& parts() const { return parts_; }
  // The run goes on from a checkpoint of that step in the run's directory; the files of later
  // steps and the damaged ones go as soon as there is a new one.
  void continue_from(std::int64_t step, std::set<std::filesystem::path> damaged);

  // Bytes of one, roughly, and of all that will be on the disk at one time beyond those there are,
  // when the run goes on after that step.
  std::uint64_t bytes() const;
  std::uint64_t bytes_needed(std::int64_t after_step) const;

  // Saves the state at `step`, of which write_state knows the populations; does nothing where that
  // is saved already.
  // The files of all parts are on the disk before it has its name. Older ones go when it is in
  // place. Throws ResourceError; then the older ones are as they were.
  void save(std::int64_t step, const WriteState& write_state);

  // The same to another file, which none of the others makes way for. Throws UsageError where there
  // is one of that name.
  void save_to(const std::filesystem::path& file, std::int64_t step, const WriteState& write_state);

  const CheckpointStats& stats() const { return stats_; }
  // The newest one of this run; empty: none.
  const std::filesystem::path& newest() const { return newest_; }

 private:
  io::CheckpointTexts texts(std::int64_t step) const;
  std::vector<io::PlaneArray> arrays() const;
  void write(std::int64_t step, const WriteState& write_state, const std::filesystem::path& path);
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

}  // namespace lbm::cases
