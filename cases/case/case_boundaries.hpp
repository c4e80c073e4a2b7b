// Boundary conditions of the faces of the box, as a case gives them. Units as in case.hpp;
// coordinates on a face are the two transverse ones in the order x, y, z, measured from the corner
// of the box.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/lattice/boundary_condition.hpp"

namespace lbm::cases {

using Vec2 = std::array<double, 2>;
using Vec3 = std::array<double, 3>;

// uniform; duct: the developed flow of the rectangular face, or the plane parabola where one
// transverse axis is periodic or slip; pipe: a parabola in a circle, 0 outside; table: from a file.
enum class InletProfile { uniform, duct, pipe, table };

// Synthetic disturbances on an inlet.
struct Turbulence {
  std::optional<double> intensity;   // rms of a component / reference velocity; empty: none
  std::optional<double> length;      // of the eddies
  std::optional<std::int64_t> seed;  // default 1
};

// The boundary condition of a face or a patch. Members that its type does not use are empty.
struct FaceCondition {
  BoundaryKind type = BoundaryKind::wall;
  Vec3 velocity{0, 0, 0};        // of a wall, of an inlet (its peak where there is a profile)
  std::optional<double> period;  // wall: the velocity is times cos(2 pi t / period)
  std::optional<InletProfile> profile;   // velocity: default uniform
  std::optional<Vec2> profile_center;    // pipe
  std::optional<double> profile_radius;  // pipe
  std::string file;                      // table; relative to the case file
  std::optional<double> ramp_time;       // velocity: rises from 0 as (1 - cos(pi t / ramp)) / 2
  Turbulence turbulence;                 // velocity
  std::optional<double> pressure;        // pressure, outflow: relative; default 0
};

// A part of a face with a boundary condition of its own: a box or a circle.
struct Patch : FaceCondition {
  std::string name;
  std::optional<std::array<double, 4>> box;  // a0, a1, b0, b1
  std::optional<Vec2> center;
  std::optional<double> radius;
};

struct Face : FaceCondition {
  std::optional<double> pressure_drop;  // periodic: p(min face) - p(max face), on either face
  std::vector<Patch> patches;           // in the order of the file: the first wins
};

}  // namespace lbm::cases
