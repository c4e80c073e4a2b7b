// SPDX-License-Identifier: Apache-2.0
#include "cases/run/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace fs = std::filesystem;

namespace {

// Keys that do not change the physics: how a run is computed, what it writes, when it ends.
bool may_change(const std::string& path) {
  static constexpr std::array<std::string_view, 11> groups{
      "run.",        "output.", "outputs.", "pictures.", "statistics.", "probes.",
      "quantities.", "tiling.", "device.",  "host.",     "checkpoint."};
  const auto in = [&](std::string_view group) { return path.starts_with(group); };
  return path == "name" || path == "fluid.target_reynolds" || in("expect.") ||
         std::any_of(groups.begin(), groups.end(), in) ||
         path.ends_with(".file");  // boundaries_checksum() covers the contents
}

// With --change. The populations are those of the old case in lattice units: what defines these,
// the cells and what a cell stores must stay. Bodies may get another motion, not another place:
// cells that were solid have no flow.
bool state_permits(const std::string& path) {
  static constexpr std::array<std::string_view, 10> fixed{
      "units",         "fluid.length",    "fluid.lattice_velocity", "fluid.velocity",
      "fluid.density", "lattice.storage", "lattice.representation", "lattice.velocities",
      "bodies",        "scalars"};
  static constexpr std::array<std::string_view, 8> of_bodies{
      ".walls",          ".velocity",         ".angular_velocity",   ".center_of_rotation",
      ".reference_area", ".reference_length", ".reference_velocity", ".velocity_factor"};
  if (path.starts_with("grid.")) return false;
  if (path.starts_with("bodies.")) {
    return std::any_of(of_bodies.begin(), of_bodies.end(),
                       [&](std::string_view key) { return path.ends_with(key); });
  }
  // The meaning of its stored values; a scalar that comes or goes differs by them, too.
  if (path.starts_with("scalars.") &&
      (path.ends_with(".reference") || path.ends_with(".difference") ||
       path.ends_with(".gradient"))) {
    return false;
  }
  return std::find(fixed.begin(), fixed.end(), path) == fixed.end();
}

std::string names_of_scalars(const Case& lbm_case) {
  std::vector<std::string> names;
  for (const ScalarKeys& scalar : lbm_case.scalars) names.push_back(scalar.name);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> physics_differences(const Case& before, const Case& now) {
  struct Values {
    std::string was = "nothing", is = "nothing";
  };
  std::map<std::string, Values> values;
  std::vector<std::string> paths;  // in the order of the cases
  const auto collect = [&](const Case& lbm_case, std::string Values::*side) {
    for_each_key(lbm_case, [&](const Key& key, const std::string& path, std::size_t item) {
      const std::string text = key.write(lbm_case, item);
      if (may_change(path) || text.empty()) return;
      const auto [at, fresh] = values.try_emplace(path);
      at->second.*side = text;
      if (fresh) paths.push_back(path);
    });
  };
  collect(now, &Values::is);
  collect(before, &Values::was);
  std::vector<std::string> differences;
  // Also their order, which the lattice has.
  const std::string had = names_of_scalars(before), has = names_of_scalars(now);
  if (had != has) differences.push_back(fmt::format("scalars: {} -> {}", had, has));
  for (const std::string& path : paths) {
    const auto& [was, is] = values[path];
    if (was != is) differences.push_back(fmt::format("{}: {} -> {}", path, was, is));
  }
  return differences;
}

bool ended_on_a_coarser_grid(const Case& lbm_case, const fs::path& directory) {
  const fs::path report = directory / "report.json";
  std::error_code none;
  if (lbm_case.run.cascade == 1 || !fs::is_regular_file(report, none)) return false;
  if (!checkpoints_in(directory).empty()) return false;
  const io::Json json = io::read_json(report);
  return io::whole_in(io::member(json, "steps")) == 0 &&
         !io::item(io::member(json, "coarser_grids"), 0).is_null();
}

Restart::Restart(const fs::path& given, const Case& lbm_case, std::int64_t end, bool change)
    : case_(lbm_case), end_(end), change_(change) {
  std::error_code ec;
  if (!fs::is_directory(given, ec)) {
    directory_ = given.has_parent_path() ? given.parent_path() : fs::path(".");
    open(given);
    return;
  }
  directory_ = given;
  left_ = checkpoints_in(given);
  if (left_.empty()) {
    throw UsageError(fmt::format(
        "--restart {}: there is no checkpoint in this directory; run the case without --restart",
        given.string()));
  }
  if (open_newest()) return;
  throw UsageError(fmt::format("--restart {}: no checkpoint in this directory is intact: {}",
                               given.string(), fmt::join(notes_, "; ")));
}

bool Restart::open_newest() {
  while (!left_.empty()) {
    const fs::path file = left_.back();
    left_.pop_back();
    try {
      const io::CheckpointReader whole(file);
    } catch (const UsageError& error) {
      damaged_.insert(file);
      notes_.emplace_back(error.what());
      continue;
    }
    open(file);
    notes_.push_back(fmt::format("{}: the run goes on from here", file.string()));
    return true;
  }
  return false;
}

bool Restart::fall_back(const std::string& why) {
  if (left_.empty()) return false;
  notes_.back() = why;  // replaces "the run goes on from here"
  damaged_.insert(reader_->path());
  return open_newest();
}

void Restart::open(const fs::path& file) {
  // A FIFO would be waited for.
  std::error_code ec;
  if (fs::exists(file, ec) && !fs::is_regular_file(file, ec)) {
    throw UsageError(file.string() + ": is no regular file, must be a checkpoint");
  }
  reader_ = std::make_unique<io::CheckpointReader>(file);
  reading("header or case", [this] { compare_cases(); });
}

io::Json Restart::header() const {
  return io::parse_json(reader_->text("header"), file().string());
}

void Restart::refuse(const std::string& what) const {
  throw UsageError(file().string() + ": " + what);
}

// Calls work(), which reads a text of the checkpoint: a text that is not what lbm wrote is damage.
template <class Work>
void Restart::reading(const char* text, const Work& work) const {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse(fmt::format("is damaged: its {} cannot be read: {}; give another checkpoint", text,
                       one_line(error.what())));
  }
}

void Restart::compare_cases() {
  step_ = io::whole_in(io::member(header(), "step")).value_or(-1);
  if (step_ < 0) refuse("was written by another version of lbm; use that one");
  Case before;
  try {
    before = parse_case(reader_->text("case"), file().string());
  } catch (const UsageError& error) {
    throw UsageError(
        fmt::format("{} (the case in the checkpoint is of another version of lbm)", error.what()));
  }
  Case now = case_;
  if (!now.lattice.representation) now.lattice.representation = before.lattice.representation;
  // Checkpoints of versions without `auto` have a number.
  for (Case* one : {&before, &now}) {
    one->lattice.magic = magic_of(*one);
    one->lattice.velocities = velocity_set(one->lattice);
  }
  changes_ = physics_differences(before, now);
  if (!changes_.empty() && !change_) {
    refuse(
        fmt::format("is of another case than {}: {}; only name, run, output, outputs, pictures, "
                    "statistics, probes, quantities, expect, checkpoint, tiling, device and "
                    "host may change, other physics with --change",
                    name_in_messages(case_), fmt::join(changes_, ", ")));
  }
  std::vector<std::string> refused = changes_;
  std::erase_if(refused, [](const std::string& difference) {
    return state_permits(difference.substr(0, difference.find(": ")));
  });
  if (!refused.empty()) {
    refuse(
        fmt::format("--change cannot change {}, which the saved state depends on: start a new "
                    "run from a file of its fields (initial.flow: file)",
                    fmt::join(refused, ", ")));
  }
  representation_ = before.lattice.representation.value_or(Representation::populations);
  if (step_ > end_) {
    refuse(fmt::format("is at step {}, but {} ends at step {}; set a later end", step_,
                       name_in_messages(case_), end_));
  }
}

void Restart::check(const CaseModel& model) const {
  reading("header", [&] { compare(header(), model); });
}

void Restart::compare(const io::Json& found, const CaseModel& model) const {
  const io::Json expected = checkpoint_header(model, step_);
  // Older versions stored all cells.
  const io::Json& cells = io::member(found, "stored_cells");
  const std::string stored = cells.is_null() ? to_string(CellsStored::all) : io::text_in(cells);
  if (stored != to_string(model.stored)) {
    if (const std::string why = why_all_cells(case_); !why.empty()) {
      refuse(
          fmt::format("holds fluid cells alone, which does not go with {} of {}: change that, or "
                      "start a new run from a file of its fields (initial.flow: file)",
                      why, name_in_messages(case_)));
    }
    refuse(fmt::format("holds {} cells, lattice.cells of {} asks for {}: set lattice.cells: {}",
                       stored, name_in_messages(case_), to_string(model.stored), stored));
  }
  for (const auto& [key, value] : expected["lattice"].items()) {
    const std::string now = io::text_in(value),
                      before = io::text_in(io::member(io::member(found, "lattice"), key));
    if (before == now) continue;
    refuse(
        fmt::format("its planes have another memory layout than those of this version of lbm: "
                    "{}: {} -> {}; use the version that wrote it ({})",
                    key, before, now, io::text_in(io::member(found, "lbm_version"))));
  }
  const auto array = reader_->find(lattice_array(model.lattice).name);
  if (!array || reader_->arrays()[*array] != lattice_array(model.lattice)) {
    refuse("does not hold this lattice; give another checkpoint");
  }
  // With changed physics only the solid cells must be equal; other boundary data may differ.
  const char* const key = changes_.empty() ? "boundaries" : "solid_cells";
  if (io::member(found, key) == expected[key]) return;
  if (changes_.empty()) {
    refuse(fmt::format(
        "bodies or faces are not those of {} any more, although its keys are the same: a file that "
        "they are read from (STL, CSV) has changed, or lbm has; give the files of that run",
        name_in_messages(case_)));
  }
  refuse(
      fmt::format("--change: the solid cells are not those of {} any more: give the files of "
                  "bodies (STL, OBJ) of that run, or start a new run from a file of its fields "
                  "(initial.flow: file)",
                  name_in_messages(case_)));
}

tiling::PlaneFill Restart::fill() const {
  const io::CheckpointReader* reader = reader_.get();
  const std::size_t array = reader->find(to_string(representation_)).value();
  const std::size_t bytes = reader->arrays()[array].plane_bytes();
  return [reader, array, bytes](int z, std::byte* to) {
    reader->read_plane(array, z, {to, bytes});
  };
}

void Restart::load(const std::vector<Stateful*>& parts) const {
  const io::Json state = io::parse_json(reader_->text("state"), file().string());
  const auto check = [&](const io::Json& json, const std::string& what) {
    if (json.is_object()) return;
    refuse(fmt::format("is damaged: {} is no JSON object; give another checkpoint", what));
  };
  check(state, "its state");
  for (Stateful* part : parts) {
    // Means and samples of other physics are not continued.
    const io::Json own = changes_.empty() ? io::member(state, part->state_name()) : io::Json();
    if (!own.is_null()) check(own, "its state of " + part->state_name());
    reading("state", [&] { load_part(*part, own); });
  }
}

void Restart::load_part(Stateful& part, const io::Json& state) const {
  const auto wanted = part.plane_array();
  if (!wanted || state.is_null()) return part.load_state(state);
  const auto found = reader_->find(wanted->name);
  if (!found || reader_->arrays()[*found] != *wanted) return part.load_state(nullptr);
  part.load_state(state);
  std::exception_ptr error;
  std::mutex mutex;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t plane = 0; plane < wanted->planes; ++plane) {
    try {
      reader_->read_plane(*found, plane, part.plane_to_load(plane));
    } catch (...) {
      const std::scoped_lock lock(mutex);
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  part.planes_loaded();
}

}  // namespace lbm::cases
