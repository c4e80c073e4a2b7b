#include "cases/app/simulation.hpp"

#include <algorithm>
#include <chrono>

#include "solver/backend/copy_bandwidth.hpp"

namespace lbm::app {
namespace {

using Clock = std::chrono::steady_clock;

// Steps between two looks for non-finite values: their cost must not show.
constexpr std::int64_t check_every = 128;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Which sweep comes next: as long as allowed, ending on the next output.
class Schedule {
 public:
  Schedule(const Derived& derived, int most, FieldOutputs& outputs, const FlowRecords& records)
      : derived_(derived), most_(most), outputs_(outputs), records_(records) {}

  std::optional<tiling::Sweep> next() {
    if (ended_) return std::nullopt;
    const std::int64_t output = outputs_.next_after(step_).value_or(derived_.steps);
    const auto look = records_.next_look_after(step_);
    const std::int64_t target = std::min({output, derived_.steps, look.value_or(derived_.steps)});
    const int steps = tiling::next_sweep_steps(target - step_, most_);
    if (steps == 0) return std::nullopt;
    step_ += steps;
    // The flow has become steady: this sweep is the last one.
    if (records_.is_steady() && step_ < derived_.steps) {
      ended_ = true;
      outputs_.end_at(step_);
    }
    const bool emit = outputs_.wants(step_);
    const bool check = emit || ended_ || step_ == target || step_ - checked_ >= check_every;
    if (check) checked_ = step_;
    return tiling::Sweep{steps, emit, check};
  }
  bool ended() const { return ended_; }

 private:
  const Derived& derived_;
  int most_;
  FieldOutputs& outputs_;
  const FlowRecords& records_;
  std::int64_t step_ = 0, checked_ = 0;
  bool ended_ = false;
};

std::unique_ptr<tiling::PlaneStore> make_store(const Setup& setup, Backend& backend) {
  return setup.plan.options.scheme == tiling::Scheme::in_core
             ? tiling::make_initial_planes(backend, setup.lattice, setup.initial)
             : tiling::make_host_lattice(backend, setup.lattice, setup.initial,
                                         setup.host_memory.value_or(HostMemory::pinned));
}

}  // namespace

void simulate(const Case& lbm_case, const Setup& setup, Backend& backend, FieldOutputs& outputs,
              FlowRecords& records, const std::function<int()>& stop,
              const std::function<void(std::int64_t)>& on_progress, tiling::TraceSink* trace,
              RunResult& result) {
  result.copy_bytes_per_second = measure_copy_bandwidth(backend);
  const auto begin_setup = Clock::now();
  const auto store = make_store(setup, backend);
  result.pin_seconds = store->pin_seconds();
  result.fill_seconds = seconds_since(begin_setup) - result.pin_seconds;
  tiling::Pipeline pipeline(backend, setup.lattice, setup.boundaries, *store, setup.plan.options,
                            outputs.wants_any() ? &outputs : nullptr, trace, setup.staging_limit,
                            &records);
  result.setup_seconds = seconds_since(begin_setup);
  result.host_bytes = store->host_bytes() + pipeline.host_bytes() + outputs.host_bytes();

  Schedule schedule(setup.derived, setup.plan.options.steps_per_visit, outputs, records);
  const auto source = [&]() -> std::optional<tiling::Sweep> {
    if (result.stopped_by == 0) result.stopped_by = stop();
    return result.stopped_by != 0 ? std::nullopt : schedule.next();
  };
  const auto begin = Clock::now();
  pipeline.run(source, [&](const tiling::PipelineStats& stats) {
    result.seconds = seconds_since(begin);
    result.stats = stats;
    result.steps = stats.steps_completed;
    result.device_bytes = pipeline.device_bytes();
    // Redundant work of haloed tiles is not progress: whole sweeps count there.
    const bool redundant = setup.plan.options.scheme == tiling::Scheme::halo;
    on_progress(redundant ? stats.steps_completed * lbm_case.grid.cells[2] : stats.plane_updates);
  });
  records.flush();
  result.steady = schedule.ended() && result.stopped_by == 0;
  // A signal after the last sweep was asked for stops nothing.
  if (result.steps == setup.derived.steps) result.stopped_by = 0;
}

}  // namespace lbm::app
