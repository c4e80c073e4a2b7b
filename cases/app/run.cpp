// `lbm run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>

#include "cases/app/case_files.hpp"
#include "cases/app/commands.hpp"
#include "cases/app/leader.hpp"
#include "cases/app/prepare.hpp"
#include "cases/app/progress.hpp"
#include "cases/app/report.hpp"
#include "cases/app/result_sizes.hpp"
#include "cases/app/signals.hpp"
#include "cases/app/simulation.hpp"
#include "cases/app/together.hpp"
#include "cases/app/worker.hpp"
#include "cases/app/yaml_writer.hpp"
#include "io/atomic_file.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::app {
namespace {

// A run that goes on does so in the directory of its checkpoint, unless told otherwise.
bool continues_files(const RunOptions& options, const std::optional<Restart>& restart) {
  std::error_code ec;
  return restart && (options.out.empty() ||
                     std::filesystem::equivalent(options.out, restart->directory(), ec));
}

io::RunDirectory open_directory(const Case& lbm_case, const RunOptions& options,
                                const std::optional<Restart>& restart) {
  if (continues_files(options, restart)) return io::RunDirectory::open_again(restart->directory());
  const bool explicit_by_user = !options.out.empty();
  std::string path = options.out;
  if (path.empty()) path = lbm_case.output.directory;
  if (path.empty()) path = "out/" + lbm_case.name;
  return io::RunDirectory::open(path, explicit_by_user, options.overwrite);
}

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

// Before anything is computed: a run of days shall not find out at its first checkpoint.
void check_space(const Case& lbm_case, const io::RunDirectory& directory, const Derived& derived,
                 const Checkpoints& checkpoints, const RunResult& result,
                 std::vector<std::string>& notes) {
  const std::uint64_t bytes = total_bytes(result_sizes(lbm_case, derived, result.first_step));
  directory.check_space(bytes);
  try {
    directory.check_space(bytes + checkpoints.bytes_needed(result.first_step));
  } catch (const ResourceError& error) {
    if (lbm_case.checkpoint.on_error == CheckpointKeys::OnError::stop) throw;
    notes.emplace_back(error.what());
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

std::string signal_name(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

// Writes the report; prints the summary, or with --json the report itself.
void report(const RunRecord& record, const io::RunDirectory& directory, bool as_json) {
  const std::string json = report_json(record).dump();
  io::write_file_atomically(directory.file("report.json"), json);
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

std::string exit_reason_of(const RunResult& result) {
  if (result.stopped_by != 0) return "interrupted by " + signal_name(result.stopped_by);
  if (result.at_walltime) return "walltime reached";
  return result.steady ? "steady" : "completed";
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

std::int64_t fluid_cells(const Setup& setup) {
  return setup.lattice.layout.cells() * setup.lattice.nz - setup.boundaries.solid_cells();
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

void try_report(const RunRecord& record, const io::RunDirectory& directory) {
  try {
    io::write_file_atomically(directory.file("report.json"), report_json(record).dump());
  } catch (const Error& error) {
    fmt::print(stderr, "warning: {}\n", error.what());
  }
}

// What the restart has to say goes to the user and to the report.
void tell(const Restart& restart, std::size_t& told, std::vector<std::string>& notes) {
  for (; told < restart.notes().size(); ++told) {
    fmt::print(stderr, "note: {}\n", restart.notes()[told]);
    notes.push_back(restart.notes()[told]);
  }
}

// run(), again from the checkpoint before where one turns out to be damaged; not of several
// processes (alone: false), whose others have read theirs already.
void simulate_from(std::optional<Restart>& restart, Checkpoints& checkpoints, bool continues,
                   bool alone, std::vector<std::string>& notes, const std::function<void()>& run) {
  std::size_t told = 0;
  while (true) {
    if (restart) tell(*restart, told, notes);
    if (restart && continues) checkpoints.continue_from(restart->step(), restart->damaged());
    try {
      return run();
    } catch (const DamagedCheckpoint& error) {
      if (!alone) throw;
      --told;  // that the run goes on from it
      if (!restart->fall_back(error.what())) throw;
    }
  }
}

// The process that decides and writes, or the only one; ranks: null for that.
int lead(const RunOptions& options, Prepared& run, tiling::Ranks* ranks,
         std::chrono::steady_clock::time_point begin) {
  std::FILE* log = options.json ? stderr : stdout;
  const Case& lbm_case = run.lbm_case;
  const Setup& setup = run.setup;
  std::vector<std::string>& notes = run.notes;
  std::optional<Restart>& restart = run.restart;
  const auto& trace = run.trace;
  const auto& backend = run.backend;
  notes.insert(notes.end(), setup.warnings.begin(), setup.warnings.end());
  for (const std::string& note : notes) fmt::print(stderr, "warning: {}\n", note);

  const io::RunDirectory directory = open_directory(lbm_case, options, restart);
  const bool continues = continues_files(options, restart);
  Expectations expectations(lbm_case, setup.derived, setup.bodies);
  FieldOutputs outputs(lbm_case, setup, directory, expectations);
  FlowRecords records(lbm_case, setup.derived, setup.bodies, fluid_cells(setup), directory,
                      expectations, setup.boundaries, continues);
  Checkpoints checkpoints(lbm_case, setup, directory);
  for (Stateful* part : std::initializer_list<Stateful*>{&records, &expectations}) {
    checkpoints.add(*part);
  }
  for (Stateful* part : outputs.parts()) checkpoints.add(*part);
  RunResult result;
  result.first_step = restart ? restart->step() : 0;
  check_space(lbm_case, directory, setup.derived, checkpoints, result, notes);
  const auto write_case = [&] {
    io::write_file_atomically(directory.file("effective_case.yaml"),
                              to_yaml(with_whole_paths(lbm_case)));
  };
  if (!options.quiet) print_start(log, lbm_case, setup, *backend, directory);

  const auto& n = lbm_case.grid.cells;
  Progress progress(log, options.quiet, setup.derived.steps,
                    (setup.derived.steps - result.first_step) * n[2], std::int64_t{n[0]} * n[1]);
  const auto record = [&](std::string reason) {
    std::vector<std::string> files = outputs.files();
    for (std::string& name : records.files()) files.push_back(std::move(name));
    std::vector<std::string> all = notes;
    all.insert(all.end(), result.warnings.begin(), result.warnings.end());
    all.insert(all.end(), outputs.warnings().begin(), outputs.warnings().end());
    return RunRecord{lbm_case, setup, *backend, result, std::move(reason),
                     files,    all,   &records, {}};
  };
  try {
    simulate_from(restart, checkpoints, continues, ranks == nullptr, notes, [&] {
      simulate(
          lbm_case, setup, *backend,
          {outputs, records, checkpoints, restart ? &*restart : nullptr, continues, begin,
           write_case, StopSignals::received, [&](std::int64_t planes) { progress.update(planes); },
           trace.get(), ranks, run.exchange ? &*run.exchange : nullptr, run.copy_bytes_per_second},
          result);
    });
    if (result.stopped_by == 0 && !result.at_walltime) outputs.finish(result.steps);
  } catch (const UsageError&) {
    throw;  // nothing has begun
  } catch (const Error& error) {
    progress.finish();
    try_flush(records);
    try_finish_trace(trace.get(), record(error.what()));
    try_report(record(error.what()), directory);
    throw;
  }
  progress.finish();
  const bool stopped = result.stopped_by != 0 || result.at_walltime;
  RunRecord done = record(exit_reason_of(result));
  if (!stopped) done.expectations = expectations.results();
  report(done, directory, options.json);
  finish_trace(trace.get(), done);
  if (stopped) return exit_of_stopped(result, setup, checkpoints);
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

}  // namespace lbm::app
