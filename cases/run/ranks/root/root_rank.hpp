// SPDX-License-Identifier: Apache-2.0

// Rank 0 of several: tells the other ranks which sweeps to do, and hands their messages to the
// parts that merge records, fields and states.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/root/field_merger.hpp"
#include "cases/run/ranks/root/rank_lives.hpp"
#include "cases/run/ranks/root/record_merger.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// Used by the thread that runs the pipeline.
class RootRank {
 public:
  // Keeps the references. exchange: the root's own, woken when another rank fails. first_step:
  // where the run begins. warn, stop: as in RankLives.
  RootRank(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs& outputs,
           tiling::RecordSink& records, tiling::PlaneExchange& exchange, std::int64_t first_step,
           std::function<void(const std::string&)> warn, std::function<int()> stop);

  // Sinks of the root's own pipeline.
  FieldMerger& fields() { return fields_; }
  RecordMerger& records() { return records_; }

  // Tells the other ranks the next sweep; nothing: no more sweeps for now.
  void tell(const std::optional<tiling::Sweep>& sweep);
  // Throws the error of any rank, if there was one.
  void check();
  // After the root's own sweeps: waits for those of the other ranks.
  void wait_for_others();
  // Writes the state of all ranks into the file; write_own writes that of the root. A
  // ResourceError is thrown after all ranks have given up: the run may go on.
  void save_state(io::CheckpointWriter& writer, const std::function<void()>& write_own);
  // A signal that is to stop the run, of the root or of another rank; 0: none. Thread-safe.
  int stop_signal() const { return lives_.stop_signal(); }
  // Number of ranks that could not write to the last file themselves.
  int ranks_without_access() const { return without_access_; }
  // Statistics of all ranks: sums of counts and bytes, means of load, update and store seconds. The
  // completed steps and the seconds of the sink and of waiting for it are the root's.
  tiling::PipelineStats stats_with(const tiling::PipelineStats& own) const;

 private:
  void take(tiling::Message message);
  // Calls work() and keeps its exception.
  void guarded(const std::function<void()>& work);
  // Keeps the current exception and wakes every thread that waits: the run ends.
  void fail(const std::string& why);
  // Throws the error of any rank.
  template <class Condition>
  std::unique_lock<std::mutex> wait(const Condition& condition);

  tiling::Ranks& ranks_;
  tiling::PlaneExchange& exchange_;
  std::int64_t step_;  // at the end of the last sweep that the others were told
  std::mutex mutex_;   // guards drained_ to error_
  std::condition_variable changed_;
  int drained_ = 0;
  tiling::PipelineStats others_stats_;
  std::deque<tiling::Message> answers_;  // of ranks that save their state
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;  // error_ is set
  int without_access_ = 0;
  FieldMerger fields_;
  RecordMerger records_;
  RankLives lives_;
  std::optional<Listener> listener_;  // last member: its thread uses all above
};

}  // namespace lbm::cases
