// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/moving_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr int points_per_cell = 32;
constexpr int samples_per_cell = 2;

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
  double rate = 0;  // radians per step
  std::optional<TimeFormula> angle;
  std::vector<TimeFormula> displacement;  // none, or three

  double angle_at(double step) const { return angle ? angle->at(step) : rate * step; }
  geometry::Vec center_at(double step) const {
    geometry::Vec at = center;
    for (std::size_t a = 0; a < displacement.size(); ++a) at[a] += displacement[a].at(step);
    return at;
  }
  BodyPlace operator()(double step) const {
    BodyPlace place;
    place.center = center_at(step);
    const auto before = center_at(step - 0.5), after = center_at(step + 0.5);
    const double turn = angle_at(step), speed = angle_at(step + 0.5) - angle_at(step - 0.5);
    const double c = std::cos(turn), s = std::sin(turn);
    // Rodrigues' rotation formula.
    const geometry::Vec& k = axis;
    place.rotation = {{{c + k[0] * k[0] * (1 - c), k[0] * k[1] * (1 - c) - k[2] * s,
                        k[0] * k[2] * (1 - c) + k[1] * s},
                       {k[1] * k[0] * (1 - c) + k[2] * s, c + k[1] * k[1] * (1 - c),
                        k[1] * k[2] * (1 - c) - k[0] * s},
                       {k[2] * k[0] * (1 - c) - k[1] * s, k[2] * k[1] * (1 - c) + k[0] * s,
                        c + k[2] * k[2] * (1 - c)}}};
    for (std::size_t a = 0; a < 3; ++a) {
      place.velocity[a] = after[a] - before[a];
      place.angular_velocity[a] = speed * axis[a];
    }
    return place;
  }
};

constexpr double most_mach = 0.3;
constexpr int looks = 1000;

// The corners of the samples, but for the empty cell beyond each end; the middle of the box along
// axes with one sample.
std::vector<geometry::Vec> corners_of(const SolidFraction& fraction) {
  std::vector<geometry::Vec> corners;
  for (unsigned i = 0; i < 8; ++i) {
    geometry::Vec& corner = corners.emplace_back();
    for (std::size_t a = 0; a < 3; ++a) {
      const int samples = fraction.samples[a];
      const double end = (samples - 1) * fraction.spacing - 1;
      corner[a] = fraction.first[a] + (samples == 1 ? 0 : ((i >> a & 1U) != 0 ? end : 1));
    }
  }
  return corners;
}

// Throws UsageError, without the name of the body, for a speed or a place that is out of range at a
// time of the run.
void check_path(const Case& lbm_case, const Derived& derived, const MovingBody& moving) {
  const auto corners = corners_of(moving.fraction);
  const auto periodic = periodic_axes(lbm_case);
  for (int look = 0; look <= looks; ++look) {
    const double step = std::floor(static_cast<double>(derived.steps) * look / looks);
    const BodyPlace place = moving.place(step);
    const auto at = [&] {
      return fmt::format("at step {:.0f}, t = {:.4g}", step, step / derived.steps_per_time);
    };
    for (const geometry::Vec& corner : corners) {
      const geometry::Vec arm = geometry::operator-(corner, moving.pivot);
      geometry::Vec turned{};
      for (std::size_t a = 0; a < 3; ++a) turned[a] = geometry::dot(place.rotation[a], arm);
      const geometry::Vec u =
          geometry::operator+(place.velocity, geometry::cross(place.angular_velocity, turned));
      const double mach = geometry::length(u) * std::sqrt(3.0);
      if (!(mach <= most_mach)) {
        throw UsageError(
            fmt::format("motion: found a speed of Mach {:.3g} {}, must be at most {}: turn or move "
                        "the body more "
                        "slowly, or lower fluid.lattice_velocity",
                        mach, at(), most_mach));
      }
      for (std::size_t a = 0; a < 3; ++a) {
        const double x = place.center[a] + turned[a];
        if (periodic[a] || moving.fraction.samples[a] == 1) continue;
        // Other faces than walls and slip need cells without a body.
        const auto gap = [&](std::size_t face) {
          const BoundaryKind kind = lbm_case.faces[2 * a + face].type;
          return kind == BoundaryKind::wall || kind == BoundaryKind::slip ? 0 : 2;
        };
        if (x >= gap(0) && x <= lbm_case.grid.cells[a] - gap(1)) continue;
        throw UsageError(fmt::format(
            "motion: the body leaves the box along {} {}, must stay inside, two cells away from "
            "faces "
            "other than walls and slip, or cross periodic faces: change its motion, its place or "
            "the box",
            "xyz"[a], at()));
      }
    }
  }
}

// Up to 500 samples, evenly chosen, where the body begins.
std::vector<geometry::Vec> surface_of(const SolidFraction& fraction) {
  constexpr std::size_t most = 500;
  std::vector<geometry::Vec> points;
  const auto& n = fraction.samples;
  std::size_t i = 0;
  for (int z = 0; z < n[2]; ++z) {
    for (int y = 0; y < n[1]; ++y) {
      for (int x = 0; x < n[0]; ++x, ++i) {
        const std::uint8_t value = fraction.values[i];
        if (value < 64 || value > 191) continue;
        points.push_back(geometry::operator+(
            fraction.first, fraction.spacing* geometry::Vec{double(x), double(y), double(z)}));
      }
    }
  }
  if (points.size() <= most) return points;
  std::vector<geometry::Vec> some;
  some.reserve(most);
  for (std::size_t k = 0; k < most; ++k) some.push_back(points[k * points.size() / most]);
  return some;
}

geometry::Vec in_box(const BodyPlace& place, const geometry::Vec& arm) {
  geometry::Vec at = place.center;
  for (std::size_t a = 0; a < 3; ++a) at[a] += geometry::dot(place.rotation[a], arm);
  return at;
}

// The other way round.
geometry::Vec in_frame(const BodyPlace& place, const geometry::Vec& pivot,
                       const geometry::Vec& at) {
  const geometry::Vec from = geometry::operator-(at, place.center);
  geometry::Vec point = pivot;
  for (std::size_t a = 0; a < 3; ++a) point = point + from[a] * place.rotation[a];
  return point;
}

}  // namespace

void check_meetings(const Case& lbm_case, const Derived& derived,
                    const std::vector<PlacedBody>& bodies) {
  constexpr int times = 200;
  for (const PlacedBody& body : bodies) {
    if (body.moving == nullptr) continue;
    const auto surface = surface_of(body.moving->fraction);
    for (int look = 0; look <= times; ++look) {
      const double step = std::floor(static_cast<double>(derived.steps) * look / times);
      const BodyPlace place = body.moving->place(step);
      for (const PlacedBody& other : bodies) {
        if (&other == &body) continue;
        const auto meets = [&](const geometry::Vec& point) {
          const geometry::Vec at = in_box(place, geometry::operator-(point, body.moving->pivot));
          if (other.moving == nullptr) return other.shape->inside(at);
          return other.shape->inside(in_frame(other.moving->place(step), other.moving->pivot, at));
        };
        if (std::none_of(surface.begin(), surface.end(), meets)) continue;
        throw UsageError(fmt::format(
            "{}: the body meets {} at step {:.0f}, t = {:.4g}, must stay apart: change the motion "
            "or the place of one",
            where(lbm_case, "bodies." + body.name + ".motion"), other.name, step,
            step / derived.steps_per_time));
      }
    }
  }
}

void check_motion_keys(const Case& lbm_case, const Body& body) {
  const std::string name = "bodies." + body.name;
  const auto refuse = [&](bool found, const std::string& key, const std::string& what) {
    if (found) throw UsageError(where(lbm_case, key) + ": " + what);
  };
  const MotionKeys& motion = body.motion;
  refuse(motion.axis && geometry::length(*motion.axis) == 0, name + ".motion.axis",
         "found a length of 0, must be a direction such as [0, 0, 1]");
  if (!motion.any()) {
    return refuse(motion.axis.has_value(), name + ".motion.axis",
                  "without motion.rate and motion.angle: add one, or remove it");
  }
  const auto conflict = [&](bool found, const std::string& key, const std::string& what) {
    refuse(found, key, "conflicts with " + name + ".motion: " + what);
  };
  conflict(motion.rate && !motion.angle.empty(), name + ".motion.angle", "keep rate or angle");
  conflict(!body.solid, name + ".solid", "move the combination, not its part");
  conflict(body.velocity.has_value(), name + ".velocity", "it moves the surface alone: remove one");
  conflict(body.angular_velocity.has_value(), name + ".angular_velocity",
           "it moves the surface alone: remove one");
  conflict(body.walls.has_value(), name + ".walls", "it has no links to walls: remove it");
  conflict(body.shape == BodyShape::plane, name + ".shape", "a plane has no end: take a box");
  conflict(body.shape == BodyShape::voxels, name + ".shape", "take a surface of the image");
  conflict(!lbm_case.scalars.empty(), "scalars", "remove one of them");
  conflict(lbm_case.lattice.cells == CellsStored::fluid, "lattice.cells", "take all");
  conflict(lbm_case.run.cascade > 1, "run.cascade", "take 1");
  conflict(lbm_case.initial.flow == InitialFlow::darcy, "initial.flow", "start from rest");
  conflict(lbm_case.tiling.steps_per_pass.value_or(1) > 1, "tiling.steps_per_pass", "take 1");
  for (std::size_t f = 0; f < lbm_case.faces.size(); ++f) {
    conflict(lbm_case.faces[f].pressure_drop.has_value(),
             "boundaries." + face_names()[f] + ".pressure_drop", "take a force.acceleration");
  }
}

SolidFraction sample_solid_fraction(const geometry::Shape& shape, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, const TimeLimit& limit) {
  SolidFraction made;
  made.spacing = 1.0 / samples_per_cell;
  const geometry::Box bounds = shape.bounds();
  std::array<int, 3> wide{};  // of one sample in each cell along x and y
  for (std::size_t a = 0; a < 3; ++a) {
    const double size = bounds.high[a] - bounds.low[a];
    const bool endless = periodic[a] && bounds.low[a] <= -1 && bounds.high[a] >= cells[a] + 1;
    if (endless || !std::isfinite(size)) {
      made.samples[a] = 1;
      made.first[a] = 0.5 * cells[a];
    } else {
      // A cell beyond both ends is empty.
      made.first[a] = bounds.low[a] - 1;
      made.samples[a] = samples_per_cell * (static_cast<int>(std::ceil(size)) + 2) + 1;
    }
    wide[a] = (made.samples[a] + samples_per_cell - 1) / samples_per_cell;
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
      for (int shift = 0; shift < samples_per_cell * samples_per_cell; ++shift) {
        const int from_x = shift % samples_per_cell, from_y = shift / samples_per_cell;
        const int nx = (made.samples[0] - from_x + samples_per_cell - 1) / samples_per_cell;
        const int ny = (made.samples[1] - from_y + samples_per_cell - 1) / samples_per_cell;
        if (nx <= 0 || ny <= 0 || limit.reached()) continue;
        const geometry::Vec first{made.first[0] + from_x * made.spacing,
                                  made.first[1] + from_y * made.spacing,
                                  made.first[2] + z * made.spacing};
        const std::span<std::int8_t> found(
            sides.data(), static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
        for (int i = 0; i < points_per_cell; ++i) {
          shape.sides({geometry::operator+(first, point_of_cell(i)), nx, ny}, found);
          for (int y = 0; y < ny; ++y) {
            auto* const to = counts.data() + (samples_per_cell * y + from_y) * row + from_x;
            const auto* const side = found.data() + static_cast<std::ptrdiff_t>(y) * nx;
            for (int x = 0; x < nx; ++x) {
              if (side[x] >= 0) ++to[samples_per_cell * x];
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
  return made;
}

std::shared_ptr<const MovingBody> make_moving_body(const Case& lbm_case, const Derived& derived,
                                                   const Body& body, const geometry::Vec& center,
                                                   SolidFraction fraction) {
  const MotionKeys& keys = body.motion;
  const std::string key = "bodies." + body.name + ".motion.";
  const Units units = make_units(lbm_case, derived);
  Path path;
  path.center = center;
  if (keys.axis) path.axis = geometry::unit(*keys.axis);
  path.rate = keys.rate.value_or(0) / units.angular_velocity;
  if (!keys.angle.empty()) path.angle.emplace(lbm_case, derived, key + "angle", keys.angle, 1);
  if (keys.displacement) {
    for (const std::string& text : *keys.displacement) {
      path.displacement.emplace_back(lbm_case, derived, key + "displacement", text,
                                     1 / units.length);
    }
  }
  auto made = std::make_shared<MovingBody>();
  made->fraction = std::move(fraction);
  made->pivot = center;
  made->place = path;
  check_path(lbm_case, derived, *made);
  return made;
}

}  // namespace lbm::cases
