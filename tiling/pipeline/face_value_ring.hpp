// SPDX-License-Identifier: Apache-2.0

// Values of scalars at faces that depend on the place and on the time (ScalarSpec::face_functions):
// a ring of tables, one for each step under way, in host memory that kernels read in place.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/backend/backend.hpp"

namespace lbm::tiling {

class FaceValueRing {
 public:
  // boundaries: have scalar_values, those of all faces at any step. The backend must outlive the
  // ring. Throws ResourceError.
  FaceValueRing(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                int steps_per_visit);

  void show(BoundaryView& view) const {
    view.scalar_values = reinterpret_cast<const float*>(memory_.data());
    view.scalar_steps = static_cast<int>(slots_.size());
    view.scalar_stride = stride_;
  }

  bool has(std::int64_t step) const { return slots_[place(step)].step == step; }
  // Computes the values of a step. Waits for the launches that read those in their place, which
  // the backend must have been given.
  void prepare(std::int64_t step);
  // The backend was given these launches.
  void given(std::span<const UpdateLaunch> launches) {
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const std::int64_t step = launches[i].step;
      if (i + 1 < launches.size() && launches[i + 1].step == step) continue;
      backend_.record(Queue::update, *slots_[place(step)].was_read);
    }
  }

 private:
  struct Part {
    std::shared_ptr<const FaceFunction> function;
    std::int64_t first;  // of its values in a table
    int cells, rows;     // of a row, and of the face
  };
  struct Slot {
    std::int64_t step = -1;  // -1: none yet
    std::unique_ptr<Event> was_read = nullptr;
  };

  std::size_t place(std::int64_t step) const {
    return static_cast<std::size_t>(step) % slots_.size();
  }
  float* values_of(const Slot& slot) const {
    return reinterpret_cast<float*>(memory_.data()) + (&slot - slots_.data()) * stride_;
  }

  Backend& backend_;
  std::vector<Part> parts_;
  std::int64_t stride_ = 0;  // values of a table
  std::vector<Slot> slots_;
  Buffer memory_;
};

}  // namespace lbm::tiling
