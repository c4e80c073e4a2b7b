// SPDX-License-Identifier: Apache-2.0

// Rank 0 of several: it tells the other ranks which sweeps to do, and merges their fields and
// records with its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "cases/run/ranks/fair_mutex.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/rank_watch.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// Stands between the root's pipeline and the sinks of fields and records. Used by the thread that
// runs the pipeline; sinks are called by other threads.
class RootRank final : public tiling::FieldSink, public tiling::RecordSink {
 public:
  // Each may be null. Called by the listening thread.
  struct Watching {
    std::function<void(const std::string&)> warn;  // a rank has fallen silent, or is back
    std::function<int()> stop;                     // a signal to the root; 0: none. Also called by
                                                   // the thread that runs the pipeline.
  };

  // Keeps the references. exchange: the root's own, woken when another rank
  // fails. first_step: where the run begins.
  RootRank(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs& outputs,
           tiling::RecordSink& records, tiling::PlaneExchange& exchange, std::int64_t first_step,
           Watching watching);

  // Tells the other ranks the next sweep; nothing: no more sweeps for now.
  void tell(const std::optional<tiling::Sweep>& sweep);
  // Hands out the records that all ranks have given. Throws DivergedError, and the error of any
  // rank.
  void deliver();
  // Throws the error of any rank, if there was one.
  void check();
  // After the root's own sweeps: waits for those of the other ranks.
  void wait_for_others();
  // Writes the state of all ranks into the file; write_own writes that of the root. A
  // ResourceError is thrown after all ranks have given up: the run may go on.
  void save_state(io::CheckpointWriter& writer, const std::function<void()>& write_own);
  // A signal that is to stop the run, of the root or of another rank; 0: none. Thread-safe.
  int stop_signal() const;
  // How many ranks could not write to the last file themselves.
  int ranks_without_access() const { return without_access_; }
  // Statistics of all ranks: sums of counts and bytes, means of load, update and store seconds. The
  // completed steps and the seconds of the sink and of waiting for it are the root's.
  tiling::PipelineStats stats_with(const tiling::PipelineStats& own) const;

  // Fields and records of the root's own planes.
  std::vector<tiling::FieldBox> boxes(std::int64_t step) const override {
    return outputs_.boxes(step);
  }
  std::int64_t most_plane_cells(const Lattice& lattice) const override {
    return outputs_.most_plane_cells(lattice);
  }
  void on_sweep(std::int64_t step) override;
  void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                std::span<const float> velocity) override;
  void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override;
  const ProbeCells* probes() const override { return records_.probes(); }

 private:
  struct Record {
    std::vector<std::int64_t> values;
    bool sampled = false;
    int parts = 0;
  };

  void take(tiling::Message message);
  // Looks for silent ranks. A run that is to stop does not wait for one.
  void watch();
  // Ends the run if a rank has been silent for too long.
  void end_where_lost(RankWatch::Time now);
  // Keeps the current exception and wakes every thread that waits: the run ends.
  void fail(const std::string& why);
  void add_record(std::int64_t step, std::span<const std::int64_t> record, bool sampled);
  void begin_fields(std::int64_t step);
  void add_plane(const FieldsMessage& head, std::span<const float> drho,
                 std::span<const float> velocity);
  void allow_fields();
  // Throws the error of any rank.
  template <class Condition>
  std::unique_lock<std::mutex> wait(const Condition& condition);

  tiling::Ranks& ranks_;
  const Lattice& lattice_;
  FieldOutputs& outputs_;
  tiling::RecordSink& records_;
  tiling::PlaneExchange& exchange_;
  std::int64_t step_;  // at the end of the last sweep that the others were told
  // Fair: the thread that makes results of the root's planes must not shut out the planes of other
  // ranks, which wait for an answer.
  FairMutex field_mutex_;
  // Steps whose planes will come, oldest first. All planes of a step come before the next step's.
  struct Emitting {
    std::int64_t step, planes;  // still to come
    bool begun = false;
  };
  std::deque<Emitting> emitting_;
  std::condition_variable_any next_fields_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::map<std::int64_t, Record> waiting_;
  int drained_ = 0;
  tiling::PipelineStats others_stats_;
  int without_access_ = 0;
  std::deque<tiling::Message> answers_;  // of ranks that save their state
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;  // error_ is set
  Watching watching_;
  std::atomic<int> signal_of_others_ = 0;
  std::atomic<bool> computing_ = false;        // the root's own set-up is over
  RankWatch watch_;                            // of the listening thread
  std::optional<RankWatch::Time> lost_since_;  // the same
  std::optional<Heart> heart_;
  std::optional<Listener> listener_;  // last member: its thread uses all above
};

}  // namespace lbm::cases
