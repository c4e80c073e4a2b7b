// SPDX-License-Identifier: Apache-2.0

// `lbm run`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/ranks/agreement.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/simulation.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::string start_text(const PreparedRun& run, const std::string& directory, bool predict) {
  const auto& n = run.lbm_case.grid.cells;
  const Setup& setup = run.setup;
  const auto& plan = setup.plan;
  std::string text = fmt::format("{}: {} x {} x {} cells, {}, Re {}, {} steps\n", run.lbm_case.name,
                                 n[0], n[1], n[2], to_string(setup.lattice.storage),
                                 reynolds_text(run.lbm_case, setup.derived), setup.derived.steps);
  text += fmt::format("device: {}{}\n", run.backend->device_name(),
                      setup.neighbours.processes > 1
                          ? fmt::format(", one of {} processes", setup.neighbours.processes)
                          : "");
  if (!setup.representation_reason.empty()) {
    text += fmt::format("representation: {} ({})\n", to_string(setup.lattice.representation),
                        setup.representation_reason);
  }
  text +=
      fmt::format("scheme: {} ({}), {} steps and {} planes a visit, {} on the device\n",
                  tiling::to_string(plan.options.scheme), plan.reason, plan.options.steps_per_visit,
                  plan.options.planes_per_visit, human_bytes(plan.device_bytes));
  const auto [thinnest, thickest] = std::minmax_element(setup.planes.begin(), setup.planes.end());
  if (!setup.planes.empty() && *thickest - *thinnest > 1) {
    text += fmt::format("planes: {} by process, as fast as their devices are\n",
                        fmt::join(setup.planes, ", "));
  }
  if (predict && setup.predicted_mlups > 0) {
    text += fmt::format("predicted: {:.4g} MLUPS\n", setup.predicted_mlups);
  }
  const std::string caution = brief_caution(run.lbm_case, setup.derived);
  if (!caution.empty()) text += fmt::format("caution: {}\n", caution);
  return text + fmt::format("results: {}\n", directory);
}

std::string notice_text(NoticeKind kind, const std::string& text) {
  return fmt::format("{}: {}\n", kind == NoticeKind::note ? "note" : "warning", text);
}

void print_notice(NoticeKind kind, const std::string& text) {
  print_to(stderr, "{}", notice_text(kind, text));
}

// With --expect.
int exit_of(const std::vector<ExpectationResult>& results) {
  const auto unmet = std::count_if(results.begin(), results.end(),
                                   [](const ExpectationResult& r) { return !r.met; });
  if (unmet == 0) return exit_ok;
  print_to(stderr, "lbm: {} of {} expectations not met\n", unmet, results.size());
  return exit_expectation;
}

// Why a run that was stopped has no checkpoint.
std::string why_not_saved(const RunStats& stats, const CheckpointKeys& keys) {
  if (stats.steps == stats.first_step) return "this run computed no step";
  return keys.on_signal ? "checkpoint.on_error is continue" : "checkpoint.on_signal is false";
}

// "lbm: stopped by SIGTERM after step 12 of 40; go on with --restart out/checkpoint_000000012.h5"
int exit_of_stopped(const Simulation& simulation) {
  const RunStats& stats = simulation.results().stats;
  const auto& file = simulation.results().checkpoints.newest();
  const CheckpointKeys& keys = simulation.lbm_case().checkpoint;
  const bool coarser = !simulation.results().coarser.empty() && stats.steps == 0;
  const std::string next =
      coarser && keys.on_signal
          ? "a coarser grid is not complete: go on with --restart " + simulation.directory()
      : file.empty() ? "no checkpoint: " + why_not_saved(stats, keys)
                     : "go on with --restart " + file.string();
  print_to(stderr, "lbm: stopped {} after step {} of {}; {}\n",
           stats.at_walltime ? "before its walltime" : "by " + signal_name(stats.stopped_by),
           stats.steps, simulation.end(), next);
  return stats.at_walltime ? exit_walltime : 128 + stats.stopped_by;
}

RunOptions run_options_of(const Options& options) {
  RunOptions run;
  run.out = options.text("out");
  run.overwrite = options.has("overwrite");
  if (options.has("restart")) run.restart = options.text("restart");
  run.change = options.has("change");
  run.predict = options.has("predict");
  return run;
}

Case read(const Options& options) {
  Case lbm_case = case_of(options);
  if (options.has("expect") && lbm_case.expect.empty()) {
    throw UsageError(
        lbm_case.file +
        ": found no expectations, must have an expect block for --expect: add one, or leave "
        "--expect away");
  }
  return lbm_case;
}

// Prints the summary, or with --json the report.
int finish(const Options& options, Simulation& simulation, RunLog& run_log) {
  const RunResults& results = simulation.results();
  const std::string text = summary(simulation.prepared(), results);
  run_log.add(results.stats.exit_reason + "\n" + text);
  print_to(stdout, "{}", options.has("json") ? io::json_text(simulation.report()) : text);
  if (results.stats.stopped()) return exit_of_stopped(simulation);
  return options.has("expect") ? exit_of(results.expectation_results()) : exit_ok;
}

void print_error(const std::string& text) {
  print_to(stderr, "lbm: {}\n", text);
  flush(stdout);
}

// The run asks as soon as it computes: from then on there is something to save.
int stop_signal() {
  StopSignals::set_up_is_over();
  return StopSignals::received();
}

// The last whole flow of a run that has diverged is computed again, up to the last step at which
// the flow was looked at and not refused.
struct Rerun {
  Case lbm_case;       // writes the fields and profiles of its last step, nothing else
  RunOptions options;  // its results: before_divergence in the directory of the run
};

constexpr double longest_seconds = 120;

// lbm_case, options: those of the run that has diverged. Empty where its flow was never looked
// at, where it writes no files, or where it took too long to be repeated unasked (two minutes).
std::optional<Rerun> rerun_before_divergence(const Case& lbm_case, const RunOptions& options,
                                             const Simulation& diverged) {
  const RunResults& results = diverged.results();
  const auto& sample = results.records.last_sample();
  if (!options.writes_files || !sample || results.stats.seconds > longest_seconds) return {};
  if (sample->step <= results.stats.first_step) return {};
  Rerun rerun{lbm_case, options};
  Case& c = rerun.lbm_case;
  c.run = Run{};
  c.run.steps = sample->step;
  c.run.max_mach = lbm_case.run.max_mach;
  c.run.density_range = lbm_case.run.density_range;
  c.run.on_checkerboard = Run::OnCheckerboard::warn;  // such a flow is to be seen
  c.output = Output{};
  c.output.forces = sample->step;
  c.outputs.clear();
  c.pictures.clear();
  c.statistics.clear();
  c.probes.clear();
  c.quantities.clear();
  c.expect.clear();
  c.checkpoint = CheckpointKeys{};
  c.checkpoint.on_signal = false;
  rerun.options.out = (std::filesystem::path(diverged.directory()) / "before_divergence").string();
  rerun.options.overwrite = true;  // of an earlier run that diverged, too
  return rerun;
}

// Bits do not depend on the schedule, so the flow is that of the run. Says where the fields are, or
// why there are none; never throws.
void write_before_divergence(Rerun rerun, const RunCallbacks& callbacks) {
  const auto tell = [&](NoticeKind kind, const std::string& text) {
    if (callbacks.notice) callbacks.notice(kind, text);
  };
  RunCallbacks quiet;
  quiet.stop = callbacks.stop;
  const std::int64_t step = *rerun.lbm_case.run.steps;
  const std::string directory = rerun.options.out;
  try {
    Simulation again(std::move(rerun.lbm_case), rerun.options, quiet);
    again.advance_to_end();
    if (again.step() < step) return;  // stopped by a signal
    tell(NoticeKind::note,
         fmt::format("{}: the fields of step {}, at the last look before the flow diverged",
                     directory, step));
  } catch (const std::exception& error) {
    tell(NoticeKind::warning,
         fmt::format("{}: no fields of step {}: {}", directory, step, as_error(error).what()));
  }
}

// In the process that is alone or the root. ranks: null for one process.
int run_case(Case lbm_case, const Options& options, tiling::Ranks* ranks) {
  std::FILE* log = options.has("json") ? stderr : stdout;
  const RunOptions run_options = run_options_of(options);
  const Case asked = lbm_case;
  std::optional<Progress> progress;
  RunCallbacks callbacks;
  RunLog run_log;
  run_log.add(fmt::format("lbm {}: {}\n", LBM_VERSION, one_line(asked.file)));
  callbacks.notice = [&](NoticeKind kind, const std::string& text) {
    if (progress) progress->make_way();
    print_notice(kind, text);
    run_log.add(notice_text(kind, text));
  };
  callbacks.progress = [&](double steps) { progress->update(steps); };
  callbacks.stop = stop_signal;
  callbacks.save_requested = StopSignals::take_save;
  std::optional<Rerun> rerun;
  try {
    Simulation simulation(std::move(lbm_case), run_options, callbacks, ranks);
    const std::string start =
        start_text(simulation.prepared(), simulation.directory(), run_options.predict);
    run_log.add(start);
    run_log.open(simulation.results().directory.file("run.log"));
    if (!options.has("quiet")) print_to(log, "{}", start);
    flush(log);
    progress.emplace(
        log, options.has("quiet"), simulation.end(), simulation.end() - simulation.step(),
        cell_count(simulation.lbm_case().grid.cells),
        Progress::Calls{
            [&] { return flow_line(simulation.lbm_case(), simulation.results().records); },
            [&](const std::string& line) { run_log.add(line); }});
    try {
      simulation.advance_to_end();
    } catch (const std::exception& caught) {
      progress->finish();
      run_log.add(fmt::format("lbm: {}\n", one_line(as_error(caught).what(), 2000)));
      const bool diverged = dynamic_cast<const DivergedError*>(&caught) != nullptr;
      if (diverged && ranks == nullptr) {
        rerun = rerun_before_divergence(asked, run_options, simulation);
      }
      if (ranks != nullptr) print_error(as_error(caught).what());
      throw;
    }
    progress->finish();
    return finish(options, simulation, run_log);
  } catch (const DivergedError&) {
    if (rerun) write_before_divergence(std::move(*rerun), callbacks);
    throw;
  }
}

int run_as_rank(const Options& options, tiling::Ranks& ranks) {
  try {
    Case lbm_case;
    run_on_all_ranks(ranks, [&] {
      if (case_file(options) == "/dev/stdin") {
        throw UsageError(
            "-: found standard input, which only one process can read, must be a file: "
            "each rank reads the case");
      }
      lbm_case = read(options);
    });
    if (!ranks.is_root()) {
      return compute_for_root(
          std::move(lbm_case), run_options_of(options), ranks,
          {stop_signal, [](const std::string& text) { print_notice(NoticeKind::warning, text); },
           print_error});
    }
    return run_case(std::move(lbm_case), options, &ranks);
  } catch (const SharedError& error) {
    if (ranks.is_root()) print_error(error.what());
    ranks.barrier();  // the others wait for the root: mpirun kills all when the first one exits
    return error.exit_code();
  } catch (const std::exception& caught) {
    const Error error = as_error(caught);
    print_error(error.what());
    ranks.abort(error.exit_code());
  }
  return exit_ok;  // not reached
}

}  // namespace

int run_command(const Options& options) {
  const StopSignals signals(tiling::started_with_others() ? StopSignals::InSetUp::end_as_rank
                                                          : StopSignals::InSetUp::end);
  if (const auto ranks = tiling::join_ranks()) return run_as_rank(options, *ranks);
  return run_case(read(options), options, nullptr);
}

}  // namespace lbm::cases
