// SPDX-License-Identifier: Apache-2.0

// Named outputs of a case: fields, statistics, probes, pictures; and its named quantities, which
// are numbers of the flow over time. Units as in case.hpp.
//
// A new kind of quantity is a word of QuantityKind and its row in quantity_kinds.cpp: name, keys,
// unit, and the value from sums over cells, from the numbers at a point or from the forces on
// bodies. A new field is a word of QuantityField and its row there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_boundaries.hpp"
#include "cases/fields/quantities.hpp"

namespace lbm::cases {

using FieldKind = fields::Kind;

enum class FieldFormat { vtkhdf };
constexpr auto enum_names(FieldFormat) { return std::array{"vtkhdf"}; }
enum class FieldPrecision { float32, float16 };
constexpr auto enum_names(FieldPrecision) { return std::array{"float32", "float16"}; }
// reference: lengths in reference lengths, velocities in reference velocities, ...; physical: SI.
enum class FieldUnits { reference, lattice, physical };
constexpr auto enum_names(FieldUnits) { return std::array{"reference", "lattice", "physical"}; }

// Part of the box: all of it, the cells between two corners, or the plane of cells nearest to a
// coordinate.
struct Region {
  std::optional<Vec3> box_from, box_to;
  std::optional<int> slice;  // axis normal to the slice
  std::optional<double> at;  // coordinate of the slice
  int stride = 1;            // step between cells along each axis
};

// Format of field files.
struct FileStyle {
  FieldFormat format = FieldFormat::vtkhdf;
  FieldPrecision precision = FieldPrecision::float32;
  int compression = 0;
  std::optional<FieldUnits> units;  // empty: units of the case
};

// Fields at some steps, as a file series.
struct FieldOutput {
  std::string name;
  std::vector<FieldKind> fields;  // empty: those of fields_in()
  Region region;
  int average = 1;  // edge of the cubes of cells that are averaged; 1: none
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_time;
  std::vector<double> times;
  bool at_end = true;
  FileStyle style;
  // write this isosurface instead of an image; `fields` are interpolated onto it
  std::optional<FieldKind> isosurface;
  std::optional<double> value;  // isovalue, in units of the file
};

// The fields of an output of a case with so many scalars: where it names none, density, velocity
// and all scalars.
inline std::vector<FieldKind> fields_in(const FieldOutput& output, std::size_t scalars) {
  if (!output.fields.empty()) return output.fields;
  std::vector<FieldKind> all{FieldKind::density, FieldKind::velocity};
  for (std::size_t s = 0; s < scalars; ++s) all.push_back(fields::scalar_kind(s));
  return all;
}

// Mean and rms of the macroscopic fields over time, Reynolds stresses and fluxes of scalars.
struct Statistics {
  std::string name;
  Region region;
  double start = 0;                         // time of the first sample
  std::optional<std::int64_t> every_steps;  // steps between samples; or:
  std::string phase;       // a body with motion.rate: one sample a turn, where it has turned by
  double phase_angle = 0;  // degrees
  bool stresses = true;    // all six stresses, and fluxes; else the three normal stresses
  bool double_precision = false;
  std::optional<std::int64_t> write_every_steps;  // additional to the end
  FileStyle style;
};

// The macroscopic fields at points, at every step or at an interval.
struct Probe {
  std::string name;
  std::vector<Vec3> points;  // or:
  std::optional<Vec3> line_from, line_to;
  std::optional<std::int64_t> line_points;  // at least 2, including both ends
  std::int64_t every_steps = 1;
};

// The coloured number of a cell; `vorticity`: its magnitude.
enum class PictureQuantity {
  speed,
  velocity_x,
  velocity_y,
  velocity_z,
  density,
  pressure,
  vorticity,
  vorticity_x,
  vorticity_y,
  vorticity_z,
  q_criterion,
  scalar  // the first one of the case; the others follow
};
// Without the scalars.
constexpr auto enum_names(PictureQuantity) {
  return std::array{"speed",       "velocity_x",  "velocity_y", "velocity_z",
                    "density",     "pressure",    "vorticity",  "vorticity_x",
                    "vorticity_y", "vorticity_z", "q_criterion"};
}

// viridis, inferno: equal steps of the number look like equal steps of colour; coolwarm: two
// colours around white, for numbers of both signs; grey: black to white.
enum class ColourMap { viridis, inferno, coolwarm, grey };
constexpr auto enum_names(ColourMap) {
  return std::array{"viridis", "inferno", "coolwarm", "grey"};
}

// The number of a column of cells: that of its fluid cells.
enum class ProjectionKind { mean, maximum };
constexpr auto enum_names(ProjectionKind) { return std::array{"mean", "maximum"}; }

struct Picture {
  std::string name;
  PictureQuantity quantity = PictureQuantity::speed;
  Region region;               // with a slice, whose `at` may be empty: the middle of the region
  std::optional<int> project;  // axis of a projection, instead of a slice
  ProjectionKind by = ProjectionKind::mean;
  // The isosurface of this number at `value`, in units of the picture, instead of a slice;
  // `quantity` colours it.
  std::optional<PictureQuantity> surface;
  std::optional<double> value;
  bool bodies = true;                         // surfaces only: bodies are drawn, too
  std::optional<std::array<double, 2>> view;  // azimuth and elevation of the viewer, in degrees
  std::optional<int> up;                      // axis that points upwards; empty: z
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_time;
  std::vector<double> times;
  bool at_end = true;
  std::optional<std::array<std::int64_t, 2>> size;  // pixels; empty: after the shape of the region
  std::optional<ColourMap> colours;                 // empty: after the quantity
  std::optional<std::array<double, 2>> range;       // of the colours, in units of the picture
  std::optional<FieldUnits> units;                  // empty: units of the case
};

// Where surfaces are looked at from: azimuth, elevation.
inline constexpr std::array<double, 2> default_view{-60, 25};

// The axis that is normal to a slice or projection; of a valid case.
inline int normal_axis(const Picture& picture) {
  return picture.project.value_or(picture.region.slice.value_or(2));
}

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
  coefficient,
  torque_coefficient,
  power,
  power_coefficient,
  body_position,
  body_velocity,
  heat_flow,
  nusselt
};
enum class QuantityField {
  pressure,
  density,
  velocity_x,
  velocity_y,
  velocity_z,
  speed,
  enstrophy,  // half the square of the vorticity
  // 2 nu S : S, S the strain rate and nu the molecular viscosity; with `scalar` that of the scalar
  dissipation,
  scalar  // the first one of the case; the others follow
};

enum class QuantitySource {
  geometry,  // cells of a region: constant in time
  region,    // fields in a region: a sweep ends at each step that samples them
  drive,     // the same, of a flow that a constant pressure gradient or acceleration drives
  point,     // cells around a point
  bodies     // forces on bodies, and what they give
};

// Keys that only some kinds have, as bits: the first four are required, the others optional.
struct QuantityKeys {
  static constexpr unsigned field = 1, point = 2, bodies = 4, direction = 8, region = 16,
                            length = 32, pressure_gradient = 64, samples = 128, scalar = 256,
                            face = 512;
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
  // Drive: magnitude of pressure_gradient(), and its direction, of length 1.
  double gradient = 0;
  std::array<double, 3> along{};
  // These belong to the scalar that the field is, or whose dissipation; diffusivity: to the latter.
  double reference = 0, difference = 1, diffusivity = 0;
  // Nusselt number: `conduction` is the flux along the axis without flow. In the box, `sum` is that
  // of the scalar times the velocity along the axis; `conducted`, which is 1 unless the values of
  // the walls change, is added. At a face, `sum` is that of the differences to the value of the
  // face, `conducted` is 0, and `conduction` is over the flux of a difference of 1.
  double conduction = 1, conducted = 1;
  // Along the direction, for all bodies; in units of the case.
  double force = 0, torque = 0, coefficient = 0, torque_coefficient = 0;
  double power = 0, power_coefficient = 0;  // that the fluid gives to all bodies; the same units
  double heat = 0;                          // of all bodies; in units of the case
  double position = 0, velocity = 0;  // of a body that moves, along the direction; the same units
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
  // of_cell: the number of a cell, in lattice units, from the values of its macroscopic fields, or
  // for gradients from du_i / dx_j at 3 * i + j, or ds / dx_j at j. Densities are less 1, which
  // they are close to.
  bool of_gradients;
  double (*of_cell)(const double* values);
  double (*in_units)(double mean, const QuantityNumbers&);
};

const QuantityFacts& facts_of(QuantityKind kind);
const FieldFacts& facts_of(QuantityField field);
extern const FieldFacts scalar_dissipation;  // diffusivity x gradient squared
std::array<const char*, 21> enum_names(QuantityKind);
std::array<const char*, 8> enum_names(QuantityField);  // without the scalars

constexpr QuantityField scalar_field(std::size_t scalar) {
  return static_cast<QuantityField>(static_cast<std::size_t>(QuantityField::scalar) + scalar);
}
// The number of a scalar among those of the case; empty for other fields.
constexpr std::optional<std::size_t> scalar_of(QuantityField field) {
  if (field < QuantityField::scalar) return std::nullopt;
  return static_cast<std::size_t>(field) - static_cast<std::size_t>(QuantityField::scalar);
}

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
  // nusselt, heat_flow: empty: the only one of the case. mean: whose dissipation; empty: that of
  // the flow.
  std::string scalar;
  std::optional<Vec3> point;
  std::vector<std::string> bodies;  // one value: the sum over them
  std::optional<Vec3> direction;    // of any length but 0
  std::optional<double> length;     // force, heat_flow: per this length
  // with what the pressure gradient rho0 x force.acceleration does to the bodies
  bool pressure_gradient = false;
  std::optional<std::int64_t> every_steps;  // steps between samples
  double start = 0;                         // time of the first sample that counts in statistics
  std::string phase;             // a body that turns, over whose angle the samples are averaged
  std::int64_t phase_bins = 36;  // of a turn
};

}  // namespace lbm::cases
