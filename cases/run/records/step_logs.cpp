// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/step_logs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

#include "cases/case/limits.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/validate/validate.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {
namespace {

constexpr const char* units_in_si =
    "s, N, N m; coefficients: over rho U^2 A / 2, torques also over L";
constexpr const char* units_in_lattice =
    "convective times, rho0 U^2 L^2, rho0 U^2 L^3; coefficients: over rho U^2 A / 2, torques also "
    "over L";

// Pressure terms that are missing from the momentum that the fluid transfers to a body.
std::string left_out(const Force& force) {
  const bool accelerated = force.acceleration || force.acceleration_formulas || force.amplitude;
  return std::string("; the pressure of density 1 is left out") +
         (accelerated ? ", and so is the pressure gradient that the acceleration stands for" : "");
}

// Those of bodies that move are the last ones.
constexpr std::size_t parts_at_rest = 4;
auto parts_of(auto& forces) {
  return std::array{
      &forces.force, &forces.torque,   &forces.coefficient,     &forces.torque_coefficient,
      &forces.place, &forces.velocity, &forces.angular_velocity};
}

std::vector<std::string> columns_of(const Case& lbm_case, std::size_t places) {
  std::vector<std::string> names{"step", "time"};
  for (std::size_t i = 1; i <= places; ++i) {
    for (const char* name : {"p", "ux", "uy", "uz"}) names.push_back(fmt::format("{}_{}", name, i));
    for (const ScalarKeys& s : lbm_case.scalars) names.push_back(fmt::format("{}_{}", s.name, i));
  }
  return names;
}

std::vector<std::string> comments_of(const Case& lbm_case, const Probe& probe, const Units& units) {
  const bool si = lbm_case.units == UnitSystem::si;
  std::string fields = lbm_case.scalars.empty() ? "pressure and velocity" : "pressure, velocity";
  for (const ScalarKeys& scalar : lbm_case.scalars) fields += ", " + scalar.name;
  std::vector<std::string> lines{
      fmt::format("{}: {} at the places of {}", lbm_case.name, fields, probe.name),
      si ? "s, Pa, m/s; places in m" : "convective times, rho0 U^2, U; places in cells"};
  const auto places = places_of(probe, units);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3& p = places[i];
    lines.push_back(fmt::format("{}: {:.9g} {:.9g} {:.9g}", i + 1, p[0] * units.length,
                                p[1] * units.length, p[2] * units.length));
  }
  return lines;
}

}  // namespace

LatticeLoad load_of(std::span<const std::int64_t> values, std::size_t body) {
  LatticeLoad load;
  for (std::size_t a = 0; a < 3; ++a) {
    load.force[a] = fixed::to(values[6 * body + a], fixed::force);
    load.torque[a] = fixed::to(values[6 * body + 3 + a], fixed::torque);
  }
  return load;
}

double power_of(const BodyForces& forces) {
  return geometry::dot(forces.force, forces.velocity) +
         geometry::dot(forces.torque, forces.angular_velocity);
}

double reference_power(const BodyReference& reference, const Units& units) {
  const double u = reference.velocity;
  return u * u * u / 2 * reference.area * units.force * units.velocity;
}

std::string Turning::text(UnitSystem units) const {
  return fmt::format(
      "{:.4g} revolutions, tip-speed ratio {:.4g}, power of the fluid on it {:.4g} {}, coefficient "
      "{:.4g}",
      revolutions, tip_speed_ratio, power, units == UnitSystem::si ? "W" : "rho0 U^3 L^2",
      power_coefficient);
}

std::optional<Turning> turning(const Case& lbm_case, const Derived& derived,
                               const std::string& body, const BodyForces& forces,
                               std::int64_t step) {
  const Body& keys = *BodyIndex(lbm_case).find(body);
  const AngleOfStep angle = angle_of(lbm_case, derived, keys);
  if (!angle) return std::nullopt;
  const Units units = make_units(lbm_case, derived);
  const BodyReference r = body_reference(keys, units, derived);
  const double rate = geometry::length(forces.angular_velocity) / units.angular_velocity;
  Turning result;
  result.revolutions = angle(static_cast<double>(step)) / (2 * std::numbers::pi);
  result.power = power_of(forces);
  result.power_coefficient = result.power / reference_power(r, units);
  result.tip_speed_ratio = rate * r.length / r.velocity;
  return result;
}

ForceLogs::ForceLogs(const Case& lbm_case, const CaseModel& model,
                     const io::RunDirectory& directory, bool continues)
    : case_(lbm_case),
      derived_(model.derived),
      units_(make_units(lbm_case, model.derived)),
      names_(model.bodies),
      caution_(names_.empty() ? "" : brief_caution(lbm_case, model.derived)),
      moving_(names_.size()),
      last_(names_.size()) {
  for (const NumberedMovingBody& body : model.boundaries.moving()) {
    moving_.at(static_cast<std::size_t>(body.number)) = body.body.get();
  }
  for (const std::string& name : names_) {
    const auto body = std::find_if(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                                   [&](const Body& b) { return b.name == name; });
    const BodyReference& r = references_.emplace_back(body_reference(*body, units_, derived_));
    if (directory.is_nowhere()) continue;
    std::vector<std::string> head{
        fmt::format("{}: force and torque on {} at each step", case_.name, name),
        case_.units == UnitSystem::si ? units_in_si : units_in_lattice,
        reference_text(r, units_, case_.units) + left_out(case_.force)};
    if (!caution_.empty()) head.push_back("caution: " + caution_);
    std::vector<std::string> columns{"step", "time"};
    const auto vectors = std::array{"f", "t", "c", "ct", "p", "v", "w"};
    const std::size_t parts = moving_[references_.size() - 1] ? vectors.size() : parts_at_rest;
    for (std::size_t i = 0; i < parts; ++i) {
      for (const char* axis : {"x", "y", "z"})
        columns.push_back(fmt::format("{}{}", vectors[i], axis));
    }
    logs_.emplace_back(directory.file("forces_" + name + ".csv"), head, columns, continues);
  }
}

BodyForces ForceLogs::forces_of(std::int64_t step, std::span<const std::int64_t> values,
                                std::size_t body) const {
  const BodyReference& r = references_[body];
  const double pressure = r.velocity * r.velocity / 2;
  BodyForces result;
  const LatticeLoad load = load_of(values, body);
  for (std::size_t a = 0; a < 3; ++a) {
    const double force = load.force[a], torque = load.torque[a];
    result.force[a] = force * units_.force;
    result.torque[a] = torque * units_.torque;
    result.coefficient[a] = force / (pressure * r.area);
    result.torque_coefficient[a] = torque / (pressure * r.area * r.length);
  }
  if (moving_[body] != nullptr) {
    const BodyPlace place = moving_[body]->place(static_cast<double>(step));
    for (std::size_t a = 0; a < 3; ++a) {
      result.place[a] = place.center[a] * units_.length;
      result.velocity[a] = place.velocity[a] * units_.velocity;
      result.angular_velocity[a] = place.angular_velocity[a] * units_.angular_velocity;
    }
  }
  const std::size_t scalars = case_.scalars.size();
  const double volume_per_time = units_.force / units_.pressure * units_.velocity;
  for (std::size_t s = 0; s < scalars; ++s) {
    const double heat = fixed::to(values[6 * names_.size() + scalars * body + s], fixed::heat);
    result.heat[s] = heat * case_.scalars[s].difference * volume_per_time;
  }
  return result;
}

void ForceLogs::on_step(std::int64_t step, std::span<const std::int64_t> values) {
  for (std::size_t b = 0; b < last_.size(); ++b) last_[b] = forces_of(step, values, b);
  if (step % case_.output.forces != 0 && step != derived_.steps) return;
  for (std::size_t b = 0; b < logs_.size(); ++b) {
    std::vector<double> row;
    const auto parts = parts_of(last_[b]);
    const std::size_t count = moving_[b] ? parts.size() : parts_at_rest;
    for (std::size_t i = 0; i < count; ++i)
      row.insert(row.end(), parts[i]->begin(), parts[i]->end());
    logs_[b].add(step, static_cast<double>(step) * units_.time, row);
  }
}

void ForceLogs::add_files_to(std::vector<io::CsvLog*>& files) {
  for (io::CsvLog& log : logs_) files.push_back(&log);
}

io::Json ForceLogs::save_state() const {
  io::Json state = io::Json::array();
  for (const BodyForces& f : last_) {
    io::Json& saved = state.emplace_back(io::Json::array());
    for (const Vec3* v : parts_of(f)) saved.push_back(*v);
  }
  return state;
}

void ForceLogs::load_state(const io::Json& state) {
  for (std::size_t b = 0; b < last_.size(); ++b) {
    std::size_t part = 0;
    for (Vec3* v : parts_of(last_[b])) {
      const io::Json& saved = io::item(io::item(state, b), part++);
      for (std::size_t a = 0; a < 3; ++a) {
        (*v)[a] = io::number_in(io::item(saved, a)).value_or(0);
      }
    }
  }
}

std::int64_t count_of_rows(const Probe& probe, const Derived& derived, std::int64_t after_step) {
  if (after_step >= derived.steps) return 0;
  return derived.steps / probe.every_steps - after_step / probe.every_steps +
         (derived.steps % probe.every_steps != 0 ? 1 : 0);
}

std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Probe& probe,
                              std::int64_t rows) {
  const Units units = make_units(lbm_case, derived);
  const std::size_t places = places_of(probe, units).size();
  std::uint64_t header = 0;
  for (const std::string& line : comments_of(lbm_case, probe, units)) header += line.size() + 3;
  for (const std::string& name : columns_of(lbm_case, places)) header += name.size() + 1;
  // 17 digits, a point, possibly a sign and leading zeros, a comma.
  constexpr std::uint64_t number_bytes = 21;
  const std::uint64_t row = fmt::formatted_size("{},", derived.steps) +
                            number_bytes * (1 + (macro_values + lbm_case.scalars.size()) * places);
  return saturating_add(header, saturating_multiply(static_cast<std::uint64_t>(rows), row));
}

std::vector<ProbeShare> shares_of(const std::vector<PointCell>& points, const ProbeCells& cells) {
  std::vector<ProbeShare> shares;
  shares.reserve(points.size());
  for (const PointCell& point : points) {
    shares.push_back({cells.index_of(point.cell), point.weight});
  }
  return shares;
}

std::array<double, macro_values + most_scalars> mean_of(const std::vector<ProbeShare>& shares,
                                                        std::span<const std::int64_t> values,
                                                        std::size_t scalars) {
  std::array<double, macro_values + most_scalars> means{};
  if (shares.empty()) means.fill(std::numeric_limits<double>::quiet_NaN());
  for (const ProbeShare& share : shares) {
    const std::size_t count = macro_values + scalars;
    const auto first = count * static_cast<std::size_t>(share.cell);
    for (std::size_t i = 0; i < count; ++i) {
      means[i] += share.weight * from_bits(values[first + i]);
    }
  }
  return means;
}

ProbeLogs::ProbeLogs(const Case& lbm_case, const CaseModel& model, const ProbeCells& cells,
                     const io::RunDirectory& directory, bool continues)
    : derived_(model.derived),
      scalars_(lbm_case.scalars),
      units_(make_units(lbm_case, model.derived)) {
  for (const Probe& probe : lbm_case.probes) {
    std::vector<std::vector<ProbeShare>> places;
    for (const Vec3& place : places_of(probe, units_)) {
      places.push_back(shares_of(cells_around(lbm_case, model.boundaries, place), cells));
    }
    const std::size_t count = places.size();
    logs_.push_back(
        {probe, std::move(places),
         io::CsvLog(directory.file("probe_" + probe.name + ".csv"),
                    comments_of(lbm_case, probe, units_), columns_of(lbm_case, count), continues)});
  }
}

void ProbeLogs::on_step(std::int64_t step, std::span<const std::int64_t> values) {
  for (Log& log : logs_) {
    if (step % log.probe.every_steps != 0 && step != derived_.steps) continue;
    std::vector<double> row;
    row.reserve((macro_values + scalars_.size()) * log.places.size());
    for (const auto& shares : log.places) {
      // Points of line probes may lie inside a body: they have no shares.
      const auto means = mean_of(shares, values, scalars_.size());
      row.push_back(from_density_difference(units_, means[first_value_of(Macro::density)]));
      for (std::size_t a = 0; a < 3; ++a) {
        row.push_back(means[first_value_of(Macro::velocity) + a] * units_.velocity);
      }
      for (std::size_t s = 0; s < scalars_.size(); ++s) {
        row.push_back(scalars_[s].reference + scalars_[s].difference * means[macro_values + s]);
      }
    }
    log.file.add(step, static_cast<double>(step) * units_.time, row);
  }
}

void ProbeLogs::add_files_to(std::vector<io::CsvLog*>& files) {
  for (Log& log : logs_) files.push_back(&log.file);
}

}  // namespace lbm::cases
