// SPDX-License-Identifier: Apache-2.0
#include "cases/run/checkpoint/checkpoints.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "io/files/checksum.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace fs = std::filesystem;

std::string checkpoint_name(std::int64_t step) { return fmt::format("checkpoint_{:09d}.h5", step); }

std::optional<std::int64_t> step_of_checkpoint(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::string_view start = "checkpoint_", end = ".h5";
  if (!name.starts_with(start) || !name.ends_with(end)) return std::nullopt;
  std::int64_t step = 0;
  const char* const last = name.data() + name.size() - end.size();
  const auto [stop, error] = std::from_chars(name.data() + start.size(), last, step);
  if (error != std::errc() || stop != last || step < 0) return std::nullopt;
  return step;
}

namespace {

io::ElementType element_type(StorageType storage) {
  const std::size_t bytes = bytes_per_value(storage);
  if (bytes == 2) return io::ElementType::uint16;
  return bytes == 4 ? io::ElementType::float32 : io::ElementType::float64;
}

// Number of checkpoints written after a step, without the removal of older ones. Unlimited if the
// interval is in wall-clock time.
std::int64_t saves_after(const Case& lbm_case, const Derived& derived, std::int64_t step) {
  const CheckpointKeys& keys = lbm_case.checkpoint;
  if (step >= derived.steps) return 0;
  if (keys.every_minutes) return std::numeric_limits<std::int64_t>::max();
  const std::int64_t every = keys.every_steps.value_or(0);
  std::int64_t saves = every > 0 ? derived.steps / every - step / every : 0;
  // At the end or at the walltime, never both.
  const bool at_last = keys.at_end || lbm_case.run.walltime;
  if (at_last && (every == 0 || derived.steps % every != 0)) ++saves;
  return saves;
}

// Sorts by step; leaves out files of other kinds.
std::vector<fs::path> only_checkpoints(std::vector<fs::path> files) {
  std::erase_if(files, [](const fs::path& file) { return !step_of_checkpoint(file); });
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return *step_of_checkpoint(a) < *step_of_checkpoint(b);
  });
  return files;
}

// Checksum of the positions of the solid cells, without links and conditions.
std::string solid_checksum(const Boundaries& boundaries, int ny, int nz) {
  const BoundaryView view = boundaries.view();
  std::uint64_t sum = 0;
  for (int z = 0; z < nz; ++z) {
    const std::uint32_t* const plane = view.solid_plane(z);
    const auto words = static_cast<std::size_t>(view.words_per_row) * static_cast<std::size_t>(ny);
    if (plane == nullptr || std::all_of(plane, plane + words, [](auto word) { return word == 0; }))
      continue;
    sum = io::checksum(std::as_bytes(std::span(&z, 1)), sum);
    sum = io::checksum(std::as_bytes(std::span(plane, words)), sum);
  }
  return fmt::format("{:016x}", sum);
}

// A slow disk, until the first checkpoint is measured.
constexpr double first_guess = 200e6;  // bytes per second
// Margin for varying sweeps and checkpoints, and time for the final report.
constexpr double reserve = 1.5;
constexpr double report_seconds = 1;

}  // namespace

std::vector<fs::path> checkpoints_in(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code ec;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec)) {
    found.push_back(it->path());
  }
  return only_checkpoints(std::move(found));
}

std::string boundaries_checksum(const Boundaries& boundaries) {
  io::Checksum sum;
  boundaries.visit_for_checksum([&](std::span<const std::byte> piece) { sum.add(piece); });
  return fmt::format("{:016x}", sum.value());
}

io::Json checkpoint_header(const CaseModel& model, std::int64_t step) {
  const PlaneLayout& layout = model.lattice.layout;
  const std::string solid = solid_checksum(model.boundaries, layout.ny, model.lattice.nz);
  // Where only fluid cells are stored, requested forces decide which bodies are listed
  // (BodySpec::listed). The checksum must not depend on these requests.
  const std::string boundaries = layout.fluid_only ? solid : boundaries_checksum(model.boundaries);
  return {{"lbm_version", LBM_VERSION},
          {"step", step},
          {"lattice",
           {{"nx", layout.nx},
            {"ny", layout.ny},
            {"nz", model.lattice.nz},
            {"pitch", layout.pitch},
            {"row", layout.row},
            {"values_per_cell", layout.values_per_cell},
            {"storage", to_string(model.lattice.storage)}}},
          {"stored_cells", to_string(model.stored)},
          {"boundaries", boundaries},
          {"solid_cells", solid}};
}

io::PlaneArray lattice_array(const Lattice& lattice) {
  const std::size_t values = lattice.layout.bytes / bytes_per_value(lattice.storage);
  return {to_string(lattice.representation), element_type(lattice.storage), lattice.nz,
          static_cast<std::int64_t>(values)};
}

std::uint64_t checkpoint_bytes(const Case& lbm_case, const Derived& derived,
                               const Lattice& lattice) {
  std::vector<io::PlaneArray> arrays{lattice_array(lattice)};
  for (const Statistics& s : lbm_case.statistics) {
    arrays.push_back(saved_array(lbm_case, derived, s));
  }
  return io::predicted_checkpoint_bytes(
      {{"header", ""}, {"state", ""}, {"case", to_yaml(lbm_case)}}, arrays);
}

// The oldest one is removed only after the new one is complete.
std::int64_t checkpoints_to_come(const Case& lbm_case, const Derived& derived,
                                 std::int64_t after_step, std::int64_t there) {
  const std::int64_t room =
      std::max<std::int64_t>(1, std::int64_t{lbm_case.checkpoint.keep} + 1 - there);
  return std::min(room, saves_after(lbm_case, derived, after_step));
}

std::uint64_t Checkpoints::bytes_needed(std::int64_t after_step) const {
  const auto there = static_cast<std::int64_t>(names().size());
  const std::int64_t more = checkpoints_to_come(case_, model_.derived, after_step, there);
  return bytes() * static_cast<std::uint64_t>(more);
}

void Checkpoints::save(std::int64_t step, const WriteState& write_state) {
  if (saved_step_ == step) return;
  const auto begin = std::chrono::steady_clock::now();
  const io::Place place = directory_.file(checkpoint_name(step));
  write(step, write_state, place);
  saved_step_ = step;
  newest_ = directory_.present_path() / checkpoint_name(step);
  damaged_.erase(place.path());
  ++stats_.count;
  stats_.seconds += seconds_since(begin);
  rotate(step);
}

void Checkpoints::save_to(const fs::path& file, std::int64_t step, const WriteState& write_state) {
  std::error_code ec;
  if (fs::exists(fs::symlink_status(file, ec))) {
    throw UsageError(
        fmt::format("{}: there is a file of this name already; choose another one", file.string()));
  }
  write(step, write_state, file);
}

void Checkpoints::write(std::int64_t step, const WriteState& write_state, const io::Place& place) {
  io::Json state = io::Json::object();
  std::vector<io::PlaneArray> arrays{lattice_array(model_.lattice)};
  for (const Stateful* part : parts_) {
    state[part->state_name()] = part->save_state();
    if (auto array = part->plane_array()) arrays.push_back(std::move(*array));
  }
  io::CheckpointWriter writer(place,
                              {{"header", io::json_text(checkpoint_header(model_, step))},
                               {"state", io::json_text(state)},
                               {"case", to_yaml(with_whole_paths(case_))}},
                              arrays);
  write_state(writer);
  std::size_t index = populations;
  for (const Stateful* part : parts_) {
    if (part->plane_array()) ++index;
    part->save_planes([&](std::int64_t first, std::span<const std::byte> planes) {
      writer.write_planes(index, first, planes);
    });
  }
  for (Stateful* part : parts_) part->sync_files();
  writer.close();
  stats_.bytes += writer.bytes();
}

std::vector<fs::path> Checkpoints::names() const {
  const auto all = directory_.names();
  return only_checkpoints({all.begin(), all.end()});
}

// Removes damaged checkpoints, those of later steps (of an abandoned run; this run rewrites them)
// and all but the newest. Errors are ignored: a remaining file only occupies space.
void Checkpoints::rotate(std::int64_t step) {
  std::vector<fs::path> good;
  const auto remove = [&](const fs::path& name) { (void)directory_.file(name.string()).remove(); };
  for (const fs::path& name : names()) {
    if (*step_of_checkpoint(name) > step || damaged_.contains(directory_.path() / name)) {
      remove(name);
    } else {
      good.push_back(name);
    }
  }
  damaged_.clear();
  const auto keep = static_cast<std::size_t>(case_.checkpoint.keep);
  for (std::size_t i = 0; i + keep < good.size(); ++i) remove(good[i]);
}

CheckpointTimes::CheckpointTimes(const Case& lbm_case, Clock::time_point begin,
                                 std::uint64_t checkpoint_bytes)
    : case_(lbm_case),
      begin_(begin),
      last_save_(Clock::now()),
      save_seconds_(static_cast<double>(checkpoint_bytes) / first_guess) {}

std::optional<std::int64_t> CheckpointTimes::next_step_after(std::int64_t step) const {
  const auto every = case_.checkpoint.every_steps;
  if (!every) return std::nullopt;
  return (step / *every + 1) * *every;
}

bool CheckpointTimes::is_due_at(std::int64_t step) const {
  const auto every = case_.checkpoint.every_steps;
  return every && step % *every == 0;
}

bool CheckpointTimes::is_due(std::int64_t step) const {
  const auto every = case_.checkpoint.every_minutes;
  return every && step != last_step_ && seconds_since(last_save_) >= 60 * *every;
}

bool CheckpointTimes::must_stop() const {
  if (!case_.run.walltime) return false;
  const double needed = reserve * (save_seconds_ + sweep_seconds_) + report_seconds;
  return seconds_since(begin_) + needed >= 60 * *case_.run.walltime;
}

void CheckpointTimes::asked(std::int64_t step) { asked_.push_back({step, Clock::now()}); }

// Keeps a recent maximum: k, outputs and other work on the machine make sweeps vary.
void CheckpointTimes::completed(std::int64_t step) {
  while (!asked_.empty() && asked_.front().step <= step) {
    sweep_seconds_ = std::max(0.98 * sweep_seconds_, seconds_since(asked_.front().when));
    asked_.pop_front();
  }
}

void CheckpointTimes::drained(double seconds) {
  sweep_seconds_ = std::max(sweep_seconds_, seconds);
}

// Keeps a recent maximum, too: the speed of a disk varies.
void CheckpointTimes::saved(std::int64_t step, double seconds) {
  failed(step);
  save_seconds_ = measured_ ? std::max(0.7 * save_seconds_, seconds) : seconds;
  measured_ = true;
}

void CheckpointTimes::failed(std::int64_t step) {
  last_save_ = Clock::now();
  last_step_ = step;
}

}  // namespace lbm::cases
