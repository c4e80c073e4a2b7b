// SPDX-License-Identifier: Apache-2.0
#include "cases/run/run_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/validate/stability.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/report.hpp"
#include "solver/backend/link_speed.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::string exit_reason_of(const RunStats& stats) {
  if (stats.stopped_by != 0) return "interrupted by " + signal_name(stats.stopped_by);
  if (stats.at_walltime) return "walltime reached";
  return stats.steady ? "steady" : "completed";
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

OtherRanks::~OtherRanks() {
  if (ranks_ == nullptr) return;
  if (error != exit_ok) ranks_->abort(error);
  tell_others(*ranks_, tag_end, {});
}

RunEngine::RunEngine(Case lbm_case, const RunOptions& options, RunCallbacks with,
                     tiling::Ranks* ranks)
    : callbacks(std::move(with)),
      notices(callbacks.notice),
      prepared(std::move(lbm_case), options, ranks, notices),
      others(ranks),
      results(prepared, options, notices) {}

void RunEngine::begin() {
  try {
    if (prepared.ranks == nullptr) {
      prepared.copy_bytes_per_second = copy_bandwidth(*prepared.backend);
    }
    make_loop();
    results.write_case(prepared.lbm_case);
  } catch (const UsageError& error) {  // no report: nothing has begun
    others.error = error.exit_code();
    results.stats.exit_reason = error.what();
    throw;
  } catch (const std::exception& caught) {
    fail(caught);
    throw;
  }
}

// Where the checkpoint is damaged, tries the one before; but not with several ranks, since the
// others have read theirs already.
void RunEngine::make_loop() {
  std::optional<Restart>& restart = prepared.restart;
  std::size_t told = 0;
  if (restart && !restart->changes().empty()) {
    notices.note(
        fmt::format("changed since the checkpoint: {}", fmt::join(restart->changes(), ", ")));
  }
  while (true) {
    for (; restart && told < restart->notes().size(); ++told) notices.note(restart->notes()[told]);
    if (results.continues) {
      results.checkpoints.continue_from(restart->step(), restart->damaged());
    }
    try {
      loop.emplace(prepared, results, callbacks);
      return;
    } catch (const DamagedCheckpoint& error) {
      --told;  // fall_back() takes back that the run goes on from this one
      if (prepared.ranks != nullptr || !restart->fall_back(error.what())) throw;
    }
  }
}

bool RunEngine::advance_to(std::int64_t step) {
  TimeLoop& to_advance = running();
  try {
    const bool completed = to_advance.advance(step);
    finish_if_over();
    return completed;
  } catch (const DivergedError& caught) {
    const DivergedError advised(fmt::format("{}; {}", caught.what(), advice(caught)));
    fail(advised);
    throw advised;
  } catch (const std::exception& caught) {
    fail(caught);
    throw;
  }
}

// A remedy for the divergence, and how to see the flow before it diverged.
std::string RunEngine::advice(const DivergedError& error) const {
  std::string remedy =
      remedy_for_divergence(prepared.lbm_case, prepared.derived, results.records.last_mach());
  const auto& sample = results.records.last_sample();
  const bool finite = dynamic_cast<const CheckerboardError*>(&error) != nullptr;
  if (finite || !sample || sample->step == 0) return remedy;
  return fmt::format("{}; run.steps: {} ends before it, with the fields of that step", remedy,
                     sample->step);
}

TimeLoop& RunEngine::running() {
  if (is_lost()) {
    throw RunEnded("the run has ended with an error: " + results.stats.exit_reason);
  }
  if (!loop) begin();
  return *loop;
}

void RunEngine::finish_if_over() {
  RunStats& stats = results.stats;
  if (!loop->ended() && !stats.stopped()) return;
  stats.exit_reason = exit_reason_of(stats);
  if (!stats.stopped()) {
    results.fields.finish(stats.steps);
    results.fields.finish_pictures();
    stats.complete = true;
  }
  results.warn_if_moved();
  write_report(prepared, results);
}

void RunEngine::fail(const std::exception& caught) {
  const Error error = as_error(caught);
  others.error = error.exit_code();
  give_up(error.what());
}

// Another error in here must not hide the first one.
void RunEngine::give_up(const std::string& exit_reason) {
  results.stats.exit_reason = exit_reason;
  const auto attempt = [this](const auto& work) {
    try {
      work();
    } catch (const std::exception& error) {
      notices.warn(error.what());
    }
  };
  loop.reset();  // hands out what is under way, so that these files are complete
  attempt([this] { results.records.flush(); });
  attempt([this] { results.fields.flush(); });
  attempt([this] { results.fields.finish_pictures(); });
  results.warn_if_moved();
  attempt([this] { write_report(prepared, results); });
}

}  // namespace lbm::cases
