// SPDX-License-Identifier: Apache-2.0

// Pictures: names, related keys, places in the box.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

// A slice, a projection or a surface.
void check_kind(const Case& lbm_case, const std::string& path, const Picture& picture) {
  const bool slice = picture.region.slice.has_value(), surface = picture.surface.has_value();
  if (!slice && !picture.project && !surface) {
    refuse(lbm_case, path + ".slice",
           "missing: slice or project, the axis along which the picture looks, or surface");
  }
  if (picture.project && slice)
    refuse(lbm_case, path + ".project", "conflicts with slice: remove one");
  if (surface && (slice || picture.project)) {
    refuse(lbm_case, path + ".surface",
           fmt::format("conflicts with {}: remove one", slice ? "slice" : "project"));
  }
  if (surface && !picture.value) {
    refuse(lbm_case, path + ".value", "missing: the number on the isosurface");
  }
  const auto of_surfaces = [&](const char* key, bool given) {
    if (given && !surface) refuse(lbm_case, path + key, "missing: surface, which this key is for");
  };
  of_surfaces(".value", picture.value.has_value());
  of_surfaces(".bodies", !picture.bodies);
  of_surfaces(".view", picture.view.has_value());
  of_surfaces(".up", picture.up.has_value());
  if (picture.view && std::abs((*picture.view)[1]) > 90) {
    refuse(
        lbm_case, path + ".view",
        fmt::format("found an elevation of {} degrees, must be in -90 ... 90", (*picture.view)[1]));
  }
}

// Numbers of cells are in single precision.
void check_width(const Case& lbm_case, const std::string& key, double low, double high) {
  const double width = high - low, size = std::max(std::abs(low), std::abs(high));
  if (width >= 1e-6 * size && width >= 1e-30 && size <= 1e30) return;
  refuse(
      lbm_case, key,
      fmt::format("found [{}, {}], must be up to 1e30, and differ by 1e-30 and by a millionth of "
                  "the larger one at least",
                  low, high));
}

void check_picture(const Case& lbm_case, const Picture& picture) {
  const std::string path = "pictures." + picture.name;
  Region region = picture.region;
  if (region.at && !region.slice) {
    refuse(lbm_case, path + ".at", "missing: slice, the axis of this position");
  }
  check_kind(lbm_case, path, picture);
  region.slice = region.at ? region.slice : std::nullopt;  // `at` has a default here
  check_region_keys(lbm_case, path, region);
  const bool any = picture.every_steps || picture.every_time || !picture.times.empty();
  if (!any && !picture.at_end) {
    refuse(lbm_case, path + ".at_end",
           "missing: every_steps, every_time, times or at_end: true; there would be no picture");
  }
  if (picture.range && !((*picture.range)[0] < (*picture.range)[1])) {
    refuse(lbm_case, path + ".range",
           fmt::format("found [{}, {}], must be two numbers, the smaller one first",
                       (*picture.range)[0], (*picture.range)[1]));
  }
  if (picture.range)
    check_width(lbm_case, path + ".range", (*picture.range)[0], (*picture.range)[1]);
  check_file_units(lbm_case, path, picture.units);
}

}  // namespace

void check_pictures(const Case& lbm_case) {
  std::set<std::string> names;
  for (const Picture& picture : lbm_case.pictures) {
    if (is_new_name(picture.name, names)) continue;
    missing(lbm_case,
            fmt::format("found \"{}\" under pictures, must be another name than that of any "
                        "other picture, of {}",
                        one_line(picture.name, 64), item_name_rule));
  }
  for (const Picture& picture : lbm_case.pictures) check_picture(lbm_case, picture);
}

void check_picture_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  for (const Picture& picture : lbm_case.pictures) {
    const std::string path = "pictures." + picture.name;
    check_region(lbm_case, path, picture.region, units);
    check_times(lbm_case, path + ".times", picture.times, derived);
    check_every_time(lbm_case, path, picture.every_time, derived);
    if (!picture.surface) continue;
    const auto cells = region_box(lbm_case, derived, picture.region).count;
    if (std::min({cells[0], cells[1], cells[2]}) < 2) {
      refuse(lbm_case, path + ".surface",
             fmt::format("the picture shows {} x {} x {} cells, must be 2 along each axis at least",
                         cells[0], cells[1], cells[2]));
    }
  }
}

}  // namespace lbm::cases::validation
