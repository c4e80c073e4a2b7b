// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/root_rank.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/run/ranks/state_planes.hpp"
#include "solver/core/error.hpp"
#include "solver/core/signal_name.hpp"
#include "tiling/pipeline/merge_records.hpp"

namespace lbm::cases {
namespace {

std::exception_ptr error_of(const tiling::Message& message) {
  const auto text = rest_of<ErrorMessage, char>(message);
  const auto code = static_cast<ExitCode>(head_of<ErrorMessage>(message).exit_code);
  return std::make_exception_ptr(Error(
      code, fmt::format("process {}: {}", message.from, std::string(text.begin(), text.end()))));
}

}  // namespace

RootRank::RootRank(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs& outputs,
                   tiling::RecordSink& records, tiling::PlaneExchange& exchange,
                   std::int64_t first_step, Watching watching)
    : ranks_(ranks),
      lattice_(lattice),
      outputs_(outputs),
      records_(records),
      exchange_(exchange),
      step_(first_step),
      watching_(std::move(watching)),
      watch_(root_rank, ranks.size()) {
  heart_.emplace([this] { tell_others(ranks_, tag_alive, alive_message(0)); });
  listener_.emplace(
      ranks, [this](tiling::Message message) { take(std::move(message)); }, [this] { watch(); });
}

void RootRank::watch() {
  const auto now = RankWatch::Clock::now();
  watch_.looks(now);
  if (computing_) watch_.computing(now);
  if (const auto news = watch_.news(now); news && watching_.warn) watching_.warn(*news);
  end_where_lost(now);
  const auto missing = watch_.missing(now);
  const int signal = missing && !failed_ ? stop_signal() : 0;
  if (signal == 0) return;
  try {
    throw Error(
        static_cast<ExitCode>(128 + signal),
        fmt::format("stopped by {} without a checkpoint: {} does not answer, and its part of the "
                    "flow is missing; go on from the last checkpoint",
                    signal_name(signal), watch_.name(*missing)));
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

// The thread that computes reports the error and ends all ranks. It may itself hang in a call that
// the lost rank has to answer: then this one does.
void RootRank::end_where_lost(RankWatch::Time now) {
  if (lost_since_ && now - *lost_since_ > patience_with_others) ranks_.abort(exit_resources);
  if (failed_) return;
  const auto lost = watch_.lost(now);
  if (!lost) return;
  lost_since_ = now;
  try {
    throw ResourceError(*lost);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

int RootRank::stop_signal() const {
  const int own = watching_.stop ? watching_.stop() : 0;
  return own != 0 ? own : signal_of_others_.load();
}

void RootRank::tell(const std::optional<tiling::Sweep>& sweep) {
  computing_ = true;
  if (!sweep) return tell_others(ranks_, tag_drain, {});
  step_ += sweep->steps;
  std::vector<tiling::FieldBox> boxes;
  if (sweep->emit) {
    boxes = outputs_.boxes(step_);
    std::int64_t planes = boxes.empty() ? lattice_.nz : 0;
    for (const tiling::FieldBox& box : boxes) planes += box.count[2];
    const std::scoped_lock lock(field_mutex_);
    emitting_.push_back({step_, planes});
    if (emitting_.size() == 1) allow_fields();
  }
  const SweepMessage head{sweep->steps, sweep->emit ? 1 : 0, sweep->check ? 1 : 0,
                          static_cast<std::int32_t>(boxes.size())};
  tell_others(ranks_, tag_sweep, pack(head, {std::as_bytes(std::span(boxes))}));
}

void RootRank::take(tiling::Message message) {
  watch_.heard(message.from, RankWatch::Clock::now());
  try {
    switch (message.tag) {
      case tag_alive:
        watch_.lives_on(message.from, host_of(message));
        if (const auto signal = static_cast<int>(head_of<AliveMessage>(message).signal)) {
          signal_of_others_ = signal;
        }
        return;
      case tag_fields: {
        const auto head = head_of<FieldsMessage>(message);
        const auto values = rest_of<FieldsMessage, float>(message);
        const auto cells = static_cast<std::size_t>(head.cells);
        return add_plane(head, values.first(cells), values.subspan(cells));
      }
      case tag_derived: {
        const auto head = head_of<DerivedMessage>(message);
        const std::scoped_lock lock(field_mutex_);
        return outputs_.on_derived_plane(head.step, head.output, head.z);
      }
      case tag_image_error: {
        const auto head = head_of<ImageErrorMessage>(message);
        const std::scoped_lock lock(field_mutex_);
        return outputs_.on_error_of(message.from, head.step, head.output, head.error);
      }
      case tag_record: {
        const auto head = head_of<RecordMessage>(message);
        return add_record(head.step, rest_of<RecordMessage, std::int64_t>(message),
                          head.sampled != 0);
      }
      case tag_error:
        std::rethrow_exception(error_of(message));
      case tag_drained: {
        const std::scoped_lock lock(mutex_);
        ++drained_;
        others_stats_ = others_stats_ + head_of<tiling::PipelineStats>(message);
        break;
      }
      default: {  // answers to tag_save
        const std::scoped_lock lock(mutex_);
        answers_.push_back(std::move(message));
      }
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  changed_.notify_all();
}

void RootRank::fail(const std::string& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  exchange_.stop(why);
  failed_ = true;
  next_fields_.notify_all();
  changed_.notify_all();
}

void RootRank::add_record(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  const std::scoped_lock lock(mutex_);
  Record& all = waiting_[step];
  if (all.parts++ == 0) {
    all.values.assign(record.begin(), record.end());
    all.sampled = sampled;
  } else {
    tiling::merge_record(all.values, record);
  }
}

void RootRank::deliver() {
  while (true) {
    std::pair<std::int64_t, Record> next;
    {
      const std::scoped_lock lock(mutex_);
      if (error_) std::rethrow_exception(error_);
      if (waiting_.empty() || waiting_.begin()->second.parts < ranks_.size()) return;
      next = {waiting_.begin()->first, std::move(waiting_.begin()->second)};
      waiting_.erase(waiting_.begin());
    }
    const auto& [step, record] = next;
    if (record.sampled) tiling::refuse_bad_cells(lattice_, step, record.values);
    records_.on_step(step, record.values, record.sampled);
  }
}

void RootRank::check() {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

template <class Condition>
std::unique_lock<std::mutex> RootRank::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || condition(); });
  if (error_) std::rethrow_exception(error_);
  return lock;
}

void RootRank::wait_for_others() {
  wait([this] { return drained_ == ranks_.size() - 1; });
  drained_ = 0;
  deliver();
}

void RootRank::save_state(io::CheckpointWriter& writer, const std::function<void()>& write_own) {
  StateCollector collector(ranks_, writer);
  collector.begin(write_own);
  while (!collector.complete()) {
    auto lock = wait([this] { return !answers_.empty(); });
    tiling::Message message = std::move(answers_.front());
    answers_.pop_front();
    lock.unlock();
    collector.take(std::move(message));
  }
  without_access_ = collector.apart();
  collector.finish();
}

tiling::PipelineStats RootRank::stats_with(const tiling::PipelineStats& own) const {
  tiling::PipelineStats all = own + others_stats_;
  const double processes = ranks_.size();
  for (double* seconds : {&all.load_seconds, &all.update_seconds, &all.store_seconds})
    *seconds /= processes;
  all.sink_seconds = own.sink_seconds;
  all.output_wait_seconds = own.output_wait_seconds;
  all.steps_completed = own.steps_completed;
  return all;
}

// The other ranks send planes of a step once all planes of the step before are here. So statistics
// get their samples in order and nobody has to keep planes. Before that, they are told in which
// results they do their part themselves.
void RootRank::allow_fields() {
  if (emitting_.empty()) return;
  const std::int64_t step = emitting_.front().step;
  begin_fields(step);
  for (const auto& [index, result] : outputs_.share(step)) {
    const io::ImagePlace& place = result.image;
    const std::string text = result.kind == SharedKind::sums ? result.sums : place.file.string();
    const ShareMessage head{step,
                            result.samples,
                            static_cast<std::int32_t>(result.kind),
                            index,
                            static_cast<std::int32_t>(place.offsets.size()),
                            0,
                            place.token};
    tell_others(
        ranks_, tag_share,
        pack(head, {std::as_bytes(std::span(place.offsets)), std::as_bytes(std::span(text))}));
  }
  const std::vector<char> wants_values = outputs_.wants_values(step);
  tell_others(ranks_, tag_allow,
              pack(AllowMessage{step}, {std::as_bytes(std::span(wants_values))}));
}

// Any rank may be ahead: the first one begins.
void RootRank::begin_fields(std::int64_t step) {
  for (Emitting& emitting : emitting_) {
    if (emitting.step > step || std::exchange(emitting.begun, true)) continue;
    outputs_.on_sweep(emitting.step);
  }
}

void RootRank::on_sweep(std::int64_t step) {
  const std::scoped_lock lock(field_mutex_);
  begin_fields(step);
}

void RootRank::on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                        std::span<const float> velocity) {
  add_plane({step, static_cast<std::int64_t>(drho.size()), box, z, {}, {}}, drho, velocity);
}

void RootRank::add_plane(const FieldsMessage& head, std::span<const float> drho,
                         std::span<const float> velocity) {
  std::unique_lock lock(field_mutex_);
  next_fields_.wait(lock, [&] { return failed_ || emitting_.front().step >= head.step; });
  if (failed_) return;  // the run ends
  try {
    begin_fields(head.step);
    outputs_.add_plane(head.step, head.box, head.z, drho, velocity, head.done);
    if (--emitting_.front().planes > 0) return;
    emitting_.pop_front();
    allow_fields();
  } catch (const std::exception& error) {
    fail(error.what());
    throw;
  }
  next_fields_.notify_all();
}

void RootRank::on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  add_record(step, record, sampled);
  deliver();
}

}  // namespace lbm::cases
