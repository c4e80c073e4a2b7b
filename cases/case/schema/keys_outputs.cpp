// SPDX-License-Identifier: Apache-2.0

// Key table: named outputs.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

ValueType<std::vector<FieldKind>> field_list() { return list_of_words(words<FieldKind>()); }

ValueType<std::vector<Vec3>> points() {
  return filled(list_of(vector(), "list of points", "such as [[1, 2, 3], [4, 5, 6]]"));
}

void add_region(const auto& region) {
  region
      .add("box_from", &Region::box_from, vector(), "the whole box",
           "Lower corner of the written part, in cells from the corner of the box; in m with "
           "`units: si`. With `box_to`.")
      .needs("box_to");
  region.add("box_to", &Region::box_to, vector(), "the whole box", "Upper corner of that part.")
      .needs("box_from");
  region
      .add("slice", &Region::slice, axis(), "no slice",
           "Write only the plane of cells normal to this axis, at `at`.")
      .needs("at");
  region
      .add("at", &Region::at, number(any_number), "required for slices",
           "Position of the slice, in cells from the face of the box; in m with `units: si`. The "
           "nearest plane of cell centres is used.")
      .needs("slice");
  region.add("stride", &Region::stride, whole(1, max_cells_per_axis), "1",
             "Write every n-th cell along each axis.");
}

void add_style(const auto& style) {
  style.add("format", &FileStyle::format, words<FieldFormat>(), "vtkhdf",
            "`vtkhdf`: HDF5 files that ParaView and VTK open.");
  style.add("precision", &FileStyle::precision, words<FieldPrecision>(), "float32",
            "Precision of the values in the files.");
  style.add("compression", &FileStyle::compression, whole(0, 9), "0",
            "Deflate level of the files: 0 is none, 9 smallest and slowest.");
  style
      .add("units", &FileStyle::units, words<FieldUnits>(),
           "physical with `units: si`, else reference",
           "Units in the files. `reference`: reference lengths, velocities and densities; "
           "`lattice`: cells and steps; `physical`: SI, only with `units: si`.")
      .only_with("units", "si")
      .when("physical");
}

void add_output(const auto& output) {
  output.add("fields", &FieldOutput::fields, field_list(), "[density, velocity]",
             "Fields to write.");
  output.add("every_steps", &FieldOutput::every_steps, whole(1, max_steps), "never",
             "Interval of writing, in steps.");
  output.add("every_time", &FieldOutput::every_time, number(positive), "never",
             "Write at multiples of this time, at the nearest step. In convective times; in s with "
             "`units: si`.");
  output.add("times", &FieldOutput::times, times(), "[]", "Write at these times.");
  output.add("at_end", &FieldOutput::at_end, boolean(), "true", "Write at the end.")
      .needs({"every_steps", "every_time", "times"});
  add_region(output.group("", &FieldOutput::region));
  output
      .add("average", &FieldOutput::average, whole(1, max_cells_per_axis), "1",
           "Write means over cubes of this many cells along each axis, without solid cells.")
      .excludes("stride");
  add_style(output.group("", &FieldOutput::style));
  output
      .add("isosurface", &FieldOutput::isosurface,
           words<FieldKind>({{"density", FieldKind::density},
                             {"pressure", FieldKind::pressure},
                             {"velocity", FieldKind::velocity},
                             {"vorticity", FieldKind::vorticity},
                             {"q_criterion", FieldKind::q_criterion}}),
           "an image",
           "Write the isosurface of this scalar at `value`, with `fields` interpolated onto it, "
           "instead of an image: density, pressure, q_criterion, or the magnitude of velocity or "
           "vorticity.")
      .needs("value");
  output
      .add("value", &FieldOutput::value, number(any_number), "required for isosurfaces",
           "Isovalue, in units of the file.")
      .needs("isosurface");
}

void add_statistics(const auto& statistics) {
  statistics.add("start", &Statistics::start, number(not_negative), "0",
                 "Time of the first sample. In convective times; in s with `units: si`.");
  statistics
      .add("every_steps", &Statistics::every_steps, whole(1, max_steps), "required",
           "Steps between samples. Sweeps end at samples: many steps per visit require a long "
           "interval.")
      .required();
  statistics.add("stresses", &Statistics::stresses, boolean(), "true",
                 "All six Reynolds stresses; otherwise only the rms of each component.");
  statistics.add("sums", &Statistics::double_precision,
                 words<bool>({{"float32", false}, {"float64", true}}), "float32",
                 "Type of the running means in host memory: 4 or 8 bytes for each of 11 values (8 "
                 "without stresses) per cell.");
  statistics.add("write_every_steps", &Statistics::write_every_steps, whole(1, max_steps),
                 "only at the end",
                 "Also write intermediate statistics at this interval of steps.");
  add_region(statistics.group("", &Statistics::region));
  add_style(statistics.group("", &Statistics::style));
}

void add_probe(const auto& probe) {
  probe
      .add("points", &Probe::points, points(), "this or a line",
           "Positions, in cells from the corner of the box; in m with `units: si`. Values are "
           "interpolated between cell centres.")
      .one_of("line_from");
  probe
      .add("line_from", &Probe::line_from, vector(), "this or points",
           "Positions along a line: its first point.")
      .needs("line_to")
      .needs("line_points");
  probe.add("line_to", &Probe::line_to, vector(), "with line_from", "Last point of the line.")
      .needs("line_from");
  probe
      .add("line_points", &Probe::line_points, whole(2, 1'000'000), "with line_from",
           "Number of points on the line, both ends included.")
      .needs("line_from");
  probe.add("every_steps", &Probe::every_steps, whole(1, max_steps), "1",
            "Interval of writing, in steps.");
}

}  // namespace

void add_result_keys(Parts& parts) {
  const auto outputs = [](auto& c) -> auto& { return c.outputs; };
  add_group(parts, "outputs", outputs, [](const auto& output) { add_output(output); });
  const auto statistics = [](auto& c) -> auto& { return c.statistics; };
  add_group(parts, "statistics", statistics, [](const auto& one) { add_statistics(one); });
  const auto probes = [](auto& c) -> auto& { return c.probes; };
  add_group(parts, "probes", probes, [](const auto& probe) { add_probe(probe); });
}

}  // namespace lbm::cases::key_table
