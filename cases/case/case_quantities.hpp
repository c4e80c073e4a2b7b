// SPDX-License-Identifier: Apache-2.0

// Named quantities of a case: numbers of the flow over time. Units as in case.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_outputs.hpp"

namespace lbm::cases {

// Counts of cells in a region; mean: of a field over the fluid cells of a region; flow_rate: volume
// per time through a slice or face; permeability to pore_reynolds: of a region, along what drives
// the flow; point: a field at a point in the fluid; wall_pressure: at a point on a wall; force,
// torque, coefficient: of bodies, along a direction.
enum class QuantityKind {
  fluid_cells,
  solid_cells,
  porosity,
  mean,
  flow_rate,
  permeability,
  tortuosity,
  pore_velocity,
  pore_reynolds,
  point,
  wall_pressure,
  force,
  torque,
  coefficient
};
constexpr auto enum_names(QuantityKind) {
  return std::array{"fluid_cells",   "solid_cells", "porosity",      "mean",          "flow_rate",
                    "permeability",  "tortuosity",  "pore_velocity", "pore_reynolds", "point",
                    "wall_pressure", "force",       "torque",        "coefficient"};
}
// True for quantities of the geometry alone: they are constant in time.
constexpr bool is_count(QuantityKind kind) { return kind <= QuantityKind::porosity; }
// True for quantities of a flow that a constant pressure gradient or acceleration drives.
constexpr bool is_of_driven_flow(QuantityKind kind) {
  return kind >= QuantityKind::permeability && kind <= QuantityKind::pore_reynolds;
}
// True for quantities of the fields in a region: a sweep ends at each step that samples them.
constexpr bool is_of_region(QuantityKind kind) {
  return kind == QuantityKind::mean || kind == QuantityKind::flow_rate || is_of_driven_flow(kind);
}
constexpr bool is_at_point(QuantityKind kind) {
  return kind == QuantityKind::point || kind == QuantityKind::wall_pressure;
}
constexpr bool is_of_bodies(QuantityKind kind) { return kind >= QuantityKind::force; }

enum class QuantityField {
  pressure,
  density,
  velocity_x,
  velocity_y,
  velocity_z,
  speed,
  enstrophy,   // half the square of the vorticity
  dissipation  // 2 nu S : S, S the strain rate and nu the molecular viscosity
};
constexpr auto enum_names(QuantityField) {
  return std::array{"pressure",   "density", "velocity.x", "velocity.y",
                    "velocity.z", "speed",   "enstrophy",  "dissipation"};
}
constexpr bool needs_gradient(QuantityField field) { return field >= QuantityField::enstrophy; }

// Members unused by its kind are empty.
struct NamedQuantity {
  std::string name;
  std::optional<QuantityKind> kind;  // required
  Region region;                     // counts, mean, flow_rate; its stride is 1
  std::optional<int> face;           // instead of a region: the cells next to this face
  std::string patch;                 // ... those next to this patch of the face
  std::optional<QuantityField> field;
  std::optional<Vec3> point;
  std::vector<std::string> bodies;  // one value: the sum over them
  std::optional<Vec3> direction;    // of any length but 0
  std::optional<double> length;     // force: per this length
  // force, coefficient: with what the pressure gradient rho0 x force.acceleration does to the
  // bodies
  bool pressure_gradient = false;
  std::optional<std::int64_t> every_steps;  // steps between samples
  double start = 0;                         // time of the first sample that counts in statistics
};

}  // namespace lbm::cases
