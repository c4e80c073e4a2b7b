// SPDX-License-Identifier: Apache-2.0
#include "cases/run/checkpoint/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/run/checkpoint/checkpoint_sizes.hpp"
#include "cases/run/checkpoint/checkpoint_times.hpp"
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

Checkpoints::Checkpoints(const Case& lbm_case, const CaseModel& model,
                         const io::RunDirectory& directory)
    : case_(lbm_case), model_(model), directory_(directory) {}

void Checkpoints::continue_from(std::int64_t step, std::set<fs::path> damaged) {
  saved_step_ = step;
  damaged_ = std::move(damaged);
}

std::vector<io::PlaneArray> Checkpoints::arrays() const {
  std::vector<io::PlaneArray> all{lattice_array(model_.lattice)};
  for (const Stateful* part : parts_) {
    if (auto array = part->plane_array()) all.push_back(std::move(*array));
  }
  return all;
}

io::CheckpointTexts Checkpoints::texts(std::int64_t step) const {
  io::Json state = io::Json::object();
  for (const Stateful* part : parts_) state[part->state_name()] = part->save_state();
  return {{"header", io::json_text(checkpoint_header(model_, step))},
          {"state", io::json_text(state)},
          {"case", to_yaml(with_whole_paths(case_))}};
}

std::uint64_t Checkpoints::bytes() const {
  return checkpoint_bytes(case_, model_.derived, model_.lattice);
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
  io::CheckpointWriter writer(place, texts(step), arrays());
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

}  // namespace lbm::cases
