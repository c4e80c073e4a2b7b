// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/root/root_rank.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/run/ranks/state_planes.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

[[noreturn]] void throw_error_of(const tiling::Message& message) {
  const auto text = rest_of<ErrorMessage, char>(message);
  const auto code = static_cast<ExitCode>(head_of<ErrorMessage>(message).exit_code);
  throw Error(code,
              fmt::format("process {}: {}", message.from, std::string(text.begin(), text.end())));
}

}  // namespace

RootRank::RootRank(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs& outputs,
                   tiling::RecordSink& records, tiling::PlaneExchange& exchange,
                   std::int64_t first_step, std::function<void(const std::string&)> warn,
                   std::function<int()> stop)
    : ranks_(ranks),
      exchange_(exchange),
      step_(first_step),
      fields_(ranks, outputs, lattice.nz, [this](const std::string& why) { fail(why); }),
      records_(ranks.size(), lattice, records, [this] { check(); }),
      lives_(ranks, std::move(warn), std::move(stop)) {
  listener_.emplace(
      ranks, [this](tiling::Message message) { take(std::move(message)); },
      [this] { guarded([this] { lives_.check(failed_); }); });
}

void RootRank::tell(const std::optional<tiling::Sweep>& sweep) {
  lives_.computing();
  if (!sweep) return tell_others(ranks_, tag_drain, {});
  step_ += sweep->steps;
  std::vector<tiling::FieldBox> boxes;
  if (sweep->emit) boxes = fields_.expect(step_);
  const SweepMessage head{sweep->steps, sweep->emit ? 1 : 0, sweep->check ? 1 : 0,
                          static_cast<std::int32_t>(boxes.size())};
  tell_others(ranks_, tag_sweep, pack(head, {std::as_bytes(std::span(boxes))}));
}

void RootRank::take(tiling::Message message) {
  guarded([&] {
    lives_.heard(message);
    switch (message.tag) {
      case tag_alive:
        return;
      case tag_fields:
      case tag_derived:
      case tag_image_error:
        return fields_.take(message);
      case tag_record: {
        const auto head = head_of<RecordMessage>(message);
        return records_.add(head.step, rest_of<RecordMessage, std::int64_t>(message),
                            head.sampled != 0);
      }
      case tag_error:
        throw_error_of(message);
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
    changed_.notify_all();
  });
}

void RootRank::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void RootRank::fail(const std::string& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  exchange_.stop(why);
  failed_ = true;
  fields_.stop();
  changed_.notify_all();
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
  auto lock = wait([this] { return drained_ == ranks_.size() - 1; });
  drained_ = 0;
  lock.unlock();
  records_.deliver();
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

}  // namespace lbm::cases
