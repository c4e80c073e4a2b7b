// SPDX-License-Identifier: Apache-2.0

// Records of steps (solver/lattice/step_record.hpp) on the device and on their way to the host, in
// a ring, so that sweeps may overlap. With bodies or probes every step has a record, whose number
// is the step; otherwise each checked sweep has one, numbered consecutively.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/backend/backend.hpp"
#include "solver/lattice/step_record.hpp"
#include "tiling/schedule/schedule.hpp"

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
};

// The contents of a record, the same for all records of a run.
struct RecordShape {
  int bodies = 0, probes = 0;

  bool every_step() const { return bodies > 0 || probes > 0; }
  int values() const { return values_per_step(bodies, probes); }
  // Records in a ring: room for several overlapping sweeps of k steps, and for in-core visits of
  // many steps. The pipeline waits where the ring is full.
  int ring_size(const ScheduleOptions& options) const {
    return every_step() ? 8 * options.steps_per_visit + 1024 : 16;
  }
};

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

// Adds the sums and keeps the larger extremes of the first flow_values numbers.
void merge_flow_values(std::span<std::int64_t> to, std::span<const std::int64_t> from);

// Merges whole records. Forces are sums; a probe's values are zero in all slabs but one.
void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from);

// Throws DivergedError where cells were outside the lattice's limits when that step was sampled.
void refuse_bad_cells(const Lattice& lattice, std::int64_t step,
                      std::span<const std::int64_t> record);

}  // namespace lbm::tiling
