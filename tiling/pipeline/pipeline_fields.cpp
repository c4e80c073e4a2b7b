// What the pipeline does for output fields, forces, flow sums and limits.
#include <algorithm>
#include <limits>

#include "tiling/pipeline/merge_records.hpp"
#include "tiling/pipeline/pipeline_turn.hpp"

namespace lbm::tiling {

std::size_t Pipeline::host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                                        const Watched& watched, std::uint64_t staging_limit) {
  if (watched.field_cells == 0) return 0;
  return FieldRing::host_planes(watched.field_cells, lattice.nz, options.planes_per_visit,
                                staging_limit) *
         FieldRing::plane_bytes(watched.field_cells);
}

std::int64_t Pipeline::step_after(int sweep) const {
  std::int64_t step = sweep_begin_;
  const auto last = static_cast<std::size_t>(sweep - first_sweep_);
  for (std::size_t i = 0; i <= last; ++i) step += sweeps_[i].steps;
  return step;
}

std::int64_t Pipeline::step_before(const Update& update) const {
  const Sweep& sweep = sweeps_[static_cast<std::size_t>(update.sweep - first_sweep_)];
  return step_after(update.sweep) - sweep.steps + update.level - 1;
}

std::int64_t Pipeline::record_number(std::int64_t sweep) const {
  if (device_.records != nullptr) return step_after(static_cast<int>(sweep));
  const auto last = sweeps_.begin() + (sweep - first_sweep_);
  return checked_ + std::count_if(sweeps_.begin(), last, [](const Sweep& s) { return s.check; });
}

std::int64_t Pipeline::records_under_way() const {
  if (sweeps_.empty()) return 0;
  if (device_.records != nullptr) return step_after(newest_sweep()) - sweep_begin_;
  return std::count_if(sweeps_.begin(), sweeps_.end(), [](const Sweep& s) { return s.check; });
}

void Pipeline::begin_sweep(const Sweep& sweep) {
  sweeps_.push_back(sweep);
  boxes_.emplace_back();
  if (!sweep.emit || !fields_) return;
  const std::int64_t step = step_after(newest_sweep());
  boxes_.back() = fields_->boxes(step);
  if (boxes_.back().empty()) boxes_.back().push_back(whole_box(device_.lattice));
  fields_->begin(step, newest_sweep(), submitted_);
}

// What the boxes of its sweep have of a finished plane.
void Pipeline::push_fields(const PlaneState& plane, std::int64_t step, int sweep, Turn& turn) {
  const auto& boxes = boxes_[static_cast<std::size_t>(sweep - first_sweep_)];
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (!boxes[b].has_plane(plane.z, device_.lattice.nz)) continue;
    fields_->push(device_, plane, boxes[b], static_cast<int>(b), step, sweep, submitted_);
    turn.bytes_out += FieldRing::plane_bytes(boxes[b].plane_cells());
  }
}

// At least. Sweeps that the visit begins have no boxes yet: more than there can be room for.
std::size_t Pipeline::planes_to_push(const Visit& visit) const {
  std::size_t planes = 0;
  for (const Finished& finished : visit.finished) {
    const auto sweep = static_cast<std::size_t>(finished.sweep - first_sweep_);
    if (!fields_) return 0;
    if (sweep >= sweeps_.size()) return std::numeric_limits<std::size_t>::max();
    if (sweeps_[sweep].emit) planes += boxes_[sweep].size();
  }
  return planes;
}

// What finished planes are asked for: fields, sums and limits of the flow.
void Pipeline::submit_fields(const Visit& visit, Turn& turn) {
  PendingSlices* const slices = traced(turn);
  for (const Finished& finished : visit.finished) {
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(finished.sweep - first_sweep_)];
    const std::int64_t step = step_after(finished.sweep);
    const PlaneState plane = plane_state(device_.lattice, finished.slot, finished.plane, step);
    if (sweep.check) {
      if (slices != nullptr) {
        slices->begin(Queue::update,
                      {Activity::check, submitted_, finished.sweep, 0, finished.plane, 1});
      }
      backend_.sample_flow(device_, plane, records_.record(record_number(finished.sweep)));
      if (slices != nullptr) slices->end();
    }
    if (sweep.emit && fields_) push_fields(plane, step, finished.sweep, turn);
  }
}

// Of the sweeps that the visit completes.
void Pipeline::submit_records(const Visit& visit, Turn& turn) {
  for (int i = 0; i < visit.sweeps_completed; ++i, ++recorded_sweeps_) {
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(recorded_sweeps_ - first_sweep_)];
    if (device_.records == nullptr && !sweep.check) continue;
    const std::int64_t step = step_after(static_cast<int>(recorded_sweeps_));
    const std::int64_t last = record_number(recorded_sweeps_);
    const int steps = device_.records == nullptr ? 1 : sweep.steps;
    records_.fetch(last - steps + 1, last);
    turn.records.push_back({step, last, steps, sweep.check});
  }
}

void Pipeline::hand_out_records(const Turn& turn) {
  for (const auto& done : turn.records) {
    // Of a slab the others' cells count, too.
    if (done.sampled && exchange_ == nullptr) {
      refuse_bad_cells(device_.lattice, done.step, records_.fetched(done.number));
    }
    for (int back = done.steps - 1; back >= 0 && record_sink_ != nullptr; --back) {
      record_sink_->on_step(done.step - back, records_.fetched(done.number - back),
                            done.sampled && back == 0);
    }
  }
}

void Pipeline::finish_fields(const std::function<void(const PipelineStats&)>& on_retired) {
  fields_->finish();
  add_field_seconds();
  if (on_retired) on_retired(stats_);
}

void Pipeline::add_field_seconds() {
  stats_.sink_seconds = fields_->sink_seconds();
  stats_.output_wait_seconds = fields_->wait_seconds();
}

}  // namespace lbm::tiling
