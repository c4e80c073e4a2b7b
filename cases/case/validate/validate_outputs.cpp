// SPDX-License-Identifier: Apache-2.0

// Named outputs and pictures: names of files, times, places in the box.
#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases::validation {
namespace {

// More probe records would take as much memory as a lattice.
constexpr std::size_t most_places = 20000;

void check_output(const Case& lbm_case, const FieldOutput& output) {
  const std::string path = "outputs." + output.name;
  const bool solid =
      std::any_of(output.fields.begin(), output.fields.end(), [](const FieldKind kind) {
        return kind == FieldKind::solid || kind == FieldKind::solid_fraction;
      });
  if (output.average > 1 && solid) {
    refuse(lbm_case, path + ".fields",
           "solid conflicts with average: means leave solid cells out; remove one");
  }
  if (output.isosurface && !io::writes_vtk()) {
    refuse(lbm_case, path + ".isosurface",
           "requires VTK, but this program was built without it: leave it out, or install "
           "libvtk9-dev and build again");
  }
}

// Times of an output may be the end of the run.
void check_times(const Case& lbm_case, const std::string& key, const std::vector<double>& times,
                 const Derived& derived) {
  for (const double time : times) {
    if (step_at(time, derived.steps_per_time) <= derived.steps) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, must be at most {:.6g}, the end of the run", time,
                       static_cast<double>(derived.steps) / derived.steps_per_time));
  }
}

// Times and place of a field output or picture.
void check_placed(const Case& lbm_case, const std::string& path, const auto& output,
                  const Derived& derived, const Units& units) {
  check_region(lbm_case, path, output.region, units);
  check_times(lbm_case, path + ".times", output.times, derived);
  const double step = 1 / derived.steps_per_time;
  if (!output.every_time || *output.every_time >= (1 - rounding) * step) return;
  refuse(lbm_case, path + ".every_time",
         fmt::format("found {}, must be a step, {:.6g}, or more: take every_steps: 1 for each step",
                     *output.every_time, step));
}

// Refuses an isosurface in less than two layers of points.
void check_layers(const Case& lbm_case, const std::string& key, int least) {
  if (least >= 2) return;
  refuse(lbm_case, key, "found a region of one layer of points, must have two along each axis");
}

}  // namespace

void check_place(const Case& lbm_case, const std::string& key, const Vec3& at, double tolerance) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double most = lbm_case.grid.cells[axis];
    if (at[axis] >= -tolerance * most && at[axis] <= most * (1 + tolerance)) continue;
    refuse(lbm_case, key,
           fmt::format("found {:.6g} cells along {}, must lie in the box, from 0 to {}", at[axis],
                       "xyz"[axis], most));
  }
}

void check_before_end(const Case& lbm_case, const std::string& key, double time,
                      const Derived& derived, const Units& units) {
  const double steps = static_cast<double>(derived.steps);
  if (to_steps(units, time) < steps) return;
  refuse(
      lbm_case, key,
      fmt::format("found {}, must be before the end of the run, {:.6g}", time, steps * units.time));
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
  std::set<std::string> names;  // of files
  if (lbm_case.output.at_end || lbm_case.output.every_steps || !lbm_case.output.times.empty()) {
    names.insert("fields");  // those of `output`
  }
  const auto check_name = [&](const char* group, const std::string& name) {
    if (names.insert(name).second) return;
    refuse(
        lbm_case, group + name,
        fmt::format("found the name \"{}\", must be another than that of any other output", name));
  };
  for (const FieldOutput& output : lbm_case.outputs) {
    check_name("outputs.", output.name);
    check_output(lbm_case, output);
  }
  for (const Statistics& statistics : lbm_case.statistics) {
    check_name("statistics.", statistics.name);
    const std::string& phase = statistics.phase;
    if (!phase.empty() && turning_body(lbm_case, phase) == nullptr) {
      refuse(lbm_case, "statistics." + statistics.name + ".phase",
             fmt::format("found {}, must be a body with motion.rate", one_line(phase, 64)));
    }
    const auto& every = statistics.write_every_steps;
    if (!every || *every % *statistics.every_steps == 0) continue;
    refuse(lbm_case, "statistics." + statistics.name + ".write_every_steps",
           fmt::format("found {}, must be a multiple of every_steps ({})", *every,
                       *statistics.every_steps));
  }
  check_expectations(lbm_case);
  check_quantities(lbm_case);
}

void check_result_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  check_times(lbm_case, "output.times", lbm_case.output.times, derived);
  for (const FieldOutput& output : lbm_case.outputs) {
    const std::string path = "outputs." + output.name;
    check_placed(lbm_case, path, output, derived, units);
    const auto box = region_box(lbm_case, derived, output.region);
    const int least = *std::min_element(box.count.begin(), box.count.end());
    if (output.isosurface) check_layers(lbm_case, path + ".isosurface", least / output.average);
    if (output.average > least) {
      refuse(lbm_case, path + ".average",
             fmt::format("found {}, must be at most {}, the cells of the region", output.average,
                         least));
    }
  }
  for (const Picture& picture : lbm_case.pictures) {
    const std::string path = "pictures." + picture.name;
    check_placed(lbm_case, path, picture, derived, units);
    const auto box = region_box(lbm_case, derived, picture.region);
    if (!picture.surface) continue;
    check_layers(lbm_case, path + ".surface",
                 *std::min_element(box.count.begin(), box.count.end()));
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
  check_quantity_values(lbm_case, derived, units);
  check_expected_values(lbm_case, derived, units);
}

}  // namespace lbm::cases::validation
