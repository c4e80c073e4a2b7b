// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/pass_plan.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "solver/backend/backend.hpp"

namespace lbm {
namespace {

// Measured on an NVIDIA H200 in large grids (docs/passes.md). Half precision has twice the
// instructions for each byte, and so have turbulence models nearly: with populations one step at a
// time is faster.

// Speed of two steps in one pass with plain BGK, and of moments with `regularised`, over one step
// at a time.
constexpr double plain_populations_gain = 1.5, plain_moments_gain = 2.8;

bool has_walls(const Lattice& lattice) {
  return (lattice.walls.faces & ~lattice.walls.free_slip) != 0;
}

// Speed of two steps in one pass over that with the plain collision. 0: not measured.
double speed_of_moments(const Lattice& lattice) {
  const CollisionSpec& collision = lattice.collision;
  const bool turbulence = collision.smagorinsky > 0;
  if (collision.kind != CollisionKind::regularised_filtered) return turbulence ? 0.6 : 1;
  // At walls most cells are updated twice.
  return 0.79 * (has_walls(lattice) ? 0.81 : 1) * (turbulence ? 0.8 : 1);
}
double speed_of_populations(const Lattice& lattice) {
  const CollisionSpec& collision = lattice.collision;
  if (lattice.storage == StorageType::fp16) return 0.6;
  if (is_regularised(collision.kind)) return 0;
  if (collision.smagorinsky > 0) return 0.57;
  return collision.kind == CollisionKind::bgk ? 1 : 0.87;
}

// Speed of two steps in one pass over one step at a time. 0: not measured.
double gain_of(const Lattice& lattice) {
  if (lattice.storage == StorageType::fp64) return 0;
  if (lattice.representation != Representation::moments) {
    return plain_populations_gain * speed_of_populations(lattice);
  }
  // One step at a time is slower, too, where the collision does more.
  const bool more = lattice.collision.smagorinsky > 0 ||
                    lattice.collision.kind == CollisionKind::regularised_filtered;
  return plain_moments_gain * speed_of_moments(lattice) / (more ? 0.85 : 1);
}

}  // namespace

PassParts parts_of_pass(const Lattice& lattice, int planes, int multiprocessors) {
  // Planes made twice by each part, and planes whose time it takes to begin and to end one.
  constexpr double repeated = 1, start = 2;
  const TileSize tile = pass_tile(lattice.representation);
  const int tiles = tile.across(lattice.layout) * tile.down(lattice.layout);
  const double cells = static_cast<double>(lattice.layout.cells());
  const double used = cells / (static_cast<double>(tiles) * tile.nx * tile.ny);
  PassParts best;
  for (const int parts : {1, 2, 4, 8}) {
    if (parts > 1 && planes < 4 * parts) break;
    const int waves = (tiles * parts + multiprocessors - 1) / multiprocessors;
    const double seconds = waves * (static_cast<double>(planes) / parts + repeated + start);
    const double filled = static_cast<double>(tiles) * planes / (multiprocessors * seconds);
    const double gain = gain_of(lattice) * used * filled;
    if (gain > best.gain) best = {parts, gain};
  }
  return best;
}

bool plane_has_passes(const Lattice& lattice) {
  constexpr std::size_t most_values = std::size_t{1} << 29;
  const TileSize tile = pass_tile(lattice.representation);
  return lattice.layout.nx >= tile.nx && lattice.layout.ny >= tile.ny &&
         lattice.layout.bytes / bytes_per_value(lattice.storage) <= most_values;
}

int steps_per_pass(const Lattice& lattice, int multiprocessors) {
  constexpr double least_gain = 1.2;  // the estimate was compared with large grids only
  if (!has_passes(lattice) || !plane_has_passes(lattice)) return 1;
  const int planes = std::min(lattice.nz, max_planes_per_launch);
  return parts_of_pass(lattice, planes, multiprocessors).gain > least_gain ? 2 : 1;
}

bool device_has_passes(const DeviceFacts& device) {
  return device.compute_major == 9 || device.compute_major == 10;
}

// Measured with 8 to 64 planes a launch, 1024 x 1024 cells in a plane (docs/passes.md).
double planes_to_begin_pass(Representation representation) {
  return representation == Representation::moments ? 6.4 : 3.1;
}

double relative_pass_speed(const Lattice& lattice) {
  if (lattice.storage == StorageType::fp64) return 0;
  return lattice.representation == Representation::moments ? speed_of_moments(lattice)
                                                           : speed_of_populations(lattice);
}

namespace {

constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << i; }

std::set<int> inputs(const UpdateLaunch& launch) {
  return {launch.in.begin(), launch.in.begin() + launch.count + 2};
}

}  // namespace

std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second) {
  if (2 * std::popcount(first.passing) < first.count) return std::nullopt;
  LaunchPair pair{first, second, {}, ~first.passing, 0};
  std::set<int> used = inputs(first);
  std::uint64_t read = 0;
  for (int j = 0; j < second.count + 2; ++j) {
    const int* const begin = first.out.data();
    const int* const found = std::find(begin, begin + first.count, second.in[j]);
    pair.made[j] = found == begin + first.count ? -1 : static_cast<int>(found - begin);
    if (pair.made[j] < 0) {
      used.insert(second.in[j]);
    } else {
      // A plane next to a wall stands for the one beyond it. Any other plane that is there twice,
      // at both ends of a launch around the whole of a periodic axis, would be made twice.
      const bool again = (read & bit(pair.made[j])) != 0;
      if (again && pair.made[j] != pair.made[j - 1]) return std::nullopt;
      read |= bit(pair.made[j]);
    }
  }
  if (read == 0) return std::nullopt;
  for (int i = 0; i < first.count; ++i) {
    if ((read & bit(i)) == 0) pair.apart |= bit(i);
    if (((pair.kept | pair.apart) & bit(i)) != 0) used.insert(first.out[i]);
  }
  const bool disturbed = std::any_of(second.out.begin(), second.out.begin() + second.count,
                                     [&](int slot) { return used.count(slot) != 0; });
  if (disturbed) return std::nullopt;
  return pair;
}

}  // namespace lbm
