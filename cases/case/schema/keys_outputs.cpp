// SPDX-License-Identifier: Apache-2.0

// Key table: output, named outputs, pictures, expectations and named quantities.
#include <cmath>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {

using namespace value_types;

namespace {

ValueType<std::vector<Vec3>> points() {
  return filled(list_of(vector(), "list of points", "such as [[1, 2, 3], [4, 5, 6]]"));
}

void add_region(const auto& region) {
  region.add("box_from", &Region::box_from, vector()).needs("box_to");
  region.add("box_to", &Region::box_to, vector()).needs("box_from");
  region.add("slice", &Region::slice, axis()).needs("at");
  region.add("at", &Region::at, number(any_number)).needs("slice");
  region.add("stride", &Region::stride, whole(1, max_cells_per_axis));
}

void add_style(const auto& style) {
  style.add("format", &FileStyle::format, words<FieldFormat>());
  style.add("precision", &FileStyle::precision, words<FieldPrecision>());
  style.add("compression", &FileStyle::compression, whole(0, 9));
  style.add("units", &FileStyle::units, words<FieldUnits>())
      .only_with("units", "si")
      .when("physical");
}

void add_output(const auto& output) {
  take_scalars(output.add("fields", &FieldOutput::fields,
                          list_of_words(or_scalar(words<FieldKind>(), FieldKind::scalar))));
  output.add("every_steps", &FieldOutput::every_steps, whole(1, max_steps));
  output.add("every_time", &FieldOutput::every_time, number(positive));
  output.add("times", &FieldOutput::times, times());
  output.add("at_end", &FieldOutput::at_end, boolean())
      .needs({"every_steps", "every_time", "times"});
  add_region(output.group("", &FieldOutput::region));
  output.add("average", &FieldOutput::average, whole(1, max_cells_per_axis)).excludes("stride");
  add_style(output.group("", &FieldOutput::style));
  const auto words_of_surfaces = words<FieldKind>({{"density", FieldKind::density},
                                                   {"pressure", FieldKind::pressure},
                                                   {"velocity", FieldKind::velocity},
                                                   {"vorticity", FieldKind::vorticity},
                                                   {"q_criterion", FieldKind::q_criterion},
                                                   {"solid_fraction", FieldKind::solid_fraction}});
  take_scalars(output
                   .add("isosurface", &FieldOutput::isosurface,
                        or_scalar(words_of_surfaces, FieldKind::scalar))
                   .needs("value"));
  output.add("value", &FieldOutput::value, number(any_number)).needs("isosurface");
}

void add_statistics(const auto& statistics) {
  statistics.add("start", &Statistics::start, number(not_negative));
  statistics.add("every_steps", &Statistics::every_steps, whole(1, max_steps)).one_of("phase");
  statistics.add("phase", &Statistics::phase, text(item_name_rule, is_item_name));
  statistics.add("phase_angle", &Statistics::phase_angle, number(any_number)).needs("phase");
  statistics.add("stresses", &Statistics::stresses, boolean());
  statistics.add("sums", &Statistics::double_precision,
                 words<bool>({{"float32", false}, {"float64", true}}));
  statistics.add("write_every_steps", &Statistics::write_every_steps, whole(1, max_steps))
      .needs("every_steps");
  add_region(statistics.group("", &Statistics::region));
  add_style(statistics.group("", &Statistics::style));
}

void add_probe(const auto& probe) {
  probe.add("points", &Probe::points, points()).one_of("line_from");
  probe.add("line_from", &Probe::line_from, vector()).needs("line_to").needs("line_points");
  probe.add("line_to", &Probe::line_to, vector()).needs("line_from");
  probe.add("line_points", &Probe::line_points, whole(2, 1'000'000)).needs("line_from");
  probe.add("every_steps", &Probe::every_steps, whole(1, max_steps));
}

using Pixels = std::array<std::int64_t, 2>;
using Limits = std::array<double, 2>;

// Numbers of cells are in single precision.
ValueType<Limits> range() {
  return where(numbers<Limits>(any_number, ""),
               "such as [0, 1.5], the smaller one first, up to 1e30, and not closer than 1e-30 and "
               "a millionth of the larger one",
               [](const Limits& range) {
                 const double size = std::max(std::abs(range[0]), std::abs(range[1]));
                 return range[1] - range[0] >= std::max(1e-6 * size, 1e-30) && size <= 1e30;
               });
}

void add_picture(const auto& picture) {
  const auto quantities = or_scalar(words<PictureQuantity>(), PictureQuantity::scalar);
  take_scalars(picture.add("quantity", &Picture::quantity, quantities));
  const auto region = picture.group("", &Picture::region);
  region.add("slice", &Region::slice, axis()).one_of({"project", "surface"});
  region.add("at", &Region::at, number(any_number)).needs("slice");
  picture.add("project", &Picture::project, axis());
  picture.add("by", &Picture::by, words<ProjectionKind>());
  take_scalars(picture.add("surface", &Picture::surface, quantities).needs("value"));
  picture.add("value", &Picture::value, number(any_number)).needs("surface");
  picture.add("bodies", &Picture::bodies, boolean()).needs("surface");
  picture
      .add("view", &Picture::view,
           where(numbers<Limits>(any_number, ""), "such as [-60, 25], the second from -90 to 90",
                 [](const Limits& view) { return std::abs(view[1]) <= 90; }))
      .needs("surface");
  picture.add("up", &Picture::up, axis()).needs("surface");
  region.add("box_from", &Region::box_from, vector()).needs("box_to");
  region.add("box_to", &Region::box_to, vector()).needs("box_from");
  picture.add("every_steps", &Picture::every_steps, whole(1, max_steps));
  picture.add("every_time", &Picture::every_time, number(positive));
  picture.add("times", &Picture::times, times());
  picture.add("at_end", &Picture::at_end, boolean()).needs({"every_steps", "every_time", "times"});
  picture.add("size", &Picture::size,
              array_of<Pixels>(whole(min_picture_pixels, max_picture_pixels), "whole numbers",
                               "from 240 to 8192, such as [1920, 1080]"));
  picture.add("colours", &Picture::colours, words<ColourMap>());
  picture.add("range", &Picture::range, range());
  picture.add("units", &Picture::units, words<FieldUnits>())
      .only_with("units", "si")
      .when("physical");
}

// "force.x", "mass": a quantity, with its axis if it is a vector.
ValueType<Measure> measure() {
  static constexpr std::array names{// in the order of Quantity
                                    "force",          "torque",       "coefficient", "mass",
                                    "kinetic_energy", "velocity",     "profile",     "value",
                                    "mean",           "mean_error",   "rms",         "rms_error",
                                    "maximum",        "maximum_time", "minimum",     "minimum_time",
                                    "frequency",      "strouhal"};
  WordList list;
  for (std::size_t q = 0; q < names.size(); ++q) {
    const auto quantity = static_cast<Quantity>(q);
    const auto number = static_cast<std::int64_t>(4 * q);
    if (quantity <= Quantity::coefficient || quantity == Quantity::velocity) {
      for (int axis = 0; axis < 3; ++axis) {
        list.add(std::string(names[q]) + "." + "xyz"[axis], number + axis + 1);
      }
    } else {
      list.add(names[q], number);
    }
  }
  const auto word = words<std::int64_t>(std::move(list));
  const auto read = [read = word.read](const YAML::Node& node) -> std::optional<Measure> {
    const auto number = read(node);
    if (!number) return std::nullopt;
    return Measure{static_cast<Quantity>(*number / 4), static_cast<int>(*number % 4) - 1};
  };
  const auto write = [write = word.write](const Measure& measure) {
    return write(4 * static_cast<std::int64_t>(measure.quantity) + measure.axis + 1);
  };
  return {word.name, word.allowed, read, write};
}

void add_expectation(const auto& expected) {
  const Names forces{"force.x",  "force.y",       "force.z",       "torque.x",     "torque.y",
                     "torque.z", "coefficient.x", "coefficient.y", "coefficient.z"};
  const Names of_quantity{"value",        "mean",      "mean_error",   "rms",
                          "rms_error",    "maximum",   "maximum_time", "minimum",
                          "minimum_time", "frequency", "strouhal"};
  expected.add("quantity", &Expectation::measure, measure()).required();
  expected.add("of", &Expectation::of, text(item_name_rule, is_item_name))
      .belongs_to("quantity", of_quantity);
  expected.add("body", &Expectation::body, text(item_name_rule, is_item_name))
      .belongs_to("quantity", forces);
  expected.add("point", &Expectation::point, vector())
      .belongs_to("quantity", {"velocity.x", "velocity.y", "velocity.z"});
  expected.add("profile", &Expectation::profile, axis()).belongs_to("quantity", "profile");
  expected
      .add("column", &Expectation::column,
           text("ux, uy, uz, density or the name of a scalar", is_item_name))
      .belongs_to("quantity", "profile");
  expected.add("file", &Expectation::file, file_name()).belongs_to("quantity", "profile");
  expected.add("value", &Expectation::value, number(any_number))
      .excludes("profile")
      .required()
      .unless("profile");
  expected.add("tolerance", &Expectation::tolerance, number(not_negative))
      .one_of("tolerance_absolute");
  expected.add("tolerance_absolute", &Expectation::tolerance_absolute, number(not_negative));
  expected.add("average_from", &Expectation::average_from, number(not_negative))
      .not_with("quantity", {"velocity.x", "velocity.y", "velocity.z", "profile"})
      .not_with("quantity", of_quantity);
}

// The kinds that have a key (QuantityKeys).
Names kinds_with(unsigned key) {
  Names names;
  for (std::size_t i = 0; i < enum_names(QuantityKind{}).size(); ++i) {
    const QuantityFacts& facts = facts_of(static_cast<QuantityKind>(i));
    if ((facts.keys & key) != 0) names.emplace_back(facts.name);
  }
  return names;
}

void add_quantity_region(const auto& quantity) {
  const Names regions = kinds_with(QuantityKeys::region);
  const auto region = quantity.group("", &NamedQuantity::region);
  region.add("box_from", &Region::box_from, vector()).only_with("kind", regions).needs("box_to");
  region.add("box_to", &Region::box_to, vector()).only_with("kind", regions).needs("box_from");
  region.add("slice", &Region::slice, axis())
      .only_with("kind", regions)
      .needs("at")
      .required_with("kind", "flow_rate")
      .unless("face");
  region.add("at", &Region::at, number(any_number)).only_with("kind", regions).needs("slice");
  quantity.add("face", &NamedQuantity::face, face_word())
      .only_with("kind", kinds_with(QuantityKeys::region | QuantityKeys::face))
      .excludes({"slice", "box_from"});
  quantity.add("patch", &NamedQuantity::patch, text(item_name_rule, is_item_name))
      .only_with("kind", regions)
      .needs("face");
}

void add_quantity(const auto& quantity) {
  quantity.add("kind", &NamedQuantity::kind, words<QuantityKind>()).required();
  add_quantity_region(quantity);
  take_scalars(quantity
                   .add("field", &NamedQuantity::field,
                        or_scalar(words<QuantityField>(), QuantityField::scalar))
                   .belongs_to("kind", kinds_with(QuantityKeys::field))
                   .not_with("kind", "point")
                   .when({"enstrophy", "dissipation"}));
  quantity.add("scalar", &NamedQuantity::scalar, text(item_name_rule, is_item_name))
      .only_with("kind", kinds_with(QuantityKeys::scalar));
  quantity.add("point", &NamedQuantity::point, vector())
      .belongs_to("kind", kinds_with(QuantityKeys::point));
  quantity.add("bodies", &NamedQuantity::bodies, names(is_item_name, "[hull, keel]"))
      .belongs_to("kind", kinds_with(QuantityKeys::bodies));
  quantity
      .add("direction", &NamedQuantity::direction,
           where(vector(), "such as [0, 0, 1], not all 0",
                 [](const Vec3& v) { return v != Vec3{}; }))
      .belongs_to("kind", kinds_with(QuantityKeys::direction));
  quantity.add("length", &NamedQuantity::length, number(positive))
      .only_with("kind", kinds_with(QuantityKeys::length));
  quantity.add("pressure_gradient", &NamedQuantity::pressure_gradient, boolean())
      .only_with("kind", kinds_with(QuantityKeys::pressure_gradient))
      .needs({"force.acceleration", "force.amplitude"});
  quantity.add("every_steps", &NamedQuantity::every_steps, whole(1, max_steps))
      .only_with("kind", kinds_with(QuantityKeys::samples));
  quantity.add("start", &NamedQuantity::start, number(not_negative))
      .only_with("kind", kinds_with(QuantityKeys::samples));
  quantity.add("phase", &NamedQuantity::phase, text(item_name_rule, is_item_name))
      .only_with("kind", kinds_with(QuantityKeys::samples));
  quantity.add("phase_bins", &NamedQuantity::phase_bins, whole(2, 3600)).needs("phase");
}

}  // namespace

void add_output_keys(Parts& parts) {
  const auto output = keys_of_case(parts).group("output", &Case::output);
  output.add("directory", &Output::directory, file_name());
  output.add("times", &Output::times, times());
  output.add("every_steps", &Output::every_steps, whole(1, max_steps));
  output.add("at_end", &Output::at_end, boolean());
  output.add("on_error", &Output::stops_on_error,
             words<bool>({{"stop", true}, {"continue", false}}));
  output.add("profiles", &Output::profiles, boolean());
  output.add("forces", &Output::forces, whole(1, max_steps));
  output.add("monitor", &Output::monitor, whole(1, max_steps));
}

void add_expect_keys(Parts& parts) {
  const auto all = [](auto& c) -> auto& { return c.expect; };
  add_group(parts, "expect", all, [](const auto& expected) { add_expectation(expected); });
}

void add_result_keys(Parts& parts) {
  const auto outputs = [](auto& c) -> auto& { return c.outputs; };
  add_group(parts, "outputs", outputs, [](const auto& output) { add_output(output); });
  const auto statistics = [](auto& c) -> auto& { return c.statistics; };
  add_group(parts, "statistics", statistics, [](const auto& one) { add_statistics(one); });
  const auto probes = [](auto& c) -> auto& { return c.probes; };
  add_group(parts, "probes", probes, [](const auto& probe) { add_probe(probe); });
}

void add_picture_keys(Parts& parts) {
  const auto pictures = [](auto& c) -> auto& { return c.pictures; };
  add_group(parts, "pictures", pictures, [](const auto& picture) { add_picture(picture); });
}

void add_quantity_keys(Parts& parts) {
  const auto quantities = [](auto& c) -> auto& { return c.quantities; };
  add_group(parts, "quantities", quantities, [](const auto& one) { add_quantity(one); });
}

}  // namespace lbm::cases::key_table
