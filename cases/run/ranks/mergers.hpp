// SPDX-License-Identifier: Apache-2.0

// Field planes and flow records of several ranks, merged for the outputs of the root.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// A ticket lock: threads lock it in the order in which they asked for it.
// With std::mutex a thread that unlocks and locks in a loop can shut out another thread for as long
// as the loop lasts. Works with std::scoped_lock, std::unique_lock, std::condition_variable_any.
class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t own = next_++;
    changed_.wait(lock, [&] { return serving_ == own; });
  }
  void unlock() {
    {
      const std::scoped_lock lock(mutex_);
      ++serving_;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0, serving_ = 0;
};

// Sink of the root's own planes. Hands the planes of all ranks to the outputs, step by step: the
// other ranks send the planes of a step once all planes of the step before have arrived. So
// statistics get their samples in order, and nobody keeps planes.
class FieldMerger final : public tiling::FieldSink {
 public:
  // Keeps the references. fail: keeps the exception under way, which ends the run.
  FieldMerger(tiling::Ranks& ranks, FieldOutputs& outputs, const Lattice& lattice,
              std::function<void(const std::string&)> fail)
      : ranks_(ranks),
        outputs_(outputs),
        nz_(lattice.nz),
        scalars_(lattice.scalar_count()),
        fail_(std::move(fail)) {}

  // A sweep that emits fields at `step` will run. Returns the boxes that the outputs want.
  std::vector<tiling::FieldBox> expect(std::int64_t step) {
    std::vector<tiling::FieldBox> boxes = outputs_.boxes(step);
    std::int64_t planes = boxes.empty() ? nz_ : 0;
    for (const tiling::FieldBox& box : boxes) planes += box.count[2];
    const std::scoped_lock lock(mutex_);
    emitting_.push_back({step, planes});
    if (emitting_.size() == 1) allow();
    return boxes;
  }

  // A message of another rank: tag_fields, tag_derived or tag_image_error. Waits until its step is
  // due.
  void take(const tiling::Message& message) {
    if (message.tag == tag_fields) {
      return add_plane(head_of<FieldsMessage>(message),
                       {rest_of<FieldsMessage, float>(message), scalars_});
    }
    const std::scoped_lock lock(mutex_);
    if (message.tag == tag_derived) {
      const auto head = head_of<DerivedMessage>(message);
      outputs_.on_derived_plane(head.step, head.output, head.z);
    } else {
      const auto head = head_of<ImageErrorMessage>(message);
      outputs_.on_error_of(fmt::format("process {}", message.from), head.step, head.output,
                           head.error);
    }
  }

  // The run ends: threads that wait for a step return. Thread-safe.
  void stop() {
    stopped_ = true;
    next_.notify_all();
  }

  std::vector<tiling::FieldBox> boxes(std::int64_t step) const override {
    return outputs_.boxes(step);
  }

  std::int64_t most_plane_cells(const Lattice& lattice) const override {
    return outputs_.most_plane_cells(lattice);
  }

  void on_sweep(std::int64_t step) override {
    const std::scoped_lock lock(mutex_);
    begin(step);
  }

  void on_plane(std::int64_t step, int box, int z, const FieldPlane& plane) override {
    add_plane({step, box, z, {}, {}}, plane);
  }

 private:
  // A step whose planes are to come.
  struct Emitting {
    std::int64_t step, planes;  // planes: still to come
    bool begun = false;
  };
  // Expects the lock, as allow() does. Any rank may be ahead: the first one begins.
  void begin(std::int64_t step) {
    for (Emitting& emitting : emitting_) {
      if (emitting.step > step || std::exchange(emitting.begun, true)) continue;
      outputs_.on_sweep(emitting.step);
    }
  }

  // Tells the other ranks first in which results they do their part themselves.
  void allow() {
    if (emitting_.empty()) return;
    const std::int64_t step = emitting_.front().step;
    begin(step);
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
    tell_others(ranks_, tag_allow, pack(Number{step}, {std::as_bytes(std::span(wants_values))}));
  }

  void add_plane(const FieldsMessage& head, const FieldPlane& plane) {
    std::unique_lock lock(mutex_);
    next_.wait(lock, [&] { return stopped_ || emitting_.front().step >= head.step; });
    if (stopped_) return;
    try {
      begin(head.step);
      outputs_.add_plane(head.step, head.box, head.z, plane, head.done);
      if (--emitting_.front().planes > 0) return;
      emitting_.pop_front();
      allow();
    } catch (const std::exception& error) {
      fail_(error.what());
      throw;
    }
    next_.notify_all();
  }

  tiling::Ranks& ranks_;
  FieldOutputs& outputs_;
  const int nz_, scalars_;
  std::function<void(const std::string&)> fail_;
  // Fair: the thread that makes results of the root's planes must not shut out the planes of other
  // ranks, which wait for an answer. Guards all below.
  FairMutex mutex_;
  std::condition_variable_any next_;
  std::deque<Emitting> emitting_;  // oldest first
  std::atomic<bool> stopped_ = false;
};

// Flow records of several ranks, merged by step: sink of the root's own records. Hands a step to
// the case's sink once all ranks have given theirs.
class RecordMerger final : public tiling::RecordSink {
 public:
  // Keeps the references. check: throws the error of any rank; called before each delivery.
  RecordMerger(int ranks, const Lattice& lattice, tiling::RecordSink& sink,
               std::function<void()> check)
      : ranks_(ranks), lattice_(lattice), sink_(sink), check_(std::move(check)) {}

  // Adds the record of one rank. Thread-safe.
  void add(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
    const std::scoped_lock lock(mutex_);
    Record& all = waiting_[step];
    if (all.parts++ == 0) {
      all.values.assign(record.begin(), record.end());
      all.sampled = sampled;
    } else {
      tiling::merge_record(all.values, record);
    }
  }

  // Delivers all complete steps, oldest first; by the thread of the pipeline. Throws DivergedError.
  void deliver() {
    for (check_(); const auto one = next(); check_()) {
      const auto& [step, record] = *one;
      if (record.sampled) tiling::refuse_bad_cells(lattice_, step, record.values);
      sink_.on_step(step, record.values, record.sampled);
    }
  }

  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override {
    add(step, record, sampled);
    deliver();
  }

  const ProbeCells* probes() const override { return sink_.probes(); }
  std::vector<tiling::FieldBox> boxes() const override { return sink_.boxes(); }

 private:
  struct Record {
    std::vector<std::int64_t> values;
    bool sampled = false;
    int parts = 0;  // ranks that have given theirs
  };
  // The oldest step, if it is complete.
  std::optional<std::pair<std::int64_t, Record>> next() {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty() || waiting_.begin()->second.parts < ranks_) return std::nullopt;
    auto node = waiting_.extract(waiting_.begin());
    return std::pair{node.key(), std::move(node.mapped())};
  }

  const int ranks_;
  const Lattice& lattice_;
  tiling::RecordSink& sink_;
  std::function<void()> check_;
  std::mutex mutex_;  // guards waiting_
  std::map<std::int64_t, Record> waiting_;
};

}  // namespace lbm::cases
