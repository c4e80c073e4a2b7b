// SPDX-License-Identifier: Apache-2.0
#include "cases/run/cascade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/ranks/agreement.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/simulation.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// What the root tells the other ranks: before a grid, unless it is the directory of its checkpoint;
// after it, unless it is the file of the flow.
constexpr const char* finished = "finished";
constexpr const char* stopped = "stopped";

Case started_from(Case lbm_case, const fs::path& file) {
  if (file.empty()) return lbm_case;
  lbm_case.initial = Initial{};
  lbm_case.initial.flow = InitialFlow::file;
  lbm_case.initial.file = fs::absolute(file).string();
  for (Face& face : lbm_case.faces) {
    face.ramp_time.reset();
    for (Patch& patch : face.patches) patch.ramp_time.reset();
  }
  lbm_case.sponge.ramp_time.reset();
  return lbm_case;
}

// The case on a coarser grid, with the collision model that bears coarse grids where its own is not
// stable there.
Case stable_case(const PreparedRun& run, int factor) {
  Case coarser = coarser_case(run.lbm_case, run.setup.derived, factor);
  if (expected_instabilities(coarser, validate(coarser)).empty()) return coarser;
  Case stable = coarser;
  stable.lattice.collision = CollisionKind::regularised_filtered;
  stable.lattice.magic.reset();
  try {
    validate(stable);
  } catch (const UsageError&) {
    return coarser;
  }
  return stable;
}

bool has_its_model(const PreparedRun& run, const Case& coarser) {
  return coarser.lattice.collision == run.lbm_case.lattice.collision;
}

// All ranks get the text of the root.
std::string from_root(tiling::Ranks* ranks, const std::string& text) {
  return ranks == nullptr ? text : ranks->allgather(text).front();
}

bool has_coarser_grids(const PreparedRun& run) {
  return run.lbm_case.run.cascade > 1 && !run.restart;
}

std::array<std::span<double>, 10> parts_of(const StateRow& row) {
  const auto& s = row.strain;
  return {row.drho, row.ux, row.uy, row.uz, s[0], s[1], s[2], s[3], s[4], s[5]};
}

// The state (4 fine - coarse) / 3.
InitialState extrapolated(const InitialState& fine, const InitialState& coarse) {
  const auto fill = [fine, coarse](int y, int z, const StateRow& row) {
    fine(y, z, row);
    const std::size_t nx = row.drho.size();
    std::vector<double> values(10 * nx);
    const auto part = [&](std::size_t at) { return std::span(values).subspan(at * nx, nx); };
    const StateRow other{
        part(0), part(1), part(2), part(3), {part(4), part(5), part(6), part(7), part(8), part(9)}};
    coarse(y, z, other);
    const auto to = parts_of(row), from = parts_of(other);
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t x = 0; x < nx; ++x) to[i][x] += (to[i][x] - from[i][x]) / 3;
    }
  };
  return {fill, true};
}

void start_from(const CoarseFlows& flows, PreparedRun& run) {
  const auto flow_of = [&](const fs::path& file) {
    return initial_flow(started_from(run.lbm_case, file), run.setup.derived);
  };
  const auto open = [&] {
    if (flows.last().empty()) return;
    run.setup.initial = flow_of(flows.last());
    const CoarseFlows::Flow* const before = flows.before_last();
    const UntilSteady& steady = run.lbm_case.run.until_steady;
    if (before == nullptr || !(steady.tolerance || steady.error)) return;
    run.setup.initial = extrapolated(run.setup.initial, flow_of(before->file));
  };
  run.ranks == nullptr ? open() : run_on_all_ranks(*run.ranks, open);
}

// The file of the flow at the end of a run in that directory; empty: there is none.
fs::path finished_flow(const fs::path& directory) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(std::string(coarse_flow) + "_") && name.ends_with(".hdf")) {
      return entry.path();
    }
  }
  return {};
}

// Runs of the root on coarser grids.
class OneGrid {
 public:
  OneGrid(const PreparedRun& run, RunResults& results, const RunCallbacks& callbacks)
      : run_(run), results_(results), callbacks_(callbacks) {
    quiet_.is_interrupted = callbacks.is_interrupted;
    quiet_.stop = [this] {
      const auto& limit = run_.lbm_case.run.walltime;
      if (limit && seconds_since(run_.begin) > 60 * *limit) results_.stats.at_walltime = true;
      if (results_.stats.at_walltime) return SIGTERM;  // so that it saves a checkpoint
      return callbacks_.stop ? callbacks_.stop() : 0;
    };
  }

  // Returns the file with the flow; empty: stopped, or diverged.
  fs::path compute(const Case& coarser, int factor) {
    CoarserRun& own = results_.coarser.emplace_back();
    own.factor = factor;
    own.cells = coarser.grid.cells;
    const fs::path directory = results_.directory.path() / fmt::format("coarser_{}", factor);
    fs::path file = run_.resumed.empty() ? fs::path() : finished_flow(directory);
    RunOptions options;
    if (!run_.resumed.empty() && !checkpoints_in(directory).empty()) {
      options.restart = directory.string();
    } else {
      options.out = directory.string();
      options.overwrite = true;
    }
    from_root(run_.ranks, file.empty() ? options.restart.value_or("") : finished);
    if (!file.empty()) {
      own.exit_reason = "finished before";
      return file;
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
      Simulation simulation(coarser, options, quiet_, run_.ranks);
      if (!simulation.advance_to_end()) {
        throw RunEnded(fmt::format("interrupted on the grid {} times as coarse", factor));
      }
      const RunStats& stats = simulation.results().stats;
      if (!results_.stats.at_walltime) results_.stats.stopped_by = stats.stopped_by;
      own.steps = simulation.step();
      own.time = simulation.time();
      own.exit_reason = stats.exit_reason;
      if (stats.complete) file = finished_flow(directory);
    } catch (const DivergedError& error) {
      own.exit_reason = error.what();
    }
    own.seconds = seconds_since(begin);
    if (callbacks_.notice) callbacks_.notice(NoticeKind::note, text_of(own));
    return file;
  }

 private:
  static std::string text_of(const CoarserRun& run) {
    return fmt::format("grid {} times as coarse, {} cells: {} steps in {:.1f} s, {}", run.factor,
                       fmt::join(run.cells, " x "), run.steps, run.seconds,
                       one_line(run.exit_reason));
  }

  const PreparedRun& run_;
  RunResults& results_;
  const RunCallbacks& callbacks_;
  RunCallbacks quiet_;
};

}  // namespace

bool ended_on_a_coarser_grid(const Case& lbm_case, const fs::path& directory) {
  const std::vector<int> factors = coarsening_factors(lbm_case);
  std::error_code none;
  return !factors.empty() && checkpoints_in(directory).empty() &&
         fs::is_directory(directory / fmt::format("coarser_{}", factors.front()), none);
}

void to_json(io::Json& json, const CoarserRun& run) {
  json = {{"factor", run.factor}, {"cells", run.cells},     {"steps", run.steps},
          {"time", run.time},     {"seconds", run.seconds}, {"exit_reason", run.exit_reason}};
}

CoarseFlows run_coarser_grids(PreparedRun& run, RunResults& results,
                              const RunCallbacks& callbacks) {
  CoarseFlows flows(true);
  if (!has_coarser_grids(run)) return flows;
  if (results.directory.is_nowhere()) {
    throw UsageError(where(run.lbm_case, "run.cascade") +
                     ": a run without a directory cannot keep the flow of the coarser grids: give "
                     "a directory, or run.cascade: 1");
  }
  OneGrid grid(run, results, callbacks);
  for (const int factor : coarsening_factors(run.lbm_case)) {
    const Case coarser = started_from(stable_case(run, factor), flows.last());
    const fs::path file = grid.compute(coarser, factor);
    const bool ended = results.stats.stopped();
    from_root(run.ranks, ended ? stopped : file.string());
    if (!file.empty()) flows.add({file, has_its_model(run, coarser)});
    if (!ended) continue;
    results.stats.exit_reason = fmt::format(
        "{} on the grid {} times as coarse",
        results.stats.at_walltime ? "walltime reached" : results.coarser.back().exit_reason,
        factor);
    flows.keep_files();
    return flows;
  }
  start_from(flows, run);
  return flows;
}

bool compute_coarser_grids(PreparedRun& run, const RunOptions& options,
                           const WorkerCallbacks& callbacks) {
  if (!has_coarser_grids(run)) return true;
  CoarseFlows flows(false);
  for (const int factor : coarsening_factors(run.lbm_case)) {
    const Case coarser = started_from(stable_case(run, factor), flows.last());
    const std::string before = from_root(run.ranks, "");
    if (before != finished) {
      RunOptions own = options;
      own.restart = before.empty() ? std::nullopt : std::optional(before);
      compute_for_root(coarser, own, *run.ranks, callbacks);
    }
    const std::string file = from_root(run.ranks, "");
    if (file == stopped) return false;
    if (!file.empty()) flows.add({file, has_its_model(run, coarser)});
  }
  start_from(flows, run);
  return true;
}

}  // namespace lbm::cases
