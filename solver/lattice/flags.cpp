#include "solver/lattice/flags.hpp"

#include <algorithm>
#include <array>

#include "solver/lattice/d3q19.hpp"

namespace lbm {
namespace {

// Coordinate i shifted by d: wrapped where periodic, -1 beyond a wall.
int shifted(int i, int d, int n, bool periodic) {
  const int j = i + d;
  if (j >= 0 && j < n) return j;
  return periodic ? (j + n) % n : -1;
}

}  // namespace

Flags::Flags(int nx, int ny, int nz, const bool (&periodic)[3], const SolidPlane& solid_plane)
    : plane_cells_(static_cast<std::int64_t>(nx) * ny), plane_of_(nz, -1) {
  // Three planes of the solid mask at a time: z - 1, z, z + 1; empty beyond a wall.
  std::array<std::vector<std::uint8_t>, 3> solid;
  const auto read = [&](int z) {
    std::vector<std::uint8_t> mask;
    if (z < 0) return mask;
    mask.assign(plane_cells_, 0);
    solid_plane(z, mask);
    return mask;
  };
  solid[1] = read(shifted(0, -1, nz, periodic[2]));
  solid[2] = read(0);
  std::vector<std::uint8_t> plane(plane_cells_);
  for (int z = 0; z < nz; ++z) {
    solid[0] = std::move(solid[1]);
    solid[1] = std::move(solid[2]);
    solid[2] = read(shifted(z, 1, nz, periodic[2]));
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        std::uint8_t flag = flag_fluid;
        if (solid[1][static_cast<std::int64_t>(y) * nx + x] != 0) {
          flag = flag_solid;
        } else {
          for (int q = 1; q < d3q19::directions && flag == flag_fluid; ++q) {
            const auto& from = solid[1 - d3q19::cz(q)];
            const int sx = shifted(x, -d3q19::cx(q), nx, periodic[0]);
            const int sy = shifted(y, -d3q19::cy(q), ny, periodic[1]);
            if (from.empty() || sx < 0 || sy < 0) continue;
            if (from[static_cast<std::int64_t>(sy) * nx + sx] != 0) flag = flag_near_solid;
          }
        }
        plane[static_cast<std::int64_t>(y) * nx + x] = flag;
      }
    }
    add_plane(z, plane);
  }
}

void Flags::add_plane(int z, const std::vector<std::uint8_t>& plane) {
  if (std::all_of(plane.begin(), plane.end(), [](auto f) { return f == flag_fluid; })) return;
  const auto copies = static_cast<std::int32_t>(bytes_.size() / plane_cells_);
  // Bodies are mostly alike from one plane to the next: look at the newest copies only.
  for (std::int32_t c = copies - 1; c >= std::max(0, copies - 4); --c) {
    if (std::equal(plane.begin(), plane.end(), bytes_.begin() + c * plane_cells_)) {
      plane_of_[z] = c;
      return;
    }
  }
  bytes_.insert(bytes_.end(), plane.begin(), plane.end());
  plane_of_[z] = copies;
}

FlagView Flags::view() const {
  if (all_fluid()) return {};
  return {bytes_.data(), plane_of_.data(), plane_cells_};
}

}  // namespace lbm
