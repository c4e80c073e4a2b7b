#include "cases/run/simulation.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "cases/case/units.hpp"
#include "cases/run/ranks/worker.hpp"
#include "cases/run/report.hpp"
#include "cases/run/simulation_run.hpp"
#include "solver/backend/copy_bandwidth.hpp"

namespace lbm::cases {
namespace {

std::unique_ptr<TraceWriter> open_trace(const Case& lbm_case, const RunOptions& options,
                                        const tiling::Ranks* ranks) {
  if (!options.trace || ranks != nullptr) return nullptr;  // of several ranks: refused later
  std::error_code ec;
  if (std::filesystem::equivalent(*options.trace, lbm_case.file, ec)) {
    throw UsageError("--trace " + *options.trace + ": is the case itself; choose another file");
  }
  auto trace = std::make_unique<TraceWriter>(*options.trace, options.overwrite);
  trace->describe("lbm run: " + lbm_case.name, lbm_case.grid.cells[2]);
  return trace;
}

// Measured once per device: it takes longer than a small run.
double copy_bandwidth(Backend& backend) {
  static std::mutex mutex;
  static std::map<std::string, double> measured;
  const std::scoped_lock lock(mutex);
  double& speed = measured[backend.device_name()];
  if (speed == 0) speed = measure_copy_bandwidth(backend);
  return speed;
}

}  // namespace

Simulation::Run::Run(Case lbm_case, const RunOptions& options, RunCallbacks with,
                     tiling::Ranks* ranks)
    : callbacks(std::move(with)),
      notices(callbacks.notice),
      trace(open_trace(lbm_case, options, ranks)),
      prepared(std::move(lbm_case), options, ranks, notices),
      results(prepared, options, notices) {}

void Simulation::Run::begin() {
  try {
    if (prepared.ranks == nullptr) {
      prepared.copy_bytes_per_second = copy_bandwidth(*prepared.backend);
    }
    make_loop();
    results.write_case(prepared.lbm_case);
  } catch (const UsageError& error) {  // no report: nothing has begun
    lost = true;
    results.stats.exit_reason = error.what();
    loop.reset();
    throw;
  } catch (const std::exception& caught) {
    fail(caught);
    throw;
  }
}

// Where the checkpoint is damaged, tries the one before; but not with several ranks, since the
// others have read theirs already.
void Simulation::Run::make_loop() {
  std::optional<Restart>& restart = prepared.restart;
  std::size_t told = 0;
  while (true) {
    for (; restart && told < restart->notes().size(); ++told) notices.note(restart->notes()[told]);
    if (results.continues) {
      results.checkpoints.continue_from(restart->step(), restart->damaged());
    }
    try {
      loop.emplace(prepared, results, callbacks, trace.get());
      return;
    } catch (const DamagedCheckpoint& error) {
      --told;  // fall_back() takes back that the run goes on from this one
      if (prepared.ranks != nullptr || !restart->fall_back(error.what())) throw;
    }
  }
}

void Simulation::Run::advance_to(std::int64_t step) {
  TimeLoop& to_advance = running();
  try {
    to_advance.advance(step);
    finish_if_over();
  } catch (const std::exception& caught) {
    fail(caught);
    throw;
  }
}

TimeLoop& Simulation::Run::running() {
  if (lost) {
    throw RunEnded("the run has ended with an error: " + results.stats.exit_reason);
  }
  if (!loop) begin();
  return *loop;
}

void Simulation::Run::finish_if_over() {
  RunStats& stats = results.stats;
  if (!loop->ended() && !stats.stopped()) return;
  stats.exit_reason = exit_reason_of(stats);
  if (!stats.stopped()) {
    results.fields.finish(stats.steps);
    stats.complete = true;
  }
  write_report(prepared, results);
}

// Another error in here must not hide the first one.
void Simulation::Run::fail(const std::exception& caught) {
  lost = true;
  results.stats.exit_reason = as_error(caught).what();
  const auto attempt = [this](const auto& work) {
    try {
      work();
    } catch (const std::exception& error) {
      notices.warn(error.what());
    }
  };
  loop.reset();  // hands out what is under way, so that these files are complete
  attempt([this] { results.records.flush(); });
  attempt([this] { finish_trace(); });
  attempt([this] { write_report(prepared, results); });
}

void Simulation::Run::finish_trace() {
  if (!trace) return;
  trace->finish(trace_json(prepared, results.stats));
  if (!trace->warning().empty()) notices.warn(trace->warning());
}

Simulation::Simulation(Case lbm_case, const RunOptions& options, RunCallbacks callbacks,
                       tiling::Ranks* ranks) {
  if (ranks == nullptr && tiling::started_with_others()) {
    throw UsageError("found several processes, must be one: use mpirun with the program lbm run");
  }
  run_ = std::make_unique<Run>(std::move(lbm_case), options, std::move(callbacks), ranks);
}

Simulation::~Simulation() {
  if (!run_->loop || is_over()) return;
  run_->results.stats.exit_reason = fmt::format("closed after step {} of {}", step(), end());
  run_->loop.reset();
  try {
    run_->results.records.flush();
    write_report(run_->prepared, run_->results);
  } catch (const std::exception& error) {
    run_->notices.warn(error.what());
  }
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
  run_->advance_to(step() + steps);
  return !run_->loop->was_interrupted();
}

bool Simulation::advance_to_end() {
  run_->advance_to(end());
  return !run_->loop->was_interrupted();
}

void Simulation::finish_trace() { run_->finish_trace(); }

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

bool Simulation::is_lost() const { return run_->lost; }

const Case& Simulation::lbm_case() const { return run_->prepared.lbm_case; }

std::vector<std::string> Simulation::warnings() const { return run_->notices.texts(); }

std::string Simulation::directory() const { return run_->results.directory.path().string(); }

io::Json Simulation::report() const { return report_json(run_->prepared, run_->results); }

const std::vector<std::string>& Simulation::bodies() const { return run_->prepared.setup.bodies; }

const std::vector<BodyForces>& Simulation::forces() const {
  return run_->results.records.last_forces();
}

std::string Simulation::save(const std::string& file) {
  TimeLoop& loop = run_->running();
  if (!file.empty()) {
    loop.save_to(file);
    return file;
  }
  if (run_->results.directory.is_nowhere()) {
    throw UsageError("checkpoint: missing: a file, since the run has no directory");
  }
  loop.save();
  return run_->results.checkpoints.newest().string();
}

const PreparedRun& Simulation::prepared() const { return run_->prepared; }

const RunResults& Simulation::results() const { return run_->results; }

int compute_for_root(Case lbm_case, const RunOptions& options, tiling::Ranks& ranks) {
  Notices unheard({});
  PreparedRun run(std::move(lbm_case), options, &ranks, unheard);
  return work_for_root(run.lbm_case, run.setup, *run.backend, run.checkpoint(), ranks,
                       *run.exchange);
}

}  // namespace lbm::cases
