// SPDX-License-Identifier: Apache-2.0

// Named outputs: names, related keys, places in the box.
#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case/limits.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases::validation {
namespace {

// More probe records would take as much memory as a lattice.
constexpr std::size_t most_places = 20000;

template <class Items>
void check_names(const Case& lbm_case, const char* group, const Items& items,
                 std::set<std::string>& names) {
  for (const auto& item : items) {
    if (is_new_name(item.name, names)) continue;
    missing(lbm_case, fmt::format("found \"{}\" under {}, must be another name than that of any "
                                  "other output, of {}",
                                  one_line(item.name, 64), group, item_name_rule));
  }
}

void check_output(const Case& lbm_case, const FieldOutput& output) {
  const std::string path = "outputs." + output.name;
  check_region_keys(lbm_case, path, output.region);
  check_file_units(lbm_case, path, output.style.units);
  if (output.average > 1 && output.region.stride > 1) {
    refuse(lbm_case, path + ".average", "conflicts with stride: remove one");
  }
  const bool solid = std::find(output.fields.begin(), output.fields.end(), FieldKind::solid) !=
                     output.fields.end();
  if (output.average > 1 && solid) {
    refuse(lbm_case, path + ".fields",
           "solid conflicts with average: means leave solid cells out; remove one");
  }
  if (output.isosurface && !io::writes_vtk()) {
    refuse(lbm_case, path + ".isosurface",
           "requires VTK, but this program was built without it: leave it out, or install "
           "libvtk9-dev and build again");
  }
  if (output.isosurface.has_value() != output.value.has_value()) {
    refuse(lbm_case, path + (output.value ? ".value" : ".isosurface"),
           output.value ? "missing: isosurface, the scalar of this value"
                        : "missing: value, the isovalue of the scalar");
  }
  const bool any = output.every_steps || output.every_time || !output.times.empty();
  if (!any && !output.at_end) {
    refuse(lbm_case, path + ".at_end",
           "missing: every_steps, every_time, times or at_end: true; the output would never be "
           "written");
  }
}

void check_statistics(const Case& lbm_case, const Statistics& statistics) {
  const std::string path = "statistics." + statistics.name;
  check_region_keys(lbm_case, path, statistics.region);
  check_file_units(lbm_case, path, statistics.style.units);
  if (!statistics.every_steps) {
    refuse(lbm_case, path + ".every_steps", "missing: the number of steps between samples");
  }
  if (statistics.write_every_steps &&
      *statistics.write_every_steps % *statistics.every_steps != 0) {
    refuse(lbm_case, path + ".write_every_steps",
           fmt::format("found {}, must be a multiple of every_steps ({})",
                       *statistics.write_every_steps, *statistics.every_steps));
  }
}

void check_probe(const Case& lbm_case, const Probe& probe) {
  const std::string path = "probes." + probe.name;
  const int line =
      (probe.line_from ? 1 : 0) + (probe.line_to ? 1 : 0) + (probe.line_points ? 1 : 0);
  if ((line == 3) == probe.points.empty() && (line == 0 || line == 3)) return;
  refuse(lbm_case, path + ".points",
         "must be points alone, or line_from, line_to and line_points together");
}

}  // namespace

void check_times(const Case& lbm_case, const std::string& key, const std::vector<double>& times,
                 const Derived& derived) {
  for (const double time : times) {
    if (step_at(time, derived.steps_per_time) <= derived.steps) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, must be at most {:.6g}, the end of the run", time,
                       static_cast<double>(derived.steps) / derived.steps_per_time));
  }
}

void check_every_time(const Case& lbm_case, const std::string& path,
                      const std::optional<double>& every_time, const Derived& derived) {
  const double step = 1 / derived.steps_per_time;
  if (!every_time || *every_time >= (1 - rounding) * step) return;
  refuse(lbm_case, path + ".every_time",
         fmt::format("found {}, must be a step, {:.6g}, or more: take every_steps: 1 for each step",
                     *every_time, step));
}

void check_file_units(const Case& lbm_case, const std::string& path,
                      const std::optional<FieldUnits>& units) {
  if (units != FieldUnits::physical || lbm_case.units == UnitSystem::si) return;
  refuse(lbm_case, path + ".units",
         "found physical, must be reference or lattice without units: si");
}

void check_region_keys(const Case& lbm_case, const std::string& path, const Region& region) {
  if (region.box_from.has_value() != region.box_to.has_value()) {
    refuse(lbm_case, path + (region.box_from ? ".box_from" : ".box_to"),
           region.box_from ? "missing: box_to (give both corners of the box)"
                           : "missing: box_from (give both corners of the box)");
  }
  if (region.slice.has_value() != region.at.has_value()) {
    refuse(lbm_case, path + (region.slice ? ".slice" : ".at"),
           region.slice ? "missing: at, the position of the slice on its axis"
                        : "missing: slice, the axis of this position");
  }
}

void check_region(const Case& lbm_case, const std::string& path, const Region& region,
                  const Units& units) {
  if (region.box_from) {
    const Vec3 from = to_cells(units, *region.box_from), to = to_cells(units, *region.box_to);
    check_place(lbm_case, path + ".box_from", from, rounding);
    check_place(lbm_case, path + ".box_to", to, rounding);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(from[axis] < to[axis])) {
        refuse(lbm_case, path + ".box_to",
               fmt::format("found {:.6g} cells along {}, must be above box_from, {:.6g}", to[axis],
                           "xyz"[axis], from[axis]));
      }
      // As region_box() has them: with its tolerance.
      if (std::ceil(from[axis] - 1e-6 - 0.5) + 0.5 <= to[axis] + 1e-6) continue;
      if (region.slice == static_cast<int>(axis)) continue;
      refuse(
          lbm_case, path + ".box_to",
          fmt::format("found {:.6g} to {:.6g} cells along {}, must hold the centre of a cell, such "
                      "as {}: move or enlarge the region",
                      from[axis], to[axis], "xyz"[axis], std::floor(from[axis]) + 0.5));
    }
  }
  if (region.at) {
    Vec3 at{};
    at[static_cast<std::size_t>(*region.slice)] = to_cells(units, *region.at);
    check_place(lbm_case, path + ".at", at, rounding);
  }
}

void check_results(const Case& lbm_case) {
  std::set<std::string> names;
  if (lbm_case.output.at_end || lbm_case.output.every_steps || !lbm_case.output.times.empty()) {
    names.insert("fields");  // those of `output`
  }
  check_names(lbm_case, "outputs", lbm_case.outputs, names);
  check_names(lbm_case, "statistics", lbm_case.statistics, names);
  std::set<std::string> probe_names;
  check_names(lbm_case, "probes", lbm_case.probes, probe_names);
  for (const FieldOutput& output : lbm_case.outputs) check_output(lbm_case, output);
  for (const Statistics& statistics : lbm_case.statistics) check_statistics(lbm_case, statistics);
  for (const Probe& probe : lbm_case.probes) check_probe(lbm_case, probe);
}

void check_result_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  for (const FieldOutput& output : lbm_case.outputs) {
    const std::string path = "outputs." + output.name;
    check_region(lbm_case, path, output.region, units);
    check_times(lbm_case, path + ".times", output.times, derived);
    check_every_time(lbm_case, path, output.every_time, derived);
    const auto box = region_box(lbm_case, derived, output.region);
    const int least = *std::min_element(box.count.begin(), box.count.end());
    if (output.isosurface && least / output.average < 2) {
      refuse(lbm_case, path + ".isosurface",
             "found a region of one layer of points, must have two along each axis");
    }
    if (output.average > least) {
      refuse(lbm_case, path + ".average",
             fmt::format("found {}, must be at most {}, the cells of the region", output.average,
                         least));
    }
  }
  for (const Statistics& statistics : lbm_case.statistics) {
    check_region(lbm_case, "statistics." + statistics.name, statistics.region, units);
    check_before_end(lbm_case, "statistics." + statistics.name + ".start", statistics.start,
                     derived, units);
  }
  std::size_t places = 0;
  for (const Probe& probe : lbm_case.probes) {
    const std::string key = "probes." + probe.name + (probe.line_from ? ".line_points" : ".points");
    const auto all = places_of(probe, units);
    for (const Vec3& place : all) check_place(lbm_case, key, place, rounding);
    places += all.size();
    if (places <= most_places) continue;
    refuse(lbm_case, key,
           fmt::format("found {} places of probes in all, must be at most {}: write an output with "
                       "a slice instead",
                       places, most_places));
  }
}

}  // namespace lbm::cases::validation
