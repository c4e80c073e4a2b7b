// Records of steps (solver/lattice/step_record.hpp) on the device and on their way to the host: a
// ring, so that sweeps may overlap. With bodies or probes it holds every step and is counted by
// steps, otherwise only the last ones of checked sweeps, counted by those.
#pragma once

#include <cstdint>
#include <span>

#include "solver/backend/backend.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Takes records of completed sweeps, in the order of steps, on the thread that runs the pipeline.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // With bodies or probes every step comes, otherwise the last one of each sweep that is checked.
  // sampled: its flow values are there, the planes of that step were sampled. The record is valid
  // during the call.
  virtual void on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) = 0;
  // The cells whose values the records shall hold, in their order; null: none. Asked once; must
  // live as long as the pipeline.
  virtual const ProbeCells* probes() const { return nullptr; }
};

// What the records of a run hold.
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
  // On the device.
  std::int64_t* record(std::int64_t number) const { return device() + at(number); }
  // Records [first, last] go to the host on Queue::store, and are zero on the device then.
  void fetch(std::int64_t first, std::int64_t last);
  // One that was fetched, when the queue has done it.
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
