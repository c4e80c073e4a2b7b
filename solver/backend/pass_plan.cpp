#include "solver/backend/pass_plan.hpp"

#include <algorithm>

namespace lbm {
namespace {

// Speed of two steps in one pass over one step at a time, in large grids without boundary cells:
// measured on an NVIDIA H200 (docs/passes.md). Half precision has twice the instructions for each
// byte, and so have turbulence models nearly: with populations one step at a time is faster. 0: not
// measured.
constexpr double plain_populations_gain = 1.5, plain_moments_gain = 2.2;
double plain_gain(const Lattice& lattice) {
  return lattice.representation == Representation::moments ? plain_moments_gain
                                                           : plain_populations_gain;
}
double gain_of(const Lattice& lattice) {
  const CollisionSpec& collision = lattice.collision;
  if (lattice.storage == StorageType::fp64) return 0;
  if (lattice.representation == Representation::moments) {
    // The filter of the stress, in a periodic box; with a turbulence model not measured.
    const double filtered = collision.kind == CollisionKind::regularised_filtered ? 0.79 : 1;
    return filtered * (collision.smagorinsky > 0 ? 1.8 : plain_moments_gain);
  }
  if (lattice.storage == StorageType::fp16) return 0.9;
  if (is_regularised(collision.kind)) return 0;
  if (collision.smagorinsky > 0) return 0.85;
  return collision.kind == CollisionKind::bgk ? plain_populations_gain : 1.3;
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

double relative_pass_speed(const Lattice& lattice) {
  return gain_of(lattice) / plain_gain(lattice);
}

}  // namespace lbm
