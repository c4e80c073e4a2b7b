// SPDX-License-Identifier: Apache-2.0

// The visits that the device was given and that are not retired yet, and the events that order
// their work across queues.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/pipeline/pipeline_stats.hpp"
#include "tiling/pipeline/sweep_ledger.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

struct VisitInFlight {
  // The visit's work in one queue.
  struct Stage {
    std::unique_ptr<Event> begin, end;
    bool used = false;
    int last_used = -1;  // newest visit up to this one with work in this queue
  };

  explicit VisitInFlight(Backend& backend);
  void reset(const Visit& visit, int number);
  Stage& stage(Queue queue) { return stages[static_cast<std::size_t>(queue)]; }

  int number = 0;
  std::array<Stage, 3> stages;
  std::vector<SweepRecords> records;  // of the sweeps that the visit completes
  std::int64_t plane_updates = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0;
  int halo_in = 0, halo_out = 0;  // planes
  int sweeps_completed = 0;
};

// A ring. Visits are numbered 0, 1, ...; the newest is submitted, the oldest completed and retired.
class VisitsInFlight {
 public:
  // The backend must outlive it.
  explicit VisitsInFlight(Backend& backend);
  // Waits for all work of the queues, also after an error: the memory that it uses goes next.
  ~VisitsInFlight();
  VisitsInFlight(const VisitsInFlight&) = delete;
  VisitsInFlight& operator=(const VisitsInFlight&) = delete;

  bool empty() const { return retired_ == submitted_; }
  int oldest() const { return retired_; }
  bool full() const { return submitted_ - retired_ == static_cast<int>(ring_.size()); }

  // Starts the next visit, which needs a place: not full().
  VisitInFlight& begin(const Visit& visit);
  // Work given to the queue between the two belongs to the newest visit's stage.
  void begin_stage(Queue queue);
  void end_stage(Queue queue);
  // `queue` waits for all work that `other` was given up to that visit.
  void wait_for(Queue queue, Queue other, int visit);
  void end() { ++submitted_; }

  // Waits until the device has done the oldest visit; adds the time of its queues to `stats`.
  VisitInFlight& complete_oldest(PipelineStats& stats);
  void retire() { ++retired_; }

 private:
  VisitInFlight& at(int visit) { return ring_[static_cast<std::size_t>(visit) % ring_.size()]; }

  Backend& backend_;
  std::vector<VisitInFlight> ring_;
  int submitted_ = 0, retired_ = 0;
};

}  // namespace lbm::tiling
