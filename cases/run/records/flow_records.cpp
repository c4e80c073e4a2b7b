// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/flow_records.hpp"

#include "cases/case/model/regions.hpp"
#include "cases/case/validate/cautions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbm::cases {
namespace {

// A cell beyond these limits causes a warning. Velocities that a case imposes are below Mach 0.3
// (limits.hpp); the flow around bodies is faster.
constexpr double high_mach = 0.4;
constexpr double high_density_deviation = 0.15;

std::string units_text(const Case& lbm_case) {
  return lbm_case.units == UnitSystem::si
             ? "s, N, N m; coefficients: over rho U^2 A / 2, torques also over L"
             : "convective times, rho0 U^2 L^2, rho0 U^2 L^3; coefficients: over rho U^2 A / 2, "
               "torques also over L";
}

// Text for the head of a force file: pressure terms that are missing from the momentum that the
// fluid transfers to a body.
std::string left_out(const Case& lbm_case) {
  const Force& force = lbm_case.force;
  const bool accelerated = force.acceleration || force.acceleration_formulas || force.amplitude;
  return std::string("; the pressure of density 1 is left out") +
         (accelerated ? ", and so is the pressure gradient that the acceleration stands for" : "");
}

const std::vector<std::string> force_columns = {"step", "time", "fx", "fy", "fz",  "tx",  "ty",
                                                "tz",   "cx",   "cy", "cz", "ctx", "cty", "ctz"};

}  // namespace

FlowRecords::FlowRecords(const Case& lbm_case, const Derived& derived,
                         const std::vector<std::string>& bodies, std::int64_t fluid_cells,
                         const io::RunDirectory& directory, Expectations& expectations,
                         Quantities& quantities, Notices& notices, const Boundaries& boundaries,
                         bool continues)
    : case_(lbm_case),
      derived_(derived),
      units_(make_units(lbm_case, derived)),
      expectations_(expectations),
      quantities_(quantities),
      names_(bodies),
      cells_(std::int64_t{lbm_case.grid.cells[0]} * lbm_case.grid.cells[1] *
             lbm_case.grid.cells[2]),
      caution_(bodies.empty() ? "" : brief_caution(lbm_case, derived)),
      fluid_cells_(static_cast<double>(fluid_cells)),
      probe_cells_(probe_cells(lbm_case, derived, boundaries)),
      probe_logs_(lbm_case, derived, boundaries, probe_cells_, directory, continues),
      last_forces_(bodies.size()),
      notices_(notices),
      checkerboard_(lbm_case, derived, notices) {
  monitor_every_ = lbm_case.output.monitor.value_or(0);
  steady_every_ = steady_interval(lbm_case, derived, units_);
  for (const std::string& name : names_) {
    const auto body = std::find_if(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                                   [&](const Body& b) { return b.name == name; });
    references_.push_back(body_reference(*body, units_, derived));
  }
  if (!directory.is_nowhere()) open_logs(directory, continues);
  for (io::CsvLog& log : force_logs_) logs_.push_back(&log);
  if (monitor_log_) logs_.push_back(&*monitor_log_);
  probe_logs_.add_files_to(logs_);
  quantities_.add_files_to(logs_);
}

void FlowRecords::open_logs(const io::RunDirectory& directory, bool continues) {
  for (std::size_t b = 0; b < names_.size(); ++b) {
    const BodyReference& r = references_[b];
    std::vector<std::string> head{
        fmt::format("{}: force and torque on {} at each step", case_.name, names_[b]),
        units_text(case_), reference_text(r, units_, case_.units) + left_out(case_)};
    if (!caution_.empty()) head.push_back("caution: " + caution_);
    force_logs_.emplace_back(directory.file("forces_" + names_[b] + ".csv"), head, force_columns,
                             continues);
  }
  if (monitor_every_ == 0) return;
  monitor_log_.emplace(
      directory.file("monitor.csv"),
      std::vector<std::string>{case_.name + ": means over the fluid and extremes",
                               "mass: mean density - 1; densities in reference densities; energy "
                               "and momentum per volume",
                               "alternation: 0 smooth, 1 checkerboard; 0 where it is small"},
      std::vector<std::string>{"step", "time", "mass", "kinetic_energy", "momentum_x", "momentum_y",
                               "momentum_z", "speed_max", "density_min", "density_max",
                               "alternation"},
      continues);
}

std::optional<std::int64_t> FlowRecords::next_sample_after(std::int64_t step) const {
  std::optional<std::int64_t> next;
  for (const std::int64_t every : {monitor_every_, steady_every_}) {
    if (every == 0) continue;
    const std::int64_t at = (step / every + 1) * every;
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

BodyForces FlowRecords::forces_of(std::span<const std::int64_t> values, std::size_t body) const {
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

FlowSample FlowRecords::state_of(std::int64_t step, std::span<const std::int64_t> record) const {
  FlowSample s;
  s.step = step;
  s.time = static_cast<double>(step) * units_.time;
  const double scale = fixed::flow(cells_);
  s.mass = fixed::to(record[mass], scale) / fluid_cells_;
  const double velocity = units_.velocity, density = units_.density;
  s.kinetic_energy =
      fixed::to(record[kinetic_energy], scale) / fluid_cells_ * density * velocity * velocity;
  for (std::size_t a = 0; a < 3; ++a) {
    s.momentum[a] = fixed::to(record[momentum_x + a], scale) / fluid_cells_ * density * velocity;
  }
  s.speed_max = fixed::to(record[speed_max], fixed::extreme) * velocity;
  s.density_max = fixed::to(record[density_max], fixed::extreme);
  s.density_min = 2 - fixed::to(record[density_min], fixed::extreme);
  return s;
}

void FlowRecords::on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  if (!names_.empty()) {
    const auto values = record.subspan(flow_values);
    const bool write = step % case_.output.forces == 0 || step == derived_.steps;
    for (std::size_t b = 0; b < names_.size(); ++b) {
      last_forces_[b] = forces_of(values, b);
      if (!write || force_logs_.empty()) continue;
      const BodyForces& f = last_forces_[b];
      std::vector<double> row;
      for (const Vec3* v : {&f.force, &f.torque, &f.coefficient, &f.torque_coefficient}) {
        row.insert(row.end(), v->begin(), v->end());
      }
      force_logs_[b].add(step, static_cast<double>(step) * units_.time, row);
    }
    expectations_.on_forces(step, last_forces_);
  }
  const auto first = static_cast<std::size_t>(first_probe_value(static_cast<int>(names_.size())));
  const auto probes = probe_cells_.size() > 0 ? record.subspan(first) : record.subspan(0, 0);
  if (!probes.empty()) probe_logs_.on_step(step, probes);
  quantities_.on_step(step, last_forces_, probes);
  if (!sampled) return;
  const Alternation alternation =
      alternation_of(differences_of(record, cells_), fluid_cells_, derived_.velocity);
  FlowSample sample = state_of(step, record);
  sample.alternation = alternation.value;
  record_sample(sample);
  checkerboard_.add(step, alternation);
}

void FlowRecords::record_sample(const FlowSample& s) {
  last_sample_ = s;
  warn_if_fast(s);
  warn_if_compressed(s);
  const bool monitored = monitor_every_ != 0 && s.step % monitor_every_ == 0;
  expectations_.on_sample(s, monitored);
  if (monitored && monitor_log_) {
    monitor_log_->add(s.step, s.time,
                      {s.mass, s.kinetic_energy, s.momentum[0], s.momentum[1], s.momentum[2],
                       s.speed_max, s.density_min, s.density_max, s.alternation});
  }
  if (steady_every_ == 0 || s.step % steady_every_ != 0) return;
  if (last_steady_sample_) {
    const double passed = static_cast<double>(s.step - last_steady_sample_->step);
    const double change = std::abs(s.kinetic_energy - last_steady_sample_->kinetic_energy) /
                          std::max(s.kinetic_energy, 1e-300) / (passed / derived_.convective_time);
    last_change_ = change;
    calm_samples_ = change < *case_.run.until_steady.tolerance ? calm_samples_ + 1 : 0;
  }
  last_steady_sample_ = s;
}

double FlowRecords::mach_of(const FlowSample& s) const {
  return std::sqrt(3.0) * s.speed_max / units_.velocity;
}

void FlowRecords::warn_if_fast(const FlowSample& s) {
  const double mach = mach_of(s);
  if (mach <= high_mach || std::exchange(warned_of_mach_, true)) return;
  notices_.warn(fmt::format(
      "step {}: the fastest cell is at Mach {:.2f}, above {}: errors of compressibility are of the "
      "order of Mach^2: use a smaller fluid.lattice_velocity",
      s.step, mach, high_mach));
}

void FlowRecords::warn_if_compressed(const FlowSample& s) {
  const double deviation = std::max(1 - s.density_min, s.density_max - 1);
  if (deviation <= high_density_deviation || std::exchange(warned_of_density_, true)) return;
  notices_.warn(
      fmt::format("step {}: density from {:.3f} to {:.3f} of the reference density, beyond 1 +- "
                  "{}: the flow is "
                  "meant to be hardly compressible: use a smaller fluid.lattice_velocity",
                  s.step, s.density_min, s.density_max, high_density_deviation));
}

void FlowRecords::flush() {
  for (io::CsvLog* log : logs_) log->flush();
}

void FlowRecords::sync_files() {
  for (io::CsvLog* log : logs_) log->sync();
}

void FlowRecords::continue_files(std::int64_t step) {
  for (io::CsvLog* log : logs_) log->continue_after(step);
}

std::vector<std::string> FlowRecords::files() const {
  std::vector<std::string> names;
  for (const io::CsvLog* log : logs_) names.push_back(log->path().filename().string());
  return names;
}

}  // namespace lbm::cases
