// Cell flags: one byte per cell, kept only for the z-planes that have something to say.
//
// Planes that look the same share one copy, and a plane without solid cells in or next to it has
// none at all, so that flags cost neither memory nor bandwidth where there is only fluid. The faces
// of the box need no flags: they follow from the coordinates.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/core/host_device.hpp"

namespace lbm {

enum CellFlag : std::uint8_t {
  flag_fluid = 0,       // and so are all cells it pulls from
  flag_solid = 1,       // resting wall: its populations are stored as zero
  flag_near_solid = 2,  // fluid that pulls from at least one solid cell
};

// What the update reads, on the host or on the device. plane_of[z] is the index of z's copy in
// bytes, or -1; both pointers are null where the whole box is fluid.
struct FlagView {
  const std::uint8_t* bytes = nullptr;
  const std::int32_t* plane_of = nullptr;
  std::int64_t plane_cells = 0;

  bool operator==(const FlagView&) const = default;
  LBM_HD const std::uint8_t* plane(int z) const {
    if (plane_of == nullptr || plane_of[z] < 0) return nullptr;
    return bytes + plane_of[z] * plane_cells;
  }
};

// The flags of a whole box, owned on the host.
class Flags {
 public:
  // Sets solid[y * nx + x] != 0 for the solid cells of plane z. Called once per z (twice for the
  // first and last plane).
  using SolidPlane = std::function<void(int z, std::span<std::uint8_t> solid)>;

  Flags() = default;  // all fluid
  // periodic[axis]: whether cells beyond that face are those of the other side.
  Flags(int nx, int ny, int nz, const bool (&periodic)[3], const SolidPlane& solid_plane);

  bool all_fluid() const { return bytes_.empty(); }
  FlagView view() const;  // valid as long as this object
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  const std::vector<std::int32_t>& plane_of() const { return plane_of_; }
  std::int64_t plane_cells() const { return plane_cells_; }

 private:
  void add_plane(int z, const std::vector<std::uint8_t>& plane);

  std::int64_t plane_cells_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int32_t> plane_of_;
};

}  // namespace lbm
