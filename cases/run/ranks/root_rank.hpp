// SPDX-License-Identifier: Apache-2.0

// Rank 0 of several: tells the other ranks which sweeps to do, and hands their messages to the
// parts that merge records, fields and states.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cases/run/ranks/mergers.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/state_planes.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// Signs of life between the root and the other ranks, and the signals that stop them. heard() and
// check() are called by the listening thread.
class RankLives {
 public:
  // Both may be null. warn: a rank has fallen silent, or is back. stop: the signal to this process,
  // 0: none; any thread calls it.
  RankLives(tiling::Ranks& ranks, std::function<void(const std::string&)> warn,
            std::function<int()> stop)
      : ranks_(ranks),
        warn_(std::move(warn)),
        stop_(std::move(stop)),
        watch_(root_rank, ranks.size()),
        heart_([&ranks](const std::stop_token& token) { beat(ranks, token); }) {}

  // Any message of another rank.
  void heard(const tiling::Message& message) {
    watch_.heard(message.from, RankWatch::Clock::now());
    if (message.tag != tag_alive) return;
    watch_.lives_on(message.from, text_of<Number>(message));
    const auto signal = static_cast<int>(head_of<Number>(message));
    if (signal != 0) signal_of_others_ = signal;
  }

  // The root's own set-up is over. Thread-safe.
  void computing() { computing_ = true; }
  // A signal that is to stop the run, of this rank or of another one; 0: none. Thread-safe.
  int stop_signal() const {
    const int own = stop_ ? stop_() : 0;
    return own != 0 ? own : signal_of_others_.load();
  }

  // Throws ResourceError if a rank is lost, Error if the run is to stop and a rank does not answer.
  // ended: the run has failed already. Then nothing is thrown; where the thread that computes hangs
  // in a call that the lost rank has to answer, this one ends all ranks.
  void check(bool ended) {
    const auto now = RankWatch::Clock::now();
    watch_.looks(now);
    if (computing_) watch_.computing(now);
    if (const auto news = watch_.news(now); news && warn_) warn_(*news);
    if (lost_since_ && now - *lost_since_ > patience_with_others) ranks_.abort(exit_resources);
    if (ended) return;
    if (const auto lost = watch_.lost(now)) {
      lost_since_ = now;
      throw ResourceError(*lost);
    }
    const auto missing = watch_.missing(now);
    const int signal = missing ? stop_signal() : 0;
    if (signal == 0) return;
    throw Error(
        static_cast<ExitCode>(128 + signal),
        fmt::format("stopped by {} without a checkpoint: {} does not answer, and its part of the "
                    "flow is missing; go on from the last checkpoint",
                    signal_name(signal), watch_.name(*missing)));
  }

 private:
  // Tells the others about once a second that the root is alive, whatever its other threads do.
  // An error here is not the first one: the listener has it, too.
  static void beat(tiling::Ranks& ranks, const std::stop_token& token) {
    RankWatch::Time next_beat{};
    try {
      while (!token.stop_requested()) {
        if (const auto now = RankWatch::Clock::now(); now >= next_beat) {
          next_beat = now + RankWatch::beat;
          tell_others(ranks, tag_alive, alive_message(0));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    } catch (const std::exception&) {
      return;
    }
  }

  tiling::Ranks& ranks_;
  std::function<void(const std::string&)> warn_;
  std::function<int()> stop_;
  std::atomic<int> signal_of_others_ = 0;
  std::atomic<bool> computing_ = false;
  RankWatch watch_;
  std::optional<RankWatch::Time> lost_since_;
  std::jthread heart_;
};

// Used by the thread that runs the pipeline.
class RootRank {
 public:
  // Keeps the references. exchange: the root's own, woken when another rank fails. first_step:
  // where the run begins. warn, stop: as in RankLives.
  RootRank(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs& outputs,
           tiling::RecordSink& records, tiling::PlaneExchange& exchange, std::int64_t first_step,
           std::function<void(const std::string&)> warn, std::function<int()> stop)
      : ranks_(ranks),
        exchange_(exchange),
        step_(first_step),
        stats_(static_cast<std::size_t>(ranks.size())),
        fields_(ranks, outputs, lattice, [this](const std::string& why) { fail(why); }),
        records_(ranks.size(), lattice, records, [this] { check(); }),
        lives_(ranks, std::move(warn), std::move(stop)) {
    listener_.emplace(
        ranks, [this](tiling::Message message) { take(std::move(message)); },
        [this] { guarded([this] { lives_.check(failed_); }); });
  }

  // Sinks of the root's own pipeline.
  FieldMerger& fields() { return fields_; }
  RecordMerger& records() { return records_; }

  // Tells the other ranks the next sweep; nothing: no more sweeps for now.
  void tell(const std::optional<tiling::Sweep>& sweep) {
    lives_.computing();
    if (!sweep) return tell_others(ranks_, tag_drain, {});
    step_ += sweep->steps;
    std::vector<tiling::FieldBox> boxes;
    if (sweep->emit) boxes = fields_.expect(step_);
    const SweepMessage head{sweep->steps, sweep->emit ? 1 : 0, sweep->check ? 1 : 0,
                            sweep->sums ? 1 : 0};
    tell_others(ranks_, tag_sweep, pack(head, {std::as_bytes(std::span(boxes))}));
  }

  // Throws the error of any rank, if there was one.
  void check() {
    const std::scoped_lock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

  // After the root's own sweeps: waits for those of the other ranks.
  void wait_for_others() {
    auto lock = wait([this] { return drained_ == ranks_.size() - 1; });
    drained_ = 0;
    lock.unlock();
    records_.deliver();
  }

  // Writes the state of all ranks into the file; write_own writes that of the root. A
  // ResourceError is thrown after all ranks have given up: the run may go on.
  void save_state(io::CheckpointWriter& writer, const std::function<void()>& write_own) {
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

  // A signal that is to stop the run, of the root or of another rank; 0: none. Thread-safe.
  int stop_signal() const { return lives_.stop_signal(); }
  // Number of ranks that could not write to the last file themselves.
  int ranks_without_access() const { return without_access_; }
  // Statistics of all ranks: sums of counts and bytes, means of load, update and store seconds. The
  // completed steps and the seconds of the sink and of waiting for it are the root's.
  tiling::PipelineStats stats_with(const tiling::PipelineStats& own) const {
    tiling::PipelineStats all = own;
    for (std::size_t r = 1; r < stats_.size(); ++r) {
      all.visits += stats_[r].visits;
      all.plane_updates += stats_[r].plane_updates;
      all.bytes_in += stats_[r].bytes_in;
      all.bytes_out += stats_[r].bytes_out;
      all.load_seconds += stats_[r].load_seconds;
      all.update_seconds += stats_[r].update_seconds;
      all.store_seconds += stats_[r].store_seconds;
    }
    const double processes = ranks_.size();
    for (double* seconds : {&all.load_seconds, &all.update_seconds, &all.store_seconds})
      *seconds /= processes;
    return all;
  }

 private:
  void take(tiling::Message message) {
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
          throw Error(static_cast<ExitCode>(head_of<Number>(message)),
                      fmt::format("process {}: {}", message.from, text_of<Number>(message)));
        case tag_drained: {
          const std::scoped_lock lock(mutex_);
          ++drained_;
          stats_.at(static_cast<std::size_t>(message.from)) =
              head_of<tiling::PipelineStats>(message);
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

  // Calls work() and keeps its exception.
  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  // Keeps the current exception and wakes every thread that waits: the run ends.
  void fail(const std::string& why) {
    {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    exchange_.stop(why);
    failed_ = true;
    fields_.stop();
    changed_.notify_all();
  }

  // Throws the error of any rank.
  template <class Condition>
  std::unique_lock<std::mutex> wait(const Condition& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || condition(); });
    if (error_) std::rethrow_exception(error_);
    return lock;
  }

  tiling::Ranks& ranks_;
  tiling::PlaneExchange& exchange_;
  std::int64_t step_;  // at the end of the last sweep that the others were told
  std::mutex mutex_;   // guards drained_ to error_
  std::condition_variable changed_;
  int drained_ = 0;
  std::vector<tiling::PipelineStats> stats_;  // by rank, those of the others when they drained
  std::deque<tiling::Message> answers_;       // of ranks that save their state
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;  // error_ is set
  int without_access_ = 0;
  FieldMerger fields_;
  RecordMerger records_;
  RankLives lives_;
  std::optional<Listener> listener_;  // last member: its thread uses all above
};

}  // namespace lbm::cases
