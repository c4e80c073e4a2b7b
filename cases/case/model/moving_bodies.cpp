// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/moving_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "solver/boundary/free_body.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr int points_per_cell = 32;

// Point i of the rank-1 lattice, from the centre of a cell.
geometry::Vec point_of_cell(int i) {
  constexpr std::array<int, 3> generator{1, 7, 11};
  geometry::Vec point{};
  for (std::size_t a = 0; a < 3; ++a) {
    point[a] = (generator[a] * i % points_per_cell + 0.5) / points_per_cell - 0.5;
  }
  return point;
}

// A rotation about an axis, then a displacement, of the time.
struct Path {
  geometry::Vec axis{0, 0, 1}, center{};
  AngleOfStep angle;                      // null: it does not turn
  std::vector<TimeFormula> displacement;  // none, or three

  double angle_at(double step) const { return angle ? angle(step) : 0; }
  geometry::Vec center_at(double step) const {
    geometry::Vec at = center;
    for (std::size_t a = 0; a < displacement.size(); ++a) at[a] += displacement[a].at(step);
    return at;
  }
  BodyPlace operator()(double step) const {
    BodyPlace place;
    place.center = center_at(step);
    // No formula is asked for a time before the run.
    const double from = std::max(step - 0.5, 0.0), to = step + 0.5;
    const auto before = center_at(from), after = center_at(to);
    const double turn = angle_at(step), speed = (angle_at(to) - angle_at(from)) / (to - from);
    place.rotation = geometry::rotation(axis, turn * 180 / std::numbers::pi).matrix;
    for (std::size_t a = 0; a < 3; ++a) {
      place.velocity[a] = (after[a] - before[a]) / (to - from);
      place.angular_velocity[a] = speed * axis[a];
    }
    return place;
  }
};

// A body as long as the box along an axis has one sample there. Throws UsageError, without the name
// of the body, unless all its sections across that axis are the same, and it ends along the others.
void check_prism(const geometry::Shape& shape, const geometry::Box& bounds,
                 const std::array<int, 3>& cells, std::size_t axis) {
  constexpr int sections = 7, points = 40;
  const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
  bool same = std::isfinite(bounds.high[b] - bounds.low[b]) &&
              std::isfinite(bounds.high[c] - bounds.low[c]);
  for (int i = 0; same && i < points * points; ++i) {
    geometry::Vec at{};
    const auto between = [&](std::size_t k, int n) {
      return bounds.low[k] + (bounds.high[k] - bounds.low[k]) * (n + 0.5) / points;
    };
    at[b] = between(b, i % points);
    at[c] = between(c, i / points);
    int inside = 0;
    for (int section = 0; section < sections; ++section) {
      at[axis] = cells[axis] * (section + 0.5) / sections;
      inside += shape.inside(at) ? 1 : 0;
    }
    same = inside == 0 || inside == sections;
  }
  if (same) return;
  throw UsageError(fmt::format(
      "the body is as long as the box along {} or longer, and not the same all along: take "
      "a larger box, or a body that ends in it",
      "xyz"[axis]));
}

// The body does not come closer to a face that is not periodic: links of cells at other faces than
// walls and slip need cells without a body.
std::shared_ptr<FreeBody> make_free_body(const Case& lbm_case, const Units& units,
                                         const FreeKeys& keys, const SolidFraction& fraction) {
  const auto periodic = periodic_axes(lbm_case);
  FreeBodyMotion motion;
  motion.density_ratio = *keys.density_ratio;
  motion.gravity = to_lattice_acceleration(units, keys.gravity.value_or(Vec3{}));
  motion.velocity = to_lattice_velocity(units, keys.velocity.value_or(Vec3{}));
  motion.angular_velocity =
      to_lattice_angular_velocity(units, keys.angular_velocity.value_or(Vec3{}));
  motion.release = to_steps(units, keys.release.value_or(0));
  motion.rotates = keys.rotates.value_or(true);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto gap = [&](std::size_t face) {
      if (periodic[a]) return -std::numeric_limits<double>::infinity();
      const BoundaryKind kind = lbm_case.faces[2 * a + face].type;
      return kind == BoundaryKind::wall || kind == BoundaryKind::slip ? 0.5 : 2.0;
    };
    motion.low[a] = gap(0);
    motion.high[a] = lbm_case.grid.cells[a] - gap(1);
  }
  return std::make_shared<FreeBody>(displaced_fluid(fraction, lbm_case.grid.cells), motion,
                                    surface_of(fraction));
}

}  // namespace

SolidFraction sample_solid_fraction(const geometry::Shape& shape, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, const TimeLimit& limit,
                                    FractionSamples samples) {
  SolidFraction made;
  const int per_cell = samples == FractionSamples::of_cells ? 1 : 2;
  made.spacing = 1.0 / per_cell;
  const geometry::Box bounds = shape.bounds();
  std::array<int, 3> wide{};  // of one sample in each cell along x and y
  for (std::size_t a = 0; a < 3; ++a) {
    double low = bounds.low[a], high = bounds.high[a];
    const bool longer = periodic[a] && low <= 0 && high >= cells[a];
    if (longer || !std::isfinite(high - low)) {
      made.samples[a] = 1;
      made.first[a] = 0.5 * cells[a];
      check_prism(shape, bounds, cells, a);
    } else {
      if (samples == FractionSamples::of_cells && !periodic[a]) {
        low = std::clamp(low, 0.0, cells[a] - 1.0);
        high = std::clamp(high, low, double(cells[a]));
      }
      if (high - low > cells[a] + 2) {
        throw UsageError(fmt::format(
            "the body is {:.6g} cells long along {}, must fit the box: check its size, scale and "
            "units",
            high - low, "xyz"[a]));
      }
      if (samples == FractionSamples::of_cells) {
        made.first[a] = std::floor(low) + 0.5;
        made.samples[a] = std::max(static_cast<int>(std::ceil(high) - std::floor(low)), 2);
      } else {
        made.first[a] = low - 1;
        made.samples[a] = per_cell * (static_cast<int>(std::ceil(high - low)) + 2) + 1;
      }
    }
    wide[a] = (made.samples[a] + per_cell - 1) / per_cell;
  }
  const std::int64_t row = made.samples[0], plane = row * made.samples[1];
  made.values.assign(static_cast<std::size_t>(plane * made.samples[2]), 0);
#pragma omp parallel
  {
    std::vector<std::int8_t> sides(static_cast<std::size_t>(wide[0]) *
                                   static_cast<std::size_t>(wide[1]));
    std::vector<std::uint8_t> counts(static_cast<std::size_t>(plane));
#pragma omp for schedule(dynamic)
    for (int z = 0; z < made.samples[2]; ++z) {
      std::fill(counts.begin(), counts.end(), std::uint8_t{0});
      for (int shift = 0; shift < per_cell * per_cell; ++shift) {
        const int from_x = shift % per_cell, from_y = shift / per_cell;
        const int nx = (made.samples[0] - from_x + per_cell - 1) / per_cell;
        const int ny = (made.samples[1] - from_y + per_cell - 1) / per_cell;
        if (nx <= 0 || ny <= 0 || limit.reached()) continue;
        const geometry::Vec first{made.first[0] + from_x * made.spacing,
                                  made.first[1] + from_y * made.spacing,
                                  made.first[2] + z * made.spacing};
        const std::span<std::int8_t> found(
            sides.data(), static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
        for (int i = 0; i < points_per_cell; ++i) {
          shape.sides({geometry::operator+(first, point_of_cell(i)), nx, ny}, found);
          for (int y = 0; y < ny; ++y) {
            auto* const to = counts.data() + (per_cell * y + from_y) * row + from_x;
            const auto* const side = found.data() + static_cast<std::ptrdiff_t>(y) * nx;
            for (int x = 0; x < nx; ++x) {
              if (side[x] >= 0) ++to[per_cell * x];
            }
          }
        }
      }
      auto* const to = made.values.data() + z * plane;
      for (std::int64_t i = 0; i < plane; ++i) {
        to[i] = static_cast<std::uint8_t>(
            (255 * counts[static_cast<std::size_t>(i)] + points_per_cell / 2) / points_per_cell);
      }
    }
  }
  limit.check();
  if (std::none_of(made.values.begin(), made.values.end(), [](std::uint8_t v) { return v > 0; })) {
    throw UsageError("the body fills no part of a cell: use more cells, or thicken it");
  }
  return made;
}

AngleOfStep angle_of(const Case& lbm_case, const Derived& derived, const Body& body) {
  const MotionKeys& keys = body.motion;
  if (keys.rate) {
    const double rate = *keys.rate / make_units(lbm_case, derived).angular_velocity;
    return [rate](double step) { return rate * step; };
  }
  if (keys.angle.empty()) return nullptr;
  const TimeFormula formula(lbm_case, derived, "bodies." + body.name + ".motion.angle", keys.angle,
                            1);
  return [formula](double step) { return formula.at(step); };
}

std::shared_ptr<const MovingBody> make_moving_body(const Case& lbm_case, const Derived& derived,
                                                   const Body& body, const geometry::Vec& center,
                                                   SolidFraction fraction) {
  const MotionKeys& keys = body.motion;
  const Units units = make_units(lbm_case, derived);
  auto made = std::make_shared<MovingBody>();
  if (body.free.any()) {
    made->free = make_free_body(lbm_case, units, body.free, fraction);
    made->fraction = std::move(fraction);
    made->pivot = made->free->centroid();
    made->place = [free = made->free](double) { return free->place(); };
    check_path(lbm_case, derived, *made);
    return made;
  }
  Path path;
  path.center = center;
  if (keys.axis) path.axis = geometry::unit(*keys.axis);
  path.angle = angle_of(lbm_case, derived, body);
  if (keys.displacement) {
    for (const std::string& text : *keys.displacement) {
      path.displacement.emplace_back(lbm_case, derived,
                                     "bodies." + body.name + ".motion.displacement", text,
                                     1 / units.length);
    }
  }
  made->fraction = std::move(fraction);
  made->pivot = center;
  made->place = path;
  check_path(lbm_case, derived, *made);
  return made;
}

}  // namespace lbm::cases
