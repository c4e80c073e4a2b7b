// SPDX-License-Identifier: Apache-2.0

// Lattices with zones that resist the flow.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "tests/tiling/pipeline/flow_domains.hpp"

namespace lbm::tiling::test {

// A zone that fills cells from `first` on, `samples` along each axis (1: all of that axis) in part.
inline std::shared_ptr<const PorousZone> some_zone(const std::array<int, 3>& first,
                                                   const std::array<int, 3>& samples,
                                                   const Resistance& resistance) {
  const auto zone = std::make_shared<PorousZone>();
  zone->fraction.samples = samples;
  for (std::size_t a = 0; a < 3; ++a) zone->fraction.first[a] = first[a] + 0.5;
  for (int i = 0; i < samples[0] * samples[1] * samples[2]; ++i) {
    zone->fraction.values.push_back(static_cast<std::uint8_t>(i * 37 % 256));
  }
  zone->resistance = resistance;
  return zone;
}

// Zones of all kinds beside bodies, one of which moves, under a force that oscillates: a porous one
// across periodic faces, a screen along a whole axis, a disc with a thrust of its own.
inline Domain zones_under(const Size& n, StorageType storage, const std::optional<Model>& model,
                          const ForceField* field) {
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  faces[2].condition.velocity = {0.03, 0, 0.02};
  CollisionSpec collision = bgk();
  collision.kind = CollisionKind::trt;
  if (field == nullptr) collision.force = {{0, 1e-5, 0}, {2e-5, 0, 1e-5}, 23, {}};
  BodySpec bodies[5];
  bodies[1].motion.velocity[2] = 0.01;
  bodies[2].zone = some_zone({-2, n.ny - 4, n.nz / 2}, {5, 6, 4}, {0.1F, 2});
  bodies[3].zone = some_zone({0, 1, -1}, {1, 2, 3}, {0.02F, 1, 0, 1, {0.6F, 0.8F, 0}});
  bodies[4].zone = some_zone({2, 2, 3}, {4, 3, 2}, {0, 3, 1, -1, {0, 0, 1}, {1e-4F, 0, -2e-4F}});
  Domain domain = domain_of(n, storage, collision, faces, bodies, model, field);
  domain.lattice.collision.force.by_place = true;
  return domain;
}

inline Domain with_zones(const Size& n, StorageType storage, const std::optional<Model>& model) {
  return zones_under(n, storage, model, nullptr);
}

inline Domain pushed_zones(const Size& n, StorageType storage, const std::optional<Model>& model) {
  ForceField force;
  force.fill = [](int, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 1e-5F * static_cast<float>(i % 7) - 3e-5F;
    }
  };
  force.same_in_all_planes = true;
  force.factor = {TimeFactor::Kind::wave, 29};
  return zones_under(n, storage, model, &force);
}

}  // namespace lbm::tiling::test
