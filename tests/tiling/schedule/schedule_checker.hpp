// SPDX-License-Identifier: Apache-2.0

// Brute-force check of a schedule: executes its visits on integers instead of planes.
//
// For each of the three queues it keeps the visits that are surely complete when the queue starts a
// visit: the happens-before relation that the visit's waits give. It throws when an access is not
// ordered after the write that it needs, or before the write that would destroy it. Slabs are
// checked together, with the halo planes between them, in any order in which processes may run.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling::test {

// A plane on its way to the slab below.
struct SentPlane {
  int plane = -1;
  long long time = -1;
};
using HaloQueue = std::deque<SentPlane>;

class ScheduleChecker {
 public:
  // from_above, to_below: the queues of a slab, which must outlive the checker.
  ScheduleChecker(const PlaneGrid& grid, const ScheduleOptions& options,
                  HaloQueue* from_above = nullptr, HaloQueue* to_below = nullptr);

  // Runs the sweeps and checks everything. Throws std::runtime_error with the reason.
  void run(const std::vector<Sweep>& sweeps);

  // The same in parts: begin(), step() until it returns `done`, end(). A step is one visit, or none
  // if a halo plane that the visit needs has not been sent.
  enum class Progress { visited, waits, done };
  void begin(const std::vector<Sweep>& sweeps);
  Progress step();
  void end();

  int slots_used() const { return static_cast<int>(slots_used_); }
  int slots_promised() const { return scheduler_->slots(); }
  long long updates() const { return updates_; }  // plane updates done
  long long visits() const { return visit_; }
  long long loads() const { return loads_; }

 private:
  enum QueueId { load_queue, update_queue, store_queue };
  // For each queue the last visit that is surely complete.
  using Seen = std::array<int, 3>;

  struct Value {  // the content of a slot
    int plane = -1;
    long long time = -1;  // steps since the start
    int queue = -1, visit = -1;
  };
  struct Access {
    int visit = -1;
  };
  struct Slot {
    Value value;
    std::array<int, 3> last_read{-1, -1, -1};  // visit of the last read, per queue
  };

  void execute(const Visit& visit);
  void load(const Visit& visit, const Seen& seen);
  void update(const Update& update, const Seen& seen);
  void check_planes_in_use(const Visit& visit);
  void check_together(const std::vector<Update>& updates) const;
  void forget_passing(const Update& update);
  void store(const Visit& visit, const Seen& seen);
  void receive(const Visit& visit, const Seen& seen);
  void send(const Visit& visit, const Seen& seen);
  void read_slot(int slot, int plane, long long time, int queue, const Seen& seen);
  void write_slot(int slot, int plane, long long time, int queue, const Seen& seen);
  [[noreturn]] void fail(const std::string& what) const;

  PlaneGrid grid_;
  ScheduleOptions options_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Slot> slots_;
  HaloQueue *from_above_, *to_below_;
  std::optional<Visit> waiting_;       // for halo planes
  std::vector<Sweep> asked_;           // of begin()
  std::size_t given_ = 0;              // sweeps of asked_ so far
  std::vector<int> host_plane_;        // in each place of the store
  std::vector<long long> host_time_;   // its level, in steps since the start
  std::vector<int> host_store_visit_;  // visit that stored it
  std::vector<int> host_load_visit_;   // visit that loaded it last
  std::vector<Seen> seen_after_[3];    // per queue and visit: the visits complete at its end
  std::map<std::pair<int, long long>, int> computed_;  // (plane, time) -> how often
  std::vector<Sweep> sweeps_;
  std::vector<long long> sweep_begin_;  // time at level 0
  std::size_t slots_used_ = 0;
  long long updates_ = 0, loads_ = 0;
  int visit_ = 0, completed_ = 0, finished_planes_ = 0;
  std::deque<std::vector<bool>> in_use_;  // planes that updates read, of the last load_lag visits
  int emitting_ = 0;                      // the newest sweep that handed out fields
};

}  // namespace lbm::tiling::test
