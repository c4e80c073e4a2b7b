// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/formula_values.hpp"
#include "cases/case/model/inlet_profile.hpp"
#include "cases/case/schema/keys.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using namespace formula_values;

constexpr const char* component_names[]{"ux", "uy", "uz"};

[[noreturn]] void refuse_speed(const std::string& key, double speed, double reference,
                               const std::string& place) {
  refuse(key, fmt::format("gives a speed of {:.4g} x lattice_velocity {} (Mach {:.3g}) at {}, must "
                          "be at most Mach {} everywhere: lower it or fluid.lattice_velocity",
                          speed / reference, reference, speed * std::sqrt(3.0), place, max_mach));
}

[[noreturn]] void refuse_density(const std::string& key, double density, const Vec2& range,
                                 const std::string& place) {
  refuse(key,
         fmt::format("gives {:.4g} times the reference density at {}, must be within "
                     "run.density_range [{}, {}]: lower the pressure or fluid.lattice_velocity",
                     density, place, range[0], range[1]));
}

double fastest_allowed() { return max_mach / std::sqrt(3.0) * (1 + 1e-12); }

formula::Names names_of_time(const Case& lbm_case, const Derived& derived) {
  formula::Names names = formula_names(lbm_case, derived, {"t"});
  for (const char* const axis : {"x", "y", "z"}) {
    names.elsewhere.emplace_back(axis, "it is the same everywhere, must be a formula of t");
  }
  return names;
}

// of_time: advice to the user for a formula of t.
formula::Names names_over_face(const Case& lbm_case, const Derived& derived, int face,
                               const std::string& of_time) {
  const FaceGrid grid(lbm_case, face);
  const char a = "xyz"[grid.a], b = "xyz"[grid.b];
  formula::Names names = formula_names(lbm_case, derived, {std::string(1, a), std::string(1, b)});
  names.elsewhere.emplace_back(std::string(1, "xyz"[face / 2]),
                               fmt::format("all of the face has the same, must be {} or {}", a, b));
  names.elsewhere.emplace_back("t", "must be a formula of the place" + of_time);
  return names;
}

Formulas texts_of(const Vec3& numbers) {
  return {fmt::format("{}", numbers[0]), fmt::format("{}", numbers[1]),
          fmt::format("{}", numbers[2])};
}

}  // namespace

formula::Names formula_names(const Case& lbm_case, const Derived& derived,
                             std::vector<std::string> variables) {
  const Units units = make_units(lbm_case, derived);
  const auto& n = lbm_case.grid.cells;
  const double cell = units.length;
  return {std::move(variables),
          {{"lx", n[0] * cell},
           {"ly", n[1] * cell},
           {"lz", n[2] * cell},
           {"nx", n[0]},
           {"ny", n[1]},
           {"nz", n[2]},
           {"dx", cell},
           {"U", derived.velocity * units.velocity},
           {"L", derived.length * cell},
           {"Re", derived.reynolds},
           {"rho0", units.density},
           {"pi", std::numbers::pi}},
          {}};
}

std::vector<formula::Formula> acceleration_formulas(const Case& lbm_case,
                                                    const formula::Names& names) {
  const std::string key = where(lbm_case, "force.acceleration");
  const Formulas& texts = lbm_case.force.acceleration_formulas.value();
  std::vector<formula::Formula> all;
  for (std::size_t i = 0; i < 3; ++i) {
    all.push_back(parse(key, fmt::format("a{}: ", "xyz"[i]), texts[i], names));
  }
  return all;
}

bool acceleration_depends_on_place(const Case& lbm_case) {
  if (!lbm_case.force.acceleration_formulas) return false;
  // Only the names count here: their values are not used.
  const auto all =
      acceleration_formulas(lbm_case, formula_names(lbm_case, Derived{}, {"x", "y", "z", "t"}));
  return std::any_of(all.begin(), all.end(), [](const formula::Formula& formula) {
    return formula.uses(0) || formula.uses(1) || formula.uses(2);
  });
}

FlowFormulas::FlowFormulas(const Case& lbm_case, const Derived& derived)
    : cells_(lbm_case.grid.cells),
      cell_(make_units(lbm_case, derived).length),
      reference_speed_(derived.velocity),
      max_speed_(fastest_allowed()),
      density_range_(lbm_case.run.density_range),
      velocity_key_(where(lbm_case, "initial.velocity")),
      pressure_key_(where(lbm_case, "initial.pressure")) {
  const Initial& initial = lbm_case.initial;
  const Units units = make_units(lbm_case, derived);
  formula::Names names = formula_names(lbm_case, derived, {"x", "y", "z"});
  names.elsewhere.emplace_back("t", "the flow is that at time 0, must be a formula of x, y and z");
  const Formulas texts = initial.velocity_formulas ? *initial.velocity_formulas
                                                   : texts_of(initial.velocity.value_or(Vec3{}));
  constexpr std::span<double> StateRow::*velocities[]{&StateRow::ux, &StateRow::uy, &StateRow::uz};
  for (std::size_t i = 0; i < 3; ++i) {
    fields_.push_back(
        {parse(velocity_key_, fmt::format("{}: ", component_names[i]), texts[i], names),
         1 / units.velocity, velocities[i]});
  }
  if (initial.pressure.empty()) return;
  fields_.push_back(
      {parse(pressure_key_, "", initial.pressure, names), 3 / units.pressure, &StateRow::drho});
}

void FlowFormulas::fill(int y, int z, const StateRow& row) const {
  double at[]{0, (y + 0.5) * cell_, (z + 0.5) * cell_};
  for (const Field& field : fields_) {
    formula::Formula::Evaluator value(field.formula);
    const std::span<double> values = row.*field.values;
    const bool changes = field.formula.uses(0);
    for (std::size_t x = 0; x < values.size(); ++x) {
      at[0] = (static_cast<double>(x) + 0.5) * cell_;
      values[x] = x > 0 && !changes ? values[0] : value(at) * field.factor;
    }
  }
  for (std::size_t x = 0; x < row.ux.size(); ++x) check(static_cast<int>(x), y, z, row, x);
}

void FlowFormulas::check(int x, int y, int z, const StateRow& row, std::size_t at) const {
  const double ux = row.ux[at], uy = row.uy[at], uz = row.uz[at], density = 1 + row.drho[at];
  const double speed = std::sqrt(ux * ux + uy * uy + uz * uz);
  if (speed <= max_speed_ && density >= density_range_[0] && density <= density_range_[1]) return;
  const auto place = [&] {
    return fmt::format("x = {:.6g}, y = {:.6g}, z = {:.6g}", (x + 0.5) * cell_, (y + 0.5) * cell_,
                       (z + 0.5) * cell_);
  };
  const double u[]{ux, uy, uz};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!std::isfinite(u[i])) refuse_value(velocity_key_, component_names[i], u[i], place());
  }
  if (!(speed <= max_speed_)) refuse_speed(velocity_key_, speed, reference_speed_, place());
  if (!std::isfinite(density)) refuse_value(pressure_key_, "it", density, place());
  refuse_density(pressure_key_, density, density_range_, place());
}

void FlowFormulas::check_sample() const {
  for (const int z : sample(cells_[2])) {
    for (const int y : sample(cells_[1])) {
      Evaluators values;
      for (const Field& field : fields_) values.emplace_back(field.formula);
      for (const int x : sample(cells_[0])) {
        double u[3]{}, drho = 0;
        const StateRow one{{&drho, 1}, {&u[0], 1}, {&u[1], 1}, {&u[2], 1}};
        const double at[]{(x + 0.5) * cell_, (y + 0.5) * cell_, (z + 0.5) * cell_};
        for (std::size_t i = 0; i < fields_.size(); ++i) {
          (one.*fields_[i].values)[0] = values[i](at) * fields_[i].factor;
        }
        check(x, y, z, one, 0);
      }
    }
  }
}

bool FlowFormulas::check_rows(const TimeLimit& limit) const {
  const auto nx = static_cast<std::size_t>(cells_[0]);
  const std::int64_t rows = std::int64_t{cells_[1]} * cells_[2];
  const std::int64_t looked_at = std::clamp<std::int64_t>(most_cells_checked / cells_[0], 1, rows);
  FirstError error;
  std::atomic<bool> in_time{true};
#pragma omp parallel
  {
    std::vector<double> values(4 * nx);
    const auto part = [&](std::size_t i) { return std::span(values).subspan(i * nx, nx); };
#pragma omp for schedule(dynamic)
    for (std::int64_t i = 0; i < looked_at; ++i) {
      if (limit.reached()) in_time = false;
      if (!in_time || error.found()) continue;
      error.guard([&] {
        const std::int64_t row = looked_at == 1 ? 0 : (rows - 1) * i / (looked_at - 1);
        std::fill(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(nx), 1.0);
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(nx), values.end(), 0.0);
        fill(static_cast<int>(row % cells_[1]), static_cast<int>(row / cells_[1]),
             {part(0), part(1), part(2), part(3)});
      });
    }
  }
  error.rethrow();
  return in_time;
}

FaceFormulas::FaceFormulas(const Case& lbm_case, const Derived& derived, int face,
                           const std::string& key, const Formulas& texts)
    : units_(make_units(lbm_case, derived)),
      reference_speed_(derived.velocity),
      max_speed_(fastest_allowed()),
      key_(where(lbm_case, key)) {
  const FaceGrid grid(lbm_case, face);
  cells_ = {grid.na, grid.nb};
  axes_ = {"xyz"[grid.a], "xyz"[grid.b]};
  const formula::Names names =
      names_over_face(lbm_case, derived, face, "; that of t is velocity_factor");
  for (std::size_t i = 0; i < 3; ++i) {
    components_.push_back(parse(key_, fmt::format("{}: ", component_names[i]), texts[i], names));
  }
}

Vec3 FaceFormulas::at(Evaluators& evaluators, int i, int j) const {
  const double place[]{(i + 0.5) * units_.length, (j + 0.5) * units_.length};
  Vec3 u;
  for (std::size_t c = 0; c < 3; ++c) u[c] = evaluators[c](place);
  u = to_lattice_velocity(units_, u);
  const double speed = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (speed <= max_speed_) return u;
  const std::string text =
      fmt::format("{} = {:.6g}, {} = {:.6g}", axes_[0], place[0], axes_[1], place[1]);
  for (std::size_t c = 0; c < 3; ++c) {
    if (!std::isfinite(u[c])) refuse_value(key_, component_names[c], u[c], text);
  }
  refuse_speed(key_, speed, reference_speed_, text);
}

std::vector<float> FaceFormulas::profile(const TimeLimit& limit) const {
  std::vector<float> values(static_cast<std::size_t>(cells_[0]) * cells_[1] * 3);
  FirstError error;
#pragma omp parallel for schedule(static)
  for (int j = 0; j < cells_[1]; ++j) {
    if (error.found()) continue;
    error.guard([&] {
      limit.check();
      Evaluators evaluators(components_.begin(), components_.end());
      auto* to = &values[static_cast<std::size_t>(j) * cells_[0] * 3];
      for (int i = 0; i < cells_[0]; ++i) {
        for (const double u : at(evaluators, i, j)) *to++ = static_cast<float>(u);
      }
    });
  }
  error.rethrow();
  return values;
}

double FaceFormulas::sampled_speed() const {
  Evaluators evaluators(components_.begin(), components_.end());
  double fastest = 0;
  for (const int j : sample(cells_[1])) {
    for (const int i : sample(cells_[0])) {
      const Vec3 u = at(evaluators, i, j);
      fastest = std::max(fastest, std::hypot(u[0], u[1], u[2]));
    }
  }
  return fastest;
}

Vec3 FaceFormulas::sampled_mean() const {
  Evaluators evaluators(components_.begin(), components_.end());
  Vec3 sum{};
  const auto rows = sample(cells_[1]), columns = sample(cells_[0]);
  const auto places = static_cast<double>(rows.size() * columns.size());
  for (const int j : rows) {
    for (const int i : columns) {
      const Vec3 u = at(evaluators, i, j);
      for (std::size_t c = 0; c < 3; ++c) sum[c] += u[c] / places;
    }
  }
  return sum;
}

FacePressure::FacePressure(const Case& lbm_case, const Derived& derived, int face,
                           const std::string& key, const std::string& text)
    : units_(make_units(lbm_case, derived)),
      density_range_(lbm_case.run.density_range),
      key_(where(lbm_case, key)),
      formula_(parse(key_, "", text, names_over_face(lbm_case, derived, face, ""))) {
  const FaceGrid grid(lbm_case, face);
  cells_ = {grid.na, grid.nb};
  axes_ = {"xyz"[grid.a], "xyz"[grid.b]};
}

double FacePressure::at(formula::Formula::Evaluator& evaluator, int i, int j) const {
  const double place[]{(i + 0.5) * units_.length, (j + 0.5) * units_.length};
  const double drho = to_density_difference(units_, evaluator(place)), density = 1 + drho;
  if (density > 0 && density >= density_range_[0] && density <= density_range_[1]) return drho;
  const std::string text =
      fmt::format("{} = {:.6g}, {} = {:.6g}", axes_[0], place[0], axes_[1], place[1]);
  if (!std::isfinite(density)) refuse_value(key_, "it", density, text);
  refuse_density(key_, density, density_range_, text);
}

std::vector<float> FacePressure::densities(const TimeLimit& limit) const {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(cells_[0]) * cells_[1]);
  formula::Formula::Evaluator evaluator(formula_);
  for (int j = 0; j < cells_[1]; ++j) {
    limit.check();
    for (int i = 0; i < cells_[0]; ++i) values.push_back(static_cast<float>(at(evaluator, i, j)));
  }
  return values;
}

double FacePressure::sampled_density() const {
  formula::Formula::Evaluator evaluator(formula_);
  double farthest = 0;
  for (const int j : sample(cells_[1])) {
    for (const int i : sample(cells_[0])) {
      const double drho = at(evaluator, i, j);
      if (std::abs(drho) > std::abs(farthest)) farthest = drho;
    }
  }
  return farthest;
}

TimeFormula::TimeFormula(const Case& lbm_case, const Derived& derived, const std::string& key,
                         const std::string& text, double scale)
    : key_(where(lbm_case, key)),
      step_(make_units(lbm_case, derived).time),
      scale_(scale),
      formula_(parse(key_, "", text, names_of_time(lbm_case, derived))) {}

double TimeFormula::at(double step) const {
  const double t = step * step_;
  return formula::Formula::Evaluator(formula_)({&t, 1}) * scale_;
}

double TimeFormula::checked(double step) const {
  const double value = at(step);
  if (std::isfinite(value)) return value;
  refuse_value(key_, "it", value, fmt::format("t = {:.6g}", step * step_));
}

double TimeFormula::sampled_size(std::int64_t steps) const {
  const auto count = static_cast<int>(std::min<std::int64_t>(steps + 1, 1000));
  double size = 0;
  for (int i = 0; i < count; ++i) {
    const double step = static_cast<double>(steps) * i / std::max(count - 1, 1);
    size = std::max(size, std::abs(checked(std::round(step))));
  }
  return size;
}

TimeFormulas::TimeFormulas(const Case& lbm_case, const Derived& derived) {
  const auto add = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) all_.emplace_back(lbm_case, derived, key, text, 1);
  };
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const std::string key = "boundaries." + face_names()[face];
    add(key + ".velocity_factor", lbm_case.faces[face].velocity_factor);
    for (const Patch& patch : lbm_case.faces[face].patches) {
      add(key + ".patches." + patch.name + ".velocity_factor", patch.velocity_factor);
    }
  }
  for (const Body& body : lbm_case.bodies) {
    add("bodies." + body.name + ".velocity_factor", body.velocity_factor);
  }
  add("force.acceleration_factor", lbm_case.force.acceleration_factor);
  if (acceleration_depends_on_place(lbm_case)) return;
  for (const std::string& text : lbm_case.force.acceleration_formulas.value_or(Formulas{})) {
    add("force.acceleration", text);
  }
}

void TimeFormulas::check(std::int64_t first_step, std::int64_t last_step) const {
  for (const TimeFormula& formula : all_) {
    for (std::int64_t half = 2 * first_step; half <= 2 * last_step; ++half) {
      (void)formula.checked(static_cast<double>(half) / 2);
    }
  }
}

}  // namespace lbm::cases
