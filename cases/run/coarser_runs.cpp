// SPDX-License-Identifier: Apache-2.0

// The runs of a case on coarser grids.
#include "cases/run/cascade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/initial/flow_rows.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/ranks/agreement.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/simulation.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// The root tells the other ranks this after a grid, or the file of its flow.
constexpr const char* stopped = "stopped";

// The flow at the end of a run on a coarser grid: in memory, or of several ranks in a file.
struct CoarseFlow {
  std::shared_ptr<const FlowRows> rows;  // null: in the file
  fs::path file;                         // the root removes it
  bool extrapolates = true;              // may_be_extrapolated()
};

// Those of the two finest grids that ran so far, the finer one last.
using CoarseFlows = std::vector<CoarseFlow>;

std::shared_ptr<const FlowRows> rows_for(const CoarseFlow& flow, const Case& lbm_case) {
  if (flow.rows) return flow.rows;
  Case from_file = lbm_case;
  from_file.initial.file = fs::absolute(flow.file).string();
  return open_flow_file(from_file, validate(lbm_case));
}

// The case on a coarser grid, with the collision model that bears coarse grids where its own is not
// stable there.
Case stable_case(const PreparedRun& run, int factor) {
  Case coarser = coarser_case(run.lbm_case, run.setup.derived, factor);
  if (factor != coarsening_factors(run.lbm_case).front()) coarser = without_ramps(coarser);
  if (run.ranks != nullptr) add_flow_file(coarser);
  if (expected_instabilities(coarser, validate(coarser)).empty()) return coarser;
  Case stable = coarser;
  stable.lattice.collision = CollisionKind::regularised_filtered;
  stable.lattice.magic.reset();
  stable.lattice.velocities.reset();
  try {
    validate(stable);
  } catch (const UsageError&) {
    return coarser;
  }
  return stable;
}

// True if errors of the two grids are of second order in the cell size: of one model, and without
// images, whose coarse voxels are other pores.
bool may_be_extrapolated(const PreparedRun& run, const Case& coarser) {
  const auto is_image = [](const Body& body) { return body.shape == BodyShape::voxels; };
  return coarser.lattice.collision == run.lbm_case.lattice.collision &&
         std::none_of(coarser.bodies.begin(), coarser.bodies.end(), is_image);
}

// All ranks get the text of the root.
std::string from_root(tiling::Ranks* ranks, const std::string& text) {
  return ranks == nullptr ? text : ranks->allgather(text).front();
}

bool has_coarser_grids(const PreparedRun& run) {
  return run.lbm_case.run.cascade > 1 && !run.restart;
}

// The state (4 fine - coarse) / 3.
InitialState extrapolated(const InitialState& fine, const InitialState& coarse) {
  const auto fill = [fine, coarse](int y, int z, const StateRow& row) {
    fine(y, z, row);
    const std::size_t nx = row.drho.size();
    std::vector<double> values(row_values * nx);
    StateRow other = row_in(values);
    other.used = row.used;
    coarse(y, z, other);
    const auto extrapolate = [nx](std::span<double> to, std::span<const double> from) {
      for (std::size_t x = 0; x < nx; ++x) to[x] += (to[x] - from[x]) / 3;
    };
    extrapolate(row.drho, other.drho);
    extrapolate(row.ux, other.ux);
    extrapolate(row.uy, other.uy);
    extrapolate(row.uz, other.uz);
    for (std::size_t i = 0; i < 6; ++i) extrapolate(row.strain[i], other.strain[i]);
    for (std::size_t s = 0; s < most_scalars; ++s) {
      if (!row.scalars[s].empty()) extrapolate(row.scalars[s], other.scalars[s]);
    }
  };
  return {fill, true};
}

void start_from(const CoarseFlows& flows, PreparedRun& run) {
  const auto state_of = [&](const CoarseFlow& flow) {
    return resampled_state(run.lbm_case, rows_for(flow, run.lbm_case));
  };
  const auto start = [&] {
    if (flows.empty()) {
      if (run.lbm_case.initial.flow == InitialFlow::darcy) {
        run.setup.initial = darcy_flow(run.lbm_case, run.setup);
      }
      return;
    }
    run.setup.initial = state_of(flows.back());
    const UntilSteady& steady = run.lbm_case.run.until_steady;
    if (flows.size() < 2 || !(steady.tolerance || steady.error)) return;
    if (!flows.front().extrapolates || !flows.back().extrapolates) return;
    run.setup.initial = extrapolated(run.setup.initial, state_of(flows.front()));
  };
  run.ranks == nullptr ? start() : run_on_all_ranks(*run.ranks, start);
}

// Options of the next coarser run: where it starts.
RunOptions options_with(const CoarseFlows& flows, const Case& coarser) {
  RunOptions options;
  if (!flows.empty()) options.start = rows_for(flows.back(), coarser);
  return options;
}

void add(CoarseFlow flow, CoarseFlows& flows, bool is_root) {
  flows.push_back(std::move(flow));
  if (flows.size() <= 2) return;
  std::error_code ignored;
  if (is_root) fs::remove(flows.front().file, ignored);
  flows.erase(flows.begin());
}

// The whole flow of a run of one process.
std::shared_ptr<const FlowRows> flow_in_memory(Simulation& simulation) {
  struct Values {
    std::vector<float> pressure, velocity;
    std::array<std::vector<float>, most_scalars> scalars;
  };
  const Case& lbm_case = simulation.lbm_case();
  const CellBox whole{{0, 0, 0}, lbm_case.grid.cells};
  auto values = std::make_shared<Values>();
  values->pressure = simulation.read(FieldKind::pressure, whole);
  values->velocity = simulation.read(FieldKind::velocity, whole);
  FlowArrays arrays;
  arrays.velocity = std::span<const float>(values->velocity);
  arrays.pressure = std::span<const float>(values->pressure);
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    values->scalars[s] = simulation.read(fields::scalar_kind(s), whole);
    arrays.scalars.emplace_back(std::span<const float>(values->scalars[s]));
  }
  arrays.owner = values;
  return make_flow_of_arrays(lbm_case, simulation.prepared().setup.derived, std::move(arrays));
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

  // Empty: stopped, or diverged. Grids before the one with the checkpoint of a stopped run are
  // computed again, so that the bits are those of a run that was not stopped.
  std::optional<CoarseFlow> compute(const Case& coarser, int factor, const CoarseFlows& before) {
    CoarserRun& own = results_.coarser.emplace_back();
    own.factor = factor;
    own.cells = coarser.grid.cells;
    const fs::path directory = results_.directory.path() / fmt::format("coarser_{}", factor);
    RunOptions options = options_with(before, coarser);
    const bool goes_on = !run_.resumed.empty() && !checkpoints_in(directory).empty();
    if (goes_on) options.restart = directory.string();
    if (!goes_on) options.out = directory.string();
    options.overwrite = !goes_on;
    from_root(run_.ranks, options.restart.value_or(""));
    std::optional<CoarseFlow> flow;
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
      if (stats.complete) {
        flow.emplace();
        flow->extrapolates = may_be_extrapolated(run_, coarser);
        if (run_.ranks == nullptr) flow->rows = flow_in_memory(simulation);
        if (run_.ranks != nullptr) {
          flow->file = directory / fmt::format("{}_{:09}.hdf", coarse_flow, own.steps);
        }
      }
    } catch (const DivergedError& error) {
      own.exit_reason = error.what();
    }
    own.seconds = seconds_since(begin);
    if (callbacks_.notice) callbacks_.notice(NoticeKind::note, text_of(own));
    return flow;
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

void run_coarser_grids(PreparedRun& run, RunResults& results, const RunCallbacks& callbacks) {
  if (!has_coarser_grids(run)) return;
  if (results.directory.is_nowhere()) {
    throw UsageError(where(run.lbm_case, "run.cascade") +
                     ": a run without a directory has no place for its coarser grids: give a "
                     "directory, or run.cascade: 1");
  }
  CoarseFlows flows;
  OneGrid grid(run, results, callbacks);
  for (const int factor : coarsening_factors(run.lbm_case)) {
    const Case coarser = stable_case(run, factor);
    std::optional<CoarseFlow> flow = grid.compute(coarser, factor, flows);
    const bool ended = results.stats.stopped();
    from_root(run.ranks, ended ? stopped : flow ? flow->file.string() : "");
    if (flow) add(std::move(*flow), flows, true);
    if (!ended) continue;
    results.stats.exit_reason = fmt::format(
        "{} on the grid {} times as coarse",
        results.stats.at_walltime ? "walltime reached" : results.coarser.back().exit_reason,
        factor);
    return;
  }
  start_from(flows, run);
  std::error_code ignored;
  for (const CoarseFlow& flow : flows) {
    if (!flow.file.empty()) fs::remove(flow.file, ignored);  // all ranks have opened it
  }
}

bool compute_coarser_grids(PreparedRun& run, const RunOptions& options,
                           const WorkerCallbacks& callbacks) {
  if (!has_coarser_grids(run)) return true;
  CoarseFlows flows;
  for (const int factor : coarsening_factors(run.lbm_case)) {
    const Case coarser = stable_case(run, factor);
    const std::string checkpoint = from_root(run.ranks, "");
    RunOptions own = options;
    own.start = options_with(flows, coarser).start;
    own.restart = checkpoint.empty() ? std::nullopt : std::optional(checkpoint);
    compute_for_root(coarser, own, *run.ranks, callbacks);
    const std::string file = from_root(run.ranks, "");
    if (file == stopped) return false;
    if (!file.empty()) add({nullptr, file, may_be_extrapolated(run, coarser)}, flows, false);
  }
  start_from(flows, run);
  return true;
}

}  // namespace lbm::cases
