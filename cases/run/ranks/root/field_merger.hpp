// SPDX-License-Identifier: Apache-2.0

// Field planes of several ranks, one step at a time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "cases/run/ranks/fair_mutex.hpp"
#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Sink of the root's own planes. Hands the planes of all ranks to the outputs, step by step: the
// other ranks send the planes of a step once all planes of the step before have arrived. So
// statistics get their samples in order, and nobody keeps planes.
class FieldMerger final : public tiling::FieldSink {
 public:
  // Keeps the references. fail: keeps the exception under way, which ends the run.
  FieldMerger(tiling::Ranks& ranks, FieldOutputs& outputs, int nz,
              std::function<void(const std::string&)> fail)
      : ranks_(ranks), outputs_(outputs), nz_(nz), fail_(std::move(fail)) {}

  // A sweep that emits fields at `step` will run. Returns the boxes that the outputs want.
  std::vector<tiling::FieldBox> expect(std::int64_t step);
  // A message of another rank: tag_fields, tag_derived or tag_image_error. Waits until its step is
  // due.
  void take(const tiling::Message& message);
  // The run ends: threads that wait for a step return. Thread-safe.
  void stop();

  std::vector<tiling::FieldBox> boxes(std::int64_t step) const override {
    return outputs_.boxes(step);
  }
  std::int64_t most_plane_cells(const Lattice& lattice) const override {
    return outputs_.most_plane_cells(lattice);
  }
  void on_sweep(std::int64_t step) override;
  void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                std::span<const float> velocity) override;

 private:
  // A step whose planes are to come.
  struct Emitting {
    std::int64_t step, planes;  // planes: still to come
    bool begun = false;
  };
  // Each expects the lock.
  void begin(std::int64_t step);
  void allow();

  void add_plane(const FieldsMessage& head, std::span<const float> drho,
                 std::span<const float> velocity);

  tiling::Ranks& ranks_;
  FieldOutputs& outputs_;
  const int nz_;
  std::function<void(const std::string&)> fail_;
  // Fair: the thread that makes results of the root's planes must not shut out the planes of other
  // ranks, which wait for an answer. Guards all below.
  FairMutex mutex_;
  std::condition_variable_any next_;
  std::deque<Emitting> emitting_;  // oldest first
  std::atomic<bool> stopped_ = false;
};

}  // namespace lbm::cases
