// SPDX-License-Identifier: Apache-2.0

// Reads the state of the lattice between two runs of a pipeline: planes as they are stored, or the
// density less 1 and velocity of a box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "solver/backend/backend.hpp"
#include "tiling/pipeline/lattice_on_device.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/field_box.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

// Plane z of a box: density less 1 [ny][nx], velocity [ny][nx][3] of its cells, lattice units;
// valid during the call.
using TakeFields =
    std::function<void(int z, std::span<const float> drho, std::span<const float> velocity)>;

// Consecutive planes from `first` on, as they are stored; valid during the call.
using TakePlanes = std::function<void(int first, std::span<const std::byte> planes)>;

class StateReader {
 public:
  // All must outlive it.
  StateReader(Backend& backend, const LatticeOnDevice& device, const Boundaries& boundaries,
              PlaneStore& store, const Scheduler& scheduler, const PlaneGrid& grid)
      : backend_(backend),
        device_(device),
        boundaries_(boundaries.view()),
        store_(store),
        scheduler_(scheduler),
        grid_(grid) {}

  // The planes of this process in the order of read_planes(): the i-th one of planes(). Plane nz -
  // 1 of a slab may be followed by plane 0.
  int planes() const { return grid_.planes(); }
  int plane(int i) const;

  // Copies plane z, layout.bytes bytes, to `to`: a smaller plane with zeros behind it, here and in
  // read_planes(). So are values of no cell where only fluid cells are stored: every schedule gives
  // the same bytes.
  void read_plane(int z, std::byte* to) const;

  // Gives all planes() to `take` in order, some at a time. Planes in host memory are not copied if
  // they all have the same size; others are fetched from the device with double buffering through
  // up to 128 MiB of host memory (two planes at least). Throws what `take` throws, and
  // ResourceError.
  void read_planes(const TakePlanes& take) const;

  // Computes the fields of a box with the kernel that output fields come from, and gives its planes
  // to `take` in order. step: the current one. Takes memory for one plane of the box on the device
  // and on the host. Not for slabs. Throws what `take` throws, and ResourceError.
  void read_fields(std::int64_t step, const FieldBox& box, const TakeFields& take) const;

 private:
  const std::byte* place(int z) const;
  int slot_of(int z) const;
  bool equal_sizes() const { return !device_.lattice().layout.fluid_only; }
  void read_host_planes(const TakePlanes& take) const;
  void fetch_planes(const TakePlanes& take) const;
  void zero_padding(int z, std::byte* plane) const;

  Backend& backend_;
  const LatticeOnDevice& device_;
  BoundaryView boundaries_;  // on the host
  PlaneStore& store_;
  const Scheduler& scheduler_;
  PlaneGrid grid_;
};

}  // namespace lbm::tiling
