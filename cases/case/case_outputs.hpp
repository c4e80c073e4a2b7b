// What a case says of results by name: fields, statistics, probes. Units as in case.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case_boundaries.hpp"
#include "cases/fields/quantities.hpp"

namespace lbm::cases {

using FieldKind = fields::Kind;

enum class FieldFormat { vtkhdf, vti };
enum class FieldPrecision { float32, float16 };
// reference: lengths in reference lengths, velocities in reference velocities, ...; physical: SI.
enum class FieldUnits { reference, lattice, physical };

// Part of the box: all of it, the cells between two corners, or the plane of cells nearest to a
// place on an axis.
struct Region {
  std::optional<Vec3> box_from, box_to;
  std::optional<int> slice;  // axis
  std::optional<double> at;  // of the slice
  int stride = 1;            // every so many cells along each axis
};

// How the files of fields look.
struct FileStyle {
  FieldFormat format = FieldFormat::vtkhdf;
  FieldPrecision precision = FieldPrecision::float32;
  int compression = 0;
  std::optional<FieldUnits> units;  // empty: those of the case
};

// Fields at some steps, as a series of files.
struct FieldOutput {
  std::string name;
  std::vector<FieldKind> fields{FieldKind::density, FieldKind::velocity};
  Region region;
  int average = 1;  // means over cubes of so many cells
  std::optional<std::int64_t> every_steps;
  std::optional<double> every_time;
  std::vector<double> times;
  bool at_end = true;
  FileStyle style;
  std::optional<FieldKind> isosurface;  // a surface instead of an image; `fields` are on it
  std::optional<double> value;          // of the surface, in the units of the file
};

// Mean, rms and Reynolds stresses over time.
struct Statistics {
  std::string name;
  Region region;
  double start = 0;                         // time from which samples are taken
  std::optional<std::int64_t> every_steps;  // between samples; required
  bool stresses = true;                     // all six; otherwise the three normal ones
  bool double_precision = false;
  std::optional<std::int64_t> write_every_steps;  // and at the end
  FileStyle style;
};

// Density and velocity at places, at every step or every so many.
struct Probe {
  std::string name;
  std::vector<Vec3> points;  // or:
  std::optional<Vec3> line_from, line_to;
  std::optional<std::int64_t> line_points;  // at least 2, with both ends
  std::int64_t every_steps = 1;
};

}  // namespace lbm::cases
