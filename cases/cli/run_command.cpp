// `lbm run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/prepare.hpp"
#include "cases/run/ranks/leader.hpp"
#include "cases/run/ranks/run_on_all_ranks.hpp"
#include "cases/run/ranks/worker.hpp"
#include "cases/run/report.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/time_loop.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases {
namespace {

void print_start(std::FILE* stream, const Case& lbm_case, const Setup& setup,
                 const Backend& backend, const io::RunDirectory& directory) {
  const auto& n = lbm_case.grid.cells;
  const auto& plan = setup.plan;
  fmt::print(stream, "{}: {} x {} x {} cells, {}, Re {:.6g}, {} steps\n", lbm_case.name, n[0], n[1],
             n[2], to_string(setup.lattice.storage), setup.derived.reynolds, setup.derived.steps);
  fmt::print(stream, "device: {}{}\n", backend.device_name(),
             setup.neighbours.processes > 1
                 ? fmt::format(", one of {} processes", setup.neighbours.processes)
                 : "");
  fmt::print(stream, "scheme: {} ({}), {} steps and {} planes a visit, {} on the device\n",
             tiling::to_string(plan.options.scheme), plan.reason, plan.options.steps_per_visit,
             plan.options.planes_per_visit, human_bytes(plan.device_bytes));
  const auto [thinnest, thickest] = std::minmax_element(setup.planes.begin(), setup.planes.end());
  if (!setup.planes.empty() && *thickest - *thinnest > 1) {
    fmt::print(stream, "planes: {} by process, as fast as their devices are\n",
               fmt::join(setup.planes, ", "));
  }
  fmt::print(stream, "results: {}\n", directory.path().string());
  std::fflush(stream);
}

// Writes the report; prints the summary, or with --json the report itself.
void report(const RunRecord& record, const RunResults& outputs, bool as_json) {
  const std::string json = outputs.write_report(record);
  fmt::print("{}", as_json ? json : summary(record));
}

void finish_trace(TraceWriter* trace, const RunRecord& record) {
  if (trace == nullptr) return;
  trace->finish(trace_json(record));
  if (!trace->warning().empty()) fmt::print(stderr, "warning: {}\n", trace->warning());
}

// With --expect.
int exit_of(const std::vector<ExpectationResult>& results) {
  const auto unmet = std::count_if(results.begin(), results.end(),
                                   [](const ExpectationResult& r) { return !r.met; });
  if (unmet == 0) return exit_ok;
  fmt::print(stderr, "lbm: {} of {} expectations not met\n", unmet, results.size());
  return exit_expectation;
}

// "lbm: stopped by SIGTERM after step 12 of 40, saved in out/checkpoint_000000012.h5"
int exit_of_stopped(const RunResult& result, const Setup& setup, const Checkpoints& checkpoints) {
  const std::string why =
      result.at_walltime ? "before its walltime" : "by " + signal_name(result.stopped_by);
  const auto& file = checkpoints.newest();
  fmt::print(
      stderr, "lbm: stopped {} after step {} of {}{}\n", why, result.steps, setup.derived.steps,
      file.empty() ? std::string() : fmt::format("; go on with --restart {}", file.string()));
  return result.at_walltime ? exit_walltime : 128 + result.stopped_by;
}

// After an error, which must not be hidden by another one.
void try_flush(FlowRecords& records) {
  try {
    records.flush();
  } catch (const Error& error) {
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

void try_finish_trace(TraceWriter* trace, const RunRecord& record) {
  try {
    finish_trace(trace, record);
  } catch (const Error& error) {
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

void try_report(const RunRecord& record, const RunResults& outputs) {
  try {
    outputs.write_report(record);
  } catch (const Error& error) {
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

// The process that decides and writes, or the only one; ranks: null for that.
int lead(const RunOptions& options, Prepared& run, tiling::Ranks* ranks,
         std::chrono::steady_clock::time_point begin) {
  std::FILE* log = options.json ? stderr : stdout;
  const Case& lbm_case = run.lbm_case;
  const Setup& setup = run.setup;
  std::vector<std::string>& notes = run.notes;
  const auto& trace = run.trace;
  notes.insert(notes.end(), setup.warnings.begin(), setup.warnings.end());
  for (const std::string& note : notes) fmt::print(stderr, "warning: {}\n", note);

  RunResults outputs(run, open_results(lbm_case, options, run.restart),
                     continues_files(options, run.restart));
  const RunResult& result = outputs.result();
  if (!options.quiet) print_start(log, lbm_case, setup, *run.backend, outputs.directory());

  const auto& n = lbm_case.grid.cells;
  Progress progress(log, options.quiet, setup.derived.steps,
                    (setup.derived.steps - result.first_step) * n[2], std::int64_t{n[0]} * n[1]);
  RunParts parts = outputs.parts();
  parts.begin = begin;
  parts.stop = StopSignals::received;
  parts.save_requested = SaveSignal::received;
  parts.save_done = SaveSignal::take;
  parts.on_progress = [&](std::int64_t planes) { progress.update(planes); };
  parts.ranks = ranks;
  parts.exchange = run.exchange ? &*run.exchange : nullptr;
  parts.copy_bytes_per_second = run.copy_bytes_per_second;
  std::optional<TimeLoop> simulation;
  try {
    outputs.begin(ranks == nullptr, [&] {
      simulation.emplace(lbm_case, setup, *run.backend, parts, outputs.result());
      simulation->begin();
    });
    simulation->advance(setup.derived.steps);
    if (result.stopped_by == 0 && !result.at_walltime) outputs.outputs().finish(result.steps);
  } catch (const UsageError&) {
    throw;  // nothing has begun
  } catch (const Error& error) {
    simulation.reset();  // its files are known when it is gone
    progress.finish();
    try_flush(outputs.records());
    try_finish_trace(trace.get(), outputs.record(error.what()));
    try_report(outputs.record(error.what()), outputs);
    throw;
  }
  progress.finish();
  simulation.reset();
  const bool stopped = result.stopped_by != 0 || result.at_walltime;
  RunRecord done = outputs.record(exit_reason_of(result));
  if (!stopped) done.expectations = outputs.expectations().results();
  report(done, outputs, options.json);
  finish_trace(trace.get(), done);
  if (stopped) return exit_of_stopped(result, setup, outputs.checkpoints());
  return options.expect ? exit_of(done.expectations) : exit_ok;
}

int run_slab(const RunOptions& options, tiling::Ranks& ranks,
             std::chrono::steady_clock::time_point begin) {
  Prepared run;
  if (const int code = prepare_process(options, ranks, run)) return code;
  if (!ranks.leads()) {
    return work_for_leader(run.lbm_case, run.setup, *run.backend,
                           run.restart ? &*run.restart : nullptr, ranks, *run.exchange);
  }
  try {
    const int done = lead(options, run, &ranks, begin);
    end_others(ranks, done);
    return done;
  } catch (const std::exception& caught) {
    const Error error = as_error(caught);
    fmt::print(stderr, "lbm: {}\n", error.what());
    std::fflush(nullptr);
    ranks.abort(error.exit_code());
  }
  return exit_ok;  // not reached
}

}  // namespace

int run_command(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const StopSignals signals;
  const SaveSignal save_signal;
  if (const auto ranks = tiling::join_ranks()) return run_slab(options, *ranks, begin);
  Prepared run;
  prepare_alone(options, run);
  return lead(options, run, nullptr, begin);
}

}  // namespace lbm::cases
