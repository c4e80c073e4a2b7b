// SPDX-License-Identifier: Apache-2.0
#include "solver/lattice/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace lbm {
namespace {

bool nonzero(const std::array<double, 3>& v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return x != 0; });
}

}  // namespace

bool BodyForce::any() const { return nonzero(mean) || changes(); }

bool BodyForce::changes() const {
  return (period > 0 && nonzero(amplitude)) ||
         std::any_of(functions.begin(), functions.end(),
                     [](const auto& f) { return f != nullptr; });
}

std::array<double, 3> BodyForce::at(double step) const {
  std::array<double, 3> force = mean;
  if (period > 0 && nonzero(amplitude)) {
    const double wave = std::cos(2 * std::numbers::pi * std::fmod(step, period) / period);
    for (std::size_t i = 0; i < 3; ++i) force[i] += amplitude[i] * wave;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (functions[i]) force[i] += functions[i]->at(step);
  }
  return force;
}

Walls<double> Lattice::walls_at(double step) const {
  std::array<WallFace, 6> faces = wall_faces;
  for (std::size_t f = 0; f < 6; ++f) {
    for (double& u : faces[f].velocity) u *= wall_factors[f].at(step);
  }
  return make_walls(faces, velocities, is_maxwellian(collision.kind));
}

Lattice with_scalars(const Lattice& lattice, std::vector<ScalarSpec> scalars) {
  if (scalars.size() > most_scalars || lattice.layout.fluid_only) {
    throw std::invalid_argument("with_scalars: too many, or only fluid cells are stored");
  }
  std::size_t patches = 0;
  for (const ScalarSpec& scalar : scalars) {
    for (std::size_t f = 0; f < 6; ++f) {
      const bool closed = (lattice.walls.faces >> f & 1U) != 0;
      const auto is_periodic = [](const ScalarFace& part) {
        return part.kind == ScalarBoundary::periodic;
      };
      const auto& of_face = scalar.patches[f];
      if (closed == is_periodic(scalar.faces[f]) ||
          std::any_of(of_face.begin(), of_face.end(), is_periodic)) {
        throw std::invalid_argument("with_scalars: a face must be periodic for both, or neither");
      }
      if (scalar.face_functions[f] != nullptr && !scalar.has_values_by_place(f)) {
        throw std::invalid_argument("with_scalars: a function of a face without values by place");
      }
      patches += of_face.size();
    }
    const auto check = [](int body) {
      if (body < 0 || body >= most_holding_bodies) {
        throw std::invalid_argument("with_scalars: a body beyond most_holding_bodies");
      }
    };
    for (const ScalarBody& body : scalar.bodies) {
      check(body.body);
      if ((body.kind == ScalarBoundary::convection) != (body.coefficient > 0)) {
        throw std::invalid_argument("with_scalars: convection has a coefficient above 0");
      }
    }
    for (const ScalarConductor& conductor : scalar.conductors) {
      check(conductor.body);
      if (!(conductor.conductivity > 0 && conductor.capacity > 0)) {
        throw std::invalid_argument("with_scalars: a conductor without conductivity or capacity");
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      if (scalar.gradient[a] != 0 && (lattice.walls.faces >> (2 * a) & 3U) != 0) {
        throw std::invalid_argument("with_scalars: a gradient across faces that are not periodic");
      }
    }
  }
  if (patches > most_scalar_patches) {
    throw std::invalid_argument("with_scalars: more patches than most_scalar_patches");
  }
  const CollisionSpec& flow = lattice.collision;
  if (!scalars.empty() && flow.smagorinsky > 0 && 1 / flow.omega > most_turbulent_tau) {
    throw std::invalid_argument("with_scalars: a turbulence model beyond most_turbulent_tau");
  }
  Lattice made = lattice;
  made.scalars = std::move(scalars);
  made.layout =
      make_plane_layout(lattice.layout.nx, lattice.layout.ny, lattice.storage, made.cell_values());
  return made;
}

Lattice with_planes(const Lattice& lattice, int nz) {
  Lattice part = lattice;
  part.nz = nz;
  if (nz != lattice.nz) part.fluid_planes = nullptr;
  return part;
}

Lattice with_fluid_planes(const Lattice& lattice, std::span<const std::int64_t> fluid_cells) {
  if (static_cast<int>(fluid_cells.size()) != lattice.nz) {
    throw std::invalid_argument("with_fluid_planes: one number for each plane");
  }
  const PlaneLayout& all = lattice.layout;
  Lattice made = lattice;
  made.layout = make_fluid_layout(all.nx, all.ny, lattice.storage, lattice.cell_values(),
                                  *std::max_element(fluid_cells.begin(), fluid_cells.end()));
  auto planes = std::make_shared<FluidPlanes>();
  planes->begin.push_back(0);
  for (const std::int64_t cells : fluid_cells) {
    planes->cells += cells;
    planes->begin.push_back(planes->begin.back() +
                            fluid_plane_bytes(made.layout, lattice.storage, cells));
  }
  made.stored_share = static_cast<double>(planes->cells) /
                      (static_cast<double>(all.cells()) * static_cast<double>(lattice.nz));
  made.fluid_planes = std::move(planes);
  return made;
}

Lattice with_fluid_share(const Lattice& lattice, double share) {
  const PlaneLayout& all = lattice.layout;
  Lattice made = lattice;
  const auto cells = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(all.cells())));
  made.layout = make_fluid_layout(all.nx, all.ny, lattice.storage, lattice.cell_values(), cells);
  made.fluid_planes = nullptr;
  made.stored_share = share;
  return made;
}

namespace {

// Without walls.
Lattice open_lattice(int nx, int ny, int nz, StorageType storage, const CollisionSpec& collision,
                     const CellValues& cell) {
  Lattice lattice;
  lattice.storage = storage;
  lattice.velocities = cell.set;
  lattice.representation = cell.representation;
  lattice.layout = make_plane_layout(nx, ny, storage, cell);
  lattice.nz = nz;
  lattice.collision = collision;
  return lattice;
}

}  // namespace

Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                     const std::array<WallFace, 6>& faces, const CellValues& cell) {
  CollisionSpec collision;
  collision.omega = 1.0 / tau;
  if (cell.representation == Representation::moments) collision.kind = CollisionKind::regularised;
  Lattice lattice = open_lattice(nx, ny, nz, storage, collision, cell);
  lattice.walls = make_walls(faces, cell.set);
  return lattice;
}

Lattice make_lattice(int nx, int ny, int nz, StorageType storage, const CollisionSpec& collision,
                     const FaceBoundaries& faces, const CellValues& cell) {
  Lattice lattice = open_lattice(nx, ny, nz, storage, collision, cell);
  std::array<WallFace, 6> walls;
  for (std::size_t f = 0; f < 6; ++f) {
    const bool filtered = collision.kind == CollisionKind::regularised_filtered;
    if (filtered && faces[f].has_wall() && !faces[f].shifted) {
      throw std::invalid_argument("make_lattice: regularised_filtered needs FaceBoundary::shifted");
    }
    walls[f].wall = !faces[f].periodic();
    const bool plain = !faces[f].needs_boundary_pass() || faces[f].is_plain_shifted();
    if (!plain || faces[f].periodic()) continue;
    const BoundaryCondition& condition = faces[f].condition;
    walls[f].free_slip = condition.kind == BoundaryKind::slip;
    if (!walls[f].free_slip) walls[f].velocity = condition.velocity;
    const bool moves = condition.kind == BoundaryKind::wall && nonzero(condition.velocity);
    if (moves) lattice.collision.damps_third_order = true;
    lattice.wall_factors[f] = condition.factor;
    if (condition.factor.kind != TimeFactor::Kind::constant) lattice.walls_change = true;
  }
  if (lattice.walls_change) {
    lattice.wall_faces = walls;
    lattice.walls = lattice.walls_at(0);
  } else {
    lattice.wall_factors = {};
    lattice.walls = make_walls(walls, cell.set, is_maxwellian(collision.kind));
  }
  return lattice;
}

}  // namespace lbm
