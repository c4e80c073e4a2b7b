// SPDX-License-Identifier: Apache-2.0

// A rank that computes its slab and leaves decisions and files to the root.
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>

#include "cases/case/model/regions.hpp"
#include "cases/run/cascade.hpp"
#include "cases/run/flow_rate_correction.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/ranks/field_sender.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/state_planes.hpp"
#include "cases/run/simulation.hpp"
#include "solver/core/error.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {
namespace {

class Worker final : public tiling::RecordSink {
 public:
  Worker(PreparedRun& run, WorkerCallbacks callbacks)
      : run_(run),
        ranks_(*run.ranks),
        callbacks_(std::move(callbacks)),
        watch_(ranks_.rank(), 1),
        step_(run.first_step()),
        share_(run.setup.share),
        nz_(run.setup.lattice.nz),
        fields_(ranks_, run.lbm_case, run.setup),
        probes_(probe_cells(run.lbm_case, run.setup.derived, run.setup.boundaries)),
        boxes_(summed_boxes(run.lbm_case, run.setup.derived)),
        pipeline_(run.pipeline_config(
            fields_.most_plane_cells(run.setup.lattice) > 0 ? &fields_ : nullptr, this)),
        listener_(
            ranks_, [this](tiling::Message message) { take(std::move(message)); },
            [this] { beat(); }) {}

  // The records of this rank go to the root.
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override {
    ranks_.send(root_rank, tag_record,
                pack(RecordMessage{step, sampled ? 1 : 0}, {std::as_bytes(record)}));
  }
  const ProbeCells* probes() const override { return &probes_; }
  std::vector<tiling::FieldBox> boxes() const override { return boxes_; }

  // Until the run is over.
  void work() {
    while (true) {
      const tiling::Message message = next();
      switch (message.tag) {
        case tag_sweep:
          run(message);
          break;
        case tag_drain:
          drained();
          break;
        case tag_correct:
          correct_flow_rates(run_, step_, pipeline_);
          break;
        case tag_save:
          save_state(
              ranks_, message, share_.planes,
              [this](const PlanesOfState& take) { pipeline_.read_planes(take); },
              [this] { return next(); });
          break;
        case tag_end:
          return;
        default:
          break;
      }
    }
  }

 private:
  // Tells the root that this rank is alive, and looks whether the root is.
  void beat() {
    const int signal = callbacks_.stop ? callbacks_.stop() : 0;
    const auto now = RankWatch::Clock::now();
    watch_.looks(now);
    const auto news = watch_.news(now);
    const bool speaks = ranks_.rank() == 1;  // all others see the same
    if (news && speaks && callbacks_.warn) callbacks_.warn(*news);
    // Rank 1 may itself be lost.
    if (const auto lost = watch_.lost(now, speaks ? std::chrono::seconds() : RankWatch::longest)) {
      if (callbacks_.error) callbacks_.error(*lost);
      ranks_.abort(exit_resources);
    }
    if (signal != 0 && watch_.missing(now)) {
      if (callbacks_.error) {
        callbacks_.error(
            fmt::format("stopped by {} without a checkpoint: {} does not answer; go on from the "
                        "last checkpoint",
                        signal_name(signal), watch_.name(root_rank)));
      }
      ranks_.abort(128 + signal);
    }
    ranks_.send(root_rank, tag_alive, alive_message(signal));
  }

  void take(tiling::Message message) {
    watch_.heard(message.from, RankWatch::Clock::now());
    if (message.tag == tag_alive) return watch_.lives_on(message.from, text_of<Number>(message));
    if (message.tag == tag_allow || message.tag == tag_share) {
      return fields_.take(std::move(message));
    }
    {
      const std::scoped_lock lock(mutex_);
      messages_.push_back(std::move(message));
    }
    changed_.notify_all();
  }

  tiling::Message next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !messages_.empty(); });
    tiling::Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  bool has_message() {
    const std::scoped_lock lock(mutex_);
    return !messages_.empty();
  }

  // While the pipeline runs: visits under way are completed meanwhile, since the root may wait for
  // them before it decides.
  tiling::Message next_decision() {
    while (!has_message() && pipeline_.retire_one()) {
    }
    return next();
  }

  tiling::Sweep sweep_of(const tiling::Message& message) {
    const auto head = head_of<SweepMessage>(message);
    const auto boxes = rest_of<SweepMessage, tiling::FieldBox>(message);
    step_ += head.steps;
    share_.first = (share_.first + head.steps) % nz_;
    if (head.emit != 0) fields_.expect(step_, {boxes.begin(), boxes.end()}, own_planes());
    return {head.steps, head.emit != 0, head.check != 0, {}, head.sums != 0};
  }

  // At step_: a slab moves by a plane a step.
  std::vector<int> own_planes() const {
    std::vector<int> planes(static_cast<std::size_t>(share_.planes));
    std::iota(planes.begin(), planes.end(), share_.first);
    for (int& z : planes) z %= nz_;
    return planes;
  }

  void run(const tiling::Message& first) {
    std::optional<tiling::Sweep> decided = sweep_of(first);
    bool ended = false;
    pipeline_.run(
        [&]() -> std::optional<tiling::Sweep> {
          if (decided) return std::exchange(decided, std::nullopt);
          if (ended) return std::nullopt;
          const tiling::Message message = next_decision();
          ended = message.tag != tag_sweep;
          return ended ? std::nullopt : std::optional(sweep_of(message));
        },
        {});
    drained();
  }

  void drained() {
    fields_.check_complete();
    ranks_.send(root_rank, tag_drained, pack(pipeline_.stats()));
  }

  const PreparedRun& run_;
  tiling::Ranks& ranks_;
  WorkerCallbacks callbacks_;
  RankWatch watch_;  // of the root, by the listening thread
  std::int64_t step_;
  tiling::SlabShare share_;  // at step_
  int nz_;
  FieldSender fields_;
  ProbeCells probes_;
  std::vector<tiling::FieldBox> boxes_;
  tiling::Pipeline pipeline_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<tiling::Message> messages_;
  Listener listener_;  // last member: its thread uses all above
};

bool is_over(tiling::Ranks& ranks) {
  const auto message = ranks.receive();
  return message && message->tag == tag_end;
}

// Tells the root, which writes its report and then ends all ranks. This rank only waits for that.
// It also waits if messages fail: then another rank is ending all of them, whose exit code counts,
// whichever process mpirun notices first.
int end_with(tiling::Ranks& ranks, const Error& error) {
  const std::string text = error.what();
  const auto end = std::chrono::steady_clock::now() + patience_with_others;
  try {
    ranks.send(root_rank, tag_error,
               pack(Number{error.exit_code()}, {std::as_bytes(std::span(text))}));
    while (std::chrono::steady_clock::now() < end) {
      if (is_over(ranks)) return error.exit_code();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  } catch (const std::exception&) {
    std::this_thread::sleep_until(end);
  }
  ranks.abort(error.exit_code());
  return error.exit_code();  // not reached
}

}  // namespace

int compute_for_root(Case lbm_case, const RunOptions& options, tiling::Ranks& ranks,
                     WorkerCallbacks callbacks) {
  Notices unheard({});
  PreparedRun run(std::move(lbm_case), options, &ranks, unheard);
  try {
    if (!compute_coarser_grids(run, options, callbacks)) return exit_ok;
    Worker(run, std::move(callbacks)).work();
    return exit_ok;
  } catch (const std::exception& caught) {
    return end_with(ranks, as_error(caught));
  }
}

}  // namespace lbm::cases
