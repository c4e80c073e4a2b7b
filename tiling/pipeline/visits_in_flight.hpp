// SPDX-License-Identifier: Apache-2.0

// The visits that the device was given and that are not retired yet, and the events that order
// their work across queues.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

// The records that a sweep leaves on the device: `count` of them, the last one under number `last`.
struct SweepRecords {
  std::int64_t step = 0;  // of the last record
  std::int64_t last = 0;
  int count = 0;
  bool sampled = false;  // the last record holds flow values
};

// The output fields of a step.
struct Emission {
  std::int64_t step = 0;  // since the beginning of the run
  std::vector<FieldBox> boxes;
};

// The sweeps under way, by running number: at which step each ends, the boxes of its output fields,
// and where its records are in the record ring.
class SweepLedger {
 public:
  // Records are numbered by step where every step leaves one, otherwise one by one.
  SweepLedger(std::int64_t first_step, bool every_step)
      : every_step_(every_step), step_(first_step) {}

  // The new sweep becomes newest().
  void begin(const Sweep& sweep) {
    step_ += sweep.steps;
    const std::int64_t last = every_step_ ? step_ : records_begun_;
    const int count = records_of(sweep);
    sweeps_.push_back({sweep, {step_, last, count, sweep.check}, {}, {}});
    records_begun_ += count;
  }

  // Boxes of the newest sweep: at its last level; then one call for each level of Sweep::early.
  void set_boxes(std::vector<FieldBox> boxes) { sweeps_.back().boxes = std::move(boxes); }
  void add_early(Emission emission) { sweeps_.back().early.push_back(std::move(emission)); }
  // The oldest sweep leaves. Returns its steps.
  int complete_oldest() {
    const Entry& oldest = sweeps_.front();
    const int steps = oldest.sweep.steps;
    records_completed_ += oldest.records.count;
    sweeps_.pop_front();
    ++first_;
    return steps;
  }

  // The records of one sweep after the other, from the first sweep of all on.
  SweepRecords next_records() { return at(recorded_++).records; }

  int newest() const { return first_ + static_cast<int>(sweeps_.size()) - 1; }  // -1: none yet
  bool has(int number) const { return number <= newest(); }
  const Sweep& sweep(int number) const { return at(number).sweep; }
  const std::vector<FieldBox>& boxes(int number) const { return at(number).boxes; }
  // Output fields that need the planes of the update, below the last level; null: none.
  const Emission* early(const Update& update) const {
    const Entry& entry = at(update.sweep);
    const std::vector<int>& levels = entry.sweep.early;
    const auto found = std::lower_bound(levels.begin(), levels.end(), update.level);
    if (found == levels.end() || *found != update.level) return nullptr;
    const auto i = static_cast<std::size_t>(found - levels.begin());
    return i < entry.early.size() ? &entry.early[i] : nullptr;
  }

  std::int64_t record(int number) const { return at(number).records.last; }
  // Steps are counted from the beginning of the run.
  std::int64_t step_after(int number) const { return at(number).records.step; }
  std::int64_t step_before(const Update& update) const {
    return step_after(update.sweep) - sweep(update.sweep).steps + update.level - 1;
  }

  int records_of(const Sweep& sweep) const {
    return every_step_ ? sweep.steps : (sweep.check ? 1 : 0);
  }

  std::int64_t records_under_way() const { return records_begun_ - records_completed_; }

 private:
  struct Entry {
    Sweep sweep;
    SweepRecords records;
    std::vector<FieldBox> boxes;
    std::vector<Emission> early;  // one for each of Sweep::early
  };
  const Entry& at(int number) const { return sweeps_[static_cast<std::size_t>(number - first_)]; }

  bool every_step_;
  std::deque<Entry> sweeps_;  // oldest first
  int first_ = 0;             // number of sweeps_.front()
  int recorded_ = 0;          // the sweep that next_records() is at
  std::int64_t step_;         // after the newest sweep
  std::int64_t records_begun_ = 0, records_completed_ = 0;
};

// Sums over the life of a pipeline.
struct PipelineStats {
  std::int64_t visits = 0;
  std::int64_t plane_updates = 0;             // with the redundant ones of haloed tiles
  std::int64_t steps_completed = 0;           // of whole sweeps
  std::uint64_t bytes_in = 0, bytes_out = 0;  // over the link
  double load_seconds = 0, update_seconds = 0, store_seconds = 0;  // each queue at work
  double sink_seconds = 0;                                         // the sink's thread at work
  double output_wait_seconds = 0;  // the caller of run() waiting for that thread
};

struct VisitInFlight {
  // The visit's work in one queue.
  struct Stage {
    std::unique_ptr<Event> begin, end;
    bool used = false;
    int last_used = -1;  // newest visit up to this one with work in this queue
  };

  explicit VisitInFlight(Backend& backend) {
    for (Stage& stage : stages) {
      stage.begin = backend.make_event();
      stage.end = backend.make_event();
    }
  }

  void reset(const Visit& visit, int its_number) {
    number = its_number;
    for (Stage& stage : stages) stage.used = false;
    records.clear();
    plane_updates = 0;
    bytes_in = bytes_out = 0;
    halo_in = static_cast<int>(visit.halo_in.size());
    halo_out = static_cast<int>(visit.halo_out.size());
    sweeps_completed = visit.sweeps_completed;
  }

  Stage& stage(Queue queue) { return stages[static_cast<std::size_t>(queue)]; }

  int number = 0;
  std::array<Stage, 3> stages;
  std::vector<SweepRecords> records;  // of the sweeps that the visit completes
  std::int64_t plane_updates = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0;
  int halo_in = 0, halo_out = 0;  // planes
  int sweeps_completed = 0;
};

// Waits reach at most store_lag visits back; one more visit keeps the device fed.
inline constexpr int most_in_flight = store_lag + 2;

// A ring. Visits are numbered 0, 1, ...; the newest is submitted, the oldest completed and retired.
class VisitsInFlight {
 public:
  // The backend must outlive it.
  explicit VisitsInFlight(Backend& backend) : backend_(backend) {
    ring_.reserve(most_in_flight);
    for (int i = 0; i < most_in_flight; ++i) ring_.emplace_back(backend);
  }

  // Waits for all work of the queues, also after an error: the memory that it uses goes next.
  ~VisitsInFlight() {
    for (const Queue queue : {Queue::load, Queue::update, Queue::store}) {
      try {
        Event& done = *ring_.front().stage(queue).end;
        backend_.record(queue, done);
        backend_.synchronize(done);
      } catch (const std::exception&) {  // the device is lost; there is nothing to wait for
      }
    }
  }

  VisitsInFlight(const VisitsInFlight&) = delete;
  VisitsInFlight& operator=(const VisitsInFlight&) = delete;

  bool empty() const { return retired_ == submitted_; }
  int oldest() const { return retired_; }
  bool full() const { return submitted_ - retired_ == static_cast<int>(ring_.size()); }

  // Starts the next visit, which needs a place: not full().
  VisitInFlight& begin(const Visit& visit) {
    VisitInFlight& newest = at(submitted_);
    newest.reset(visit, submitted_);
    for (const Queue queue : {Queue::load, Queue::update, Queue::store}) {
      newest.stage(queue).last_used =
          submitted_ == 0 ? -1 : at(submitted_ - 1).stage(queue).last_used;
    }
    return newest;
  }

  // Work given to the queue between the two belongs to the newest visit's stage.
  void begin_stage(Queue queue) { backend_.record(queue, *at(submitted_).stage(queue).begin); }

  void end_stage(Queue queue) {
    auto& stage = at(submitted_).stage(queue);
    backend_.record(queue, *stage.end);
    stage.used = true;
    stage.last_used = submitted_;
  }

  // `queue` waits for all work that `other` was given up to that visit.
  void wait_for(Queue queue, Queue other, int visit) {
    if (visit < retired_) return;
    const int last = at(visit).stage(other).last_used;
    if (last >= retired_) backend_.wait(queue, *at(last).stage(other).end);
  }

  void end() { ++submitted_; }

  // Waits until the device has done the oldest visit; adds the time of its queues to `stats`.
  VisitInFlight& complete_oldest(PipelineStats& stats) {
    VisitInFlight& oldest = at(retired_);
    double* seconds[] = {&stats.load_seconds, &stats.update_seconds, &stats.store_seconds};
    for (const Queue queue : {Queue::load, Queue::update, Queue::store}) {
      auto& stage = oldest.stage(queue);
      if (!stage.used) continue;
      backend_.synchronize(*stage.end);
      *seconds[static_cast<int>(queue)] += backend_.seconds_between(*stage.begin, *stage.end);
    }
    return oldest;
  }

  void retire() { ++retired_; }

 private:
  VisitInFlight& at(int visit) { return ring_[static_cast<std::size_t>(visit) % ring_.size()]; }

  Backend& backend_;
  std::vector<VisitInFlight> ring_;
  int submitted_ = 0, retired_ = 0;
};

}  // namespace lbm::tiling
