// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/face_value_ring.hpp"

#include <algorithm>
#include <exception>

namespace lbm::tiling {

FaceValueRing::FaceValueRing(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                             int steps_per_visit)
    : backend_(backend) {
  const int nx = lattice.layout.nx, ny = lattice.layout.ny;
  for (const ScalarSpec& scalar : lattice.scalars) {
    for (int f = 0; f < 6; ++f) {
      if (!scalar.has_values_by_place(static_cast<std::size_t>(f))) continue;
      const int rows = f < 4 ? lattice.nz : ny;
      const auto& function = scalar.face_functions[static_cast<std::size_t>(f)];
      if (function != nullptr) parts_.push_back({function, stride_, f < 2 ? ny : nx, rows});
      stride_ += face_cells(f, nx, ny, lattice.nz);
    }
  }
  // Sweeps overlap by two at most; more steps let the host compute values ahead.
  constexpr std::int64_t enough = 256, enough_bytes = 64 << 20;
  const auto bytes = stride_ * static_cast<std::int64_t>(sizeof(float));
  slots_.resize(static_cast<std::size_t>(
      std::max<std::int64_t>(2 * steps_per_visit + 2, std::min(enough, enough_bytes / bytes))));
  memory_ = backend.allocate_staging(slots_.size() * static_cast<std::size_t>(bytes),
                                     "values of scalars at faces");
  for (Slot& slot : slots_) {
    const float* const values = boundaries.view().scalar_values;
    std::copy(values, values + stride_, values_of(slot));
    slot.was_read = backend.make_event();
  }
}

void FaceValueRing::prepare(std::int64_t step) {
  if (has(step)) return;
  Slot& slot = slots_[place(step)];
  if (slot.step >= 0) backend_.synchronize(*slot.was_read);
  slot.step = step;
  std::exception_ptr refused;  // must not leave the loop of threads
  for (const Part& part : parts_) {
    [[maybe_unused]] constexpr int cells_worth_threads = 4096;  // used with OpenMP
#pragma omp parallel for schedule(static) if (part.rows > cells_worth_threads / part.cells)
    for (int row = 0; row < part.rows; ++row) {
      try {
        part.function->fill(static_cast<double>(step) + 0.5, row,
                            {values_of(slot) + part.first + std::int64_t{row} * part.cells,
                             static_cast<std::size_t>(part.cells)});
      } catch (...) {
#pragma omp critical(face_value_ring)
        refused = std::current_exception();
      }
    }
  }
  if (refused) std::rethrow_exception(refused);
}

}  // namespace lbm::tiling
