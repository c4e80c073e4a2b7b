// SPDX-License-Identifier: Apache-2.0

// The memory that a pipeline's kernels work on: slots for planes, the boundaries, the probe cells.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>

#include "solver/backend/backend.hpp"
#include "solver/boundary/boundary_window.hpp"
#include "solver/core/error.hpp"
#include "tiling/pipeline/face_value_ring.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::tiling {

class LatticeOnDevice {
 public:
  // Backend, boundaries and probes (which may be null) must outlive it. Kernels write to the
  // records where every step has one. planes_in_use: with fewer than all planes a GPU has the
  // boundaries of so many consecutive ones, and fetch_boundaries() brings others; the CPU backend
  // reads those of all planes in place. Pins the boundaries' memory where planes are brought: no
  // two pipelines of a process may have the same object at a time, as the first to end would take
  // the pinning from under the copies of the other. Throws ResourceError, and std::invalid_argument
  // for scalars beside bodies that move or whose surface moves, for those whose values or patches
  // at faces the boundaries lack, and for bodies that move where Lattice::has_moving_bodies does
  // not say so, or the other way round. steps_per_visit: ScheduleOptions.
  LatticeOnDevice(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                  const ProbeCells* probes, const RecordRing& records, int slots, int planes_in_use,
                  int steps_per_visit)
      : backend_(backend),
        slots_(backend.allocate_device(static_cast<std::size_t>(slots) * lattice.layout.bytes,
                                       "lattice planes")) {
    const bool moving = !boundaries.moving().empty();
    if (moving != lattice.has_moving_bodies) {
      throw std::invalid_argument("LatticeOnDevice: Lattice::has_moving_bodies");
    }
    if (!lattice.scalars.empty() && !boundaries.none() &&
        (moving || boundaries.view().bodies_move)) {
      throw std::invalid_argument("LatticeOnDevice: scalars beside a surface that moves");
    }
    bool by_time = false;
    for (const ScalarSpec& scalar : lattice.scalars) {
      for (std::size_t f = 0; f < 6; ++f) {
        const bool no_values = boundaries.none() || boundaries.view().scalar_values == nullptr;
        const bool no_patches = boundaries.none() || boundaries.view().patch_of[f] == nullptr;
        if ((scalar.has_values_by_place(f) && no_values) ||
            (!scalar.patches[f].empty() && no_patches)) {
          throw std::invalid_argument("LatticeOnDevice: no values or patches of scalars at faces");
        }
        by_time = by_time || scalar.face_functions[f] != nullptr;
      }
    }
    view_.lattice = lattice;
    view_.slots = slots_.data();
    if (!boundaries.none()) place_boundaries(boundaries, planes_in_use);
    if (by_time) {
      face_values_.emplace(backend, lattice, boundaries, steps_per_visit).show(view_.boundaries);
    }
    if (probes != nullptr) {
      probes_ = upload(probes->bytes(), "probes");
      view_.probes =
          probes->view(probes_.data(), boundaries.bodies(), view_.lattice.scalar_count());
    }
    if (!records.shape().every_step()) return;
    view_.records = records.device();
    view_.record_steps = records.size();
    view_.record_values = records.values();
  }

  // True if updates need fetch_boundaries().
  bool fetches_boundaries() const { return window_.has_value(); }
  // Gives Queue::load the copies that planes first ... first + count - 1 (modulo nz) lack; their
  // bytes. Updates up to visit `done` are complete when the queue gets there (BoundaryWindow).
  std::size_t fetch_boundaries(int first, int count, int visit, int done) {
    std::size_t bytes = 0;
    for (const BoundaryWindow::Copy& copy : window_->fetch(first, count, visit, done)) {
      backend_.copy_in(boundaries_.data() + copy.to, copy.from.data(), copy.from.size());
      bytes += copy.from.size();
    }
    return bytes;
  }

  // The device memory that boundaries of so many planes need.
  static std::size_t boundary_bytes_needed(const Boundaries& boundaries, int planes) {
    return has_window(boundaries, planes) ? BoundaryWindow(boundaries, planes).bytes()
                                          : boundaries.bytes().size();
  }

  // The values of scalars at faces that change in time; null: there are none.
  FaceValueRing* face_values() { return face_values_ ? &*face_values_ : nullptr; }

  // The boundaries' bytes on the device, or of those that are read in place.
  std::size_t boundary_bytes() const { return boundary_bytes_; }

  const DeviceLattice& view() const { return view_; }
  const Lattice& lattice() const { return view_.lattice; }
  // Bytes of plane z. A slot has room for the largest plane.
  std::size_t plane_bytes(int z) const { return view_.lattice.plane_bytes(z); }
  std::byte* slot(int i) const {
    return view_.slots + static_cast<std::size_t>(i) * view_.lattice.layout.bytes;
  }

  std::size_t bytes() const { return slots_.size() + boundary_bytes_ + probes_.size(); }

 private:
  static bool has_window(const Boundaries& boundaries, int planes) {
    return planes < boundaries.planes() && BoundaryWindow::useful(boundaries);
  }

  // Memory on the device that begins with these bytes. size: of the memory; 0: these bytes alone.
  Buffer upload(std::span<const std::byte> bytes, const char* purpose, std::size_t size = 0) {
    Buffer device = backend_.allocate_device(std::max(size, bytes.size()), purpose);
    const Buffer staging = backend_.allocate_staging(bytes.size(), purpose);
    std::memcpy(staging.data(), bytes.data(), bytes.size());
    backend_.copy_in(device.data(), staging.data(), bytes.size());
    const auto done = backend_.make_event();
    backend_.record(Queue::load, *done);
    backend_.synchronize(*done);
    return device;
  }

  void place_boundaries(const Boundaries& boundaries, int planes_in_use) {
    view_.host = &boundaries;
    boundary_bytes_ = boundaries.bytes().size();
    if (backend_.kind() == BackendKind::cpu) {
      view_.boundaries = boundaries.view();  // ranks may share them
      return;
    }
    if (!has_window(boundaries, planes_in_use)) {
      boundaries_ = upload(boundaries.bytes(), "boundaries");
      view_.boundaries = boundaries.view(boundaries_.data());
      return;
    }
    window_.emplace(boundaries, planes_in_use);
    boundary_bytes_ = window_->bytes();
    boundaries_ = upload(window_->tables(), "boundaries", boundary_bytes_);
    view_.boundaries = window_->view(boundaries_.data());
    view_.boundary_planes = planes_in_use;
    try {
      const auto bytes = boundaries.bytes();
      // The device only reads them.
      attached_ = backend_.attach_host(const_cast<std::byte*>(bytes.data()), bytes.size(),
                                       HostMemory::pinned);
    } catch (const ResourceError&) {
      // Copies from memory that is not pinned take longer, and that is all.
    }
  }

  Backend& backend_;
  Buffer slots_, boundaries_, probes_;  // boundaries_: empty where they are read in place
  std::size_t boundary_bytes_ = 0;
  std::optional<BoundaryWindow> window_;
  std::optional<FaceValueRing> face_values_;
  Buffer attached_;  // the host's boundaries, for asynchronous copies; empty where it failed
  DeviceLattice view_;
};

}  // namespace lbm::tiling
