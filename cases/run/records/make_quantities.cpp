// SPDX-License-Identifier: Apache-2.0

// The quantities of a case, made before the first step.
#include <algorithm>
#include <cmath>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/run/records/quantities.hpp"

namespace lbm::cases {

Quantities::Quantities(const Case& lbm_case, const CaseModel& model,
                       const io::RunDirectory& directory, bool continues)
    : case_(lbm_case),
      derived_(model.derived),
      body_force_(model.lattice.collision.force),
      units_(make_units(lbm_case, model.derived)),
      end_(model.derived.steps),
      boxes_(summed_boxes(lbm_case, model.derived)) {
  const auto& asked = lbm_case.quantities;
  const bool has_points =
      std::any_of(asked.begin(), asked.end(), [](const auto& q) { return is_at_point(*q.kind); });
  const ProbeCells cells =
      has_points ? probe_cells(lbm_case, model.derived, model.boundaries) : ProbeCells();
  for (const NamedQuantity& quantity : asked) {
    Item& item = items_.emplace_back(make_item(quantity));
    if (is_at_point(*quantity.kind)) {
      item.numbers.field = &facts_of(quantity.field.value_or(QuantityField::pressure));
      item.shares = shares_of(point_cells(case_, derived_, model.boundaries, quantity), cells);
      set_scalar(item, model.lattice);
    } else if (is_of_bodies(*quantity.kind)) {
      set_bodies(item, model);
    } else {
      const QuantityRegion region(case_, derived_, quantity);
      const auto along = static_cast<int>(QuantityField::velocity_x) + region.axis();
      item.numbers.field = &facts_of(quantity.field.value_or(static_cast<QuantityField>(along)));
      const auto count = region.count(model.boundaries);
      item.numbers.fluid = static_cast<double>(count.fluid);
      item.numbers.solid = static_cast<double>(count.solid);
      set_scalar(item, model.lattice);
      if (is_of_driven_flow(*quantity.kind)) {
        Vec3 drive = pressure_gradient(case_, units_, region.box());
        item.numbers.gradient = std::hypot(drive[0], drive[1], drive[2]);
        for (double& component : drive) component /= item.numbers.gradient;
        item.numbers.along = drive;
      }
      if (is_of_box_sums(quantity)) {
        const auto box = std::find(boxes_.begin(), boxes_.end(), region.box());
        item.box = static_cast<std::size_t>(box - boxes_.begin());
      }
    }
    if (is_count(*quantity.kind)) {
      item.value = item.facts.value(item.numbers);
    } else if (!directory.is_nowhere()) {
      open_log(item, directory, continues);
    }
  }
}

Quantities::Item Quantities::make_item(const NamedQuantity& asked) const {
  Item item{asked, facts_of(*asked.kind), SteadyWatch(case_, derived_, units_)};
  item.numbers.units = &units_;
  item.numbers.derived = &derived_;
  item.numbers.edge = case_.units == UnitSystem::si ? units_.length : 1 / derived_.length;
  const auto& deciding = case_.run.until_steady.quantities;
  item.decides = std::find(deciding.begin(), deciding.end(), asked.name) != deciding.end();
  if (is_count(*asked.kind)) return item;
  item.every = asked.every_steps.value_or(is_of_region(*asked.kind) ? 0 : 1);
  if (item.every == 0) return item;
  const double begin = std::ceil(asked.start * derived_.steps_per_time - 1e-6);
  const auto every = static_cast<double>(item.every);
  item.first = static_cast<std::int64_t>(std::max(1.0, std::ceil(begin / every))) * item.every;
  if (asked.phase.empty()) return item;
  item.angle = angle_of(case_, derived_, *BodyIndex(case_).find(asked.phase));
  item.phases.emplace(asked.phase_bins);
  return item;
}

void Quantities::set_scalar(Item& item, const Lattice& lattice) const {
  if (const auto scalar = scalar_of(item.asked.field.value_or(QuantityField::pressure))) {
    item.numbers.reference = case_.scalars[*scalar].reference;
    item.numbers.difference = case_.scalars[*scalar].difference;
  }
  if (*item.asked.kind == QuantityKind::mean && !item.asked.scalar.empty()) {
    const std::size_t scalar = scalar_named(case_, item.asked.scalar).value();
    item.numbers.field = &scalar_dissipation;
    item.numbers.difference = case_.scalars[scalar].difference;
    item.numbers.diffusivity = scalar_diffusivity(lattice.scalars.at(scalar));
  }
  if (*item.asked.kind != QuantityKind::nusselt) return;
  item.scalar = scalar_named(case_, item.asked.scalar).value();
  const ScalarKeys& keys = case_.scalars[item.scalar];
  item.axis = axis_between_values(keys).value();
  const std::size_t low = 2 * item.axis, high = low + 1;
  const double diffusivity = scalar_diffusivity(lattice.scalars.at(item.scalar));
  const auto wall_of = [&](std::size_t face) { return mean_at_face(keys, case_, derived_, face); };
  item.walls = {wall_of(low), wall_of(high)};
  // Walls with formulas: `difference`, which is 1 as stored.
  const bool numbers = keys.faces[low].value && keys.faces[high].value;
  item.fall = numbers ? item.walls[0](0) - item.walls[1](0) : 1;
  item.numbers.conduction = diffusivity * item.fall / case_.grid.cells[item.axis];
  if (!item.asked.face) return;
  // The flux into the box is 2 diffusivity (value - scalar of the outermost cell).
  const auto face = static_cast<std::size_t>(*item.asked.face);
  item.walls = {wall_of(face)};
  item.numbers.conducted = 0;
  item.numbers.conduction /= (face % 2 == 0 ? 2 : -2) * diffusivity;
}

void Quantities::set_bodies(Item& item, const CaseModel& model) const {
  const NamedQuantity& asked = item.asked;
  double cells = 0;
  for (const std::string& name : asked.bodies) {
    const auto body = std::find(model.bodies.begin(), model.bodies.end(), name);
    item.bodies.push_back(static_cast<std::size_t>(body - model.bodies.begin()));
    if (asked.pressure_gradient) cells += static_cast<double>(model.body_cells[item.bodies.back()]);
  }
  if (const auto& d = asked.direction) {
    const double norm = std::hypot((*d)[0], (*d)[1], (*d)[2]);
    item.direction = {(*d)[0] / norm, (*d)[1] / norm, (*d)[2] / norm};
  } else if (*asked.kind == QuantityKind::heat_flow) {
    item.scalar = scalar_named(case_, asked.scalar).value();
  }
  // With units: lattice forces are in reference lengths, and this length is in cells.
  const double unit = case_.units == UnitSystem::si ? 1 : derived_.length * units_.length;
  if (asked.length) item.per_length = unit / *asked.length;
  const BodyReference r = reference_of(asked);
  item.gradient_force = cells * units_.force;
  item.gradient_coefficient = cells / (r.velocity * r.velocity / 2 * r.area);
  item.reference_power = reference_power(r, units_);
}

}  // namespace lbm::cases
