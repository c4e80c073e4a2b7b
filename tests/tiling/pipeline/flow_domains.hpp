// SPDX-License-Identifier: Apache-2.0

// Lattices with every kind of face, body, collision and force.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/tiling/pipeline/run_lattice.hpp"

namespace lbm::tiling::test {

struct Size {
  int nx, ny, nz;
};

// A lattice and its boundaries.
struct Domain {
  Lattice lattice;
  Boundaries boundaries;
};

inline FaceBoundaries walls_with_lid() {
  FaceBoundaries faces;
  faces[5].condition.velocity = {0.08, 0.02, 0};
  faces[0].condition.velocity = {0, 0.03, 0};
  return faces;
}

inline constexpr auto all_periodic =
    std::array{BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::periodic,
               BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::periodic};

inline CollisionSpec bgk() {
  CollisionSpec spec;
  spec.omega = 1 / 0.55;
  return spec;
}

// The collision model, and the stored values.
struct Model {
  CollisionKind kind;
  CellValues cell = Representation::populations;
};

// A lattice with these faces and, if there are any, bodies. model: instead of the collision's.
// force: null where it does not depend on the place.
inline Domain domain_of(const Size& n, StorageType storage, CollisionSpec collision,
                        FaceBoundaries faces, std::span<const BodySpec> bodies,
                        const std::optional<Model>& model, const ForceField* force = nullptr) {
  collision.force.by_place = force != nullptr;
  if (model) collision.kind = model->kind;
  const bool filtered = collision.kind == CollisionKind::regularised_filtered;
  for (FaceBoundary& face : faces) face.shifted = filtered;
  const CellValues cell = model ? model->cell : Representation::populations;
  Boundaries boundaries;
  if (!bodies.empty()) {
    boundaries = some_solids(n.nx, n.ny, n.nz, faces, bodies, force, cell.set);
  } else if (filtered || force != nullptr || !faces[0].scalar_values.empty()) {
    boundaries =
        Boundaries(n.nx, n.ny, n.nz, faces, nullptr, {}, CellsStored::all, force, cell.set);
  }
  return {make_lattice(n.nx, n.ny, n.nz, storage, collision, faces, cell), std::move(boundaries)};
}

inline Domain walls(const Size& n, StorageType storage, const std::optional<Model>& model) {
  return domain_of(n, storage, bgk(), walls_with_lid(), {}, model);
}

// Two walls, one of which moves along both edges; free slip and a velocity face of the main update.
inline Domain walls_and_slip(const Size& n, StorageType storage,
                             const std::optional<Model>& model) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::wall, BoundaryKind::wall, BoundaryKind::velocity,
                             BoundaryKind::slip, BoundaryKind::slip, BoundaryKind::slip});
  faces[1].condition.velocity = {0, 0.02, 0.03};
  faces[2].condition.velocity = {0.01, 0, 0.02};
  return domain_of(n, storage, bgk(), faces, {}, model);
}

inline Domain periodic(const Size& n, StorageType storage, const std::optional<Model>& model) {
  return domain_of(n, storage, bgk(), lbm::test::face_specs(all_periodic), {}, model);
}

inline Domain mixed_with_solids(const Size& n, StorageType storage,
                                const std::optional<Model>& model) {
  FaceBoundaries faces = walls_with_lid();
  faces[2].condition.kind = faces[3].condition.kind = BoundaryKind::periodic;
  const BodySpec bodies[2] = {{{}, false}, {{}, false}};
  CollisionSpec collision = bgk();
  collision.omega = 1 / 0.6;  // at 0.55 the flow diverges on grids of several tiles
  return domain_of(n, storage, collision, faces, bodies, model);
}

// All boundary conditions that depend on time or position: a turbulent inlet with a ramp, outflow,
// free slip, an oscillating wall, pressure with a patch of wall; curved bodies, one of which
// rotates and conserves mass; the other has walls of multireflection.
inline Domain tunnel(const Size& n, StorageType storage, const std::optional<Model>& model) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::wall, BoundaryKind::pressure, BoundaryKind::slip,
                             BoundaryKind::slip, BoundaryKind::velocity, BoundaryKind::outflow});
  faces[0].condition.velocity = {0, 0.02, 0.03};
  faces[0].condition.factor = {TimeFactor::Kind::wave, 37};
  faces[1].condition.drho = 0.001;
  faces[1].patches.resize(1);
  faces[1].patch_of.assign(static_cast<std::size_t>(face_cells(1, n.nx, n.ny, n.nz)), 0);
  for (std::size_t i = 0; i < faces[1].patch_of.size() / 3; ++i) faces[1].patch_of[i] = 1;
  faces[4].condition.velocity = {0, 0.01, 0.05};
  faces[4].condition.factor = {TimeFactor::Kind::ramp, 60};
  faces[4].condition.turbulence = {0.005, 8, 3};
  CollisionSpec collision = bgk();
  collision.kind = CollisionKind::trt;
  collision.smagorinsky = 0.15;
  collision.force = {{0, 1e-5, 0}, {2e-5, 0, 1e-5}, 23, {}};
  BodySpec bodies[2];
  bodies[0].motion = {{}, {0, 0.004, 0.001}, {n.nx / 2.0, n.ny / 2.0, n.nz / 3.0}, true};
  bodies[1].motion.velocity[2] = 0.01;
  bodies[1].motion.multireflection = 0.6;
  return domain_of(n, storage, collision, faces, bodies, model);
}

// A periodic flow around curved bodies, driven by a pressure drop, across z as well.
inline Domain drop_around(const Size& n, StorageType storage, const std::optional<Model>& model,
                          std::span<const BodySpec> bodies) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  faces[0].density_drop = faces[1].density_drop = 0.002;
  faces[4].density_drop = faces[5].density_drop = 0.003;
  CollisionSpec collision = bgk();
  collision.kind = CollisionKind::regularised;
  return domain_of(n, storage, collision, faces, bodies, model);
}

inline Domain drop(const Size& n, StorageType storage, const std::optional<Model>& model) {
  const BodySpec bodies[2] = {};
  return drop_around(n, storage, model, bodies);
}

// A force that depends on the place: none in the first planes and in every third row, the same in
// some planes, on curved bodies, one of which moves. It oscillates.
inline Domain pushed(const Size& n, StorageType storage, const std::optional<Model>& model) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  CollisionSpec collision = bgk();
  collision.kind = CollisionKind::trt;
  collision.smagorinsky = 0.15;
  BodySpec bodies[2];
  bodies[1].motion.velocity[2] = 0.01;
  bodies[1].motion.multireflection = 0.6;
  ForceField force;
  force.fill = [=](int z, std::span<float> values) {
    const auto cells = static_cast<std::size_t>(n.nx) * static_cast<std::size_t>(n.ny);
    const int like = z > 5 && z < 9 ? 6 : z;
    for (std::size_t i = 0; i < cells; ++i) {
      const int x = static_cast<int>(i) % n.nx, y = static_cast<int>(i) / n.nx;
      const bool none = z < 3 || y % 3 == 1;
      for (std::size_t a = 0; a < 3; ++a) {
        const int number = (x * 7 + y * 5 + like * 3 + static_cast<int>(a) * 11) % 13 - 6;
        values[a * cells + i] = none ? 0.0F : 1e-5F * static_cast<float>(number);
      }
    }
  };
  force.factor = {TimeFactor::Kind::wave, 29};
  return domain_of(n, storage, collision, faces, bodies, model, &force);
}

// An ellipsoid of 3 x 2 x 4 cells that turns about z, 1 cell beside its middle, and swings along x
// and z across periodic faces.
inline std::shared_ptr<const MovingBody> swinging_ellipsoid(const Size& n) {
  const auto body = std::make_shared<MovingBody>();
  SolidFraction& fraction = body->fraction;
  constexpr double half = 6;
  fraction.samples = {25, 25, 25};
  fraction.first = {-half, -half, -half};
  for (int i = 0; i < 25 * 25 * 25; ++i) {
    const double x = 0.5 * (i % 25) - half, y = 0.5 * (i / 25 % 25) - half;
    const double z = 0.5 * (i / 625) - half;
    const double share = 0.5 + 3 * (1 - std::sqrt(x * x / 9 + y * y / 4 + z * z / 16));
    fraction.values.push_back(static_cast<std::uint8_t>(255 * std::clamp(share, 0.0, 1.0)));
  }
  body->pivot = {1, 0, 0};
  body->place = [n](double step) {
    BodyPlace place;
    const double c = std::cos(0.02 * step), s = std::sin(0.02 * step);
    place.rotation = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    place.center = {n.nx - 3 + 0.05 * step, n.ny / 2.0, n.nz / 2.0 + 4 * s};
    place.velocity = {0.05, 0, 0.08 * c};
    place.angular_velocity = {0, 0, 0.02};
    return place;
  };
  return body;
}

// A body that moves, one that rests and one whose surface moves, in a flow along a lid.
inline Domain with_moving_body(const Size& n, StorageType storage,
                               const std::optional<Model>& model) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  faces[2].condition.velocity = {0.03, 0, 0.02};
  CollisionSpec collision = bgk();
  collision.kind = CollisionKind::trt;
  BodySpec bodies[3];
  bodies[1].motion.velocity[2] = 0.01;
  bodies[2].moving = swinging_ellipsoid(n);
  Domain domain = domain_of(n, storage, collision, faces, bodies, model);
  domain.lattice.has_moving_bodies = true;
  return domain;
}

// Far fields whose velocity rises, along a stream between an inlet and an outflow.
inline Domain between_far_fields(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  FaceBoundaries faces = lbm::test::face_specs({BoundaryKind::far_field, BoundaryKind::far_field,
                                                BoundaryKind::slip, BoundaryKind::far_field,
                                                BoundaryKind::far_field, BoundaryKind::outflow});
  for (FaceBoundary& face : faces) {
    face.condition.velocity = {0.01, 0.002, 0.05};
    face.condition.factor = {TimeFactor::Kind::ramp, 50, {}};
    face.condition.drho = 0.001;
  }
  return domain_of(n, storage, bgk(), faces, {}, model);
}

// With layers before a face of each axis, the velocity of whose far field rises, and the last of
// whose cells belong to them in part.
inline Domain with_sponge(Domain domain) {
  domain.lattice.sponge = {x_max | y_min | z_max,        3.5,  0.3, {0.02, 0.01, 0.05},
                           {TimeFactor::Kind::ramp, 40}, 0.002};
  return domain;
}

inline Domain tunnel_with_sponge(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  return with_sponge(tunnel(n, storage, model));
}

inline Domain solids_with_sponge(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  return with_sponge(mixed_with_solids(n, storage, model));
}

}  // namespace lbm::tiling::test
