// What the pipeline does for a trace, and only then.
#include "tiling/pipeline/pipeline_turn.hpp"

namespace lbm::tiling {

// Where this visit's slices go; null where nobody wants them.
PendingSlices* Pipeline::traced(Turn& turn) const {
  return turn.slices && !tracer_->full() ? &*turn.slices : nullptr;
}

// The one that loads belong to; -1 before the first.
int Pipeline::newest_sweep() const {
  return static_cast<int>(first_sweep_ + static_cast<std::int64_t>(sweeps_.size())) - 1;
}

// So that each launch has times of its own.
void Pipeline::update_one_by_one(const Visit& visit, Turn& turn) {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Update& update = visit.updates[i];
    const int count = launches_[i].count;
    turn.slices->begin(Queue::update,
                       {Activity::update, submitted_, update.sweep, update.level,
                        update.first_plane, count, 2 * count * device_.lattice.layout.bytes});
    backend_.update(device_, {&launches_[i], 1});
    if (has_probes(launches_[i])) backend_.probe(device_, launches_[i]);
    turn.slices->end();
  }
}

// The visit is over on the device; the host waited for that since wait_begin.
void Pipeline::trace_retired(Turn& turn, double wait_begin) {
  if (!tracer_->full()) tracer_->report_host({Activity::wait, retired_}, wait_begin);
  turn.slices->report();
  for (auto& stage : turn.stages) {
    if (stage.used) return tracer_->move_on(stage.end);
  }
}

}  // namespace lbm::tiling
