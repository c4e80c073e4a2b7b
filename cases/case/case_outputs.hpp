// SPDX-License-Identifier: Apache-2.0

// Named outputs of a case: fields, statistics, probes. Units as in case.hpp.
#pragma once

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

}  // namespace lbm::cases
