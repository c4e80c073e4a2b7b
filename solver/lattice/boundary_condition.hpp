// SPDX-License-Identifier: Apache-2.0

// Boundary conditions of the faces of the box: those that the main update does by itself (Walls),
// and all as the user gives them. Lattice units: cells, steps, reference density 1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/core/enum_names.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm {

// Bits of the faces, in the order of arrays of six: x_min, x_max, y_min, y_max, z_min, z_max.
enum FaceBit : unsigned { x_min = 1, x_max = 2, y_min = 4, y_max = 8, z_min = 16, z_max = 32 };

// Faces through which a direction, given by c, can enter the box: its source is the cell at x - c.
LBM_HD constexpr unsigned entered_faces(int cx, int cy, int cz) {
  return (cx > 0 ? x_min : 0U) | (cx < 0 ? x_max : 0U) | (cy > 0 ? y_min : 0U) |
         (cy < 0 ? y_max : 0U) | (cz > 0 ? z_min : 0U) | (cz < 0 ? z_max : 0U);
}
LBM_HD constexpr unsigned entered_faces(const Direction& e) {
  return entered_faces(e.c[0], e.c[1], e.c[2]);
}
LBM_HD constexpr unsigned entered_faces(int q) { return entered_faces(cx(q), cy(q), cz(q)); }

// The boundary conditions that the main update does by itself: periodic faces, plain walls and free
// slip. Walls and planes of symmetry lie half a cell outside the outermost cells.
//
// Halfway bounce-back with a moving wall (Ladd, J. Fluid Mech. 271 (1994) 285): a population that
// would come from beyond a wall is the opposite population of the same cell of the step before,
// plus 6 w_q rho_0 (c_q . u_wall), rho_0 = 1: the odd part of the equilibrium at u_wall. With that
// of Maxwell (moments.hpp) it has products of velocities, too.
//
// A diagonal link through an edge of the box crosses two walls. Its term is that of the common
// component of the two velocities (common_component): a free stream from an inlet along a moving
// floor is undisturbed. Where a lid ends at a resting wall the term is zero: the lid takes mass
// from its last cells on one side and gives as much on the other. With the lid's own term there, a
// net flux of U/6 cells would pass every section of the box.
//
// A wall whose velocity has a normal component is an inlet. Where a wall meets free slip, the wall
// decides, but its velocity normal to the free slip does not count: nothing passes a plane of
// symmetry, and a lid that ends there must give back what it has taken.
//
// The walls of the box, ready for the update. One wall term per direction and set of crossed
// faces. Bits of a set (wall_set): 1 is the face of q's first axis, 2 of its second, 4 of its
// third. Directions of D3Q19 have two axes at most.
inline constexpr int wall_sets(int directions) { return directions > 19 ? 8 : 4; }

template <class Real, int directions = AllVelocitySets::most_directions>
struct Walls {
  unsigned faces = 0;      // bits of walls and faces with free slip; the others are periodic
  unsigned free_slip = 0;  // bits of those with free slip
  Real term[directions][wall_sets(directions)] = {};

  bool operator==(const Walls&) const = default;
};

// Index of the wall term. crossed: the faces that the link crosses, a subset of entered_faces(q).
LBM_HD constexpr int wall_set(int q, unsigned crossed) {
  const unsigned entered = entered_faces(q);
  const unsigned first = entered & (~entered + 1U);  // lowest bit: the first axis
  const unsigned others = entered & ~first, second = others & (~others + 1U);
  return ((crossed & first) != 0 ? 1 : 0) + ((crossed & second) != 0 ? 2 : 0) +
         ((crossed & others & ~second) != 0 ? 4 : 0);
}

// The wall faces of the box that the cell x, y, z of nx x ny x nz touches.
LBM_HD constexpr unsigned touched_faces(unsigned walls, int x, int y, int z, int nx, int ny,
                                        int nz) {
  const unsigned touched = (x == 0 ? x_min : 0U) | (x == nx - 1 ? x_max : 0U) |
                           (y == 0 ? y_min : 0U) | (y == ny - 1 ? y_max : 0U) |
                           (z == 0 ? z_min : 0U) | (z == nz - 1 ? z_max : 0U);
  return walls & touched;
}

// Direction e with its components along `axes` (bits x, y, z) reversed.
LBM_HD constexpr int mirrored(const Direction& e, unsigned axes) {
  const int q = e.q;
  if (q == 0) return 0;
  const int x = (axes & 1U) != 0 ? -e.c[0] : e.c[0];
  const int y = (axes & 2U) != 0 ? -e.c[1] : e.c[1];
  const int z = (axes & 4U) != 0 ? -e.c[2] : e.c[2];
  if (q <= 2) return x > 0 ? 1 : 2;
  if (q <= 4) return y > 0 ? 3 : 4;
  if (q <= 6) return z > 0 ? 5 : 6;
  if (q > 18) {
    const int pair = x == y ? (x == z ? 0 : 1) : (x == z ? 2 : 3);
    return 19 + 2 * pair + (x > 0 ? 0 : 1);
  }
  // Pairs of axes xy, xz, yz; the same signs come before different ones.
  const int pair = z == 0 ? 0 : (y == 0 ? 1 : 2);
  const int first = pair == 2 ? y : x, second = pair == 0 ? y : z;
  return (first == second ? 7 : 13) + 2 * pair + (first > 0 ? 0 : 1);
}
LBM_HD constexpr int mirrored(int q, unsigned axes) { return mirrored(direction(q), axes); }

// The axes (bits x, y, z) of some faces.
LBM_HD constexpr unsigned axes_of(unsigned faces) {
  return ((faces & (x_min | x_max)) != 0 ? 1U : 0U) | ((faces & (y_min | y_max)) != 0 ? 2U : 0U) |
         ((faces & (z_min | z_max)) != 0 ? 4U : 0U);
}

// The source of a link: a population of the cell d away.
struct LinkSource {
  int q, d[3];
  // Crossed faces, where one of them is a wall: then the source is the cell itself, and the term of
  // this set is added. Else 0.
  unsigned walls;
};

// Source of the link of direction e that faces with free slip, those in `mirrors`, reflect.
LBM_HD LinkSource mirrored_source(const Direction& e, unsigned mirrors) {
  const unsigned axes = axes_of(mirrors);
  return {mirrors == 0 ? e.q : mirrored(e, axes),
          {(axes & 1U) != 0 ? 0 : -e.c[0], (axes & 2U) != 0 ? 0 : -e.c[1],
           (axes & 4U) != 0 ? 0 : -e.c[2]},
          0};
}

// Source of the link of direction q that crosses `crossed` of the closed faces, of which those in
// `free_slip` reflect.
LBM_HD LinkSource link_source(int q, unsigned crossed, unsigned free_slip) {
  if ((crossed & ~free_slip) != 0) return {opposite(q), {0, 0, 0}, crossed};
  return mirrored_source(direction(q), crossed);
}

// One component of two velocities: the smaller one where the signs agree, else zero.
LBM_HD constexpr double common_component(double a, double b) {
  if (a * b <= 0) return 0;
  return a > 0 ? (a < b ? a : b) : (a > b ? a : b);
}

// One face as the user gives it. velocity: cells per step.
struct WallFace {
  bool wall = true;
  std::array<double, 3> velocity{0, 0, 0};
  bool free_slip = false;  // then its velocity does not count

  bool operator==(const WallFace&) const = default;
};

// Walls from the six faces. The faces of one axis must both be periodic or neither.
Walls<double> make_walls(const std::array<WallFace, 6>& faces,
                         VelocitySet velocities = VelocitySet::D3Q19, bool maxwellian = false);

// Any thread may call it; the same time gives the same result. It must not throw: OpenMP calls it.
class TimeFunction {
 public:
  virtual ~TimeFunction() = default;
  // step: time in steps. NaN: no value.
  virtual double at(double step) const = 0;
};

// Each condition has a header in solver/boundary/conditions; docs/method.md has the equations.
// Where two faces meet, an earlier enumerator decides, but slip is second last and periodic last
// (face_link.hpp). Checkpoints compare the values of the enumerators.
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
  // By scalar, for each cell of the face (face_index): stored values of ScalarFace::by_place. Empty
  // for other scalars, and without any.
  std::vector<std::vector<float>> scalar_values;
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
