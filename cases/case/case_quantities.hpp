// SPDX-License-Identifier: Apache-2.0

// Named quantities of a case: numbers of the flow over time, and what their kinds mean. Units as in
// case.hpp.
//
// A new kind is a word of QuantityKind and its row in quantity_kinds.cpp: name, keys, unit, and the
// value from sums over cells, from the numbers at a point or from the forces on bodies. A new field
// is a word of QuantityField and its row there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_outputs.hpp"

namespace lbm::cases {

struct Derived;
struct Units;

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

enum class QuantitySource {
  geometry,  // cells of a region: constant in time
  region,    // fields in a region: a sweep ends at each step that samples them
  drive,     // the same, of a flow that a constant pressure gradient or acceleration drives
  point,     // cells around a point
  bodies     // forces on bodies
};

// Keys that only some kinds have, as bits: the first three are required, the others optional.
struct QuantityKeys {
  static constexpr unsigned field = 1, point = 2, bodies = 4, region = 8, length = 16,
                            pressure_gradient = 32, samples = 64;
};

struct FieldFacts;

// A value is made of these numbers in lattice units, and of `units`, which turn them to those of
// the case. Members that the source does not have are 0.
struct QuantityNumbers {
  const Units* units = nullptr;
  const Derived* derived = nullptr;
  double edge = 1;                    // of a cell: in m, or in reference lengths
  const FieldFacts* field = nullptr;  // of means, flow rates and points
  double fluid = 0, solid = 0;        // cells of the region
  // Sums over fluid cells: of the field, or of the velocity along the drive; of the speed (drive).
  // At a point: the field.
  double sum = 0, speeds = 0;
  double gradient = 0;  // drive: magnitude of pressure_gradient()
  // Along the direction, for all bodies; in units of the case.
  double force = 0, torque = 0, coefficient = 0;
};

struct QuantityFacts {
  const char* name;
  QuantitySource source;
  unsigned keys;             // QuantityKeys
  const char *si, *lattice;  // unit; null: that of the field
  double (*value)(const QuantityNumbers&);
};

struct FieldFacts {
  const char *name, *si, *lattice;
  // of_cell: the number of a cell, in lattice units, from density less 1 and velocity u, or for
  // gradients from du_i / dx_j at u[3 * i + j]. Densities are less 1, which they are close to.
  bool of_gradients;
  double (*of_cell)(double drho, const double* u);
  double (*in_units)(double mean, const QuantityNumbers&);
};

const QuantityFacts& facts_of(QuantityKind kind);
const FieldFacts& facts_of(QuantityField field);
std::array<const char*, 14> enum_names(QuantityKind);
std::array<const char*, 8> enum_names(QuantityField);

inline bool is_count(QuantityKind kind) {
  return facts_of(kind).source == QuantitySource::geometry;
}
inline bool is_of_driven_flow(QuantityKind kind) {
  return facts_of(kind).source == QuantitySource::drive;
}
inline bool is_of_region(QuantityKind kind) {
  return facts_of(kind).source == QuantitySource::region || is_of_driven_flow(kind);
}
inline bool is_at_point(QuantityKind kind) {
  return facts_of(kind).source == QuantitySource::point;
}
inline bool is_of_bodies(QuantityKind kind) {
  return facts_of(kind).source == QuantitySource::bodies;
}

// Members unused by its kind are empty.
struct NamedQuantity {
  std::string name;
  std::optional<QuantityKind> kind;  // required
  Region region;                     // its stride is 1
  std::optional<int> face;           // instead of a region: the cells next to this face
  std::string patch;                 // ... those next to this patch of the face
  std::optional<QuantityField> field;
  std::optional<Vec3> point;
  std::vector<std::string> bodies;  // one value: the sum over them
  std::optional<Vec3> direction;    // of any length but 0
  std::optional<double> length;     // force: per this length
  // with what the pressure gradient rho0 x force.acceleration does to the bodies
  bool pressure_gradient = false;
  std::optional<std::int64_t> every_steps;  // steps between samples
  double start = 0;                         // time of the first sample that counts in statistics
};

}  // namespace lbm::cases
