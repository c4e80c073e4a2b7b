// `lbm run`.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

#include "cases/app/case_files.hpp"
#include "cases/app/commands.hpp"
#include "cases/app/progress.hpp"
#include "cases/app/report.hpp"
#include "cases/app/signals.hpp"
#include "cases/app/simulation.hpp"
#include "cases/app/trace_writer.hpp"
#include "cases/app/validate.hpp"
#include "cases/app/yaml_reader.hpp"
#include "cases/app/yaml_writer.hpp"
#include "io/atomic_file.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::app {
namespace {

io::RunDirectory open_directory(const Case& lbm_case, const RunOptions& options) {
  const bool explicit_by_user = !options.out.empty();
  std::string path = options.out;
  if (path.empty()) path = lbm_case.output.directory;
  if (path.empty()) path = "out/" + lbm_case.name;
  return io::RunDirectory::open(path, explicit_by_user, options.overwrite);
}

// Null where no trace is asked for.
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

void print_start(std::FILE* stream, const Case& lbm_case, const Setup& setup,
                 const Backend& backend, const io::RunDirectory& directory) {
  const auto& n = lbm_case.grid.cells;
  const auto& plan = setup.plan;
  fmt::print(stream, "{}: {} x {} x {} cells, {}, Re {:.6g}, {} steps\n", lbm_case.name, n[0], n[1],
             n[2], to_string(setup.lattice.storage), setup.derived.reynolds, setup.derived.steps);
  fmt::print(stream, "device: {}\n", backend.device_name());
  fmt::print(stream, "scheme: {} ({}), {} steps and {} planes a visit, {} on the device\n",
             tiling::to_string(plan.options.scheme), plan.reason, plan.options.steps_per_visit,
             plan.options.planes_per_visit, human_bytes(plan.device_bytes));
  fmt::print(stream, "results: {}\n", directory.path().string());
  std::fflush(stream);
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

}  // namespace

int run_command(const RunOptions& options) {
  std::FILE* log = options.json ? stderr : stdout;
  const Case lbm_case = read_case(options.case_file, options.overrides);
  validate(lbm_case);
  if (options.expect && lbm_case.expect.empty()) {
    throw UsageError(
        lbm_case.file +
        ": found no expectations, must have an expect block for --expect: add one, or leave "
        "--expect away");
  }
  std::vector<std::string> notes = warnings(lbm_case);
  const auto trace = open_trace(lbm_case, options);
  const StopSignals signals;
  const auto backend = make_backend(lbm_case);
  const Setup setup = make_setup(lbm_case, *backend);
  notes.insert(notes.end(), setup.warnings.begin(), setup.warnings.end());
  for (const std::string& note : notes) fmt::print(stderr, "warning: {}\n", note);

  const io::RunDirectory directory = open_directory(lbm_case, options);
  Expectations expectations(lbm_case, setup.derived, setup.bodies);
  FieldOutputs outputs(lbm_case, setup, directory, expectations);
  directory.check_space(predicted_bytes(lbm_case, setup.derived));
  FlowRecords records(lbm_case, setup.derived, setup.bodies, fluid_cells(setup), directory,
                      expectations, setup.boundaries);
  io::write_file_atomically(directory.file("effective_case.yaml"),
                            to_yaml(with_whole_paths(lbm_case)));
  if (!options.quiet) print_start(log, lbm_case, setup, *backend, directory);

  const auto& n = lbm_case.grid.cells;
  Progress progress(log, options.quiet, setup.derived.steps, setup.derived.steps * n[2],
                    std::int64_t{n[0]} * n[1]);
  RunResult result;
  const auto record = [&](std::string reason) {
    std::vector<std::string> files = outputs.files();
    for (std::string& name : records.files()) files.push_back(std::move(name));
    return RunRecord{lbm_case, setup, *backend, result, std::move(reason),
                     files,    notes, &records, {}};
  };
  try {
    simulate(
        lbm_case, setup, *backend, outputs, records, StopSignals::received,
        [&](std::int64_t planes) { progress.update(planes); }, trace.get(), result);
    if (result.stopped_by == 0) outputs.finish(result.steps);
  } catch (const Error& error) {
    progress.finish();
    try_flush(records);
    try_finish_trace(trace.get(), record(error.what()));
    io::write_file_atomically(directory.file("report.json"),
                              report_json(record(error.what())).dump());
    throw;
  }
  progress.finish();
  RunRecord done =
      record(result.stopped_by != 0 ? "interrupted by " + signal_name(result.stopped_by)
                                    : (result.steady ? "steady" : "completed"));
  if (result.stopped_by == 0) done.expectations = expectations.results();
  report(done, directory, options.json);
  finish_trace(trace.get(), done);
  if (result.stopped_by == 0) return options.expect ? exit_of(done.expectations) : exit_ok;
  fmt::print(stderr, "lbm: stopped by {} after step {} of {}\n", signal_name(result.stopped_by),
             result.steps, setup.derived.steps);
  return 128 + result.stopped_by;
}

}  // namespace lbm::app
