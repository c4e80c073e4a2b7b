// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/flow_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case/model/regions.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {
namespace {

// A cell beyond these limits causes a warning. Velocities that a case imposes are below Mach 0.3
// (limits.hpp); the flow around bodies is faster.
constexpr double high_mach = 0.4;
constexpr double high_density_deviation = 0.15;

// Calls visit(name, component, number) for the numbers of a sample, by their names in reports and
// checkpoints. component: of a vector; -1: there is none.
template <class Sample, class Visit>
void visit_numbers(Sample& sample, const Visit& visit) {
  visit("time", -1, sample.time);
  for (std::size_t i = 0; i < reductions; ++i) {
    std::string name = reduction_rows[i].name;
    const bool vector = name[name.size() - 2] == '_' && name.back() >= 'x';
    const int component = vector ? name.back() - 'x' : -1;
    visit(vector ? name.substr(0, name.size() - 2) : name, component, sample.values[i]);
  }
  visit("alternation", -1, sample.alternation);
}

std::vector<std::string> columns_of_monitor() {
  std::vector<std::string> names{"step", "time"};
  for (const Reduction& row : reduction_rows) names.emplace_back(row.name);
  names.emplace_back("alternation");
  return names;
}

constexpr std::size_t bodies_in_line = 2, bodies_in_summary = 10;

bool is_si(const Case& lbm_case) { return lbm_case.units == UnitSystem::si; }

std::string three(const Vec3& v) {
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", v[0], v[1], v[2]);
}

void add(std::string& line, const std::string& part) { line += (line.empty() ? "" : ", ") + part; }

}  // namespace

void to_json(io::Json& json, const FlowSample& sample) {
  json["step"] = sample.step;
  visit_numbers(sample, [&](const std::string& key, int component, double number) {
    if (component < 0) {
      json[key] = number;
    } else {
      json[key].push_back(number);
    }
  });
}

FlowMonitor::FlowMonitor(const Case& lbm_case, const CaseModel& model,
                         const io::RunDirectory& directory, Notices& notices, bool continues)
    : derived_(model.derived),
      units_(make_units(lbm_case, model.derived)),
      notices_(notices),
      cells_(std::int64_t{lbm_case.grid.cells[0]} * lbm_case.grid.cells[1] *
             lbm_case.grid.cells[2]),
      fluid_cells_(static_cast<double>(cells_ - model.boundaries.solid_cells())),
      every_(lbm_case.output.monitor.value_or(0)),
      // Energies are sums of fixed-point numbers, one a cell.
      steady_(lbm_case, model.derived, units_,
              0.5 / fixed::flow(cells_) * units_.density * std::pow(units_.velocity, 2)),
      checkerboard_(lbm_case, model.derived, notices) {
  if (every_ == 0 || directory.is_nowhere()) return;
  log_.emplace(
      directory.file("monitor.csv"),
      std::vector<std::string>{lbm_case.name + ": means over the fluid and extremes",
                               "mass: mean density - 1; densities in reference densities; energy "
                               "and momentum per volume",
                               "alternation: 0 smooth, 1 checkerboard; 0 where it is small"},
      columns_of_monitor(), continues);
}

std::optional<std::int64_t> FlowMonitor::next_after(std::int64_t step) const {
  const auto next = steady_.next_after(step);
  if (every_ == 0) return next;
  const std::int64_t monitored = (step / every_ + 1) * every_;
  return std::min(next.value_or(monitored), monitored);
}

void FlowMonitor::on_sample(std::int64_t step, std::span<const std::int64_t> record) {
  alternation_ = alternation_of(differences_of(record, cells_), fluid_cells_, derived_.velocity);
  FlowSample& s = last_.emplace();
  s.step = step;
  s.time = static_cast<double>(step) * units_.time;
  for (int i = 0; i < reductions; ++i) {
    const auto value = static_cast<FlowValue>(i);
    const Reduction& row = reduction_rows[i];
    s[value] = reduced(record, value, cells_);
    if (row.join == Join::sum) s[value] /= fluid_cells_;
    for (int power = 0; power < row.densities; ++power) s[value] *= units_.density;
    for (int power = 0; power < row.velocities; ++power) s[value] *= units_.velocity;
  }
  s.alternation = alternation_.value;
  warn();
  if (is_monitored(step) && log_) {
    std::vector<double> numbers(s.values.begin(), s.values.end());
    numbers.push_back(s.alternation);
    log_->add(s.step, s.time, numbers);
  }
  if (steady_.is_due(step)) steady_.add(step, s[kinetic_energy]);
}

double FlowMonitor::last_mach() const {
  return last_ ? std::sqrt(3.0) * (*last_)[speed_max] / units_.velocity : 0;
}

void FlowMonitor::warn() {
  const FlowSample& s = *last_;
  if (last_mach() > high_mach && !std::exchange(warned_of_mach_, true)) {
    notices_.warn(fmt::format(
        "step {}: the fastest cell is at Mach {:.2f}, above {}: errors of compressibility are of "
        "the order of Mach^2: use a smaller fluid.lattice_velocity",
        s.step, last_mach(), high_mach));
  }
  const double deviation = std::max(1 - s[density_min], s[density_max] - 1);
  if (deviation > high_density_deviation && !std::exchange(warned_of_density_, true)) {
    notices_.warn(fmt::format(
        "step {}: density from {:.3f} to {:.3f} of the reference density, beyond 1 +- {}: the flow "
        "is meant to be hardly compressible: use a smaller fluid.lattice_velocity",
        s.step, s[density_min], s[density_max], high_density_deviation));
  }
}

void FlowMonitor::save_state(io::Json& state) const {
  state["last_look"] = last_;
  state["steady"] = steady_.save();
}

void FlowMonitor::load_state(const io::Json& state) {
  steady_.load(io::member(state, "steady"));
  last_.reset();
  const io::Json& saved = io::member(state, "last_look");
  if (!saved.is_object()) return;
  FlowSample& sample = last_.emplace();
  sample.step = io::whole_in(io::member(saved, "step")).value_or(0);
  visit_numbers(sample, [&](const std::string& key, int component, double& number) {
    const io::Json& json = io::member(saved, key);
    number = io::number_in(component < 0 ? json : io::item(json, component)).value_or(0);
  });
}

FlowRecords::FlowRecords(const Case& lbm_case, const CaseModel& model,
                         const io::RunDirectory& directory, Expectations& expectations,
                         Quantities& quantities, FreeBodies* free_bodies, Notices& notices,
                         bool continues)
    : expectations_(expectations),
      quantities_(quantities),
      free_bodies_(free_bodies),
      scalars_(model.lattice.scalar_count()),
      probe_cells_(probe_cells(lbm_case, model.derived, model.boundaries)),
      forces_(lbm_case, model, directory, continues),
      monitor_(lbm_case, model, directory, notices, continues),
      probes_(lbm_case, model, probe_cells_, directory, continues) {
  forces_.add_files_to(logs_);
  if (monitor_.file() != nullptr) logs_.push_back(monitor_.file());
  probes_.add_files_to(logs_);
  quantities_.add_files_to(logs_);
}

void FlowRecords::on_step(std::int64_t step, std::span<const std::int64_t> record, bool sampled) {
  const auto bodies = static_cast<int>(forces_.bodies().size());
  if (bodies > 0) {
    forces_.on_step(step, record.subspan(flow_values));
    expectations_.on_forces(step, forces_.last());
    if (free_bodies_ != nullptr) free_bodies_->on_step(step, record.subspan(flow_values));
  }
  std::span<const std::int64_t> probes;
  if (probe_cells_.size() > 0) {
    probes = record.subspan(static_cast<std::size_t>(first_probe_value(bodies, scalars_)));
    probes_.on_step(step, probes);
  }
  const auto boxes =
      static_cast<std::size_t>(first_box_value(bodies, probe_cells_.size(), scalars_));
  quantities_.on_step(step, forces_.last(), probes, record.subspan(boxes));
  if (!sampled) return;
  monitor_.on_sample(step, record);
  expectations_.on_sample(*monitor_.last(), monitor_.is_monitored(step));
  monitor_.check();
}

std::optional<std::int64_t> FlowRecords::next_sample_after(std::int64_t step) const {
  const auto monitored = monitor_.next_after(step), summed = quantities_.next_sums_after(step);
  if (!monitored || !summed) return monitored ? monitored : summed;
  return std::min(*monitored, *summed);
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

io::Json FlowRecords::save_state() const {
  io::Json state{{"forces", forces_.save_state()}};
  monitor_.save_state(state);
  return state;
}

void FlowRecords::load_state(const io::Json& state) {
  forces_.load_state(io::member(state, "forces"));
  monitor_.load_state(state);
}

std::vector<NamedLimit> FlowRecords::limits() const {
  if (quantities_.decide_steadiness()) return quantities_.limits();
  const auto limit = monitor_.steady().limit();
  if (!limit) return {};
  return {{"kinetic_energy", monitor_.steady().step(), *limit}};
}

std::string beside(const std::string& caution) { return caution.empty() ? "" : "; " + caution; }

std::string flow_line(const Case& lbm_case, const FlowRecords& records) {
  std::string line;
  if (const auto& sample = records.last_sample()) {
    add(line, fmt::format("speed {:.3g} {}", (*sample)[speed_max], is_si(lbm_case) ? "m/s" : "U"));
  }
  const auto& names = records.bodies();
  for (std::size_t b = 0; b < std::min(names.size(), bodies_in_line); ++b) {
    add(line, fmt::format("{}: C {}", names[b], three(records.last_forces()[b].coefficient)));
  }
  if (!names.empty() && !records.caution().empty()) line += " " + records.caution();
  if (const auto change = records.last_change()) {
    const UntilSteady& until = lbm_case.run.until_steady;
    add(line, fmt::format("{} {:.1e} (steady below {:.0e})", until.error ? "error" : "change",
                          *change, until.error ? *until.error : *until.tolerance));
  }
  return line;
}

std::string flow_summary(const Case& lbm_case, const FlowRecords& records) {
  std::string text;
  if (const auto& s = records.last_sample()) {
    text += fmt::format(
        "flow: largest speed {:.4g} {} (Mach {:.2g}), density {:.5g} to {:.5g} of the reference\n",
        (*s)[speed_max], is_si(lbm_case) ? "m/s" : "U", records.last_mach(), (*s)[density_min],
        (*s)[density_max]);
  }
  const auto& names = records.bodies();
  for (std::size_t b = 0; b < std::min(names.size(), bodies_in_summary); ++b) {
    const BodyForces& f = records.last_forces()[b];
    text += fmt::format("body {}: force {} {}, coefficients {}{}\n", names[b], three(f.force),
                        is_si(lbm_case) ? "N" : "rho0 U^2 L^2", three(f.coefficient),
                        beside(records.caution()));
  }
  if (names.size() > bodies_in_summary) {
    text += fmt::format("bodies: {} more are in report.json\n", names.size() - bodies_in_summary);
  }
  const std::vector<NamedLimit> limits = records.limits();
  if (!limits.empty()) {
    text += fmt::format("{}: estimated relative errors; run.until_steady.error is {:.2g}\n",
                        records.is_steady() ? "steady" : "not steady",
                        *lbm_case.run.until_steady.error);
  }
  for (const auto& [name, step, estimate] : limits) {
    text += fmt::format("  {}: {:.6g} at step {}, limit {:.6g}, error {:.2g}\n", name,
                        estimate.value, step, estimate.limit, estimate.error);
  }
  if (const auto change = records.last_change(); change && limits.empty()) {
    const bool by_quantity = !lbm_case.run.until_steady.quantities.empty();
    text += fmt::format(
        "{}: {} by {:.2g} per convective time at the last look, run.until_steady.tolerance is "
        "{:.2g}\n",
        records.is_steady() ? "steady" : "not steady",
        by_quantity ? "a quantity of run.until_steady changed" : "the kinetic energy changed",
        *change, *lbm_case.run.until_steady.tolerance);
  }
  return text;
}

}  // namespace lbm::cases
