// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

formula::Names names_of_time(const Case& lbm_case, const Derived& derived) {
  formula::Names names = formula_names(lbm_case, derived, {"t"});
  for (const char* const axis : {"x", "y", "z"}) {
    names.elsewhere.emplace_back(axis, "it is the same everywhere, must be a formula of t");
  }
  return names;
}

// cosh(a y) / cosh(a h) without overflow, |y| <= h.
double cosh_ratio(double a, double y, double h) {
  const double far = std::exp(-a * (h - std::abs(y))), back = std::exp(-2 * a * std::abs(y));
  return far * (1 + back) / (1 + std::exp(-2 * a * h));
}

double duct_series(double x, double y, double w, double h) {
  double sum = 0;
  for (int i = 1; i < 400; i += 2) {
    const double k = i * std::numbers::pi / (2 * w);
    const double sign = i % 4 == 1 ? 1 : -1;
    sum += sign * (1 - cosh_ratio(k, y, h)) * std::cos(k * x) / (double(i) * i * i);
  }
  return sum;
}

// The width of a duct along one axis of a face, in cells. A slip face at an end is a plane of
// symmetry. With two slip faces or periodic faces the flow does not depend on the axis.
struct Width {
  bool matters = true;  // false: the flow does not depend on the axis
  double middle = 0, half = 0;
};

// ends: of the patch in units of the case; empty: the whole face.
Width width_along(const Case& lbm_case, int axis, const std::optional<Vec2>& ends,
                  const Units& units) {
  const int cells = lbm_case.grid.cells[axis];
  int first = 0, end = cells;
  if (ends) {  // cells whose centres are between them
    const auto cell_of = [&](double at) {
      return std::clamp(static_cast<int>(std::ceil(to_cells(units, at) - 0.5)), 0, cells);
    };
    first = cell_of((*ends)[0]);
    end = cell_of((*ends)[1]);
  }
  const BoundaryKind low = lbm_case.faces[2 * axis].type, high = lbm_case.faces[2 * axis + 1].type;
  const bool whole = first == 0 && end == cells;
  const bool mirror_low = first == 0 && low == BoundaryKind::slip;
  const bool mirror_high = end == cells && high == BoundaryKind::slip;
  if ((whole && low == BoundaryKind::periodic) || (mirror_low && mirror_high)) return {false, 0, 0};
  const double size = end - first;
  if (mirror_low) return {true, 0, size};
  if (mirror_high) return {true, static_cast<double>(cells), size};
  return {true, first + size / 2, size / 2};
}

// The distinct distances of cells from the middle of the duct; mirrored cells share one.
struct Distances {
  Distances(const Width& duct, int cells) : index(static_cast<std::size_t>(cells)), values(1) {
    for (int i = 0; duct.matters && i < cells; ++i) {
      const auto twice = std::llround(2 * std::abs(i + 0.5 - duct.middle));  // all odd, or all even
      const auto at = static_cast<std::size_t>(twice / 2);
      index[static_cast<std::size_t>(i)] = at;
      if (values.size() <= at) values.resize(at + 1);
      values[at] = std::min(0.5 * static_cast<double>(twice), duct.half);  // outside: at the wall
    }
  }

  std::vector<std::size_t> index;  // of each cell, in values
  std::vector<double> values;
};

// share(i, j) times the peak velocity, [nb][na][3].
template <class Share>
std::vector<float> times(const FaceGrid& grid, const Vec3& peak, const Share& share) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(grid.na) * grid.nb * 3);
  for (int j = 0; j < grid.nb; ++j) {
    for (int i = 0; i < grid.na; ++i) {
      const double part = share(i, j);
      for (const double u : peak) values.push_back(static_cast<float>(part * u));
    }
  }
  return values;
}

std::vector<float> duct(const Case& lbm_case, const FaceGrid& grid, const Patch* patch,
                        const Units& units, const Vec3& peak) {
  const auto ends = [&](std::size_t first) -> std::optional<Vec2> {
    if (patch == nullptr || !patch->box) return std::nullopt;
    return Vec2{(*patch->box)[first], (*patch->box)[first + 1]};
  };
  const Width w = width_along(lbm_case, grid.a, ends(0), units);
  const Width h = width_along(lbm_case, grid.b, ends(2), units);
  const Distances a(w, grid.na), b(h, grid.nb);
  const auto parabola = [](double x, double half) { return 1 - x * x / (half * half); };
  const std::size_t row = a.values.size();
  std::vector<double> shares(row * b.values.size());
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < b.values.size(); ++j) {
    for (std::size_t i = 0; i < row; ++i) {
      const double x = a.values[i], y = b.values[j];
      shares[j * row + i] = w.matters && h.matters ? duct_velocity(x, y, w.half, h.half)
                            : w.matters            ? parabola(x, w.half)
                            : h.matters            ? parabola(y, h.half)
                                                   : 1;
    }
  }
  return times(grid, peak, [&](int i, int j) {
    return shares[b.index[static_cast<std::size_t>(j)] * row +
                  a.index[static_cast<std::size_t>(i)]];
  });
}

std::vector<float> pipe(const FaceCondition& condition, const FaceGrid& grid, const Patch* patch,
                        const Units& units, const Vec3& peak) {
  Vec2 middle{grid.na / 2.0 * units.length, grid.nb / 2.0 * units.length};
  if (patch != nullptr && patch->center) middle = *patch->center;
  const double of_patch = patch != nullptr ? patch->radius.value_or(0) : 0;
  middle = condition.profile_center.value_or(middle);
  const double radius = to_cells(units, condition.profile_radius.value_or(of_patch));
  return times(grid, peak, [&](int i, int j) {
    const double r =
        std::hypot(i + 0.5 - to_cells(units, middle[0]), j + 0.5 - to_cells(units, middle[1])) /
        radius;
    return r < 1 ? 1 - r * r : 0;
  });
}

std::vector<float> table(const Case& lbm_case, const FaceCondition& condition, const FaceGrid& grid,
                         const Units& units) {
  const VelocityTable from(path_of(lbm_case, condition.file));
  std::vector<float> values;
  for (int j = 0; j < grid.nb; ++j) {
    for (int i = 0; i < grid.na; ++i) {
      const Vec3 u = from.at((i + 0.5) * units.length, (j + 0.5) * units.length);
      for (const double c : to_lattice_velocity(units, u)) values.push_back(static_cast<float>(c));
    }
  }
  return values;
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

formula::Formula parse_formula(const std::string& key, const std::string& component,
                               const std::string& text, const formula::Names& names) {
  try {
    return formula::Formula(text, names);
  } catch (const formula::FormulaError& error) {
    throw UsageError(key + ": " + component + error.what());
  }
}

void refuse_value(const std::string& key, const std::string& name, double value,
                  const std::string& place) {
  const std::string number = std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
  throw UsageError(
      fmt::format("{}: {} is {} at {}, must be finite everywhere: change the formula there", key,
                  name, number, place));
}

std::vector<formula::Formula> acceleration_formulas(const Case& lbm_case,
                                                    const formula::Names& names) {
  const std::string key = where(lbm_case, "force.acceleration");
  const Formulas& texts = lbm_case.force.acceleration_formulas.value();
  std::vector<formula::Formula> all;
  for (std::size_t i = 0; i < 3; ++i) {
    all.push_back(parse_formula(key, fmt::format("a{}: ", "xyz"[i]), texts[i], names));
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

TimeFormula::TimeFormula(const Case& lbm_case, const Derived& derived, const std::string& key,
                         const std::string& text, double scale)
    : key_(where(lbm_case, key)),
      step_(make_units(lbm_case, derived).time),
      scale_(scale),
      formula_(parse_formula(key_, "", text, names_of_time(lbm_case, derived))) {}

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

TimeFactor time_factor(const Case& lbm_case, const Derived& derived, const std::string& key,
                       const std::string& text) {
  if (text.empty()) return {};
  return {TimeFactor::Kind::function, 0,
          std::make_shared<TimeFormula>(lbm_case, derived, key, text, 1)};
}

TimeFactor acceleration_factor(const Case& lbm_case, const Derived& derived) {
  return time_factor(lbm_case, derived, "force.acceleration_factor",
                     lbm_case.force.acceleration_factor);
}

double duct_velocity(double x, double y, double w, double h) {
  return duct_series(x, y, w, h) / duct_series(0, 0, w, h);
}

std::vector<float> inlet_profile(const Case& lbm_case, const FaceCondition& condition, int face,
                                 const Units& units, const Vec3& peak, const Patch* patch) {
  const FaceGrid grid(lbm_case, face);
  switch (condition.profile.value_or(InletProfile::uniform)) {
    case InletProfile::duct:
      return duct(lbm_case, grid, patch, units, peak);
    case InletProfile::pipe:
      return pipe(condition, grid, patch, units, peak);
    case InletProfile::table:
      return table(lbm_case, condition, grid, units);
    case InletProfile::uniform:
      break;
  }
  return {};
}

}  // namespace lbm::cases
