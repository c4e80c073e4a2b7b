// What the pipeline does for output fields and the divergence check.
#include "tiling/pipeline_turn.hpp"

namespace lbm::tiling {

std::size_t Pipeline::host_bytes_needed(const Lattice& lattice, const PlanOptions& options,
                                        std::uint64_t staging_limit) {
  return FieldRing::host_planes(lattice, options.planes_per_visit, staging_limit) *
         FieldRing::plane_bytes(lattice);
}

std::int64_t Pipeline::step_after(int sweep) const {
  std::int64_t step = sweep_begin_;
  const auto last = static_cast<std::size_t>(sweep - first_sweep_);
  for (std::size_t i = 0; i <= last; ++i) step += sweeps_[i].steps;
  return step;
}

void Pipeline::begin_sweep(const Sweep& sweep) {
  sweeps_.push_back(sweep);
  if (sweep.emit && fields_) fields_->begin(step_after(newest_sweep()), newest_sweep(), submitted_);
}

// What finished planes are asked for: fields, the divergence check.
void Pipeline::submit_fields(const Visit& visit, Turn& turn) {
  PendingSlices* const slices = traced(turn);
  for (const Finished& finished : visit.finished) {
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(finished.sweep - first_sweep_)];
    const std::int64_t step = step_after(finished.sweep);
    if (sweep.check) {
      turn.check_step = step;
      if (slices != nullptr) {
        slices->begin(Lane::update,
                      {Activity::check, submitted_, finished.sweep, 0, finished.plane, 1});
      }
      backend_.count_nonfinite(device_, finished.slot,
                               reinterpret_cast<std::uint32_t*>(device_count_.data()));
      if (slices != nullptr) slices->end();
    }
    if (!sweep.emit || !fields_) continue;
    fields_->push(device_, finished.slot, step, finished.sweep, finished.plane, submitted_);
    turn.bytes_out += FieldRing::plane_bytes(device_.lattice);
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
