// SPDX-License-Identifier: Apache-2.0

// Key table: named quantities.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

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
      .only_with("kind", regions)
      .excludes({"slice", "box_from"});
  quantity.add("patch", &NamedQuantity::patch, text(item_name_rule, is_item_name))
      .only_with("kind", regions)
      .needs("face");
}

void add_quantity(const auto& quantity) {
  quantity.add("kind", &NamedQuantity::kind, words<QuantityKind>()).required();
  add_quantity_region(quantity);
  quantity.add("field", &NamedQuantity::field, words<QuantityField>())
      .belongs_to("kind", kinds_with(QuantityKeys::field))
      .not_with("kind", "point")
      .when({"enstrophy", "dissipation"});
  quantity.add("point", &NamedQuantity::point, vector())
      .belongs_to("kind", kinds_with(QuantityKeys::point));
  quantity.add("bodies", &NamedQuantity::bodies, names(is_item_name, "[hull, keel]"))
      .belongs_to("kind", kinds_with(QuantityKeys::bodies));
  quantity
      .add("direction", &NamedQuantity::direction,
           where(vector(), "such as [0, 0, 1], not all 0",
                 [](const Vec3& v) { return v != Vec3{}; }))
      .belongs_to("kind", kinds_with(QuantityKeys::bodies));
  quantity.add("length", &NamedQuantity::length, number(positive))
      .only_with("kind", kinds_with(QuantityKeys::length));
  quantity.add("pressure_gradient", &NamedQuantity::pressure_gradient, boolean())
      .only_with("kind", kinds_with(QuantityKeys::pressure_gradient))
      .needs({"force.acceleration", "force.amplitude"});
  quantity.add("every_steps", &NamedQuantity::every_steps, whole(1, max_steps))
      .only_with("kind", kinds_with(QuantityKeys::samples));
  quantity.add("start", &NamedQuantity::start, number(not_negative))
      .only_with("kind", kinds_with(QuantityKeys::samples));
}

}  // namespace

void add_quantity_keys(Parts& parts) {
  const auto quantities = [](auto& c) -> auto& { return c.quantities; };
  add_group(parts, "quantities", quantities, [](const auto& one) { add_quantity(one); });
}

}  // namespace lbm::cases::key_table
