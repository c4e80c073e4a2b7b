#include "cases/run/prepared_run.hpp"

#include <utility>

#include "cases/case/validate/validate.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"

namespace lbm::cases {
namespace {

bool asks_for_files(const Case& lbm_case) {
  const Output& output = lbm_case.output;
  const CheckpointKeys& checkpoint = lbm_case.checkpoint;
  return !lbm_case.outputs.empty() || !lbm_case.statistics.empty() || !lbm_case.probes.empty() ||
         !output.times.empty() || output.every_steps || checkpoint.every_steps ||
         checkpoint.every_minutes || checkpoint.at_end;
}

// Leaves out all results that are files.
void remove_files(Case& lbm_case) {
  lbm_case.output = Output{};
  lbm_case.output.at_end = lbm_case.output.profiles = false;
  lbm_case.outputs.clear();
  lbm_case.statistics.clear();
  lbm_case.probes.clear();
  lbm_case.checkpoint = CheckpointKeys{};
}

}  // namespace

PreparedRun::PreparedRun(Case given, const RunOptions& options, tiling::Ranks* with,
                         Notices& notices)
    : ranks(with), lbm_case(std::move(given)) {
  const bool loses_files = !options.writes_files && asks_for_files(lbm_case);
  ranks == nullptr ? prepare_alone(options) : prepare_as_rank(options);
  setup.representation_reason = representation_reason_;
  if (loses_files) notices.warn(no_directory_warning);
  for (const std::string& text : warnings(lbm_case)) notices.warn(text);
  for (const std::string& text : setup.warnings) notices.warn(text);
}

void PreparedRun::check(const RunOptions& options) {
  validate(lbm_case);
  if (!options.writes_files) remove_files(lbm_case);
  if (!options.restart) return;
  restart.emplace(*options.restart, lbm_case);
  if (!lbm_case.lattice.representation) take({restart->representation(), "as in the checkpoint"});
}

void PreparedRun::take(const RepresentationChoice& choice) {
  lbm_case.lattice.representation = choice.representation;
  representation_reason_ = choice.reason;
}

void PreparedRun::prepare_alone(const RunOptions& options) {
  check(options);
  backend = make_backend(lbm_case);
  const auto request = make_schedule_request(lbm_case, derive(lbm_case), *backend);
  if (!lbm_case.lattice.representation) take(choose_representation(lbm_case, *backend, request));
  setup = make_setup(lbm_case, *backend, request);
  if (restart) restart->check(setup);
  if (options.predict) predict_speed(speeds_of(*backend, measuring_budget(*backend)), 0, *this);
}

void predict_speed(const DeviceSpeeds& speeds, int planes, PreparedRun& run) {
  Setup& setup = run.setup;
  Lattice part = setup.lattice;
  if (planes > 0) part.nz = planes;
  if (!speeds.measured(part)) return;
  const tiling::RunShape shape =
      make_schedule_request(run.lbm_case, setup.derived, *run.backend).run;
  const double seconds =
      tiling::predict(part, setup.plan.options, shape, speeds, setup.neighbours).seconds;
  const double cells = static_cast<double>(setup.lattice.layout.cells()) * setup.lattice.nz;
  setup.predicted_mlups = 1e-6 * cells * static_cast<double>(shape.steps) / seconds;
}

}  // namespace lbm::cases
