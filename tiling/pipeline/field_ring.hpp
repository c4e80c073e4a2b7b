// SPDX-License-Identifier: Apache-2.0

// Results of sweeps on their way to the host: macroscopic fields of planes
// (solver/lattice/macro_fields.hpp), and the records of steps (solver/lattice/step_record.hpp).
// Both are in rings on the device and on the host, so that sweeps may overlap.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
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
#include "solver/lattice/step_record.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

// Receives the records of completed sweeps in the order of steps, on the pipeline's thread.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Called for every step with bodies or probes, otherwise for the last step of each checked sweep.
  // record: valid during the call. sampled: it holds flow values (FlowValue).
  virtual void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) = 0;
  // The probe cells, in the order of their values in a record; null: none. Called once. The cells
  // must outlive the pipeline.
  virtual const ProbeCells* probes() const { return nullptr; }
  // The boxes whose sums (BoxValue) the record of a sweep with Sweep::sums holds, in the order of a
  // record. Called once.
  virtual std::vector<FieldBox> boxes() const { return {}; }
};

// The scale of the sums over the cells of a box.
inline double scale_of(const FieldBox& box) {
  return fixed::flow(box.plane_cells() * box.count[2]);
}

// The contents of a record, the same for all records of a run.
struct RecordShape {
  int bodies = 0, probes = 0, boxes = 0;
  int scalars = 0;  // of the lattice

  bool every_step() const { return bodies > 0 || probes > 0; }
  int values() const { return values_per_step(bodies, probes, boxes, scalars); }
  // Records in a ring: room for several overlapping sweeps of k steps, and for in-core visits of
  // many steps. The pipeline waits where the ring is full.
  int ring_size(const ScheduleOptions& options) const {
    return every_step() ? 8 * options.steps_per_visit + 1024 : 16;
  }
};

// With bodies or probes every step has a record, whose number is the step; otherwise each checked
// sweep has one, numbered consecutively.
class RecordRing {
 public:
  // Throws ResourceError if memory is short. The backend must outlive the ring.
  RecordRing(Backend& backend, const RecordShape& shape, const ScheduleOptions& options)
      : backend_(backend),
        shape_(shape),
        size_(shape.ring_size(options)),
        device_(backend.allocate_device(device_bytes_needed(shape, options), "forces and sums")),
        host_(backend.allocate_staging(device_.size(), "forces and sums")) {
    backend.clear(Queue::update, device_.data(), device_.size());
  }

  std::int64_t* device() const { return reinterpret_cast<std::int64_t*>(device_.data()); }
  const RecordShape& shape() const { return shape_; }
  int size() const { return size_; }
  int values() const { return shape_.values(); }
  std::size_t device_bytes() const { return device_.size(); }
  // A record in device memory; number is taken modulo size().
  std::int64_t* record(std::int64_t number) const { return device() + at(number); }
  // Queue::store copies the records [first, last] to the host and clears them on the device.
  void fetch(std::int64_t first, std::int64_t last) {
    while (first <= last) {
      const std::int64_t run = std::min(last - first + 1, size_ - first % size_);
      const std::size_t begin = at(first) * sizeof(std::int64_t);
      const std::size_t bytes =
          static_cast<std::size_t>(run) * static_cast<std::size_t>(values()) * sizeof(std::int64_t);
      backend_.copy_out(host_.data() + begin, device_.data() + begin, bytes);
      backend_.clear(Queue::store, device_.data() + begin, bytes);
      first += run;
    }
  }

  // A record in host memory, valid after the queue has completed its fetch().
  std::span<const std::int64_t> fetched(std::int64_t number) const {
    return {reinterpret_cast<const std::int64_t*>(host_.data()) + at(number),
            static_cast<std::size_t>(values())};
  }

  static std::size_t device_bytes_needed(const RecordShape& shape, const ScheduleOptions& options) {
    return static_cast<std::size_t>(shape.ring_size(options)) *
           static_cast<std::size_t>(shape.values()) * sizeof(std::int64_t);
  }

 private:
  std::size_t at(std::int64_t number) const {
    return static_cast<std::size_t>(number % size_) * static_cast<std::size_t>(values());
  }

  Backend& backend_;
  RecordShape shape_;
  int size_;
  Buffer device_, host_;
};

// Merges whole records, or their first numbers. Forces are sums; a probe's values are zero in all
// slabs but one.
void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from);

// Throws DivergedError where cells were outside the lattice's limits when that step was sampled.
void refuse_bad_cells(const Lattice& lattice, std::int64_t step,
                      std::span<const std::int64_t> record);

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
  // Plane z of box number `box`, after `step` steps of the run; valid during the call.
  virtual void on_plane(std::int64_t step, int box, int z, const FieldPlane& plane) = 0;
};

// A few planes of the largest box, or many of small ones, on the device, more planes in pinned host
// memory, and a thread that hands them out. The thread that feeds the device waits only when all
// planes on the host are taken.
class FieldRing {
 public:
  // Both must outlive the ring. cells: in a plane of the largest box.
  // lattice_plane: bytes of one. host_planes: see host_planes(). scalars: of the lattice. Throws
  // ResourceError.
  FieldRing(Backend& backend, FieldSink& sink, std::int64_t cells, std::size_t lattice_plane,
            std::size_t host_planes, int scalars = 0);
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

  // Bytes of the fields of so many cells of a lattice with so many scalars, and of device memory
  // for a ring of planes of that size.
  static std::size_t plane_bytes(std::int64_t cells, int scalars = 0);
  static std::size_t device_bytes_needed(std::int64_t cells, std::size_t lattice_plane,
                                         int scalars = 0);
  // Planes on the host within `limit` bytes: enough that the device does not wait for a sink that
  // is as fast on average; at most nz, at least 8.
  static std::size_t host_planes(std::int64_t cells, int nz, int planes_per_visit,
                                 std::uint64_t limit, int scalars = 0);

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
  int scalars_;
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
