// SPDX-License-Identifier: Apache-2.0

// The macroscopic fields (density less 1, velocity) of planes, on their way to a sink: a few planes
// of the largest box, or many of small ones, on the device, more planes in pinned host memory, and
// a thread that hands them out. The thread that feeds the device waits only when all planes on the
// host are taken.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::tiling {

// A thread that does jobs in the order in which they were added. When a job throws, the jobs behind
// it are dropped, and every later call except is_done throws that error. All calls come from one
// thread. add() never blocks: callers bound the number of jobs with wait_for().
class WorkThread {
 public:
  WorkThread() : thread_([this] { work(); }) {}
  // does all jobs that were added; their errors are lost
  ~WorkThread() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    added_.notify_one();
    thread_.join();
  }

  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;

  // Returns the job's ticket: 1, 2, ...
  std::uint64_t add(std::function<void()> job) {
    std::uint64_t ticket = 0;
    {
      const std::scoped_lock lock(mutex_);
      rethrow_locked();
      jobs_.push_back(std::move(job));
      ticket = ++tickets_;
    }
    added_.notify_one();
    return ticket;
  }

  // True if the job of that ticket, and so all before it, have returned. Always true for ticket 0.
  bool is_done(std::uint64_t ticket) const {
    const std::scoped_lock lock(mutex_);
    return done_ >= ticket;
  }

  // Waits for that job. Throws its error, or the error of a job before it.
  void wait_for(std::uint64_t ticket) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return done_ >= ticket || error_; });
    rethrow_locked();
  }

  // Throws the error if a job has failed.
  void rethrow_error() const {
    const std::scoped_lock lock(mutex_);
    rethrow_locked();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      added_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      std::exception_ptr error;
      try {
        job();
      } catch (...) {
        error = std::current_exception();
      }
      job = nullptr;  // frees its captures before others learn that it is done
      lock.lock();
      if (error) {
        error_ = std::move(error);
        jobs_.clear();
        finished_.notify_all();
        return;
      }
      ++done_;
      finished_.notify_all();
    }
  }

  void rethrow_locked() const {
    if (error_) std::rethrow_exception(error_);
  }

  mutable std::mutex mutex_;
  std::condition_variable added_, finished_;
  std::deque<std::function<void()>> jobs_;
  std::uint64_t tickets_ = 0, done_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all above
};

// Takes the fields of the planes of sweeps with Sweep::emit, in the order in which planes are
// finished, and those of Sweep::early as they are made: of each step every plane of a box exactly
// once. The calls come from one thread of the pipeline, not
// the one that runs it, and have ended when Pipeline::run returns or the pipeline is destroyed. An
// exception ends the run: no further call comes, and Pipeline::run throws it.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // The boxes wanted after that step, none larger than most_plane_cells(); empty: the whole grid as
  // one box. Called by the thread that runs the pipeline.
  virtual std::vector<FieldBox> boxes([[maybe_unused]] std::int64_t step) const { return {}; }
  // The cells in a plane of the largest box of any step.
  virtual std::int64_t most_plane_cells(const Lattice& lattice) const {
    return lattice.layout.cells();
  }

  // A sweep begins, and planes will come with this step: time to make room for them. Called once
  // for each step; planes of earlier steps may still come after this call.
  virtual void on_sweep([[maybe_unused]] std::int64_t step) {}
  // Plane z of box number `box`, after `step` steps of the run. density less 1 [ny][nx], velocity
  // [ny][nx][3], lattice units; valid during the call.
  virtual void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                        std::span<const float> velocity) = 0;
};

class FieldRing {
 public:
  // Both must outlive the ring. cells: in a plane of the largest box.
  // lattice_plane: bytes of one. host_planes: see host_planes(). Throws ResourceError.
  FieldRing(Backend& backend, FieldSink& sink, std::int64_t cells, std::size_t lattice_plane,
            std::size_t host_planes);
  // Hands out all planes that were delivered, also after an error.
  ~FieldRing();
  FieldRing(const FieldRing&) = delete;
  FieldRing& operator=(const FieldRing&) = delete;

  // The functions below throw what the sink threw.
  // The boxes that the sink wants after that step.
  std::vector<FieldBox> boxes(std::int64_t step) const { return sink_.boxes(step); }
  // Tells the sink that a sweep begins.
  void begin(std::int64_t step);
  // True if `planes` planes can be pushed without waiting for the sink.
  bool has_room(std::size_t planes);
  // Computes the fields of a plane of a box after all updates given so far, and sends them to the
  // host. Waits for the sink if no plane on the host is free.
  void push(const DeviceLattice& lattice, const PlaneState& plane, const FieldBox& box,
            int box_number, std::int64_t step, int visit);
  // Gives the planes of all visits up to `visit` to the sink's thread, in order. Waits for the
  // device, but not for the sink.
  void deliver(int visit);
  // Waits until the sink has taken all delivered planes.
  void finish();

  std::size_t device_bytes() const { return device_.size(); }
  std::size_t host_bytes() const { return host_.size(); }
  double sink_seconds() const { return sink_seconds_; }  // the sink's thread at work
  double wait_seconds() const { return wait_seconds_; }  // the caller waiting for that thread

  // Bytes of the fields of so many cells, and of device memory for a ring of planes of that size.
  static std::size_t plane_bytes(std::int64_t cells);
  static std::size_t device_bytes_needed(std::int64_t cells, std::size_t lattice_plane);
  // Planes on the host within `limit` bytes: enough that the device does not wait for a sink that
  // is as fast on average; at most nz, at least 8.
  static std::size_t host_planes(std::int64_t cells, int nz, int planes_per_visit,
                                 std::uint64_t limit);

 private:
  struct Entry {  // a plane on the host
    std::unique_ptr<Event> computed, copied;
    std::int64_t step = 0;
    int box = 0;
    std::size_t cells = 0;
    int plane = 0, visit = 0;
    std::size_t begin = 0, end = 0;  // bytes of the memory on the device
    std::uint64_t ticket = 0;        // of the job that hands the plane out
  };
  Entry& entry(std::uint64_t push) { return entries_[push % entries_.size()]; }
  std::byte* host_plane(std::uint64_t push) const;
  std::byte* make_room_on_device(Entry& entry);
  void hand_out_oldest();
  void wait_for_sink(std::uint64_t ticket);
  void write(const Entry& entry, const float* fields);

  Backend& backend_;
  FieldSink& sink_;
  Buffer device_, host_;
  std::vector<Entry> entries_;
  std::uint64_t pushed_ = 0, delivered_ = 0;  // planes, since the beginning
  std::uint64_t oldest_on_device_ = 0;  // the oldest plane whose bytes there were not taken yet
  std::size_t next_on_device_ = 0;      // where the next plane is put
  std::uint64_t last_ticket_ = 0;
  std::atomic<double> sink_seconds_ = 0;  // written only by the sink's thread
  double wait_seconds_ = 0;
  WorkThread thread_;  // last: its jobs use all above
};

}  // namespace lbm::tiling
