// SPDX-License-Identifier: Apache-2.0

// Key table: named quantities.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

ValueType<Vec3> direction() {
  auto type = vector();
  type.allowed = "such as [0, 0, 1], not all 0";
  type.read = [read = type.read](const YAML::Node& node) {
    const auto found = read(node);
    return found && *found != Vec3{} ? found : std::nullopt;
  };
  return type;
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
  const auto region = quantity.group("", &NamedQuantity::region);
  region
      .add("box_from", &Region::box_from, vector(), "the whole box",
           "Lower corner of the region: cells whose centres lie in it count. In cells from the "
           "corner of the box; in m with `units: si`. With `box_to`.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .needs("box_to");
  region.add("box_to", &Region::box_to, vector(), "the whole box", "Upper corner of the region.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .needs("box_from");
  region
      .add("slice", &Region::slice, axis(), "no slice",
           "Only the plane of cells normal to this axis, at `at`; a flow rate is positive along "
           "this axis.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .needs("at")
      .required_with("kind", "flow_rate")
      .unless("face");
  region
      .add("at", &Region::at, number(any_number), "required for slices",
           "Position of the slice, in cells from the face of the box; in m with `units: si`. The "
           "nearest plane of cell centres is used.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .needs("slice");
  quantity
      .add("face", &NamedQuantity::face, face_word(), "no face",
           "Instead of a box or a slice: the layer of cells at this face; a flow rate is "
           "positive along the axis of the face, x, y or z.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .excludes({"slice", "box_from"});
  quantity
      .add("patch", &NamedQuantity::patch, text(item_name_rule, is_item_name), "the whole face",
           "With `face`: only the cells at this patch of the face.")
      .only_with("kind", kinds_with(QuantityKeys::region))
      .needs("face");
}

void add_quantity(const auto& quantity) {
  quantity
      .add("kind", &NamedQuantity::kind, words<QuantityKind>(), "required",
           "`fluid_cells`, `solid_cells`: numbers of cells in a region; `porosity`: the share "
           "of fluid cells in it; `mean`: of `field` over its fluid cells; `flow_rate`: volume "
           "per time through a slice or face; `permeability`: viscosity x superficial velocity / "
           "driving acceleration or pressure gradient over density, in a region, in cells^2, "
           "in m^2 with `units: si` ([voxels.md](voxels.md#permeability)); `tortuosity`: mean "
           "speed / "
           "mean velocity along what drives the flow, of the fluid cells; `pore_velocity`: this "
           "mean "
           "velocity; `pore_reynolds`: it x `fluid.length` / viscosity; `point`: `field` at "
           "`point`; "
           "`wall_pressure`: at `point` on a wall; `force`, `torque`, `coefficient`: of `bodies` "
           "along "
           "`direction`.")
      .required();
  add_quantity_region(quantity);
  quantity
      .add("field", &NamedQuantity::field, words<QuantityField>(), "required for mean, point",
           "Field of a mean or point. Of a mean alone: `enstrophy`, half the square of the "
           "vorticity, and "
           "`dissipation`, 2 x viscosity x strain rate : strain rate.")
      .belongs_to("kind", kinds_with(QuantityKeys::field))
      .not_with("kind", "point")
      .when({"enstrophy", "dissipation"});
  quantity
      .add("point", &NamedQuantity::point, vector(), "required for point, wall_pressure",
           "Position from the corner of the box, in cells; in m with `units: si`.")
      .belongs_to("kind", kinds_with(QuantityKeys::point));
  quantity
      .add("bodies", &NamedQuantity::bodies, names(is_item_name, "[hull, keel]"),
           "required for forces", "Names of solid bodies; the value is the sum over them.")
      .belongs_to("kind", kinds_with(QuantityKeys::bodies));
  quantity
      .add("direction", &NamedQuantity::direction, direction(), "required for forces",
           "Direction of the component, of any length.")
      .belongs_to("kind", kinds_with(QuantityKeys::bodies));
  quantity
      .add("length", &NamedQuantity::length, number(positive), "not divided",
           "`force` only: the force is divided by this length, such as the span of a cylinder; "
           "in cells, in m with `units: si`.")
      .only_with("kind", kinds_with(QuantityKeys::length));
  quantity
      .add("pressure_gradient", &NamedQuantity::pressure_gradient, boolean(), "false",
           "`force`, `coefficient`: adds the force of the pressure gradient that "
           "`force.acceleration` stands for on the cells of the bodies. Without it a periodic "
           "array feels 1 - c of its drag, c the share of solid cells.")
      .only_with("kind", kinds_with(QuantityKeys::pressure_gradient))
      .needs({"force.acceleration", "force.amplitude"});
  quantity
      .add("every_steps", &NamedQuantity::every_steps, whole(1, max_steps),
           "1; of regions: only at the end",
           "Steps between samples. Sweeps end at samples of regions: many steps per visit "
           "require a long interval.")
      .only_with("kind", kinds_with(QuantityKeys::samples));
  quantity
      .add("start", &NamedQuantity::start, number(not_negative), "0",
           "Time of the first sample that counts in mean, rms and frequency. In convective "
           "times; in s with `units: si`.")
      .only_with("kind", kinds_with(QuantityKeys::samples));
}

}  // namespace

void add_quantity_keys(Parts& parts) {
  const auto quantities = [](auto& c) -> auto& { return c.quantities; };
  add_group(parts, "quantities", quantities, [](const auto& one) { add_quantity(one); });
}

}  // namespace lbm::cases::key_table
