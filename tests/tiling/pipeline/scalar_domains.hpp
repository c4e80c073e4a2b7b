// SPDX-License-Identifier: Apache-2.0

// Flows with scalars, for tests that compare schedules and devices.
#pragma once

#include "tests/tiling/pipeline/flow_domains.hpp"

namespace lbm::tiling::test {

// A buoyant scalar and a passive one, with every boundary condition, in a box with a lid.
inline Domain heat_between_walls(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  using enum ScalarBoundary;
  Domain domain = walls(n, storage, model);
  ScalarSpec heat;
  heat.omega = 1.98;
  heat.buoyancy = {1e-5, 0, 2e-4};
  heat.source = 1e-6;
  heat.faces = {
      {{value, 0.5}, {value, -0.5}, {flux, 1e-3}, {convection, 0.2, 0.1}, {no_flux}, {value, 0.1}}};
  ScalarSpec dye;
  dye.omega = 1.2;
  dye.bounds = {0, 1};
  dye.faces = {{{open}, {no_flux}, {open}, {no_flux}, {value, 1}, {no_flux}}};
  domain.lattice = with_scalars(domain.lattice, {heat, dye});
  return domain;
}

// One scalar: GPUs have a kernel of flow and scalar.
inline Domain one_heat_between_walls(const Size& n, StorageType storage,
                                     const std::optional<Model>& model) {
  Domain domain = heat_between_walls(n, storage, model);
  domain.lattice = with_scalars(domain.lattice, {domain.lattice.scalars[0]});
  return domain;
}

// The same without faces.
inline Domain one_heat_in_periodic_box(const Size& n, StorageType storage,
                                       const std::optional<Model>& model) {
  Domain domain = periodic(n, storage, model);
  ScalarSpec heat;
  heat.omega = 1.9;
  heat.buoyancy = {1e-5, 0, 2e-4};
  heat.gradient = {0.01, 0, -0.02};
  domain.lattice = with_scalars(domain.lattice, {heat});
  return domain;
}

// A buoyant scalar around curved bodies, one of which holds it and one conducts it, in a flow that
// a pressure drop drives. Another one has a macroscopic gradient, and both bodies conduct it.
inline Domain heat_around_solids(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  using enum ScalarBoundary;
  BodySpec bodies[2];
  bodies[0].conducts = bodies[1].conducts = true;
  Domain domain = drop_around(n, storage, model, bodies);
  ScalarSpec heat;
  heat.omega = 1.7;
  heat.buoyancy = {0, 1e-4, 1e-5};
  heat.faces[2] = {value, -0.3};
  heat.faces[3] = {no_flux};
  ScalarSpec dye = heat;
  heat.bodies = {{0, 0.7}};
  heat.conductors = {{1, 3, 0.6, 1e-5}};
  dye.buoyancy = {};
  dye.gradient = {0.01, 0, -0.02};
  dye.conductors = {{0, 0.5, 2, 0}, {1, 4, 1, 0}};
  domain.lattice = with_scalars(domain.lattice, {heat, dye});
  domain.lattice.counts_heat = true;
  return domain;
}

// FaceBoundary::scalar_values of the next two domains.
inline float scalar_value(int scalar, std::int64_t cell) {
  return static_cast<float>((cell * 7 + scalar) % 5) / 8;
}

inline void add_scalar_values(FaceBoundary& face, std::int64_t cells) {
  face.scalar_values.resize(2);
  for (std::int64_t i = 0; i < 2 * cells; ++i) {
    const int scalar = static_cast<int>(i / cells);
    face.scalar_values[i / cells].push_back(scalar_value(scalar, i % cells));
  }
}

class Swing final : public TimeFunction {
 public:
  double at(double step) const override { return 0.3 * std::sin(0.2 * step); }
};

// Values by place that travel along a face.
class Travelling final : public FaceFunction {
 public:
  static float value(double step, int row, int cell) {
    return static_cast<float>(0.2 * std::sin(0.3 * cell + 0.5 * row - 0.4 * step));
  }
  void fill(double step, int row, std::span<float> values) const override {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) values[i] = value(step, row, i);
  }
};

// FaceBoundary::patch_of of the next two domains.
inline std::uint8_t patch_number(std::int64_t cell) {
  return static_cast<std::uint8_t>(cell / 3 % 3);
}

// Adds two patches with the condition of the face.
inline void add_patches(FaceBoundary& face, std::int64_t cells) {
  face.patches = {face.condition, face.condition};
  for (std::int64_t i = 0; i < cells; ++i) face.patch_of.push_back(patch_number(i));
}

// A scalar with values by place and time at the faces of every axis, some of which have patches.
inline Domain one_heat_by_place_and_time(const Size& n, StorageType storage,
                                         const std::optional<Model>& model) {
  using enum ScalarBoundary;
  FaceBoundaries faces = walls_with_lid();
  for (const int f : {0, 3, 5}) add_scalar_values(faces[f], face_cells(f, n.nx, n.ny, n.nz));
  for (const int f : {0, 2, 5}) add_patches(faces[f], face_cells(f, n.nx, n.ny, n.nz));
  Domain domain = domain_of(n, storage, bgk(), faces, {}, model);
  ScalarSpec heat;
  heat.omega = 1.8;
  heat.buoyancy = {0, 1e-4, 1e-5};
  const auto swing = std::make_shared<Swing>();
  heat.faces = {{{value, 0, 0, nullptr, true},
                 {value, -0.2, 0, swing},
                 {flux, 1e-3},
                 {convection, 0, 0.1, nullptr, true},
                 {convection, 0.1, 0.2, swing},
                 {value, 0.1, 0, nullptr, true}}};
  heat.patches[0] = {{flux, 2e-3}, {value, 0.1, 0, nullptr, true}};
  heat.patches[2] = {{value, 0.3, 0, swing}, {no_flux}};
  heat.patches[5] = {{open}, {convection, -0.1, 0.2, nullptr, true}};
  heat.face_functions[0] = heat.face_functions[3] = std::make_shared<Travelling>();
  domain.lattice = with_scalars(domain.lattice, {heat});
  return domain;
}

// Two scalars around bodies with a flux, convection or a value, in boxes with values by place.
inline Domain heat_from_surfaces(const Size& n, StorageType storage,
                                 const std::optional<Model>& model) {
  using enum ScalarBoundary;
  FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::wall, BoundaryKind::wall, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  faces[4].density_drop = faces[5].density_drop = 0.003;
  for (const int f : {0, 2}) add_scalar_values(faces[f], face_cells(f, n.nx, n.ny, n.nz));
  add_patches(faces[0], face_cells(0, n.nx, n.ny, n.nz));
  faces[0].patches[0].kind = BoundaryKind::velocity;
  faces[0].patches[0].velocity = {0.02, 0, 0.01};
  faces[0].patches[1].kind = BoundaryKind::pressure;
  BodySpec bodies[2];
  bodies[0].slanted = bodies[1].slanted = true;
  Domain domain = domain_of(n, storage, bgk(), faces, bodies, model);
  ScalarSpec heat;
  heat.omega = 1.7;
  heat.buoyancy = {0, 1e-4, 1e-5};
  heat.faces[0] = {value, 0, 0, nullptr, true};
  heat.faces[1] = {value, 0.1, 0, std::make_shared<Swing>()};
  heat.faces[2] = {convection, 0, 0.1, nullptr, true};
  heat.faces[3] = {no_flux};
  heat.patches[0] = {{value, 0.4}, {open}};
  heat.bodies = {{0, 2e-3, flux}, {1, 0.6, convection, 0.1}};
  ScalarSpec dye = heat;
  dye.patches[0][0] = {flux, 1e-3};
  dye.face_functions[2] = std::make_shared<Travelling>();
  dye.buoyancy = {};
  dye.faces[2].kind = value;
  dye.bodies = {{0, 0.7, convection, 2}, {1, -0.3}};
  domain.lattice = with_scalars(domain.lattice, {heat, dye});
  domain.lattice.counts_heat = true;
  return domain;
}

// The first of its scalars alone.
inline Domain one_heat_from_surfaces(const Size& n, StorageType storage,
                                     const std::optional<Model>& model) {
  Domain domain = heat_from_surfaces(n, storage, model);
  domain.lattice = with_scalars(domain.lattice, {domain.lattice.scalars[0]});
  domain.lattice.counts_heat = true;
  return domain;
}

// A buoyant scalar between open faces of every axis.
inline Domain one_heat_between_far_fields(const Size& n, StorageType storage,
                                          const std::optional<Model>& model) {
  using enum ScalarBoundary;
  Domain domain = between_far_fields(n, storage, model);
  ScalarSpec heat;
  heat.omega = 1.7;
  heat.buoyancy = {0, 1e-3, 1e-3};
  heat.faces = {{{open}, {value, 0.3}, {no_flux}, {open}, {value, -0.2}, {open}}};
  domain.lattice = with_scalars(domain.lattice, {heat});
  return domain;
}

// The same flows with a turbulence model, whose eddies carry the scalars.
inline Domain with_eddies(Domain domain) {
  domain.lattice.collision.smagorinsky = 0.15;
  return domain;
}
inline Domain turbulent_heat_around_solids(const Size& n, StorageType storage,
                                           const std::optional<Model>& model) {
  return with_eddies(heat_around_solids(n, storage, model));
}
inline Domain turbulent_heat_between_walls(const Size& n, StorageType storage,
                                           const std::optional<Model>& model) {
  return with_eddies(one_heat_between_walls(n, storage, model));
}

}  // namespace lbm::tiling::test
