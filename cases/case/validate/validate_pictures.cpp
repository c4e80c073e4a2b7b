// SPDX-License-Identifier: Apache-2.0

// Pictures: names, related keys, places in the box.
#include <fmt/format.h>

#include <set>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

void check_picture(const Case& lbm_case, const Picture& picture) {
  const std::string path = "pictures." + picture.name;
  Region region = picture.region;
  if (region.at && !region.slice) {
    refuse(lbm_case, path + ".at", "missing: slice, the axis of this position");
  }
  if (picture.region.slice.has_value() == picture.project.has_value()) {
    refuse(lbm_case, path + (picture.project ? ".project" : ".slice"),
           picture.project ? "conflicts with slice: remove one"
                           : "missing: slice or project, the axis along which the picture looks");
  }
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
  }
}

}  // namespace lbm::cases::validation
