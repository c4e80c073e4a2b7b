// SPDX-License-Identifier: Apache-2.0

// The plain data of a lattice: all that its update needs, but for the populations. Its sponge, and
// its collision as the user chooses it: model, relaxation, turbulence model, body force.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/core/enum_names.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm {

// A sponge: a layer before some faces in which the state relaxes towards that of the far field, so
// that little sound comes back from the faces and vortices die before they reach them.
//
//   f_q <- f_q - s (f_q - feq_q(rho_far, u_far)) after each step,
//   s = sum over the faces of s_max (1 - d / thickness)^2 for the cells with d < thickness,
// d: from the face to the centre of the cell. The layer reflects exp(-2 strength) times what the
// face reflects, strength = s_max thickness / (3 c_s) (docs/far_field.md has the reason). Israeli &
// Orszag, J. Comput. Phys. 41 (1981) 115; Xu & Sagaut, J. Comput. Phys. 245 (2013) 14; Mani, J.
// Comput. Phys. 231 (2012) 704.
//
// Lattice units: cells, steps, density 1.
struct Sponge {
  unsigned faces = 0;     // bits: before which faces (FaceBit); none: no sponge
  double thickness = 0;   // of each layer
  double most_share = 0;  // s_max: share of the deviation that a step removes at the face
  std::array<double, 3> velocity{};
  TimeFactor factor;  // of the velocity
  double drho = 0;    // density less 1

  bool operator==(const Sponge&) const = default;
  bool any() const { return faces != 0; }
  bool changes() const { return any() && factor.kind != TimeFactor::Kind::constant; }
};

// Where three layers meet, a step must not remove more than the whole deviation.
inline constexpr double most_sponge_share = 1.0 / 3;

// s_max of a strength.
constexpr double sponge_share(double strength, double thickness) {
  return 3 * 0.57735026918962576 * strength / thickness;
}

// How a cell relaxes towards equilibrium. Each model has a header in solver/collision.
enum class CollisionKind { bgk, trt, regularised, regularised_filtered, central_moments, cumulant };

constexpr auto enum_names(CollisionKind) {
  return std::array{"bgk",     "trt", "regularised", "regularised_filtered", "central_moments",
                    "cumulant"};
}
// True if the populations after the collision are a function of ten moments.
constexpr bool is_regularised(CollisionKind kind) {
  return kind == CollisionKind::regularised || kind == CollisionKind::regularised_filtered;
}

// True if a GPU can make two steps of populations in one pass with this model. The models
// themselves say so, too: Collision::has_pair_pass.
constexpr bool has_pair_pass(CollisionKind kind) {
  return kind == CollisionKind::bgk || kind == CollisionKind::trt ||
         kind == CollisionKind::regularised;
}
// True if odd moments have a rate of their own, which CollisionSpec::magic gives.
constexpr bool has_magic(CollisionKind kind) {
  return kind == CollisionKind::trt || kind == CollisionKind::central_moments;
}

// True if the equilibrium is maxwell_equilibrium() (moments.hpp), not that of second order.
constexpr bool is_maxwellian(CollisionKind kind) {
  return kind == CollisionKind::central_moments || kind == CollisionKind::cumulant;
}

// Force per volume (acceleration times the density 1), cells per step^2:
//   F(t) = mean + amplitude cos(2 pi t / period) + functions(t).
struct BodyForce {
  std::array<double, 3> mean{}, amplitude{};
  double period = 0;  // steps; 0: no amplitude
  // One function for each component; null: 0. Compared by address.
  std::array<std::shared_ptr<const TimeFunction>, 3> functions;
  // The boundaries have a force that depends on the place: all of it (ForceField), then it is zero
  // here; or that of zones (PorousZone) alone.
  bool by_place = false;

  bool operator==(const BodyForce&) const = default;
  bool any() const;
  bool changes() const;
  std::array<double, 3> at(double step) const;
};

struct CollisionSpec {
  CollisionKind kind = CollisionKind::bgk;
  double omega = 1;           // 1 / tau
  double magic = 3.0 / 16;    // has_magic(): (tau - 1/2)(tau_odd - 1/2)
  double least_odd_rate = 0;  // central moments: bound of the rate that magic gives
  double smagorinsky = 0;     // C_s, filter width one cell; 0: no turbulence model
  // Cumulants: rates of third order are 1. make_lattice() sets it for faces that are moving walls:
  // along a lid the small rates of 2017 leave a velocity that alternates from cell to cell.
  bool damps_third_order = false;
  BodyForce force;

  bool operator==(const CollisionSpec&) const = default;
  // Relaxation time of the odd parts of opposite populations, without a turbulence model.
  // Cumulants: 1, exact for tau from 0.5714 on; below, an approximation.
  double odd_time() const {
    if (is_regularised(kind) || kind == CollisionKind::cumulant) return 1;
    const double tau = 1 / omega;
    const double time = kind == CollisionKind::bgk ? tau : 0.5 + magic / (tau - 0.5);
    return time * least_odd_rate > 1 ? 1 / least_odd_rate : time;
  }
  // BGK alone: the fast path.
  bool plain() const { return kind == CollisionKind::bgk && smagorinsky == 0 && !force.any(); }
};

// The largest size of a stored scalar: fp16 clamps what is larger.
constexpr double most_stored_scalar(StorageType storage) {
  return storage == StorageType::fp16 ? 1.99 : 1000;
}

// Limits of a sane flow, checked where a sweep samples it.
struct FlowLimits {
  double density_min = 0.5, density_max = 2;
  double mach_max = 0.6;     // of |u|, c_s^2 = 1/3
  double scalar_max = 1000;  // of the size of a stored scalar

  bool operator==(const FlowLimits&) const = default;
};

// Fluid cells of a lattice that stores only those, and where its planes begin, one after the other.
struct FluidPlanes {
  std::vector<std::uint64_t> begin;  // byte of each plane, and of the end: nz + 1 numbers
  std::int64_t cells = 0;            // of all planes
};

struct Lattice {
  StorageType storage = StorageType::fp32;
  VelocitySet velocities = VelocitySet::D3Q19;
  Representation representation = Representation::populations;
  PlaneLayout layout;  // of one z-plane
  int nz = 0;
  // Null: all planes have layout.bytes. Shared by copies, never changed.
  std::shared_ptr<const FluidPlanes> fluid_planes;
  double stored_share = 1;  // stored cells over all cells
  CollisionSpec collision;
  // For the main update. Faces of the second pass (Boundaries) are resting walls here, but for
  // those with FaceBoundary::shifted.
  Walls<double> walls;
  // For walls that change with time: velocities and their factors; `walls` is at time 0.
  bool walls_change = false;
  std::array<WallFace, 6> wall_faces{};
  std::array<TimeFactor, 6> wall_factors{};
  Sponge sponge;                    // done after all else of a step
  bool has_moving_bodies = false;   // Boundaries::moving()
  std::vector<ScalarSpec> scalars;  // at most most_scalars; with_scalars() sets them
  bool counts_heat = false;         // records have what bodies give of scalars (GivenHeat)
  FlowLimits limits;

  bool operator==(const Lattice&) const = default;
  int scalar_count() const { return static_cast<int>(scalars.size()); }
  CellValues cell_values() const { return {representation, velocities, scalar_count()}; }
  bool periodic_z() const { return (walls.faces & z_min) == 0; }
  Walls<double> walls_at(double step) const;

  // Bytes of plane z, and of the planes before it where planes lie one after the other.
  std::size_t plane_bytes(int z) const {
    return fluid_planes == nullptr
               ? layout.bytes
               : static_cast<std::size_t>(bytes_before(z + 1) - bytes_before(z));
  }
  std::uint64_t bytes_before(int z) const {
    return fluid_planes == nullptr ? layout.bytes * static_cast<std::uint64_t>(z)
                                   : fluid_planes->begin[static_cast<std::size_t>(z)];
  }
  std::uint64_t bytes() const { return bytes_before(nz); }
  double stored_cells_of_plane() const {
    return stored_share * static_cast<double>(layout.cells());
  }
};

// True if two steps can be made in one pass, as far as the values of a cell tell.
inline bool has_pair_pass(const Lattice& lattice) {
  return has_pair_pass(lattice.velocities) && lattice.scalars.empty();
}

// The lattice with these scalars beside the flow. Throws std::invalid_argument for more than
// most_scalars, where only fluid cells are stored, for a face that is periodic for the scalar or
// for the flow alone, for a body beyond most_holding_bodies, a conductor without conductivity or
// capacity, a gradient across faces that are not periodic, and a turbulence model beyond
// most_turbulent_tau.
Lattice with_scalars(const Lattice& lattice, std::vector<ScalarSpec> scalars);

// The lattice of a part of the planes; each then has room for the largest one.
Lattice with_planes(const Lattice& lattice, int nz);

// The lattice with only its fluid cells stored. fluid_cells: of each plane.
Lattice with_fluid_planes(const Lattice& lattice, std::span<const std::int64_t> fluid_cells);

// The same for forecasts, where only the share of fluid cells is known: planes of equal size.
Lattice with_fluid_share(const Lattice& lattice, double share);

// BGK (of moments: regularised) between plain walls. faces: x_min, x_max, y_min, y_max, z_min,
// z_max; tau > 1/2 in steps.
Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                     const std::array<WallFace, 6>& faces,
                     const CellValues& cell = Representation::populations);

Lattice make_lattice(int nx, int ny, int nz, StorageType storage, const CollisionSpec& collision,
                     const FaceBoundaries& faces,
                     const CellValues& cell = Representation::populations);

}  // namespace lbm
