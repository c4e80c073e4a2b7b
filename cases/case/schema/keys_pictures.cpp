// SPDX-License-Identifier: Apache-2.0

// Key table: pictures.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

using Pixels = std::array<std::int64_t, 2>;
using Limits = std::array<double, 2>;

void add_picture(const auto& picture) {
  picture.add("quantity", &Picture::quantity, words<PictureQuantity>(), "speed",
              "The number that is coloured; `vorticity` is its magnitude.");
  const auto region = picture.group("", &Picture::region);
  region
      .add("slice", &Region::slice, axis(), "this, project or surface",
           "Show the plane of cells normal to this axis.")
      .one_of({"project", "surface"});
  region
      .add("at", &Region::at, number(any_number), "the middle",
           "Position of the slice, in cells from the face of the box; in m with `units: si`. The "
           "nearest plane of cell centres is used.")
      .needs("slice");
  picture.add("project", &Picture::project, axis(), "this, slice or surface",
              "Show the mean or the maximum of all cells along this axis.");
  picture.add("by", &Picture::by, words<ProjectionKind>(), "mean",
              "Number of a column of cells in a projection, without solid cells.");
  picture
      .add("surface", &Picture::surface, words<PictureQuantity>(), "this, slice or project",
           "Show the isosurface of this number at `value`, coloured by `quantity`, and bodies, "
           "from `view`.")
      .needs("value");
  picture
      .add("value", &Picture::value, number(any_number), "required for surfaces",
           "The number on the isosurface, in units of the picture.")
      .needs("surface");
  picture
      .add("bodies", &Picture::bodies, boolean(), "true",
           "`surface`: draw bodies, grey. false: they hide nothing.")
      .needs("surface");
  picture
      .add("view", &Picture::view, numbers<Limits>(any_number, "such as [-60, 25]"), "[-60, 25]",
           "`surface`: azimuth and elevation of the viewer, in degrees. The azimuth is counted "
           "around `up` from the axis after it: from x for z, from y for x, from z for y.")
      .needs("surface");
  picture.add("up", &Picture::up, axis(), "z", "`surface`: the axis that points upwards.")
      .needs("surface");
  region
      .add("box_from", &Region::box_from, vector(), "the whole box",
           "Lower corner of the part that is shown, in cells from the corner of the box; in m with "
           "`units: si`. With `box_to`.")
      .needs("box_to");
  region.add("box_to", &Region::box_to, vector(), "the whole box", "Upper corner of that part.")
      .needs("box_from");
  picture.add("every_steps", &Picture::every_steps, whole(1, max_steps), "never",
              "Interval of pictures, in steps.");
  picture.add("every_time", &Picture::every_time, number(positive), "never",
              "Make pictures at multiples of this time, at the nearest step. In convective times; "
              "in s with `units: si`.");
  picture.add("times", &Picture::times, times(), "[]", "Make pictures at these times.");
  picture.add("at_end", &Picture::at_end, boolean(), "true", "Make a picture at the end.")
      .needs({"every_steps", "every_time", "times"});
  picture.add("size", &Picture::size,
              array_of<Pixels>(whole(min_picture_pixels, max_picture_pixels), "whole numbers",
                               "such as [1920, 1080]"),
              "1280 wide, as high as the region asks for",
              "Width and height of the picture, in pixels.");
  picture.add("colours", &Picture::colours, words<ColourMap>(),
              "viridis; coolwarm for numbers of both signs",
              "Colour map. `viridis`, `inferno`: equal steps of the number look like equal steps "
              "of colour; `coolwarm`: two colours around zero; `grey`.");
  picture.add("range", &Picture::range, numbers<Limits>(any_number, "such as [0, 1.5]"),
              "automatic limits",
              "The numbers at both ends of the colours, in units of the picture. Automatic limits "
              "are round numbers that change only where the flow leaves them or fills less than 40 "
              "% of them, so that films do not flicker.");
  picture
      .add("units", &Picture::units, words<FieldUnits>(),
           "physical with `units: si`, else reference",
           "Units on the picture, as in `outputs.NAME.units`.")
      .only_with("units", "si")
      .when("physical");
}

}  // namespace

void add_picture_keys(Parts& parts) {
  const auto pictures = [](auto& c) -> auto& { return c.pictures; };
  add_group(parts, "pictures", pictures, [](const auto& picture) { add_picture(picture); });
}

}  // namespace lbm::cases::key_table
