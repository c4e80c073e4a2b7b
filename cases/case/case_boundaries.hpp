// SPDX-License-Identifier: Apache-2.0

// Boundary conditions at the faces of the box. Units as in case.hpp. Coordinates on a face are the
// two transverse ones in the order x, y, z, from the corner of the box.
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

}  // namespace lbm::cases
