// SPDX-License-Identifier: Apache-2.0

// Records of steps (solver/lattice/step_record.hpp) on the device and on their way to the host: a
// ring, so that sweeps may overlap. With bodies or probes it holds a record of every step, numbered
// by step; otherwise one record of each checked sweep, numbered one by one.
#pragma once

#include <cstdint>
#include <span>

#include "solver/backend/backend.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Takes the records of completed sweeps in the order of steps, in the thread that runs the
// pipeline.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // Called for every step with bodies or probes, otherwise for the last step of each checked sweep.
  // sampled: the record holds flow values. It is valid during the call.
  virtual void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) = 0;
  // The cells whose values the records hold, in their order; null: none. Called once. The cells
  // must outlive the pipeline.
  virtual const ProbeCells* probes() const { return nullptr; }
};

// The contents of the records of a run.
struct RecordShape {
  int bodies = 0, probes = 0;

  bool every_step() const { return bodies > 0 || probes > 0; }
  int values() const { return values_per_step(bodies, probes); }
};

class RecordRing {
 public:
  // Throws ResourceError.
  RecordRing(Backend& backend, const RecordShape& shape, const ScheduleOptions& options);

  std::int64_t* device() const { return reinterpret_cast<std::int64_t*>(device_.data()); }
  const RecordShape& shape() const { return shape_; }
  int size() const { return size_; }
  int values() const { return shape_.values(); }
  std::size_t device_bytes() const { return device_.size(); }
  // In device memory.
  std::int64_t* record(std::int64_t number) const { return device() + at(number); }
  // Queue::store copies the records [first, last] to the host and clears them on the device.
  void fetch(std::int64_t first, std::int64_t last);
  // A record on the host, once the queue has done its fetch.
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
