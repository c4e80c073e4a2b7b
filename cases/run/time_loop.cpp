// SPDX-License-Identifier: Apache-2.0
#include "cases/run/time_loop.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/run/flow_rate_correction.hpp"
#include "cases/run/ranks/root_rank.hpp"

namespace lbm::cases {

using Clock = std::chrono::steady_clock;

TimeLoop::TimeLoop(PreparedRun& run, RunResults& results, const RunCallbacks& callbacks)
    : run_(run),
      results_(results),
      stats_(results.stats),
      callbacks_(callbacks),
      times_(run.lbm_case, run.begin, results.checkpoints.bytes()),
      formulas_(run.lbm_case, run.setup.derived) {
  stats_.first_step = stats_.steps = corrected_ = run.first_step();
  if (run.ranks != nullptr) {
    root_ = std::make_unique<RootRank>(
        *run.ranks, run.setup.lattice, results.fields, results.records, *run.exchange,
        stats_.first_step, [this](const std::string& line) { results_.notices.warn(line); },
        callbacks.stop);
  }
  make_pipeline();
  if (results.continues) {
    for (Stateful* part : results.checkpoints.parts()) part->continue_files(stats_.first_step);
  }
  sequence_.emplace(run.setup.derived, run.setup.plan.options, results.fields, results.records,
                    times_, correction_steps(run.lbm_case, run.setup.derived),
                    results.free_bodies.any(), stats_.first_step, run_.ranks == nullptr);
}

TimeLoop::~TimeLoop() = default;

bool TimeLoop::advance(std::int64_t to) {
  interrupted_ = false;
  advance_begin_ = Clock::now();
  seconds_before_ = stats_.seconds;
  sequence_->pause_at(to);
  do {
    sequence_->resume();
    if (ended() && step() > stats_.first_step) break;
    run_pipeline();
    if (ended()) stats_.stopped_by = 0;  // came too late to stop anything
    correct_if_due();
    save_if_due();
    stats_.seconds = seconds();
  } while (step() < to && !ended() && !stats_.stopped() && !interrupted_);
  results_.records.flush();
  results_.fields.flush();
  stats_.steady = ended() && step() < run_.setup.derived.steps;
  return !interrupted_;
}

// A request that has come and is not met yet.
bool TimeLoop::save_requested() {
  if (callbacks_.save_requested && callbacks_.save_requested()) save_requested_ = true;
  return save_requested_;
}

double TimeLoop::seconds() const { return seconds_before_ + seconds_since(advance_begin_); }

void TimeLoop::run_pipeline() {
  try {
    pipeline_->run([&] { return next_sweep(); },
                   [&](const tiling::PipelineStats& stats) { on_retired(stats); });
  } catch (const std::exception&) {
    if (root_) root_->check();  // the error of another rank stops the exchange with one of its own
    throw;
  }
  if (root_) {
    root_->wait_for_others();
    on_retired(pipeline_->stats());
    stats_.pipeline = root_->stats_with(pipeline_->stats());
  }
  if (draining_) times_.drained(seconds_since(*draining_));
  draining_.reset();
}

void TimeLoop::make_pipeline() {
  const auto begin = Clock::now();
  tiling::FieldSink* fields = results_.fields.wants_any() ? &results_.fields : nullptr;
  tiling::RecordSink* records = &results_.records;
  if (root_) {
    records = &root_->records();
    if (fields != nullptr) fields = &root_->fields();
  }
  try {
    const tiling::PipelineConfig config = run_.pipeline_config(fields, records);
    stats_.pin_seconds = config.store->pin_seconds();
    stats_.fill_seconds = seconds_since(begin) - stats_.pin_seconds;
    stats_.host_nodes = config.store->node_shares();
    pipeline_.emplace(config);
    if (run_.restart) run_.restart->load(results_.checkpoints.parts());
  } catch (const UsageError& error) {
    if (!run_.restart) throw;
    throw DamagedCheckpoint(error.what());
  }
  stats_.setup_seconds = seconds_since(begin);
  stats_.boundary_bytes = pipeline_->boundary_bytes();
  stats_.host_bytes = pipeline_->store().host_bytes() + pipeline_->host_bytes() +
                      results_.fields.host_bytes() +
                      (run_.exchange ? run_.exchange->host_bytes() : 0);
}

// Nothing: the sweeps under way are completed.
std::optional<tiling::Sweep> TimeLoop::next_sweep() {
  if (root_ && draining_) return std::nullopt;  // the others have been told
  if (stats_.stopped_by == 0) {
    if (root_)
      stats_.stopped_by = root_->stop_signal();
    else if (callbacks_.stop)
      stats_.stopped_by = callbacks_.stop();
  }
  if (callbacks_.is_interrupted && callbacks_.is_interrupted()) interrupted_ = true;
  const bool moved = step() > stats_.first_step;
  // At least one sweep: otherwise restarts would never come to an end.
  if (moved && !ended() && times_.must_stop()) stats_.at_walltime = true;
  const bool pause =
      interrupted_ || stats_.stopped() || save_requested() || (moved && times_.is_due(step()));
  const std::int64_t from = step();
  auto sweep = pause && sequence_->checked() ? std::nullopt : sequence_->next(pause);
  if (sweep) formulas_.check(from, from + sweep->steps);
  if (!sweep && !draining_) draining_ = Clock::now();
  if (root_) root_->tell(sweep);
  return sweep;
}

void TimeLoop::on_retired(const tiling::PipelineStats& stats) {
  if (root_) root_->records().deliver();
  stats_.seconds = seconds();
  stats_.pipeline = stats;
  stats_.steps = stats_.first_step + stats.steps_completed;
  stats_.device_bytes =
      pipeline_->device_bytes() + (run_.exchange ? run_.exchange->device_bytes() : 0);
  times_.completed(stats_.steps);
  if (!callbacks_.progress) return;
  // Redundant work of haloed tiles is not progress: whole sweeps count there.
  const bool redundant = run_.setup.plan.options.scheme == tiling::Scheme::halo;
  const int share = run_.setup.share.planes;
  const double planes = share > 0 ? share : run_.lbm_case.grid.cells[2];
  callbacks_.progress(redundant ? static_cast<double>(stats.steps_completed)
                                : static_cast<double>(stats.plane_updates) / planes);
}

// Between runs of the pipeline, before a checkpoint of the same step.
void TimeLoop::correct_if_due() {
  if (!sequence_->is_corrected() || step() == corrected_) return;
  corrected_ = step();
  if (run_.ranks != nullptr) tell_others(*run_.ranks, tag_correct, {});
  const FlowRateCorrection correction = correct_flow_rates(run_, step(), *pipeline_);
  results_.corrections.push_back({step(), correction.spread, !correction.drho.empty()});
  results_.notices.note(
      fmt::format("step {}: flow rates of the layers differ by {:.3g} of their mean{}", step(),
                  correction.spread,
                  correction.drho.empty()
                      ? "; not all parts flow along the force, so the pressure is left as it is"
                      : "; the pressure along the flow was corrected"));
}

// Between runs of the pipeline, when it is at the step of the sequence.
void TimeLoop::save_if_due() {
  const CheckpointKeys& keys = run_.lbm_case.checkpoint;
  const bool asked = save_requested();
  save_requested_ = false;
  const bool stopped = stats_.stopped_by != 0 && keys.on_signal;
  const bool moved = step() > stats_.first_step;
  const bool due = times_.is_due_at(step()) || times_.is_due(step()) || stopped ||
                   stats_.at_walltime || (ended() && keys.at_end);
  if (asked || (due && moved)) save_as_the_case_says(stopped || stats_.at_walltime);
}

// last: the run stops then, and the state would be lost.
void TimeLoop::save_as_the_case_says(bool last) {
  const auto begin = Clock::now();
  results_.warn_if_moved();
  try {
    save();
  } catch (const ResourceError& error) {
    if (last || run_.lbm_case.checkpoint.on_error == CheckpointKeys::OnError::stop) throw;
    results_.notices.warn(fmt::format("no checkpoint at step {}: {}", step(), error.what()));
    return times_.failed(step());
  }
  if (root_ && root_->ranks_without_access() > 0) warn_of_ranks_without_access();
  times_.saved(step(), seconds_since(begin));
}

void TimeLoop::warn_of_ranks_without_access() {
  if (std::exchange(warned_of_ranks_, true)) return;
  results_.notices.warn(fmt::format(
      "{}: {} of {} processes cannot write to this file; their planes go through process 0, "
      "which takes longer: let all see the directory of the results under this path",
      results_.checkpoints.newest().string(), root_->ranks_without_access(),
      run_.setup.neighbours.processes));
}

void TimeLoop::write_state(io::CheckpointWriter& writer) {
  const auto write_own = [&] {
    pipeline_->read_planes([&](int first, std::span<const std::byte> planes) {
      writer.write_planes(Checkpoints::populations, first, planes);
    });
  };
  root_ ? root_->save_state(writer, write_own) : write_own();
}

void TimeLoop::save(const std::filesystem::path& file) {
  Checkpoints& checkpoints = results_.checkpoints;
  const auto write = [this](io::CheckpointWriter& writer) { write_state(writer); };
  file.empty() ? checkpoints.save(step(), write) : checkpoints.save_to(file, step(), write);
  stats_.checkpoints = checkpoints.stats();
}

void TimeLoop::read_fields(const tiling::FieldBox& box, const tiling::TakeFields& take) {
  pipeline_->read_fields(step(), box, take);
}

}  // namespace lbm::cases
