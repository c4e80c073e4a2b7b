// SPDX-License-Identifier: Apache-2.0

// Boundary conditions of the faces of the box. Lattice units: cells, steps, reference density 1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/core/enum_names.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/time_function.hpp"

namespace lbm {

// Each condition has a header in solver/boundary/conditions; docs/method.md has the equations.
// Where two faces meet, an earlier enumerator decides, but slip is second last and periodic last
// (edge_precedence.hpp). Checkpoints compare the values of the enumerators.
enum class BoundaryKind : std::uint8_t {
  periodic,   // with a density drop: pressure-driven flow
  wall,       // halfway bounce-back, resting or moving (Ladd 1994)
  velocity,   // bounce-back with a prescribed velocity, which may have a normal component
  pressure,   // anti-bounce-back with shear (Ginzburg, Verhaeghe & d'Humieres 2008)
  outflow,    // characteristic: sound leaves without a reflection
  slip,       // free slip, symmetry: specular reflection
  far_field,  // characteristic: most sound leaves, a given state enters
};

constexpr auto enum_names(BoundaryKind) {
  return std::array{"periodic", "wall", "velocity", "pressure", "outflow", "slip", "far_field"};
}

// Multiplies a velocity over time; t in steps.
struct TimeFactor {
  enum class Kind : std::uint8_t { constant, ramp, wave, function };
  Kind kind = Kind::constant;
  double steps = 0;  // ramp: (1 - cos(pi t / steps)) / 2 up to then; wave: cos(2 pi t / steps)
  std::shared_ptr<const TimeFunction> function = nullptr;  // of Kind::function; compared by address

  bool operator==(const TimeFactor&) const = default;
  double at(double t) const;
};

// Fluctuations at a velocity inlet: a sum of divergence-free waves with random directions and
// phases, carried through the face by the mean flow (Kraichnan 1970). A pure function of place and
// time.
struct InletTurbulence {
  double rms = 0;     // of each component, cells per step; 0: none
  double length = 0;  // integral scale (longitudinal) in cells
  unsigned seed = 1;

  bool operator==(const InletTurbulence&) const = default;
};

struct BoundaryCondition {
  BoundaryKind kind = BoundaryKind::wall;
  std::array<double, 3> velocity{};  // of walls, velocity faces and far fields
  // For each cell of the face (face_index). Velocity faces: three components, instead of
  // `velocity`; pressure and outflow: density less 1, instead of `drho`.
  std::vector<float> profile;
  TimeFactor factor;
  InletTurbulence turbulence;
  double drho = 0;  // density less 1; pressure: prescribed; outflow, far_field: target

  // True if the main update applies the condition: a wall or free slip with the same velocity
  // everywhere. All other conditions need a second pass over the cells of the face.
  bool is_plain() const;
  bool reflects() const;  // true for all kinds of bounce-back
};

struct FaceBoundary {
  BoundaryCondition condition;
  std::vector<BoundaryCondition> patches;
  // By face_index(): 0 is `condition`, i is patches[i - 1]; empty without patches.
  std::vector<std::uint8_t> patch_of;
  // Periodic faces: the density drop from the min to the max face. The same on both.
  double density_drop = 0;
  // Walls are shifted (wall_shift.hpp), which CollisionKind::regularised_filtered needs: the second
  // pass does them even where they are plain, unless a kernel knows a faster way.
  bool shifted = false;

  bool periodic() const { return condition.kind == BoundaryKind::periodic; }
  bool has_wall() const;  // on the face or a patch
  bool needs_boundary_pass() const;
  bool is_plain_shifted() const;  // true: it needs the second pass only for `shifted`
};

using FaceBoundaries = std::array<FaceBoundary, 6>;  // x_min, x_max, y_min, y_max, z_min, z_max

// Limit for faces and patches together.
inline constexpr int max_boundary_conditions = 32;

// Number of cells of a face, and the index of its cell x, y, z: the lower of its two axes runs
// fastest.
constexpr std::int64_t face_cells(int face, int nx, int ny, int nz) {
  return face < 2 ? std::int64_t{ny} * nz : std::int64_t{nx} * (face < 4 ? nz : ny);
}
LBM_HD constexpr std::int64_t face_index(int face, int nx, int ny, int x, int y, int z) {
  return face < 2   ? y + std::int64_t{z} * ny
         : face < 4 ? x + std::int64_t{z} * nx
                    : x + std::int64_t{y} * nx;
}

}  // namespace lbm
