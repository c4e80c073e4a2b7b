#include "cases/case/model/inlet_profile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cases/case/case_files.hpp"
#include "cases/case/model/velocity_table.hpp"
#include "cases/case/scalars.hpp"

namespace lbm::cases {
namespace {

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

// False if the flow is independent of the axis (both its faces periodic or slip).
bool counts(const Case& lbm_case, int axis) {
  const auto open = [](BoundaryKind t) {
    return t == BoundaryKind::periodic || t == BoundaryKind::slip;
  };
  return !open(lbm_case.faces[2 * axis].type) && !open(lbm_case.faces[2 * axis + 1].type);
}

// Scales the peak by the share of each cell.
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

std::vector<float> duct(const Case& lbm_case, const FaceGrid& grid, const Vec3& peak) {
  const bool over_a = counts(lbm_case, grid.a), over_b = counts(lbm_case, grid.b);
  const double w = grid.na / 2.0, h = grid.nb / 2.0;
  // By symmetry, a quarter of the face suffices; the series is costly.
  std::vector<double> quarter(static_cast<std::size_t>((grid.na + 1) / 2) * ((grid.nb + 1) / 2));
  const auto at = [&](int i, int j) -> double& {
    return quarter[static_cast<std::size_t>(std::min(j, grid.nb - 1 - j)) * ((grid.na + 1) / 2) +
                   std::min(i, grid.na - 1 - i)];
  };
  const auto parabola = [](double x, double half) { return 1 - x * x / (half * half); };
#pragma omp parallel for schedule(static)
  for (int j = 0; j < (grid.nb + 1) / 2; ++j) {
    for (int i = 0; i < (grid.na + 1) / 2; ++i) {
      const double x = i + 0.5 - w, y = j + 0.5 - h;
      at(i, j) = over_a && over_b ? duct_velocity(x, y, w, h)
                 : over_a         ? parabola(x, w)
                 : over_b         ? parabola(y, h)
                                  : 1;
    }
  }
  return times(grid, peak, at);
}

std::vector<float> pipe(const FaceCondition& condition, const FaceGrid& grid, const Units& units,
                        const Vec3& peak) {
  const Vec2 middle = condition.profile_center.value_or(
      Vec2{grid.na / 2.0 * units.length, grid.nb / 2.0 * units.length});
  const double radius = to_cells(units, condition.profile_radius.value_or(0));
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

double duct_velocity(double x, double y, double w, double h) {
  return duct_series(x, y, w, h) / duct_series(0, 0, w, h);
}

std::vector<float> inlet_profile(const Case& lbm_case, const FaceCondition& condition, int face,
                                 const Units& units, const Vec3& peak) {
  const FaceGrid grid(lbm_case, face);
  switch (condition.profile.value_or(InletProfile::uniform)) {
    case InletProfile::duct:
      return duct(lbm_case, grid, peak);
    case InletProfile::pipe:
      return pipe(condition, grid, units, peak);
    case InletProfile::table:
      return table(lbm_case, condition, grid, units);
    case InletProfile::uniform:
      break;
  }
  return {};
}

}  // namespace lbm::cases
