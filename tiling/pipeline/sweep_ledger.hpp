// SPDX-License-Identifier: Apache-2.0

// The sweeps under way, by running number: at which step each ends, the boxes of its output fields,
// and where its records are in the record ring.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tiling/schedule/schedule.hpp"
#include "tiling/store/field_box.hpp"

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

class SweepLedger {
 public:
  // Records are numbered by step where every step leaves one, otherwise one by one.
  SweepLedger(std::int64_t first_step, bool every_step)
      : every_step_(every_step), step_(first_step) {}

  // The new sweep becomes newest().
  void begin(const Sweep& sweep);
  // Boxes of the newest sweep: at its last level; then one call for each level of Sweep::early.
  void set_boxes(std::vector<FieldBox> boxes) { sweeps_.back().boxes = std::move(boxes); }
  void add_early(Emission emission) { sweeps_.back().early.push_back(std::move(emission)); }
  // The oldest sweep leaves. Returns its steps.
  int complete_oldest();
  // The records of one sweep after the other, from the first sweep of all on.
  SweepRecords next_records() { return at(recorded_++).records; }

  int newest() const { return first_ + static_cast<int>(sweeps_.size()) - 1; }  // -1: none yet
  bool has(int number) const { return number <= newest(); }
  const Sweep& sweep(int number) const { return at(number).sweep; }
  const std::vector<FieldBox>& boxes(int number) const { return at(number).boxes; }
  // Output fields that need the planes of the update, below the last level; null: none.
  const Emission* early(const Update& update) const;
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

}  // namespace lbm::tiling
