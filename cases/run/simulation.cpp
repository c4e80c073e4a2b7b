// SPDX-License-Identifier: Apache-2.0
#include "cases/run/simulation.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/units.hpp"
#include "cases/run/report.hpp"
#include "cases/run/run_engine.hpp"

namespace lbm::cases {

Simulation::Simulation(Case lbm_case, const RunOptions& options, RunCallbacks callbacks,
                       tiling::Ranks* ranks) {
  if (ranks == nullptr && tiling::started_with_others()) {
    throw UsageError("found several processes, must be one: use mpirun with the program lbm run");
  }
  run_ = std::make_unique<RunEngine>(std::move(lbm_case), options, std::move(callbacks), ranks);
}

Simulation::~Simulation() {
  if (!run_->loop || is_over()) return;
  run_->give_up(fmt::format("closed after step {} of {}", step(), end()));
}

void Simulation::begin() { run_->running(); }

bool Simulation::advance(std::int64_t steps) {
  run_->running();
  if (is_over()) {
    throw RunEnded(fmt::format("advance: the run is over ({} at step {})",
                               run_->results.stats.exit_reason, step()));
  }
  const std::int64_t left = end() - step();
  if (steps < 1 || steps > left) {
    throw UsageError(fmt::format(
        "advance: found {} steps, must be from 1 to {}: the case ends at step {} (run.steps, "
        "run.convective_times or run.time)",
        steps, left, end()));
  }
  return run_->advance_to(step() + steps);
}

bool Simulation::advance_to_end() { return run_->advance_to(end()); }

std::int64_t Simulation::step() const {
  return run_->loop ? run_->loop->step() : run_->results.stats.steps;
}

double Simulation::time() const {
  return static_cast<double>(step()) * make_units(lbm_case(), run_->prepared.setup.derived).time;
}

std::int64_t Simulation::end() const { return run_->prepared.setup.derived.steps; }

bool Simulation::is_over() const {
  return run_->loop && (run_->loop->ended() || run_->results.stats.stopped());
}

bool Simulation::is_lost() const { return run_->is_lost(); }

const Case& Simulation::lbm_case() const { return run_->prepared.lbm_case; }

std::vector<std::string> Simulation::warnings() const { return run_->notices.texts(); }

std::string Simulation::directory() const { return run_->results.directory.path().string(); }

io::Json Simulation::report() const { return report_json(run_->prepared, run_->results); }

const std::vector<std::string>& Simulation::bodies() const { return run_->prepared.setup.bodies; }

const std::vector<BodyForces>& Simulation::forces() const {
  return run_->results.records.last_forces();
}

std::string Simulation::save(const std::string& file) {
  if (file.empty() && run_->results.directory.is_nowhere()) {
    throw UsageError("checkpoint: missing: a file, since the run has no directory");
  }
  run_->running().save(file);
  return file.empty() ? run_->results.checkpoints.newest().string() : file;
}

const PreparedRun& Simulation::prepared() const { return run_->prepared; }

const RunResults& Simulation::results() const { return run_->results; }

}  // namespace lbm::cases
