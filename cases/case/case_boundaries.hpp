// SPDX-License-Identifier: Apache-2.0

// Boundary conditions at the faces of the box, and solid bodies. Units as in case.hpp. Coordinates
// on a face are the two transverse ones in the order x, y, z, from the corner of the box.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/geometry/surface/mesh_prepare.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/lattice/boundary_condition.hpp"

namespace lbm::cases {

using Vec2 = std::array<double, 2>;
using Vec3 = std::array<double, 3>;
// One for each component; docs/formulas.md.
using Formulas = std::array<std::string, 3>;

// uniform; duct: developed flow in the rectangular face, or a plane parabola if one transverse axis
// is periodic or slip; pipe: parabola in a circle, 0 outside; table: from a file.
enum class InletProfile { uniform, duct, pipe, table };
constexpr auto enum_names(InletProfile) { return std::array{"uniform", "duct", "pipe", "table"}; }

// Synthetic disturbances on an inlet.
struct Turbulence {
  std::optional<double> intensity;   // rms of a component / reference velocity; empty: none
  std::optional<double> length;      // of the eddies
  std::optional<std::int64_t> seed;  // default 1
};

// Boundary condition of a face or patch. Members unused by its type are empty.
struct FaceCondition {
  BoundaryKind type = BoundaryKind::wall;
  Vec3 velocity{0, 0, 0};  // of a wall or inlet; its peak if it has a profile
  // velocity: formulas of the two transverse coordinates, instead of `velocity` and `profile`.
  std::optional<Formulas> velocity_formulas;
  std::string velocity_factor;          // wall, velocity: formula of t that multiplies the velocity
  std::optional<double> period;         // wall: multiplies the velocity by cos(2 pi t / period)
  std::optional<InletProfile> profile;  // velocity: default uniform
  std::optional<Vec2> profile_center;   // pipe
  std::optional<double> profile_radius;  // pipe
  std::string file;                      // table; relative to the case file
  std::optional<double> ramp_time;  // velocity, far_field: from 0 as (1 - cos(pi t / ramp)) / 2
  Turbulence turbulence;            // velocity
  std::optional<double> pressure;   // pressure, outflow, far_field: relative; default 0
  // pressure, outflow: formula of the two transverse coordinates, instead of `pressure`.
  std::string pressure_formula;
};

// A part of a face, box or circle, with its own boundary condition.
struct Patch : FaceCondition {
  std::string name;
  std::optional<std::array<double, 4>> box;  // a0, a1, b0, b1
  std::optional<Vec2> center;
  std::optional<double> radius;
};

struct Face : FaceCondition {
  std::optional<double> pressure_drop;  // periodic: p(min face) - p(max face); given on either face
  std::vector<Patch> patches;           // in file order: the first patch wins
};

// True where the flow behind the faces of an axis is that in the box: they are periodic, and the
// pressure does not jump there.
inline bool wraps(const std::array<Face, 6>& faces, std::size_t axis) {
  const Face &low = faces[2 * axis], &high = faces[2 * axis + 1];
  return low.type == BoundaryKind::periodic && !low.pressure_drop && !high.pressure_drop;
}

// Layers before faces in which the flow relaxes to that of the far field (docs/far_field.md).
struct SpongeKeys {
  std::vector<int> faces;           // as in Case::faces; empty: none
  std::optional<double> thickness;  // of each layer; required with faces
  // Sound that crosses a layer once decays by exp(-strength).
  std::optional<double> strength;
  std::optional<Vec3> velocity;     // of the far field; required with faces
  std::optional<double> pressure;   // of the far field, relative; default 0
  std::optional<double> ramp_time;  // of the velocity, as that of an inlet

  static constexpr double default_strength = 3;
};

enum class BodyShape {
  box,
  sphere,
  ellipsoid,
  cylinder,
  elliptic_cylinder,
  capsule,
  torus,
  polygon,
  plane,
  surface,
  stl,  // the older name of `surface`
  voxels,
  union_of,
  intersection,
  difference
};
constexpr auto enum_names(BodyShape) {
  return std::array{"box",     "sphere", "ellipsoid", "cylinder",     "elliptic_cylinder",
                    "capsule", "torus",  "polygon",   "plane",        "surface",
                    "stl",     "voxels", "union",     "intersection", "difference"};
}
constexpr bool is_surface(BodyShape shape) {
  return shape == BodyShape::surface || shape == BodyShape::stl;
}

// Byte order of the numbers in a file of voxels.
enum class ByteOrder : std::uint8_t { little, big };
constexpr auto enum_names(ByteOrder) { return std::array{"little", "big"}; }

// interpolated: exact wall position on each link; conserving: the same, and each cell keeps its
// mass; staircase: halfway between cells; multireflection: exact position, of third order.
enum class BodyWalls { interpolated, conserving, staircase, multireflection };
constexpr auto enum_names(BodyWalls) {
  return std::array{"interpolated", "conserving", "staircase", "multireflection"};
}

struct Rotation {
  Vec3 axis{0, 0, 1};  // through the origin of the shape's coordinates; any length but 0
  double degrees = 0;
};

// Keys of shapes with a closed form. The table of keys says which shapes have which.
struct ClosedFormKeys {
  std::optional<Vec3> center;  // plane: a point on it
  std::optional<Vec3> size;
  std::optional<double> radius;
  std::optional<std::array<double, 2>> radii;  // elliptic cylinder: half axes; torus: ring, tube
  std::optional<Vec3> from, to;                // ends of the axis
  std::optional<Vec3> direction;               // elliptic cylinder: of its first half axis
  std::optional<Vec3> axis;                    // torus: any length but 0; polygon: x, y or z
  std::vector<std::array<double, 2>> points;   // polygon: the two coordinates across the axis
  std::optional<std::array<double, 2>> span;   // polygon: along its axis; empty: endless
  std::optional<Vec3> normal;                  // plane: points out of the solid
};

struct SurfaceKeys {
  std::vector<std::string> solids;            // of the file; empty: all
  std::optional<geometry::OpenSurface> open;  // empty: refuse
  std::optional<double> thickness;            // of a shell; empty: 1.5 cells
  std::optional<double> merge_tolerance;      // in units of the file
};

struct VoxelKeys {
  std::string dataset;  // of an HDF5 file; empty: its only one
  // Voxels along x, y and z; empty: its header tells. These four keys describe raw files.
  std::optional<std::array<int, 3>> cells;
  std::optional<io::VoxelType> type;
  std::optional<ByteOrder> byte_order;
  std::optional<std::int64_t> header_bytes;
  std::vector<std::int64_t> fluid;  // labels that are not solid
  std::optional<Vec3> voxel_size;   // edges along x, y, z; empty: its header tells
  // Changes of the image, in the order in which they are made.
  std::optional<std::array<int, 3>> crop_from, crop_to;  // voxels of the file; to before crop_to
  std::optional<bool> resample;                          // voxels that are no cubes become cubes
  std::optional<std::array<int, 3>> axes;                // of the image that become x, y, z
  std::optional<int> coarsen, refine;                    // factors
  std::vector<int> mirror;                               // axes
  std::optional<std::array<int, 3>> repeat;              // along x, y, z
  std::optional<int> connected;                          // axis
  std::optional<std::array<int, 3>> reservoir;           // planes of fluid at both ends
};

// A body that moves as a whole: from its place at time 0 it is turned by an angle about the centre
// of rotation, then displaced.
struct MotionKeys {
  std::optional<Vec3> axis;              // of the rotation
  std::optional<double> rate;            // radians per time
  std::string angle;                     // formula of t instead of `rate`: radians
  std::optional<Formulas> displacement;  // formulas of t

  bool any() const { return rate || !angle.empty() || displacement; }
};

// A body that the fluid, gravity and buoyancy move (solver/boundary/free_body.hpp).
struct FreeKeys {
  std::optional<double> density_ratio;             // of the body and the fluid
  std::optional<Vec3> gravity;                     // acceleration
  std::optional<Vec3> velocity, angular_velocity;  // at the release
  std::optional<double> release;                   // the time before which it rests
  std::optional<bool> rotates;                     // default: true

  bool any() const { return density_ratio.has_value(); }
};

// A body that the fluid passes, and that resists (solver/boundary/porous_zone.hpp).
struct PorousKeys {
  std::optional<double> permeability;  // length^2
  std::optional<double> forchheimer;   // 1 / length
  std::optional<Vec3> along, across;   // the part of the velocity that it resists; empty: all

  bool any() const { return permeability || forchheimer; }
};

// An actuator disc: a force along the axis of a cylinder, on its volume.
struct DiscKeys {
  std::optional<double> thrust_coefficient;        // of the velocity far away
  std::optional<double> local_thrust_coefficient;  // of the velocity in the disc
  std::optional<double> reference_velocity;        // the thrust is constant

  bool any() const { return thrust_coefficient || local_thrust_coefficient; }
};

// A body has the keys of its shape; the others are empty (the table of keys refuses them). One
// struct for all, since the keys of a shape may be set before, after or without the shape.
// Transforms: scale, then rotate in order, then translate.
struct Body : ClosedFormKeys, SurfaceKeys, VoxelKeys {
  std::string name;
  std::optional<BodyShape> shape;  // required
  std::string file;                // surface, voxels; relative to the case file
  std::vector<std::string> of;     // booleans: bodies; difference: the first minus the others
  std::optional<Vec3> scale;       // factors along x, y, z; negative ones mirror
  std::vector<Rotation> rotate;
  std::optional<Vec3> translate;
  bool solid = true;  // false: only part of a boolean
  // Empty: conserving if no face lets mass in or out freely, else interpolated.
  std::optional<BodyWalls> walls;
  std::optional<Vec3> velocity;            // of the surface; the shape itself does not move
  std::optional<Vec3> angular_velocity;    // of the surface, too
  std::string velocity_factor;             // formula of t that multiplies both; empty: 1
  std::optional<Vec3> center_of_rotation;  // default: the centre of the shape
  MotionKeys motion;
  FreeKeys free;
  PorousKeys porous;
  DiscKeys disc;
  std::optional<double> reference_area;      // for coefficients; default L^2
  std::optional<double> reference_length;    // for coefficients of torques; default L
  std::optional<double> reference_velocity;  // for coefficients; default U

  // Through the lattice: it has no solid cells then.
  bool moves() const { return motion.any() || free.any(); }
  // The fluid passes it: it has no solid cells either.
  bool resists() const { return porous.any() || disc.any(); }
};

}  // namespace lbm::cases
