#include "cases/run/prepare.hpp"

#include <filesystem>

#include "cases/case/validate/validate.hpp"
#include "cases/case/yaml/yaml_reader.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::unique_ptr<TraceWriter> open_trace(const Case& lbm_case, const RunOptions& options) {
  if (!options.trace_given) return nullptr;
  std::error_code ec;
  if (std::filesystem::equivalent(options.trace, options.case_file, ec)) {
    throw UsageError("--trace " + options.trace + ": is the case itself; choose another file");
  }
  auto trace = std::make_unique<TraceWriter>(options.trace, options.overwrite);
  trace->describe("lbm run: " + lbm_case.name, lbm_case.grid.cells[2]);
  return trace;
}

}  // namespace

void read_and_check(const RunOptions& options, Prepared& run) {
  run.lbm_case = read_case(options.case_file, options.overrides);
  const Case& lbm_case = run.lbm_case;
  validate(lbm_case);
  if (options.expect && lbm_case.expect.empty()) {
    throw UsageError(
        lbm_case.file +
        ": found no expectations, must have an expect block for --expect: add one, or leave "
        "--expect away");
  }
  run.notes = warnings(lbm_case);
  if (options.restart_given) run.restart.emplace(options.restart, lbm_case);
}

void predict_run(const DeviceSpeeds& speeds, int planes, Prepared& run) {
  Setup& setup = run.setup;
  Lattice part = setup.lattice;
  if (planes > 0) part.nz = planes;
  if (!speeds.measured(part.storage)) return;
  const tiling::RunShape shape =
      make_schedule_request(run.lbm_case, setup.derived, *run.backend).run;
  const double seconds =
      tiling::predict(part, setup.plan.options, shape, speeds, setup.neighbours).seconds;
  const double cells = static_cast<double>(setup.lattice.layout.cells()) * setup.lattice.nz;
  setup.predicted_mlups = 1e-6 * cells * static_cast<double>(shape.steps) / seconds;
}

void set_up(Prepared& run) {
  run.backend = make_backend(run.lbm_case);
  run.setup = make_setup(run.lbm_case, *run.backend);
  if (run.restart) run.restart->check(run.setup);
}

void prepare_alone(const RunOptions& options, Prepared& run) {
  read_and_check(options, run);
  run.trace = open_trace(run.lbm_case, options);
  set_up(run);
  if (options.predict) {
    predict_run(speeds_of(*run.backend, measuring_budget(*run.backend)), 0, run);
  }
}

}  // namespace lbm::cases
