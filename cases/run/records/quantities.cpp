// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/model/regions.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/cautions.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {
namespace {

// In m^2: at 1 atm/cm a fluid of 1 mPa s flows at 1 cm/s.
constexpr double darcy = 1e-7 / 101325;

std::string unit_of(const NamedQuantity& quantity, UnitSystem system) {
  const bool si = system == UnitSystem::si;
  switch (*quantity.kind) {
    case QuantityKind::fluid_cells:
    case QuantityKind::solid_cells:
      return "cells";
    case QuantityKind::porosity:
    case QuantityKind::coefficient:
    case QuantityKind::tortuosity:
    case QuantityKind::pore_reynolds:
      return "1";
    case QuantityKind::flow_rate:
      return si ? "m^3/s" : "U L^2";
    case QuantityKind::permeability:
      return si ? "m^2" : "cells^2";
    case QuantityKind::force:
      if (quantity.length) return si ? "N/m" : "rho0 U^2 L";
      return si ? "N" : "rho0 U^2 L^2";
    case QuantityKind::torque:
      return si ? "N m" : "rho0 U^2 L^3";
    case QuantityKind::pore_velocity:
      return si ? "m/s" : "U";
    case QuantityKind::mean:
    case QuantityKind::point:
    case QuantityKind::wall_pressure:
      break;
  }
  const QuantityField field = quantity.field.value_or(QuantityField::pressure);
  if (field == QuantityField::pressure) return si ? "Pa" : "rho0 U^2";
  if (field == QuantityField::density) return si ? "kg/m^3" : "rho0";
  if (field == QuantityField::enstrophy) return si ? "1/s^2" : "U^2/L^2";
  if (field == QuantityField::dissipation) return si ? "m^2/s^3" : "U^3/L";
  return si ? "m/s" : "U";
}

std::string kind_name(const NamedQuantity& quantity) {
  return enum_names(*quantity.kind)[static_cast<std::size_t>(*quantity.kind)];
}

double component(const BodyForces& forces, QuantityKind kind, const Vec3& along) {
  const Vec3& v = kind == QuantityKind::force    ? forces.force
                  : kind == QuantityKind::torque ? forces.torque
                                                 : forces.coefficient;
  return v[0] * along[0] + v[1] * along[1] + v[2] * along[2];
}

double count_of(const NamedQuantity& quantity, const Case& lbm_case, const CaseModel& model) {
  const auto count = QuantityRegion(lbm_case, model.derived, quantity).count(model.boundaries);
  const auto fluid = static_cast<double>(count.fluid), solid = static_cast<double>(count.solid);
  if (quantity.kind == QuantityKind::fluid_cells) return fluid;
  if (quantity.kind == QuantityKind::solid_cells) return solid;
  return fluid / (fluid + solid);
}

}  // namespace

std::int64_t steady_interval(const Case& lbm_case, const Derived& derived, const Units& units) {
  const UntilSteady& steady = lbm_case.run.until_steady;
  if (!steady.tolerance) return 0;
  const double convective = derived.convective_time * units.time;
  const double steps = std::round(to_steps(units, steady.every.value_or(convective)));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

Quantities::Quantities(const Case& lbm_case, const CaseModel& model,
                       const io::RunDirectory& directory, bool continues)
    : case_(lbm_case),
      derived_(model.derived),
      body_force_(model.lattice.collision.force),
      units_(make_units(lbm_case, model.derived)),
      steady_every_(steady_interval(lbm_case, model.derived, units_)) {
  const auto& asked = lbm_case.quantities;
  const bool has_points =
      std::any_of(asked.begin(), asked.end(), [](const auto& q) { return is_at_point(*q.kind); });
  const ProbeCells cells =
      has_points ? probe_cells(lbm_case, model.derived, model.boundaries) : ProbeCells();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    Item item = make_item(i);
    set_source(item, model, cells);
    if (!directory.is_nowhere()) open_log(item, directory, continues);
    items_.push_back(std::move(item));
  }
}

Quantities::Item Quantities::make_item(std::size_t position) const {
  const NamedQuantity& asked = case_.quantities[position];
  Item item(asked, position);
  const auto& deciding = case_.run.until_steady.quantities;
  item.decides = std::find(deciding.begin(), deciding.end(), asked.name) != deciding.end();
  if (is_count(*asked.kind)) return item;
  item.every = asked.every_steps.value_or(is_of_region(*asked.kind) ? 0 : 1);
  if (item.every == 0) return item;
  const double begin = std::ceil(asked.start * derived_.steps_per_time - 1e-6);
  const auto every = static_cast<double>(item.every);
  item.first = static_cast<std::int64_t>(std::max(1.0, std::ceil(begin / every))) * item.every;
  return item;
}

void Quantities::set_source(Item& item, const CaseModel& model, const ProbeCells& cells) const {
  const NamedQuantity& asked = item.asked;
  if (is_count(*asked.kind)) item.value = count_of(asked, case_, model);
  if (is_at_point(*asked.kind)) {
    for (const PointCell& point : point_cells(case_, derived_, model.boundaries, asked)) {
      item.shares.push_back({cells.index_of(point.cell), point.weight});
    }
  }
  if (is_of_bodies(*asked.kind)) set_bodies(item, model);
}

void Quantities::set_bodies(Item& item, const CaseModel& model) const {
  const NamedQuantity& asked = item.asked;
  double cells = 0;
  for (const std::string& name : asked.bodies) {
    const auto body = std::find(model.bodies.begin(), model.bodies.end(), name);
    item.bodies.push_back(static_cast<std::size_t>(body - model.bodies.begin()));
    if (asked.pressure_gradient) cells += static_cast<double>(model.body_cells[item.bodies.back()]);
  }
  const Vec3& d = *asked.direction;
  const double norm = std::hypot(d[0], d[1], d[2]);
  item.direction = {d[0] / norm, d[1] / norm, d[2] / norm};
  if (asked.length) {
    // With units: lattice forces are in reference lengths, and this length is in cells.
    const double unit = case_.units == UnitSystem::si ? 1 : derived_.length;
    item.factor = unit / *asked.length;
  }
  const BodyReference r = reference_of(asked.bodies.front());
  item.gradient_factor = asked.kind == QuantityKind::coefficient
                             ? cells / (r.velocity * r.velocity / 2 * r.area)
                             : cells * units_.force;
}

void Quantities::open_log(Item& item, const io::RunDirectory& directory, bool continues) const {
  if (is_count(*item.asked.kind)) return;
  std::vector<std::string> head{
      fmt::format("{}: {} {}", case_.name, kind_name(item.asked), item.asked.name),
      fmt::format("{}, {}", case_.units == UnitSystem::si ? "s" : "convective times",
                  unit_of(item.asked, case_.units))};
  const std::string caution = brief_caution(case_, derived_);
  if (is_of_bodies(*item.asked.kind) && !caution.empty()) head.push_back("caution: " + caution);
  item.log.emplace(directory.file("quantity_" + item.asked.name + ".csv"), head,
                   std::vector<std::string>{"step", "time", "value"}, continues);
}

double Quantities::force_of(const Item& item, std::int64_t step,
                            std::span<const BodyForces> forces) const {
  double sum = 0;
  for (const std::size_t body : item.bodies) {
    sum += component(forces[body], *item.asked.kind, item.direction);
  }
  if (item.asked.pressure_gradient) {
    const auto f = body_force_.at(static_cast<double>(step));
    for (std::size_t a = 0; a < 3; ++a) sum += f[a] * item.direction[a] * item.gradient_factor;
  }
  return sum * item.factor;
}

double Quantities::point_value(const Item& item, std::span<const std::int64_t> probes) const {
  double values[probe_values] = {};
  for (const Share& share : item.shares) {
    for (std::size_t i = 0; i < std::size_t{probe_values}; ++i) {
      const auto at = std::size_t{probe_values} * static_cast<std::size_t>(share.cell) + i;
      values[i] += share.weight * from_bits(probes[at]);
    }
  }
  switch (item.asked.field.value_or(QuantityField::pressure)) {
    case QuantityField::pressure:
      return from_density_difference(units_, values[0]);
    case QuantityField::density:
      return (1 + values[0]) * units_.density;
    case QuantityField::velocity_x:
      return values[1] * units_.velocity;
    case QuantityField::velocity_y:
      return values[2] * units_.velocity;
    case QuantityField::velocity_z:
      return values[3] * units_.velocity;
    default:
      break;
  }
  return std::hypot(values[1], values[2], values[3]) * units_.velocity;
}

void Quantities::on_step(std::int64_t step, std::span<const BodyForces> forces,
                         std::span<const std::int64_t> probes) {
  for (Item& item : items_) {
    const bool of_bodies = is_of_bodies(*item.asked.kind);
    if (!of_bodies && !is_at_point(*item.asked.kind)) continue;
    sample(item, step, of_bodies ? force_of(item, step, forces) : point_value(item, probes),
           is_regular(item, step) || step == derived_.steps);
  }
}

bool Quantities::wants(std::size_t position, std::int64_t step) const {
  const Item& item = items_[position];
  return is_regular(item, step) || (item.decides && steady_every_ > 0 && step % steady_every_ == 0);
}

std::optional<std::int64_t> Quantities::next_after(std::size_t position, std::int64_t step) const {
  const std::int64_t every = items_[position].every;
  if (every == 0) return std::nullopt;
  const std::int64_t next = (step / every + 1) * every;
  return next > derived_.steps ? std::nullopt : std::optional(next);
}

void Quantities::take(std::size_t position, std::int64_t step, double value) {
  sample(items_[position], step, value, true);
}

void Quantities::sample(Item& item, std::int64_t step, double value, bool logged) {
  item.value = value;
  if (is_regular(item, step) && step >= item.first) item.series.add(value);
  if (item.decides && steady_every_ > 0 && step % steady_every_ == 0) check_steady(item, step);
  if (logged && item.log) item.log->add(step, static_cast<double>(step) * units_.time, {value});
}

// The same measure as that of the kinetic energy.
void Quantities::check_steady(Item& item, std::int64_t step) {
  if (item.steady_step > 0) {
    const double times = static_cast<double>(step - item.steady_step) / derived_.convective_time;
    const double change =
        std::abs(item.value - item.steady_value) / std::max(std::abs(item.value), 1e-300) / times;
    item.change = change;
    item.calm = change < *case_.run.until_steady.tolerance ? item.calm + 1 : 0;
  }
  item.steady_step = step;
  item.steady_value = item.value;
}

bool Quantities::are_steady() const {
  return std::all_of(items_.begin(), items_.end(),
                     [](const Item& item) { return !item.decides || item.calm >= 3; });
}

std::optional<double> Quantities::last_change() const {
  std::optional<double> largest;
  for (const Item& item : items_) {
    if (item.decides && item.change) largest = std::max(largest.value_or(0), *item.change);
  }
  return largest;
}

BodyReference Quantities::reference_of(const std::string& name) const {
  const auto body = std::find_if(case_.bodies.begin(), case_.bodies.end(),
                                 [&](const Body& b) { return b.name == name; });
  return body_reference(*body, units_, derived_);
}

// Reference time of a Strouhal number, in units of the case: that of the body where the quantity
// has a single body, otherwise the convective time.
double Quantities::time_of_reference(const NamedQuantity& quantity) const {
  if (quantity.bodies.size() != 1) return derived_.convective_time * units_.time;
  const BodyReference r = reference_of(quantity.bodies.front());
  return r.length / r.velocity * units_.time;
}

std::vector<QuantityResult> Quantities::results() const {
  std::vector<QuantityResult> results;
  for (const Item& item : items_) {
    QuantityResult& result = results.emplace_back();
    result.name = item.asked.name;
    result.kind = kind_name(item.asked);
    result.unit = unit_of(item.asked, case_.units);
    result.value = item.value;
    if (is_of_bodies(*item.asked.kind)) result.caution = brief_caution(case_, derived_);
    if (result.unit == "m^2") result.darcy = item.value / darcy;
    if (item.every == 0) continue;
    result.statistics = item.series.statistics(static_cast<double>(item.every) * units_.time);
    const auto time_of = [&](const Extreme& extreme) {
      return static_cast<double>(item.first + extreme.sample * item.every) * units_.time;
    };
    if (const auto& extreme = result.statistics.maximum) result.maximum_time = time_of(*extreme);
    if (const auto& extreme = result.statistics.minimum) result.minimum_time = time_of(*extreme);
    if (!result.statistics.frequency) continue;
    const double time = time_of_reference(item.asked);
    result.strouhal = *result.statistics.frequency * time;
    result.strouhal_error = *result.statistics.frequency_error * time;
  }
  return results;
}

void Quantities::add_files_to(std::vector<io::CsvLog*>& files) {
  for (Item& item : items_) {
    if (item.log) files.push_back(&*item.log);
  }
}

}  // namespace lbm::cases
