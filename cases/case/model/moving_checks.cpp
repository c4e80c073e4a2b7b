// SPDX-License-Identifier: Apache-2.0

// Paths of bodies that move, which must stay in the box and apart from each other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/model/porous_zones.hpp"
#include "cases/case/schema/keys.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::operator+;  // NOLINT(misc-unused-using-decls)
using geometry::operator-;  // NOLINT(misc-unused-using-decls)
using geometry::operator*;  // NOLINT(misc-unused-using-decls)

// Step number i of `looks` between 0 and the end of the run: not evenly spaced, so that no period
// hides between them.
double step_of_look(const Derived& derived, int i, int looks) {
  constexpr double golden = 0.6180339887498949;
  const double share = i == looks ? 0 : i * golden - std::floor(i * golden);
  return std::floor(static_cast<double>(derived.steps) * (i + share) / std::max(looks, 1));
}

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

geometry::Vec in_box(const BodyPlace& place, const geometry::Vec& arm) {
  geometry::Vec at = place.center;
  for (std::size_t a = 0; a < 3; ++a) at[a] += geometry::dot(place.rotation[a], arm);
  return at;
}

// The other way round.
geometry::Vec in_frame(const BodyPlace& place, const geometry::Vec& pivot,
                       const geometry::Vec& at) {
  const geometry::Vec from = at - place.center;
  geometry::Vec point = pivot;
  for (std::size_t a = 0; a < 3; ++a) point = point + from[a] * place.rotation[a];
  return point;
}

// A body at one time. place: of one that moves, else that of time 0.
struct Stand {
  BodyPlace place;
  geometry::Vec pivot{};
  geometry::Box around;  // endless along axes on which it is as long as the box

  bool holds(const geometry::Shape& shape, const geometry::Vec& at) const {
    return shape.inside(in_frame(place, pivot, at));
  }
};

// Along periodic axes the middle of a body that moves is brought into the box.
Stand stand_of(const PlacedBody& body, double step, const std::array<int, 3>& cells,
               const std::array<bool, 3>& periodic) {
  Stand stand;
  stand.around = body.shape->bounds();
  if (body.moving == nullptr) return stand;
  stand.place = body.moving->place(step);
  stand.pivot = body.moving->pivot;
  stand.around = {};
  for (const geometry::Vec& corner : corners_of(body.moving->fraction)) {
    stand.around.add(in_box(stand.place, corner - stand.pivot));
  }
  for (std::size_t a = 0; a < 3; ++a) {
    double &low = stand.around.low[a], &high = stand.around.high[a];
    if (body.moving->fraction.samples[a] == 1) {
      low = -geometry::Box::infinity;
      high = geometry::Box::infinity;
    } else if (periodic[a]) {
      const double shift = -cells[a] * std::floor((low + high) / 2 / cells[a]);
      stand.place.center[a] += shift;
      low += shift;
      high += shift;
    }
  }
  return stand;
}

// True if the middle of a body at rest, or of one that moves, lies in another one.
bool holds_middle(const PlacedBody& small, const Stand& at_small, const PlacedBody& body,
                  const Stand& at_body) {
  const geometry::Box box = small.shape->bounds();
  const geometry::Vec middle = 0.5 * (box.low + box.high);
  if (!std::isfinite(geometry::length(middle)) || !small.shape->inside(middle)) return false;
  return at_body.holds(*body.shape, in_box(at_small.place, middle - at_small.pivot));
}

// Visits the places of a body and of those of its periodic images that may touch the other one;
// `itself`: only of the images. Ends where visit(stand) returns true.
bool any_image(const Stand& body, const Stand& other, const std::array<int, 3>& cells,
               const std::array<bool, 3>& periodic, bool itself, const auto& visit) {
  for (int image = 0; image < 27; ++image) {
    Stand shifted = body;
    bool wanted = image != 13 || !itself;
    for (std::size_t a = 0, power = 1; a < 3; ++a, power *= 3) {
      const int boxes = image / static_cast<int>(power) % 3 - 1;
      if (boxes == 0) continue;
      const auto endless = [a](const geometry::Box& box) {
        return !std::isfinite(box.high[a] - box.low[a]);
      };
      wanted = wanted && periodic[a] && !endless(body.around) && !endless(other.around);
      const double shift = boxes * cells[a];
      shifted.place.center[a] += shift;
      shifted.around.low[a] += shift;
      shifted.around.high[a] += shift;
    }
    if (wanted && shifted.around.touches(other.around) && visit(shifted)) return true;
  }
  return false;
}

}  // namespace

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
        points.push_back(fraction.first +
                         fraction.spacing * geometry::Vec{double(x), double(y), double(z)});
      }
    }
  }
  if (points.size() <= most) return points;
  std::vector<geometry::Vec> some;
  some.reserve(most);
  for (std::size_t k = 0; k < most; ++k) some.push_back(points[k * points.size() / most]);
  return some;
}

void check_path(const Case& lbm_case, const Derived& derived, const MovingBody& moving) {
  const auto corners = corners_of(moving.fraction);
  const auto periodic = periodic_axes(lbm_case);
  const auto check_endless = [&](const BodyPlace& place) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (moving.fraction.samples[a] > 1) continue;
      const bool tilts = std::abs(place.rotation[a][a] - 1) > 1e-9;
      const bool slides = !periodic[a] && std::abs(place.velocity[a]) > 0;
      if (!tilts && !slides) continue;
      throw UsageError(fmt::format(
          "motion: the body is as long as the box along {}, must {}: change its motion, or take a "
          "body that ends in the box",
          "xyz"[a], tilts ? "turn about that axis alone" : "not move along that axis"));
    }
  };
  const int looks = moving.free ? 0 : 1000;
  for (int look = 0; look <= looks; ++look) {
    const double step = step_of_look(derived, look, looks);
    BodyPlace place = moving.place(step);
    if (moving.free) place.center = moving.pivot;  // faces may have moved it
    check_endless(place);
    const auto at = [&] {
      return fmt::format("at step {:.0f}, t = {:.4g}", step, step / derived.steps_per_time);
    };
    for (const geometry::Vec& corner : corners) {
      const geometry::Vec arm = corner - moving.pivot;
      geometry::Vec turned{};
      for (std::size_t a = 0; a < 3; ++a) turned[a] = geometry::dot(place.rotation[a], arm);
      const geometry::Vec u = place.velocity + geometry::cross(place.angular_velocity, turned);
      const double mach = geometry::length(u) * std::sqrt(3.0);
      if (!std::isfinite(mach)) {
        throw UsageError(fmt::format(
            "motion: its angle or displacement is not finite {}: change the formula", at()));
      }
      if (!(mach <= most_mach_of_bodies)) {
        throw UsageError(
            fmt::format("motion: found a speed of Mach {:.3g} {}, must be at most {}: turn or move "
                        "the body more slowly, or lower fluid.lattice_velocity",
                        mach, at(), most_mach_of_bodies));
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
            "faces other than walls and slip, or cross periodic faces: change its motion, its "
            "place or "
            "the box",
            "xyz"[a], at()));
      }
    }
  }
}

void check_meetings(const Case& lbm_case, const Derived& derived,
                    const std::vector<PlacedBody>& bodies) {
  constexpr int times = 200;
  const auto moves = [](const PlacedBody& body) { return body.moving != nullptr; };
  if (std::none_of(bodies.begin(), bodies.end(), moves)) return;
  const auto& cells = lbm_case.grid.cells;
  const auto periodic = periodic_axes(lbm_case);
  std::vector<std::vector<geometry::Vec>> surfaces(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].moving != nullptr) surfaces[b] = surface_of(bodies[b].moving->fraction);
  }
  for (int look = 0; look <= times; ++look) {
    const double step = step_of_look(derived, look, times);
    std::vector<Stand> stands;
    stands.reserve(bodies.size());
    for (const PlacedBody& body : bodies) {
      stands.push_back(stand_of(body, step, cells, periodic));
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const PlacedBody& body = bodies[b];
      if (body.moving == nullptr) continue;
      for (std::size_t o = 0; o < bodies.size(); ++o) {
        const PlacedBody& other = bodies[o];
        const bool unknown = body.moving->free || (other.moving && other.moving->free);
        if (look > 0 && unknown) continue;
        const auto meets = [&](const Stand& stand) {
          const auto inside = [&](const geometry::Vec& point) {
            return stands[o].holds(*other.shape, in_box(stand.place, point - stand.pivot));
          };
          return std::any_of(surfaces[b].begin(), surfaces[b].end(), inside) ||
                 holds_middle(other, stands[o], body, stand);
        };
        if (!any_image(stands[b], stands[o], cells, periodic, b == o, meets)) continue;
        throw UsageError(fmt::format(
            "{}: the body meets {} at step {:.0f}, t = {:.4g}, must stay apart: change the motion "
            "or the place of one",
            where(lbm_case, "bodies." + body.name + (body.moving->free ? ".free" : ".motion")),
            b == o ? "its periodic image" : other.name, step, step / derived.steps_per_time));
      }
    }
  }
}

bool holds(const MovingBody& body, const BodyPlace& place, const geometry::Vec& point) {
  const geometry::Vec at = in_frame(place, body.pivot, point);
  const SolidFraction& fraction = body.fraction;
  std::size_t index = 0;
  for (std::size_t a = 3; a-- > 0;) {
    const int samples = fraction.samples[a];
    const double sample =
        samples == 1 ? 0 : std::round((at[a] - fraction.first[a]) / fraction.spacing);
    if (!(sample >= 0 && sample < samples)) return false;
    index = index * static_cast<std::size_t>(samples) + static_cast<std::size_t>(sample);
  }
  return fraction.values[index] > 127;
}

bool moves_in_whole(const Case& lbm_case, const Body& body) {
  const auto& bodies = lbm_case.bodies;
  return body.moves() || std::any_of(bodies.begin(), bodies.end(), [&](const Body& other) {
           return std::find(other.of.begin(), other.of.end(), body.name) != other.of.end() &&
                  moves_in_whole(lbm_case, other);
         });
}

bool moves_freely(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                     [](const Body& body) { return body.free.any(); });
}

void check_motion_keys(const Case& lbm_case, const Body& body) {
  const std::string name = "bodies." + body.name;
  const auto refuse = [&](bool found, const std::string& key, const std::string& what) {
    if (found) throw UsageError(where(lbm_case, key) + ": " + what);
  };
  const MotionKeys& motion = body.motion;
  check_zone_keys(lbm_case, body);
  const std::string group = name + (body.free.any()     ? ".free"
                                    : body.motion.any() ? ".motion"
                                    : body.disc.any()   ? ".disc"
                                                        : ".porous");
  refuse(motion.axis && geometry::length(*motion.axis) == 0, name + ".motion.axis",
         "found a length of 0, must be a direction such as [0, 0, 1]");
  if (!motion.any()) {
    refuse(motion.axis.has_value(), name + ".motion.axis",
           "without motion.rate and motion.angle: add one, or remove it");
  }
  if (!body.moves() && !body.resists()) return;
  const auto conflict = [&](bool found, const std::string& key, const std::string& what) {
    refuse(found, key, "conflicts with " + group + ": " + what);
  };
  conflict(motion.rate && !motion.angle.empty(), name + ".motion.angle", "keep rate or angle");
  if (body.free.any()) {
    conflict(motion.any(), name + ".motion", "keep one of them");
    conflict(body.center_of_rotation.has_value(), name + ".center_of_rotation",
             "it turns about its centre of mass: remove it");
    conflict(lbm_case.tiling.steps_per_visit.value_or(1) > 1, "tiling.steps_per_visit",
             "each step needs the force of the one before: take 1");
  }
  conflict(body.moves() && body.resists(), name + (body.disc.any() ? ".disc" : ".porous"),
           "remove one of them");
  conflict(!body.solid, name + ".solid", "give it to the combination, not to its part");
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
  if (body.resists()) return;
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    using enum QuantityKind;
    constexpr std::array of_pores{fluid_cells, solid_cells,   porosity,      permeability,
                                  tortuosity,  pore_velocity, pore_reynolds, wall_pressure};
    const bool counts =
        quantity.kind && std::count(of_pores.begin(), of_pores.end(), *quantity.kind) > 0;
    conflict(counts || quantity.pressure_gradient, "quantities." + quantity.name,
             "it counts the cells of bodies at rest alone: remove it");
  }
  for (std::size_t f = 0; f < lbm_case.faces.size(); ++f) {
    conflict(lbm_case.faces[f].pressure_drop.has_value(),
             "boundaries." + face_names()[f] + ".pressure_drop", "take a force.acceleration");
  }
}

}  // namespace lbm::cases
