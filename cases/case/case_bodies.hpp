// SPDX-License-Identifier: Apache-2.0

// Solid bodies of a case. Units as in case.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_boundaries.hpp"
#include "cases/geometry/surface/mesh_repair.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::cases {

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
  // Sizes along x, y and z of the image; empty: its header tells. These four describe raw files.
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
  std::optional<Vec3> velocity;              // of the surface; the shape itself does not move
  std::optional<Vec3> angular_velocity;      // of the surface, too
  std::string velocity_factor;               // formula of t that multiplies both; empty: 1
  std::optional<Vec3> center_of_rotation;    // default: the centre of the shape
  std::optional<double> reference_area;      // for coefficients; default L^2
  std::optional<double> reference_length;    // for coefficients of torques; default L
  std::optional<double> reference_velocity;  // for coefficients; default U
};

}  // namespace lbm::cases
