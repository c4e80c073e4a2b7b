// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/before_divergence.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cases/run/run_results.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr double longest_seconds = 120;

}  // namespace

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

}  // namespace lbm::cases
