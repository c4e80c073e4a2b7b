// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/geometry/shape.hpp"
#include "io/files/place.hpp"
#include "solver/lattice/step_record.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::cases {
namespace {

// In m^2: at 1 atm/cm a fluid of 1 mPa s flows at 1 cm/s.
constexpr double darcy = 1e-7 / 101325;

// The unit of a scalar is that of its keys, which its name stands for.
std::string unit_of(const NamedQuantity& quantity, const Case& lbm_case) {
  const bool si = lbm_case.units == UnitSystem::si;
  const auto scalar = scalar_of(quantity.field.value_or(QuantityField::pressure));
  if (scalar) return lbm_case.scalars[*scalar].name;
  if (*quantity.kind == QuantityKind::mean && !quantity.scalar.empty()) {
    return quantity.scalar + (si ? "^2/s" : "^2 U/L");
  }
  if (*quantity.kind == QuantityKind::heat_flow) {
    const std::string& name = lbm_case.scalars[*scalar_named(lbm_case, quantity.scalar)].name;
    if (quantity.length) return name + (si ? " m^2/s" : " U L");
    return name + (si ? " m^3/s" : " U L^2");
  }
  if (quantity.length) return si ? "N/m" : "rho0 U^2 L";
  const QuantityFacts& facts = facts_of(*quantity.kind);
  if (facts.si != nullptr) return si ? facts.si : facts.lattice;
  const FieldFacts& field = facts_of(quantity.field.value_or(QuantityField::pressure));
  return si ? field.si : field.lattice;
}

}  // namespace

std::vector<std::string> Quantities::head_of(const Item& item) const {
  std::vector<std::string> head{
      fmt::format("{}: {} {}", case_.name, item.facts.name, item.asked.name),
      fmt::format("{}, {}", case_.units == UnitSystem::si ? "s" : "convective times",
                  unit_of(item.asked, case_))};
  const std::string caution = brief_caution(case_, derived_);
  if (is_of_bodies(*item.asked.kind) && !caution.empty()) head.push_back("caution: " + caution);
  return head;
}

void Quantities::open_log(Item& item, const io::RunDirectory& directory, bool continues) const {
  item.log.emplace(directory.file("quantity_" + item.asked.name + ".csv"), head_of(item),
                   std::vector<std::string>{"step", "time", "value"}, continues);
}

void Quantities::write_phases(const io::RunDirectory& directory) {
  if (directory.is_nowhere()) return;
  for (const Item& item : items_) {
    if (!item.phases) continue;
    std::vector<std::string> head = head_of(item);
    head.push_back(fmt::format("by the angle of {} in degrees, samples from step {} on",
                               item.asked.phase, item.first));
    const std::string name = "phase_" + item.asked.name + ".csv";
    io::write_file_atomically(directory.file(name),
                              io::csv_text(item.phases->table(std::move(head))));
    phase_files_.push_back(name);
  }
}

QuantityNumbers Quantities::of_bodies(const Item& item, std::int64_t step,
                                      std::span<const BodyForces> forces) const {
  QuantityNumbers numbers = item.numbers;
  for (const std::size_t body : item.bodies) {
    numbers.force += geometry::dot(forces[body].force, item.direction);
    numbers.torque += geometry::dot(forces[body].torque, item.direction);
    numbers.coefficient += geometry::dot(forces[body].coefficient, item.direction);
    numbers.torque_coefficient += geometry::dot(forces[body].torque_coefficient, item.direction);
    numbers.power += power_of(forces[body]);
    numbers.position += geometry::dot(forces[body].place, item.direction);
    numbers.velocity += geometry::dot(forces[body].velocity, item.direction);
    numbers.heat += forces[body].heat[item.scalar];
  }
  if (item.asked.pressure_gradient) {
    const auto f = body_force_.at(static_cast<double>(step));
    for (std::size_t a = 0; a < 3; ++a) {
      numbers.force += f[a] * item.direction[a] * item.gradient_force;
      numbers.coefficient += f[a] * item.direction[a] * item.gradient_coefficient;
    }
  }
  numbers.power_coefficient = numbers.power / item.reference_power;
  numbers.force *= item.per_length;
  numbers.heat *= item.per_length;
  return numbers;
}

QuantityNumbers Quantities::of_box(const Item& item, std::int64_t step,
                                   std::span<const std::int64_t> sums) const {
  const double scale = tiling::scale_of(boxes_[*item.box]);
  const auto scalars = static_cast<int>(case_.scalars.size());
  const auto first = static_cast<std::size_t>(box_values_with(scalars)) * *item.box;
  const auto sum_of = [&](int value) {
    return fixed::to(sums[first + static_cast<std::size_t>(value)], scale);
  };
  std::array<double, macro_values + most_scalars> values{};
  for (int i = 0; i < macro_values; ++i) values[i] = sum_of(i);
  for (int s = 0; s < scalars; ++s) {
    values[macro_values + s] = box_scalar_room * sum_of(box_values_with(s));
  }
  const double* const u = &values[first_value_of(Macro::velocity)];
  QuantityNumbers numbers = item.numbers;
  numbers.speeds = sum_of(box_speed);
  if (*item.asked.kind == QuantityKind::nusselt) {
    const auto axis = static_cast<int>(item.axis);
    const int first_of_scalar = box_values_with(static_cast<int>(item.scalar));
    const auto time = static_cast<double>(step);
    const double wall = item.walls[0](time);
    numbers.sum = item.asked.face ? wall * numbers.fluid - box_scalar_room * sum_of(first_of_scalar)
                                  : box_scalar_room * sum_of(first_of_scalar + 1 + axis);
    if (!item.asked.face) numbers.conducted = (wall - item.walls[1](time)) / item.fall;
  } else if (is_of_driven_flow(*item.asked.kind)) {
    numbers.sum = geometry::dot(numbers.along, {u[0], u[1], u[2]});
  } else if (numbers.field == &facts_of(QuantityField::speed)) {
    numbers.sum = numbers.speeds;
  } else {  // linear
    numbers.sum = numbers.field->of_cell(values.data());
  }
  return numbers;
}

void Quantities::on_step(std::int64_t step, std::span<const BodyForces> forces,
                         std::span<const std::int64_t> probes, std::span<const std::int64_t> sums) {
  for (Item& item : items_) {
    const bool logged = item.is_regular(step) || step == derived_.steps;
    if (is_of_bodies(*item.asked.kind)) {
      sample(item, step, of_bodies(item, step, forces), logged);
    } else if (is_at_point(*item.asked.kind)) {
      const auto values = mean_of(item.shares, probes, case_.scalars.size());
      QuantityNumbers numbers = item.numbers;
      numbers.sum = numbers.field->of_cell(values.data());
      sample(item, step, numbers, logged);
    } else if (wants_box(item, step)) {
      sample(item, step, of_box(item, step, sums), true);
    }
  }
}

bool Quantities::wants_sums(std::int64_t step) const {
  return std::any_of(items_.begin(), items_.end(),
                     [&](const Item& item) { return wants_box(item, step); });
}

std::optional<std::int64_t> Quantities::next_sums_after(std::int64_t step) const {
  std::optional<std::int64_t> next;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const auto own = items_[i].box ? next_after(i, step) : std::nullopt;
    if (own) next = std::min(next.value_or(*own), *own);
  }
  return next;
}

bool Quantities::wants(std::size_t position, std::int64_t step) const {
  return items_[position].is_regular(step) || items_[position].is_decided_at(step);
}

std::optional<std::int64_t> Quantities::next_after(std::size_t position, std::int64_t step) const {
  const std::int64_t every = items_[position].every;
  if (every == 0) return std::nullopt;
  const std::int64_t next = (step / every + 1) * every;
  return next > derived_.steps ? std::nullopt : std::optional(next);
}

void Quantities::sample(Item& item, std::int64_t step, const QuantityNumbers& numbers,
                        bool logged) {
  item.value = item.facts.value(numbers);
  if (item.is_regular(step) && step >= item.first) {
    item.series.add(item.value);
    if (item.phases) item.phases->add(item.angle(static_cast<double>(step)), item.value);
  }
  if (item.is_decided_at(step)) item.steady.add(step, item.value);
  if (logged && item.log) {
    item.log->add(step, static_cast<double>(step) * units_.time, {item.value});
  }
}

bool Quantities::are_steady() const {
  return std::all_of(items_.begin(), items_.end(),
                     [](const Item& item) { return !item.decides || item.steady.is_steady(); });
}

std::optional<double> Quantities::last_change() const {
  std::optional<double> largest;
  for (const Item& item : items_) {
    const auto change = item.steady.change();
    if (item.decides && change) largest = std::max(largest.value_or(0), *change);
  }
  return largest;
}

std::vector<NamedLimit> Quantities::limits() const {
  std::vector<NamedLimit> result;
  for (const Item& item : items_) {
    const auto limit = item.steady.limit();
    if (item.decides && limit) result.push_back({item.asked.name, item.steady.step(), *limit});
  }
  return result;
}

std::vector<QuantityResult> Quantities::results() const {
  std::vector<QuantityResult> results;
  for (const Item& item : items_) {
    QuantityResult& result = results.emplace_back();
    result.name = item.asked.name;
    result.kind = item.facts.name;
    result.unit = unit_of(item.asked, case_);
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
    // The reference time of a single body, otherwise the convective time.
    double time = derived_.convective_time * units_.time;
    if (item.asked.bodies.size() == 1) {
      const BodyReference r = reference_of(item.asked);
      time = r.length / r.velocity * units_.time;
    }
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

// The definition of a quantity as text: a changed definition starts a new series.
std::string Quantities::about(std::size_t position) const {
  std::string text;
  for (const std::string& key : members("quantities." + case_.quantities[position].name)) {
    text += find_key("quantities.NAME." + key)->write(case_, position) + ";";
  }
  return text;
}

io::Json Quantities::save_state() const {
  io::Json state = io::Json::object();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (is_count(*item.asked.kind)) continue;
    state[item.asked.name] = {{"about", about(i)},
                              {"value", item.value},
                              {"series", item.series.save()},
                              {"steady", item.steady.save()}};
    if (item.phases) state[item.asked.name]["phases"] = item.phases->save();
  }
  return state;
}

void Quantities::load_state(const io::Json& state) {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    if (is_count(*item.asked.kind)) continue;
    const io::Json& saved = io::member(state, item.asked.name);
    const bool same = io::text_in(io::member(saved, "about")) == about(i);
    const io::Json own = same ? saved : io::Json();
    item.value = io::number_in(io::member(own, "value")).value_or(0);
    item.series.load(io::member(own, "series"));
    item.steady.load(io::member(own, "steady"));
    if (item.phases) item.phases->load(io::member(own, "phases"));
  }
}

}  // namespace lbm::cases
