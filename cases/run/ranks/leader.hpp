// The process that decides and writes: it tells the others which sweeps to do and puts together
// what all of them find.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// Between the leader's pipeline and those who take fields and records. Used by the thread that runs
// the pipeline, but for what sinks do.
class Leader {
 public:
  // outputs may be null; all must outlive it. exchange: the leader's own, woken when another
  // process fails. first_step: where the run begins.
  Leader(tiling::Ranks& ranks, const Lattice& lattice, FieldOutputs* outputs,
         tiling::RecordSink& records, tiling::PlaneExchange& exchange, std::int64_t first_step);

  // For the pipeline.
  tiling::FieldSink* fields() { return outputs_ == nullptr ? nullptr : &field_sink_; }
  tiling::RecordSink* records() { return &record_sink_; }

  // Passes a decision on to the others: the next sweep; nothing: no more until the next one.
  void tell(const std::optional<tiling::Sweep>& sweep);
  // Hands out the records that all processes have given. Throws what went wrong anywhere, and
  // DivergedError.
  void deliver();
  // After the leader's own sweeps: waits for the others'.
  void wait_for_others();
  // Brings the state of all processes into the file; write_own that of this one. Throws
  // ResourceError when the others have given up, too: the run may go on.
  void save_state(io::CheckpointWriter& writer, const std::function<void()>& write_own);
  // Processes that could not write to the last file themselves.
  int apart() const { return apart_; }
  // Sums, and means of the seconds.
  tiling::PipelineStats stats_with(const tiling::PipelineStats& own) const;

 private:
  class FieldMerger final : public tiling::FieldSink {
   public:
    explicit FieldMerger(Leader& leader) : leader_(leader) {}
    std::vector<tiling::FieldBox> boxes(std::int64_t step) const override;
    std::int64_t most_plane_cells(const Lattice& lattice) const override;
    void on_sweep(std::int64_t step) override;
    void on_plane(std::int64_t step, int box, int z, std::span<const float> density,
                  std::span<const float> velocity) override;

   private:
    Leader& leader_;
  };
  class RecordMerger final : public tiling::RecordSink {
   public:
    explicit RecordMerger(Leader& leader) : leader_(leader) {}
    void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) override;
    const ProbeCells* probes() const override { return leader_.records_.probes(); }

   private:
    Leader& leader_;
  };
  struct Record {
    std::vector<std::int64_t> values;
    bool sampled = false;
    int parts = 0;
  };

  int others() const { return ranks_.size() - 1; }
  void take(tiling::Message message);
  // What is thrown elsewhere ends the run, whatever the leader waits for.
  void fail(const std::string& why);
  void add_record(std::int64_t step, std::span<const std::int64_t> record, bool sampled);
  void begin_fields(std::int64_t step);
  // written: the part of another process in shared images is written.
  void add_plane(const FieldsMessage& head, std::span<const float> density,
                 std::span<const float> velocity);
  void allow_fields();
  tiling::Message next_answer();
  template <class Condition>
  void wait(const Condition& condition);

  tiling::Ranks& ranks_;
  const Lattice& lattice_;
  FieldOutputs* outputs_;
  tiling::RecordSink& records_;
  tiling::PlaneExchange& exchange_;
  FieldMerger field_sink_{*this};
  RecordMerger record_sink_{*this};
  std::int64_t step_;  // that was told
  std::mutex field_mutex_;
  // Steps whose planes will come, oldest first: those of one before those of the next.
  struct Emitting {
    std::int64_t step, planes;  // that are still to come
    bool begun = false;
  };
  std::deque<Emitting> emitting_;
  std::condition_variable next_fields_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::map<std::int64_t, Record> waiting_;
  int drained_ = 0;
  tiling::PipelineStats others_stats_;
  int apart_ = 0;
  std::deque<tiling::Message> answers_;  // of those who save their state
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;  // error_ is there
  std::optional<Listener> listener_;  // last: it uses all above
};

// The run is over; the others end with that exit code.
void end_others(tiling::Ranks& ranks, int exit_code);

}  // namespace lbm::cases
