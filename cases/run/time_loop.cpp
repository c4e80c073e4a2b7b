#include "cases/run/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cases/run/checkpoint/checkpoint_times.hpp"
#include "cases/run/ranks/leader.hpp"
#include "cases/run/setup/make_store.hpp"
#include "cases/run/sweep_sequence.hpp"
#include "solver/backend/copy_bandwidth.hpp"

namespace lbm::cases {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

TimeLoop::TimeLoop(const Case& lbm_case, const Setup& setup, Backend& backend, RunParts parts,
                   RunResult& result)
    : case_(lbm_case),
      setup_(setup),
      backend_(backend),
      parts_(std::move(parts)),
      result_(result),
      times_(lbm_case, parts_.begin, parts_.checkpoints.bytes()) {
  if (parts_.ranks != nullptr) lead();
  result_.first_step = result_.steps = parts_.restart == nullptr ? 0 : parts_.restart->step();
}

TimeLoop::~TimeLoop() = default;

void TimeLoop::begin() {
  const bool known = parts_.ranks != nullptr || parts_.copy_bytes_per_second > 0;
  result_.copy_bytes_per_second =
      known ? parts_.copy_bytes_per_second : measure_copy_bandwidth(backend_);
  make_pipeline();
  if (parts_.continues_files) {
    for (Stateful* part : parts_.checkpoints.parts()) part->continue_files(result_.first_step);
  }
  parts_.on_begin();
  schedule_.emplace(setup_.derived, setup_.plan.options.steps_per_visit, parts_.outputs,
                    parts_.records, times_, result_.first_step);
}

void TimeLoop::advance(std::int64_t to) {
  interrupted_ = false;
  advance_begin_ = Clock::now();
  seconds_before_ = result_.seconds;
  schedule_->pause_at(to);
  do {
    schedule_->resume();
    if (schedule_->ended() && schedule_->step() > result_.first_step) break;
    run_pipeline();
    if (schedule_->ended()) result_.stopped_by = 0;  // came too late to stop anything
    save_if_due();
    result_.seconds = seconds();
  } while (schedule_->step() < to && !schedule_->ended() && result_.stopped_by == 0 &&
           !result_.at_walltime && !interrupted_);
  parts_.records.flush();
  result_.steady = schedule_->ended() && schedule_->step() < setup_.derived.steps;
}

std::int64_t TimeLoop::step() const { return schedule_->step(); }

bool TimeLoop::ended() const { return schedule_->ended(); }

bool TimeLoop::save_requested() const { return parts_.save_requested && parts_.save_requested(); }

double TimeLoop::seconds() const { return seconds_before_ + seconds_since(advance_begin_); }

void TimeLoop::lead() {
  leader_ = std::make_unique<Leader>(*parts_.ranks, setup_.lattice, fields(), parts_.records,
                                     *parts_.exchange,
                                     parts_.restart == nullptr ? 0 : parts_.restart->step());
}

FieldOutputs* TimeLoop::fields() const {
  return parts_.outputs.wants_any() ? &parts_.outputs : nullptr;
}

void TimeLoop::run_pipeline() {
  pipeline_->run([&] { return next_sweep(); },
                 [&](const tiling::PipelineStats& stats) { on_retired(stats); });
  if (leader_) wait_for_others();
  if (draining_) times_.drained(seconds_since(*draining_));
  draining_.reset();
}

void TimeLoop::wait_for_others() {
  leader_->wait_for_others();
  on_retired(pipeline_->stats());
  result_.stats = leader_->stats_with(pipeline_->stats());
}

void TimeLoop::make_pipeline() {
  const auto begin = Clock::now();
  try {
    auto store = make_store(setup_, backend_, parts_.restart);
    result_.pin_seconds = store->pin_seconds();
    result_.fill_seconds = seconds_since(begin) - result_.pin_seconds;
    pipeline_.emplace(
        tiling::PipelineConfig{.backend = backend_,
                               .lattice = setup_.lattice,
                               .boundaries = setup_.boundaries,
                               .store = std::move(store),
                               .options = setup_.plan.options,
                               .fields = leader_ ? leader_->fields() : fields(),
                               .records = leader_ ? leader_->records() : &parts_.records,
                               .trace = parts_.trace,
                               .staging_limit = setup_.staging_limit,
                               .first_step = result_.first_step,
                               .share = setup_.share,
                               .exchange = parts_.exchange});
    if (parts_.restart != nullptr) parts_.restart->load(parts_.checkpoints.parts());
  } catch (const UsageError& error) {
    if (parts_.restart == nullptr) throw;
    throw DamagedCheckpoint(error.what());
  }
  result_.setup_seconds = seconds_since(begin);
  result_.host_bytes = pipeline_->store().host_bytes() + pipeline_->host_bytes() +
                       parts_.outputs.host_bytes() +
                       (parts_.exchange != nullptr ? parts_.exchange->host_bytes() : 0);
}

// Nothing: the sweeps under way are completed.
std::optional<tiling::Sweep> TimeLoop::next_sweep() {
  if (leader_ && draining_) return std::nullopt;  // the others have been told
  if (result_.stopped_by == 0) result_.stopped_by = parts_.stop();
  if (parts_.is_interrupted && parts_.is_interrupted()) interrupted_ = true;
  const bool moved = schedule_->step() > result_.first_step;
  // At least one sweep: otherwise restarts would never come to an end.
  if (moved && !schedule_->ended() && times_.must_stop()) result_.at_walltime = true;
  const bool pause = interrupted_ || result_.stopped_by != 0 || result_.at_walltime ||
                     save_requested() || (moved && times_.is_due());
  auto sweep = pause && schedule_->checked() ? std::nullopt : schedule_->next(pause);
  if (!sweep && !draining_) draining_ = Clock::now();
  if (leader_) leader_->tell(sweep);
  return sweep;
}

void TimeLoop::on_retired(const tiling::PipelineStats& stats) {
  if (leader_) leader_->deliver();
  result_.seconds = seconds();
  result_.stats = stats;
  result_.steps = result_.first_step + stats.steps_completed;
  result_.device_bytes = pipeline_->device_bytes() +
                         (parts_.exchange != nullptr ? parts_.exchange->device_bytes() : 0);
  times_.completed(result_.steps);
  // Redundant work of haloed tiles is not progress: whole sweeps count there.
  const bool redundant = setup_.plan.options.scheme == tiling::Scheme::halo;
  const std::int64_t nz = case_.grid.cells[2];
  const std::int64_t own = setup_.share.planes > 0 ? setup_.share.planes : nz;
  parts_.on_progress(redundant ? stats.steps_completed * nz : stats.plane_updates * nz / own);
}

// Between runs of the pipeline, when it is at the schedule's step.
void TimeLoop::save_if_due() {
  const CheckpointKeys& keys = case_.checkpoint;
  const std::int64_t step = schedule_->step();
  const bool asked = save_requested();
  if (asked) parts_.save_done();
  const bool stopped = result_.stopped_by != 0 && keys.on_signal;
  const bool moved = step > result_.first_step;
  const bool due = times_.is_due_at(step) || times_.is_due() || stopped || result_.at_walltime ||
                   (schedule_->ended() && keys.at_end);
  if (!asked && !(due && moved)) return;
  const bool last = stopped || result_.at_walltime;
  save(step, last);
}

// last: the run stops then, and the state would be lost.
void TimeLoop::save(std::int64_t step, bool last) {
  const auto begin = Clock::now();
  try {
    parts_.checkpoints.save(step, [&](io::CheckpointWriter& writer) { write_state(writer); });
  } catch (const ResourceError& error) {
    const auto on_error = case_.checkpoint.on_error;
    if (last || on_error == CheckpointKeys::OnError::stop) throw;
    warn(fmt::format("no checkpoint at step {}: {}", step, error.what()));
    return times_.failed();
  }
  if (leader_ && leader_->apart() > 0) warn_of_processes_apart();
  times_.saved(seconds_since(begin));
  result_.checkpoints = parts_.checkpoints.stats();
}

void TimeLoop::warn(std::string text) {
  result_.warnings.push_back(std::move(text));
  fmt::print(stderr, "warning: {}\n", result_.warnings.back());
}

void TimeLoop::warn_of_processes_apart() {
  if (std::exchange(warned_of_processes_apart_, true)) return;
  warn(fmt::format(
      "{}: {} of {} processes cannot write to this file; their planes go through process 0, "
      "which takes longer: let all see the directory of the results under this path",
      parts_.checkpoints.newest().string(), leader_->apart(), setup_.neighbours.processes));
}

void TimeLoop::write_state(io::CheckpointWriter& writer) {
  const auto write_own = [&] {
    pipeline_->state().read_planes([&](int first, std::span<const std::byte> planes) {
      writer.write_planes(Checkpoints::populations, first, planes);
    });
  };
  leader_ ? leader_->save_state(writer, write_own) : write_own();
}

void TimeLoop::save() {
  parts_.checkpoints.save(step(), [&](io::CheckpointWriter& writer) { write_state(writer); });
  result_.checkpoints = parts_.checkpoints.stats();
}

void TimeLoop::save_to(const std::filesystem::path& file) {
  parts_.checkpoints.save_to(file, step(),
                             [&](io::CheckpointWriter& writer) { write_state(writer); });
  result_.checkpoints = parts_.checkpoints.stats();
}

void TimeLoop::read_fields(const tiling::FieldBox& box, const tiling::TakeFields& take) {
  pipeline_->state().read_fields(step(), box, take);
}

}  // namespace lbm::cases
