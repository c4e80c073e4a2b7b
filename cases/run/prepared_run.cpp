// SPDX-License-Identifier: Apache-2.0
#include "cases/run/prepared_run.hpp"

#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/resampled_flow.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

bool asks_for_files(const Case& lbm_case) {
  const Output& output = lbm_case.output;
  const CheckpointKeys& checkpoint = lbm_case.checkpoint;
  return !lbm_case.outputs.empty() || !lbm_case.pictures.empty() || !lbm_case.statistics.empty() ||
         !lbm_case.probes.empty() || !output.times.empty() || output.every_steps ||
         checkpoint.every_steps || checkpoint.every_minutes || checkpoint.at_end;
}

// Leaves out all results that are files.
void remove_files(Case& lbm_case) {
  lbm_case.output = Output{};
  lbm_case.output.at_end = lbm_case.output.profiles = false;
  lbm_case.outputs.clear();
  lbm_case.pictures.clear();
  lbm_case.statistics.clear();
  lbm_case.probes.clear();
  lbm_case.checkpoint = CheckpointKeys{};
}

}  // namespace

Case without_initial_flow(Case lbm_case) {
  lbm_case.initial = Initial{};
  return lbm_case;
}

PreparedRun::PreparedRun(Case given, const RunOptions& options, tiling::Ranks* with,
                         Notices& notices)
    : ranks(with), lbm_case(std::move(given)) {
  const bool loses_files = !options.writes_files && asks_for_files(lbm_case);
  ranks == nullptr ? prepare_alone(options) : prepare_as_rank(options);
  setup.representation_reason = representation_reason_;
  if (loses_files) notices.warn(no_directory_warning);
  for (const std::string& text : warnings(lbm_case, derived)) notices.warn(text);
  for (const std::string& text : setup.warnings) notices.warn(text);
}

void PreparedRun::check(const RunOptions& options) {
  derived = validate(lbm_case);
  if (!options.writes_files) remove_files(lbm_case);
  if (!options.restart) return check_arrays(options);
  restart.emplace(*options.restart, lbm_case, derived.steps, options.change);
  if (!lbm_case.lattice.representation) take({restart->representation(), "as in the checkpoint"});
}

void PreparedRun::check_arrays(const RunOptions& options) const {
  if (options.change) {
    throw UsageError(
        "--change: missing: --restart, whose physics it changes: give both or neither");
  }
  const bool wanted = lbm_case.initial.flow == InitialFlow::arrays;
  if (wanted == options.initial.has_value()) return;
  throw UsageError(
      where(lbm_case, "initial.flow") +
      (wanted ? ": found arrays, which only Python gives: lbm.Simulation(case, initial={...}), or "
                "continue a run with --restart"
              : ": must be arrays for a run that is given arrays"));
}

// As make_setup() would do it for the flow of a file.
void PreparedRun::set_initial_arrays(const RunOptions& options) {
  if (restart || !options.initial) return;
  setup.initial =
      resampled_state(lbm_case, make_flow_of_arrays(lbm_case, derived, *options.initial));
  (void)check_planes(setup.initial, lbm_case.grid.cells, {});
}

void PreparedRun::take(const RepresentationChoice& choice) {
  lbm_case.lattice.representation = choice.representation;
  representation_reason_ = choice.reason;
}

void PreparedRun::prepare_alone(const RunOptions& options) {
  check(options);
  backend = make_backend(lbm_case);
  const auto request = make_schedule_request(lbm_case, derived, *backend);
  if (!lbm_case.lattice.representation) take(choose_representation(lbm_case));
  setup =
      make_setup(restart ? without_initial_flow(lbm_case) : lbm_case, derived, *backend, request);
  if (restart) restart->check(setup);
  set_initial_arrays(options);
  predict_speed(options.predict ? request.speeds() : known_speeds_of(*backend), 0, *this);
}

void predict_speed(const DeviceSpeeds& speeds, int planes, PreparedRun& run) {
  Setup& setup = run.setup;
  const Lattice part = planes > 0 ? with_planes(setup.lattice, planes) : setup.lattice;
  if (!speeds.measured(part)) return;
  const tiling::RunShape shape = make_schedule_request(run.lbm_case, run.derived, *run.backend).run;
  const double seconds =
      tiling::predict(part, setup.plan.options, shape, speeds, setup.neighbours).seconds;
  const double cells = static_cast<double>(setup.lattice.layout.cells()) * setup.lattice.nz;
  setup.predicted_mlups = 1e-6 * cells * static_cast<double>(shape.steps) / seconds;
}

}  // namespace lbm::cases
