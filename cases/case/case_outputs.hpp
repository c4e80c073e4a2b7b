// SPDX-License-Identifier: Apache-2.0

// Named outputs of a case: fields, statistics, probes, pictures. Units as in case.hpp.
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
  std::vector<FieldKind> fields{FieldKind::density, FieldKind::velocity};
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

// Mean, rms and Reynolds stresses over time.
struct Statistics {
  std::string name;
  Region region;
  double start = 0;                         // time of the first sample
  std::optional<std::int64_t> every_steps;  // steps between samples; required
  bool stresses = true;                     // all six stresses; else the three normal ones
  bool double_precision = false;
  std::optional<std::int64_t> write_every_steps;  // additional to the end
  FileStyle style;
};

// Density and velocity at points, at every step or at an interval.
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
  q_criterion
};
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

}  // namespace lbm::cases
