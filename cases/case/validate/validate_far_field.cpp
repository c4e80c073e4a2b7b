// SPDX-License-Identifier: Apache-2.0

// Far fields: keys, room and strength of sponges, inlets that differ from the far field, wakes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases::validation {
namespace {

bool is_set(const Vec3& v) { return v != Vec3{0, 0, 0}; }

bool has(const SpongeKeys& sponge, int face) {
  return std::find(sponge.faces.begin(), sponge.faces.end(), face) != sponge.faces.end();
}

// Layers hold whole cells, and no cell belongs to those of both ends.
void check_room(const Case& lbm_case, double thickness, const Units& units) {
  const SpongeKeys& sponge = lbm_case.sponge;
  for (const int face : sponge.faces) {
    const int cells = lbm_case.grid.cells[static_cast<std::size_t>(face) / 2];
    const bool both = has(sponge, face ^ 1);
    const int most = both ? cells / 2 : cells;
    if (std::ceil(thickness) <= most) continue;
    refuse(lbm_case, "sponge.thickness",
           fmt::format("found {:.6g} ({:.6g} cells), must be at most {:.6g}, {} the box along {}: "
                       "lower it or leave out {}",
                       thickness * units.length, thickness, most * units.length,
                       both ? "half of" : "all of", "xyz"[face / 2],
                       face_names()[static_cast<std::size_t>(face)]));
  }
}

// Rounded down, so that the value shown is itself allowed.
void check_strength(const Case& lbm_case, double thickness, const Units& units) {
  const double strength = lbm_case.sponge.strength.value_or(SpongeKeys::default_strength);
  if (sponge_share(strength, thickness) <= most_sponge_share) return;
  const double most = std::floor(100 * most_sponge_share / sponge_share(1, thickness)) / 100;
  const double least = std::ceil(sponge_share(strength, 1) / most_sponge_share) * units.length;
  refuse(lbm_case, "sponge.strength",
         fmt::format("found {:.6g}, must be at most {:.6g} for a thickness of {:.6g} cells: lower "
                     "it, or raise sponge.thickness to {:.6g}",
                     strength, most, thickness, least));
}

// How an inlet differs from the far field, or null.
const char* difference(const FaceCondition& inlet, const SpongeKeys& sponge) {
  if (inlet.type != BoundaryKind::velocity && inlet.type != BoundaryKind::far_field) return nullptr;
  if (inlet.profile.value_or(InletProfile::uniform) != InletProfile::uniform ||
      inlet.velocity_formulas) {
    return "a profile, which";
  }
  if (inlet.turbulence.intensity) return "turbulence, which";
  if (inlet.velocity != sponge.velocity) return "another velocity than sponge.velocity, which";
  if (inlet.ramp_time != sponge.ramp_time || !inlet.velocity_factor.empty()) {
    return "another ramp than sponge.ramp_time, which";
  }
  return nullptr;
}

}  // namespace

void check_sponge(const Case& lbm_case) {
  const SpongeKeys& sponge = lbm_case.sponge;
  if (sponge.faces.empty()) {
    const char* alone = sponge.thickness   ? "thickness"
                        : sponge.strength  ? "strength"
                        : sponge.velocity  ? "velocity"
                        : sponge.pressure  ? "pressure"
                        : sponge.ramp_time ? "ramp_time"
                                           : nullptr;
    if (alone == nullptr) return;
    refuse(lbm_case, fmt::format("sponge.{}", alone),
           "missing: sponge.faces, such as [x_max, y_min] (add them or remove this key)");
  }
  for (const int face : sponge.faces) {
    const auto f = static_cast<std::size_t>(face);
    if (lbm_case.faces[f].type != BoundaryKind::periodic) continue;
    refuse(lbm_case, "sponge.faces",
           fmt::format("found a face of type periodic ({}), must be another type: slip or velocity "
                       "for the sides of a stream",
                       face_key(f)));
  }
  if (!sponge.thickness) {
    refuse(lbm_case, "sponge.faces", "missing: sponge.thickness: a sponge requires it");
  }
  if (!sponge.velocity) {
    refuse(lbm_case, "sponge.faces",
           "missing: sponge.velocity of the far field, such as [1, 0, 0]: a sponge requires it");
  }
  if (sponge.ramp_time && !is_set(*sponge.velocity)) {
    refuse(lbm_case, "sponge.ramp_time", "conflicts with sponge.velocity: [0, 0, 0]: remove one");
  }
}

void check_sponge_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  const SpongeKeys& sponge = lbm_case.sponge;
  if (sponge.faces.empty()) return;
  const double thickness = to_cells(units, *sponge.thickness);
  check_room(lbm_case, thickness, units);
  check_strength(lbm_case, thickness, units);
  const Vec3 u = to_lattice_velocity(units, *sponge.velocity);
  check_speed(lbm_case, "sponge.velocity", std::hypot(u[0], u[1], u[2]), derived);
  check_pressure(lbm_case, "sponge.pressure", sponge.pressure.value_or(0), units);
}

std::vector<std::string> far_field_warnings(const Case& lbm_case) {
  std::vector<std::string> lines;
  for (std::size_t f = 0; f < lbm_case.faces.size(); ++f) {
    const Face& face = lbm_case.faces[f];
    const double outwards = face.velocity[f / 2] * (f % 2 == 0 ? -1 : 1);
    if (face.type != BoundaryKind::far_field || outwards <= 0 || lbm_case.bodies.empty()) continue;
    lines.push_back(
        fmt::format("{}: the stream leaves through this far field, which sends pressure waves back "
                    "when a wake passes it: take type: outflow behind bodies",
                    where(lbm_case, face_key(f))));
  }
  for (const int face : lbm_case.sponge.faces) {
    const auto f = static_cast<std::size_t>(face);
    const char* const differs = difference(lbm_case.faces[f], lbm_case.sponge);
    if (differs == nullptr) continue;
    lines.push_back(fmt::format(
        "{}: the inlet has {} the sponge before it removes: leave {} out of sponge.faces",
        where(lbm_case, face_key(f)), differs, face_names()[f]));
  }
  return lines;
}

}  // namespace lbm::cases::validation
