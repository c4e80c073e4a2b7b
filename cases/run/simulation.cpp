#include "cases/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "solver/backend/copy_bandwidth.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {
namespace {

// What a run without a directory cannot write.
Case without_files(Case lbm_case) {
  lbm_case.output = Output{};
  lbm_case.output.at_end = lbm_case.output.profiles = false;
  lbm_case.outputs.clear();
  lbm_case.statistics.clear();
  lbm_case.probes.clear();
  lbm_case.checkpoint = CheckpointKeys{};
  return lbm_case;
}

bool asks_for_files(const Case& lbm_case) {
  const Output& output = lbm_case.output;
  const CheckpointKeys& checkpoint = lbm_case.checkpoint;
  return !lbm_case.outputs.empty() || !lbm_case.statistics.empty() || !lbm_case.probes.empty() ||
         !output.times.empty() || output.every_steps || checkpoint.every_steps ||
         checkpoint.every_minutes || checkpoint.at_end;
}

Prepared prepare_session(Case lbm_case, const SimulationOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError(
        "Simulation: found several processes, must be one: use mpirun with the program lbm run");
  }
  Prepared run;
  validate(lbm_case);
  const bool leaves_files = !options.out.empty();
  if (!leaves_files && asks_for_files(lbm_case)) {
    run.notes.emplace_back(
        "the case asks for files, and there is no directory for them: nothing will be written; "
        "give out=");
  }
  run.lbm_case = leaves_files ? std::move(lbm_case) : without_files(std::move(lbm_case));
  for (std::string& note : warnings(run.lbm_case)) run.notes.push_back(std::move(note));
  return run;
}

// Measured once: it takes longer than a small run.
double copy_bandwidth(Backend& backend) {
  static std::mutex mutex;
  static std::map<std::string, double> measured;
  const std::scoped_lock lock(mutex);
  double& speed = measured[backend.device_name()];
  if (speed == 0) speed = measure_copy_bandwidth(backend);
  return speed;
}

RunOptions run_options(const SimulationOptions& options) {
  RunOptions run;
  run.out = options.out;
  run.overwrite = options.overwrite;
  return run;
}

}  // namespace

Simulation::Simulation(Case lbm_case, const SimulationOptions& options)
    : begin_(std::chrono::steady_clock::now()),
      run_(prepare_session(std::move(lbm_case), options)) {
  if (!options.restart.empty()) run_.restart.emplace(options.restart, run_.lbm_case);
  set_up(run_);
  run_.notes.insert(run_.notes.end(), run_.setup.warnings.begin(), run_.setup.warnings.end());
  const RunOptions files = run_options(options);
  const bool nowhere = options.out.empty();
  outputs_.emplace(
      run_,
      nowhere ? io::RunDirectory::nowhere() : open_results(run_.lbm_case, files, run_.restart),
      !nowhere && continues_files(files, run_.restart), /*quiet=*/true);
  begin();
}

void Simulation::begin() {
  RunParts parts = outputs_->parts();
  parts.begin = begin_;
  parts.copy_bytes_per_second = copy_bandwidth(*run_.backend);
  parts.stop = [] { return 0; };
  parts.is_interrupted = [this] { return hooks_.is_interrupted && hooks_.is_interrupted(); };
  parts.on_progress = [this](std::int64_t planes) {
    const std::int64_t nz = run_.lbm_case.grid.cells[2];
    if (hooks_.progress) hooks_.progress(static_cast<double>(planes) / static_cast<double>(nz));
  };
  outputs_->begin(true, [&] {
    simulation_.emplace(run_.lbm_case, run_.setup, *run_.backend, parts, outputs_->result());
    simulation_->begin();
  });
}

Simulation::~Simulation() {
  if (!simulation_ || is_over()) return;
  exit_reason_ = fmt::format("closed after step {} of {}", step(), end());
  simulation_.reset();
  try_report();
}

bool Simulation::advance(std::int64_t steps, const SimulationHooks& hooks) {
  if (is_lost()) {
    throw UsageError(fmt::format(
        "advance: the run has ended with an error: {}; make a new Simulation", exit_reason_));
  }
  if (is_over()) {
    throw UsageError(fmt::format(
        "advance: the run is over ({} at step {}); make a new Simulation of a longer case",
        exit_reason_, step()));
  }
  const std::int64_t left = end() - step();
  if (steps < 1 || steps > left) {
    throw UsageError(fmt::format(
        "advance: found {} steps, must be from 1 to {}: the case ends at step {} (run.steps, "
        "run.convective_times or run.time)",
        steps, left, end()));
  }
  hooks_ = hooks;
  try {
    simulation_->advance(step() + steps);
    finish();
  } catch (const std::exception& caught) {
    hooks_ = {};
    exit_reason_ = as_error(caught).what();
    simulation_.reset();
    try_report();
    throw;
  }
  hooks_ = {};
  return !simulation_->was_interrupted();
}

void Simulation::finish() {
  if (!is_over()) return;
  const RunResult& result = outputs_->result();
  exit_reason_ = exit_reason_of(result);
  if (!result.at_walltime) {
    outputs_->outputs().finish(result.steps);
    expectations_ = outputs_->expectations().results();
  }
  outputs_->write_report(record());
}

// After an error, which must not be hidden by another one.
void Simulation::try_report() noexcept {
  try {
    outputs_->records().flush();
    outputs_->write_report(record());
  } catch (const std::exception& error) {
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

RunRecord Simulation::record() const {
  RunRecord made = outputs_->record(exit_reason_);
  made.expectations = expectations_;
  return made;
}

std::int64_t Simulation::step() const {
  return simulation_ ? simulation_->step() : outputs_->result().steps;
}

double Simulation::time() const {
  return static_cast<double>(step()) * make_units(run_.lbm_case, run_.setup.derived).time;
}

bool Simulation::is_over() const {
  return simulation_ && (simulation_->ended() || outputs_->result().at_walltime);
}

std::vector<std::string> Simulation::warnings() const { return outputs_->record("").warnings; }

std::string Simulation::directory() const { return outputs_->directory().path().string(); }

io::Json Simulation::report() const { return report_json(record()); }

const std::vector<BodyForces>& Simulation::forces() const {
  return outputs_->records().last_forces();
}

std::string Simulation::save(const std::string& file) {
  if (!file.empty()) {
    simulation_->save_to(file);
    return file;
  }
  if (outputs_->directory().is_nowhere()) {
    throw UsageError(
        "checkpoint: found no file, must be one: the simulation has no directory (out=)");
  }
  simulation_->save();
  return outputs_->checkpoints().newest().string();
}

}  // namespace lbm::cases
