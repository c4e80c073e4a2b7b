// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/force_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/validate/cautions.hpp"
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

auto parts_of(auto& forces) {
  return std::array{&forces.force, &forces.torque, &forces.coefficient, &forces.torque_coefficient};
}

}  // namespace

ForceLogs::ForceLogs(const Case& lbm_case, const CaseModel& model,
                     const io::RunDirectory& directory, bool continues)
    : case_(lbm_case),
      derived_(model.derived),
      units_(make_units(lbm_case, model.derived)),
      names_(model.bodies),
      caution_(names_.empty() ? "" : brief_caution(lbm_case, model.derived)),
      last_(names_.size()) {
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
    logs_.emplace_back(directory.file("forces_" + name + ".csv"), head,
                       std::vector<std::string>{"step", "time", "fx", "fy", "fz", "tx", "ty", "tz",
                                                "cx", "cy", "cz", "ctx", "cty", "ctz"},
                       continues);
  }
}

BodyForces ForceLogs::forces_of(std::span<const std::int64_t> values, std::size_t body) const {
  const BodyReference& r = references_[body];
  const double pressure = r.velocity * r.velocity / 2;
  BodyForces result;
  for (std::size_t a = 0; a < 3; ++a) {
    const double force = fixed::to(values[6 * body + a], fixed::force);
    const double torque = fixed::to(values[6 * body + 3 + a], fixed::torque);
    result.force[a] = force * units_.force;
    result.torque[a] = torque * units_.torque;
    result.coefficient[a] = force / (pressure * r.area);
    result.torque_coefficient[a] = torque / (pressure * r.area * r.length);
  }
  return result;
}

void ForceLogs::on_step(std::int64_t step, std::span<const std::int64_t> values) {
  for (std::size_t b = 0; b < last_.size(); ++b) last_[b] = forces_of(values, b);
  if (step % case_.output.forces != 0 && step != derived_.steps) return;
  for (std::size_t b = 0; b < logs_.size(); ++b) {
    std::vector<double> row;
    for (const Vec3* v : parts_of(last_[b])) row.insert(row.end(), v->begin(), v->end());
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

}  // namespace lbm::cases
