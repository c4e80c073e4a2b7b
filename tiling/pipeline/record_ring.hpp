// SPDX-License-Identifier: Apache-2.0

// Records of steps (solver/lattice/step_record.hpp) on the device and on their way to the host, in
// a ring, so that sweeps may overlap. With bodies or probes every step has a record, whose number
// is the step; otherwise each checked sweep has one, numbered consecutively.
#pragma once

#include <cstdint>
#include <span>

#include "solver/backend/backend.hpp"
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
};

class RecordRing {
 public:
  // Throws ResourceError if memory is short. The backend must outlive the ring.
  RecordRing(Backend& backend, const RecordShape& shape, const ScheduleOptions& options);

  std::int64_t* device() const { return reinterpret_cast<std::int64_t*>(device_.data()); }
  const RecordShape& shape() const { return shape_; }
  int size() const { return size_; }
  int values() const { return shape_.values(); }
  std::size_t device_bytes() const { return device_.size(); }
  // A record in device memory; number is taken modulo size().
  std::int64_t* record(std::int64_t number) const { return device() + at(number); }
  // Queue::store copies the records [first, last] to the host and clears them on the device.
  void fetch(std::int64_t first, std::int64_t last);
  // A record in host memory, valid after the queue has completed its fetch().
  std::span<const std::int64_t> fetched(std::int64_t number) const;

  static std::size_t device_bytes_needed(const RecordShape& shape, const ScheduleOptions& options);

 private:
  std::size_t at(std::int64_t number) const {
    return static_cast<std::size_t>(number % size_) * static_cast<std::size_t>(values());
  }

  Backend& backend_;
  RecordShape shape_;
  int size_;
  Buffer device_, host_;
};

}  // namespace lbm::tiling
