// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/box_formulas.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using Evaluators = std::vector<formula::Formula::Evaluator>;

constexpr const char* component_names[]{"ux", "uy", "uz"};
const double fastest_allowed = max_mach / std::sqrt(3.0) * (1 + 1e-12);

bool is_within(double value, const Vec2& range) { return value >= range[0] && value <= range[1]; }

[[noreturn]] void refuse_speed(const std::string& key, double speed, double reference,
                               const std::string& place) {
  throw UsageError(fmt::format(
      "{}: gives a speed of {:.4g} x lattice_velocity {} (Mach {:.3g}) at {}, must be at most Mach "
      "{} everywhere: lower it or fluid.lattice_velocity",
      key, speed / reference, reference, speed * std::sqrt(3.0), place, max_mach));
}

[[noreturn]] void refuse_density(const std::string& key, double density, const Vec2& range,
                                 const std::string& place) {
  throw UsageError(
      fmt::format("{}: gives {:.4g} times the reference density at {}, must be within "
                  "run.density_range [{}, {}]: lower the pressure or fluid.lattice_velocity",
                  key, density, place, range[0], range[1]));
}

// Velocity and density of the initial flow.
class FlowFormulas : public BoxFormulas {
 public:
  FlowFormulas(const Case& lbm_case, const Derived& derived)
      : BoxFormulas(lbm_case, derived),
        reference_speed_(derived.velocity),
        density_range_(lbm_case.run.density_range) {
    const Initial& initial = lbm_case.initial;
    const Units units = make_units(lbm_case, derived);
    formula::Names names = formula_names(lbm_case, derived, {"x", "y", "z"});
    names.elsewhere.emplace_back("t",
                                 "the flow is that at time 0, must be a formula of x, y and z");
    const std::string key = where(lbm_case, "initial.velocity");
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string name = component_names[i];
      const std::string text = initial.velocity_formulas
                                   ? (*initial.velocity_formulas)[i]
                                   : fmt::format("{}", initial.velocity.value_or(Vec3{})[i]);
      parts_.push_back(
          {parse_formula(key, name + ": ", text, names), key, name, 1 / units.velocity, 1});
    }
    if (initial.pressure.empty()) return;
    const std::string pressure = where(lbm_case, "initial.pressure");
    parts_.push_back({parse_formula(pressure, "", initial.pressure, names), pressure, "it",
                      3 / units.pressure, 1});
  }

  void fill(int y, int z, const StateRow& row) const {
    fill_row(y, z, {row.ux, row.uy, row.uz, row.drho});
  }

 private:
  static double speed_of(const Values& v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  bool is_good(const Values& v) const override {
    return speed_of(v) <= fastest_allowed && is_within(1 + v[3], density_range_);
  }
  [[noreturn]] void refuse(const Values& v, const std::string& place) const override {
    const double speed = speed_of(v);
    if (!(speed <= fastest_allowed)) refuse_speed(parts_[0].key, speed, reference_speed_, place);
    refuse_density(parts_.back().key, 1 + v[3], density_range_, place);
  }

  double reference_speed_;
  Vec2 density_range_;
};

// force.acceleration, where it depends on the place, in cells per step^2.
class AccelerationFormulas : public BoxFormulas {
 public:
  AccelerationFormulas(const Case& lbm_case, const Derived& derived)
      : BoxFormulas(lbm_case, derived), largest_mach_(lbm_case.run.max_mach) {
    const double unit = make_units(lbm_case, derived).acceleration;
    formula::Names names = formula_names(lbm_case, derived, {"x", "y", "z"});
    names.elsewhere.emplace_back(
        "t", "must be a formula of the place; that of t is force.acceleration_factor");
    const auto formulas = acceleration_formulas(lbm_case, names);
    for (std::size_t i = 0; i < 3; ++i) {
      parts_.push_back({formulas[i], where(lbm_case, "force.acceleration"),
                        fmt::format("a{}", "xyz"[i]), 1, unit});
    }
    const std::string& factor = lbm_case.force.acceleration_factor;
    const double largest =
        factor.empty() ? 1
                       : TimeFormula(lbm_case, derived, "force.acceleration_factor", factor, 1)
                             .sampled_size(derived.steps);
    // The solver stores floats, also where the factor is zero.
    constexpr double most_of_floats = 1e30;
    most_ = std::min(most_of_floats, largest_mach_ / (std::sqrt(3.0) * largest));
  }

  // Writes plane z of a ForceField, on all threads; rows that are the same are computed once.
  void fill(int z, std::span<float> values) const {
    const auto nx = static_cast<std::size_t>(cells_[0]), cells = values.size() / 3;
    const int rows = uses(1) ? cells_[1] : 1;
    FirstError error;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < rows; ++y) {
      if (error.found()) continue;
      error.guard([&] {
        std::vector<double> memory(3 * nx);
        const auto part = [&](std::size_t i) { return std::span(memory).subspan(i * nx, nx); };
        fill_row(y, z, {part(0), part(1), part(2), {}});
        for (std::size_t i = 0; i < 3; ++i) {
          std::transform(part(i).begin(), part(i).end(),
                         &values[i * cells + static_cast<std::size_t>(y) * nx],
                         [](double a) { return static_cast<float>(a); });
        }
      });
    }
    error.rethrow();
    for (std::size_t i = 0; i < 3; ++i) {
      float* const row = &values[i * cells];
      for (int y = rows; y < cells_[1]; ++y) std::copy_n(row, nx, row + nx * y);
    }
  }

 private:
  bool is_good(const Values& v) const override { return std::hypot(v[0], v[1], v[2]) <= most_; }
  [[noreturn]] void refuse(const Values& v, const std::string& place) const override {
    const double size = std::hypot(v[0], v[1], v[2]);
    throw UsageError(fmt::format(
        "{}: gives {:.4g} cells/step^2 at {}, which changes the flow by Mach {:.3g} in a step, "
        "must be at most Mach {} (run.max_mach) everywhere: lower it, or fluid.lattice_velocity",
        parts_[0].key, size, place, size / most_ * largest_mach_, largest_mach_));
  }

  double most_;          // acceleration
  double largest_mach_;  // run.max_mach
};

// of_time: advice to the user for a formula of t.
formula::Names names_over_face(const Case& lbm_case, const Derived& derived, int face,
                               const std::array<char, 2>& axes, const std::string& of_time) {
  formula::Names names =
      formula_names(lbm_case, derived, {std::string(1, axes[0]), std::string(1, axes[1])});
  names.elsewhere.emplace_back(
      std::string(1, "xyz"[face / 2]),
      fmt::format("all of the face has the same, must be {} or {}", axes[0], axes[1]));
  names.elsewhere.emplace_back("t", "must be a formula of the place" + of_time);
  return names;
}

}  // namespace

InitialState flow_of_formulas(const Case& lbm_case, const Derived& derived) {
  return [formulas = std::make_shared<FlowFormulas>(lbm_case, derived)](
             int y, int z, const StateRow& row) { formulas->fill(y, z, row); };
}

void check_flow_formulas(const Case& lbm_case, const Derived& derived) {
  FlowFormulas(lbm_case, derived).check_sample();
}

void check_force_formulas(const Case& lbm_case, const Derived& derived) {
  AccelerationFormulas(lbm_case, derived).check_sample();
}

std::optional<ForceField> force_field(const Case& lbm_case, const Derived& derived,
                                      const TimeLimit& limit) {
  if (!acceleration_depends_on_place(lbm_case)) return std::nullopt;
  const auto formulas = std::make_shared<AccelerationFormulas>(lbm_case, derived);
  ForceField field;
  field.fill = [formulas, &limit](int z, std::span<float> values) {
    limit.check();
    formulas->fill(z, values);
  };
  field.same_in_all_planes = !formulas->uses(2);
  field.factor = acceleration_factor(lbm_case, derived);
  return field;
}

FaceFormulas::FaceFormulas(const Case& lbm_case, const Derived& derived, int face,
                           const std::string& key)
    : units_(make_units(lbm_case, derived)),
      reference_speed_(derived.velocity),
      density_range_(lbm_case.run.density_range),
      key_(where(lbm_case, key)) {
  const FaceGrid grid(lbm_case, face);
  cells_ = {grid.na, grid.nb};
  axes_ = {"xyz"[grid.a], "xyz"[grid.b]};
}

FaceFormulas::FaceFormulas(const Case& lbm_case, const Derived& derived, int face,
                           const std::string& key, const Formulas& velocity)
    : FaceFormulas(lbm_case, derived, face, key) {
  const formula::Names names =
      names_over_face(lbm_case, derived, face, axes_, "; that of t is velocity_factor");
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string name = component_names[i];
    formulas_.push_back(parse_formula(key_, name + ": ", velocity[i], names));
  }
}

FaceFormulas::FaceFormulas(const Case& lbm_case, const Derived& derived, int face,
                           const std::string& key, const std::string& pressure)
    : FaceFormulas(lbm_case, derived, face, key) {
  const formula::Names names = names_over_face(lbm_case, derived, face, axes_, "");
  formulas_.push_back(parse_formula(key_, "", pressure, names));
}

Vec3 FaceFormulas::at(Evaluators& evaluators, int i, int j) const {
  const double place[]{(i + 0.5) * units_.length, (j + 0.5) * units_.length};
  const auto text = [&] {
    return fmt::format("{} = {:.6g}, {} = {:.6g}", axes_[0], place[0], axes_[1], place[1]);
  };
  if (evaluators.size() == 1) {
    const double drho = to_density_difference(units_, evaluators[0](place)), density = 1 + drho;
    if (density > 0 && is_within(density, density_range_)) return {drho, 0, 0};
    if (!std::isfinite(density)) refuse_value(key_, "it", density, text());
    refuse_density(key_, density, density_range_, text());
  }
  Vec3 u;
  for (std::size_t c = 0; c < 3; ++c) u[c] = evaluators[c](place);
  u = to_lattice_velocity(units_, u);
  const double speed = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (speed <= fastest_allowed) return u;
  for (std::size_t c = 0; c < 3; ++c) {
    if (!std::isfinite(u[c])) refuse_value(key_, component_names[c], u[c], text());
  }
  refuse_speed(key_, speed, reference_speed_, text());
}

std::vector<float> FaceFormulas::values(const TimeLimit& limit) const {
  const std::size_t components = formulas_.size();
  std::vector<float> values(static_cast<std::size_t>(cells_[0]) * cells_[1] * components);
  FirstError error;
#pragma omp parallel for schedule(static)
  for (int j = 0; j < cells_[1]; ++j) {
    if (error.found()) continue;
    error.guard([&] {
      limit.check();
      Evaluators evaluators(formulas_.begin(), formulas_.end());
      float* to = &values[static_cast<std::size_t>(j) * cells_[0] * components];
      for (int i = 0; i < cells_[0]; ++i) {
        const Vec3 all = at(evaluators, i, j);
        for (std::size_t c = 0; c < components; ++c) *to++ = static_cast<float>(all[c]);
      }
    });
  }
  error.rethrow();
  return values;
}

std::vector<Vec3> FaceFormulas::sample() const {
  Evaluators evaluators(formulas_.begin(), formulas_.end());
  std::vector<Vec3> all;
  for (const int j : sample_of(cells_[1])) {
    for (const int i : sample_of(cells_[0])) all.push_back(at(evaluators, i, j));
  }
  return all;
}

double FaceFormulas::sampled_extreme() const {
  double most = 0;
  for (const Vec3& v : sample()) {
    const double size = formulas_.size() == 1 ? v[0] : std::hypot(v[0], v[1], v[2]);
    if (std::abs(size) > std::abs(most)) most = size;
  }
  return most;
}

}  // namespace lbm::cases
