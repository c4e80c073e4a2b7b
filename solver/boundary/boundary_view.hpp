// SPDX-License-Identifier: Apache-2.0

// Boundary data as kernels read them: pointers into one piece of memory on the host or on the
// device. Made by Boundaries (boundaries.hpp).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "solver/boundary/porous_zone.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm {

// The structs in Boundaries::bytes() have no padding: the same boundaries give the same bytes.
struct BoundaryConditionView {
  BoundaryKind kind = BoundaryKind::wall;
  std::uint8_t unused[7] = {};
  double velocity[3] = {};
  double drho = 0;            // density less 1
  double relaxation = 0;      // outflow, far_field: share of the deviation removed each step
  std::int64_t profile = -1;  // its first value in BoundaryView::profiles; -1: none
  int first_mode = 0, modes = 0;
};

// One wave of the turbulence of an inlet: amplitude cos(k.x + phase - 2 pi turns t / mode_period),
// x in cells from the origin of the box.
struct TurbulenceMode {
  float kx, ky, kz, phase;
  float ux, uy, uz;
  std::int32_t turns;
};
inline constexpr std::int64_t mode_period = std::int64_t{1} << 22;  // steps

// Motion of a body's surface; its shape does not change.
struct BodyMotion {
  double velocity[3] = {};
  double angular_velocity[3] = {};  // radians per step
  double center[3] = {};            // of the rotation; torques refer to it
  // True: cells at interpolated walls keep their mass (conditions/interpolated_bounce_back.hpp).
  bool conserves_mass = false;
  // Index of the time factor of both velocities in StepParams::factor; 0: none.
  std::uint8_t factor = 0;
  std::uint8_t unused[6] = {};
  // Share of the wall's velocity in compact multireflection, 0 < share <= 1
  // (conditions/multireflection.hpp); 0: linear interpolation.
  double multireflection = 0;

  // Velocity of the surface at the end of an arm from the centre, cells per step.
  LBM_HD double velocity_at(const double (&arms)[3], int axis) const {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    return velocity[axis] + angular_velocity[i] * arms[j] - angular_velocity[j] * arms[i];
  }
};

// Where a body at a periodic face is: links end at both sides of that face. And what its links lack
// at closed faces and at other bodies.
struct BodyImage {
  double middle[3] = {};
  double period[3] = {};  // cells of the box along each axis whose faces it meets, else 0
  // Mean of c_q . u over all links, weighted with w_q; taken from each of them. A whole body has
  // none. One that sticks in a wall would make mass in a closed box. 0 in boxes with open faces.
  double mean_flux = 0;

  // From a place on the surface to its image nearest to the middle, along an axis.
  LBM_HD double shift_to_nearest(int axis, double place) const {
    const double n = period[axis];
    return n == 0 ? 0 : -n * floor((place - middle[axis]) / n + 0.5);
  }
};

// A fluid cell with links that a body blocks. The cells of a plane are sorted by y, then x.
struct LinkedCell {
  std::uint32_t x, y;
  std::uint32_t blocked;  // bits of the directions whose source lies inside a body
  std::uint32_t first;    // index of its first link in the list; one link per bit, in order
};

// Upper 16 bits: the body. Lower 16 bits: where the wall is, see wall_position().
using BlockedLink = std::uint32_t;

// Where the wall lies on the link from the cell (0) to the cell inside the body (1), in (0, 1]; one
// half is represented exactly.
LBM_HD double wall_position(BlockedLink link) { return ((link & 0xffffU) + 1) * (1.0 / 65536); }
LBM_HD int body_of(BlockedLink link) { return static_cast<int>(link >> 16); }

// The linked cells of all planes that have this list. to_slants: from the first link to the first
// of as many slants (slant_of()); 0: none.
struct CellList {
  std::int64_t first_cell = 0, first_link = 0;
  std::int32_t cells = 0, to_slants = 0;
};

// Cosine of the angle between the link and the normal of the surface that it meets: the area of the
// surface on a face of the cell is the sum of such shares (divergence theorem).
LBM_HD double slant_of(BlockedLink slant) { return slant * (1.0 / 0xffffffffU); }

// Numbers of bodies in masks (BoundaryView::masks).
inline constexpr int body_bits = 5, most_numbered_bodies = (1 << body_bits) - 1;

static_assert(sizeof(BoundaryKind) == 1 && sizeof(BoundaryConditionView) == 8 + 5 * 8 + 8 + 8);
static_assert(sizeof(BodyMotion) == 10 * 8 + 8 && sizeof(CellList) == 2 * 8 + 8);

struct BoundaryView {
  unsigned boundary_pass_faces = 0;  // bits: all their cells belong to the second pass
  // Bits of those that are plain walls with FaceBoundary::shifted.
  unsigned shifted_faces = 0;
  unsigned closed_faces = 0;  // bits: not periodic, or with a density drop
  unsigned slip_faces = 0;    // bits: free slip all over; links through them are mirrored
  double density_drop[3] = {};
  int condition_of[6] = {};              // first condition of each face, then those of its patches
  const std::uint8_t* patch_of[6] = {};  // null: no patches
  const BoundaryConditionView* conditions = nullptr;
  const float* profiles = nullptr;
  const TurbulenceMode* modes = nullptr;
  // FaceBoundary::scalar_values: those of the first scalar at all faces, then of the next one.
  // Where they change in time (ScalarSpec::face_functions), a ring of as many values for each step:
  // those of step s are s % scalar_steps * scalar_stride later.
  const float* scalar_values = nullptr;
  int scalar_steps = 1;
  std::int64_t scalar_stride = 0;

  // Two bits a cell: each mask has all solid bits, row by row of words, then all linked bits.
  // mask_of[z] is -1 where a plane has neither. Where bodies conduct scalars body_bits more, with
  // 1 + the number of the body of the cell, or 0 if that is at least most_numbered_bodies.
  const std::uint32_t* masks = nullptr;
  const std::int32_t* mask_of = nullptr;
  int words_per_row = 0;
  std::int64_t mask_words = 0;  // of one bit of all cells
  int bits_per_cell = 2;
  // Where only fluid cells are stored (PlaneLayout::fluid_only); else null. Then every plane has a
  // mask. For each mask mask_words + 1 words, the last with the number of fluid cells; and in
  // `starts`, from starts_of[mask] on, for each 32 fluid cells the word that has the first of them.
  const FluidWord* fluid_words = nullptr;
  const std::uint32_t* starts = nullptr;
  const std::int64_t* starts_of = nullptr;
  const CellList* lists = nullptr;
  const std::int32_t* list_of = nullptr;
  const LinkedCell* cells = nullptr;
  const BlockedLink* links = nullptr;
  const BodyMotion* bodies = nullptr;
  // One image for each body; null: no body meets a periodic face or has a mean flux.
  const BodyImage* images = nullptr;
  // A body force that depends on the place, without its factor in time (ForceField), then the zones
  // of the cells (ZoneShare), or one of both; null: none. Planes with the same values share them;
  // force_of[z] is -1 where there are none.
  const float* forces = nullptr;
  const std::int32_t* force_of = nullptr;
  const Resistance* zones = nullptr;
  int force_values = 3;          // of a cell: 3 of a force, 1 of zones, 4 of both
  int force_row = 0;             // cells of a row
  std::int64_t force_cells = 0;  // of a plane
  // Solid fractions of bodies that move (moving_body.hpp), one body after the other; null: none.
  const std::uint8_t* fractions = nullptr;
  int body_count = 0;
  bool bodies_move = false;  // the surface of any body

  bool operator==(const BoundaryView&) const = default;

  // From a body's centre to a place on its surface.
  LBM_HD void find_arm(int body, const double (&place)[3], double (&arm)[3]) const {
    for (int a = 0; a < 3; ++a) arm[a] = place[a] - bodies[body].center[a];
    if (images == nullptr) return;
    LBM_NO_UNROLL
    for (int a = 0; a < 3; ++a) arm[a] += images[body].shift_to_nearest(a, place[a]);
  }

  // The first of `forces` of the cells in a row, or null where the plane has none; the next ones
  // follow force_cells later.
  LBM_HD const float* row_of_forces(int y, int z) const {
    if (forces == nullptr || force_of[z] < 0) return nullptr;
    return forces + force_values * force_cells * force_of[z] + std::int64_t{y} * force_row;
  }
  // `uniform` plus `factor` times the force of a cell.
  template <class Real>
  LBM_HD ForceVector<Real> with_force(const ForceVector<Real>& uniform, int x, int y, int z,
                                      Real factor) const {
    const float* const row = force_values < 3 ? nullptr : row_of_forces(y, z);
    if (row == nullptr) return uniform;
    const float* const cell = row + x;
    return {uniform.x + multiply(factor, Real(cell[0])),
            uniform.y + multiply(factor, Real(cell[force_cells])),
            uniform.z + multiply(factor, Real(cell[2 * force_cells]))};
  }

  LBM_HD ZoneShare zone_at(int x, int y, int z) const {
    const float* const row = zones == nullptr ? nullptr : row_of_forces(y, z);
    if (row == nullptr) return {};
    return ZoneShare::of(row[(force_values - 1) * force_cells + x], zones);
  }

  LBM_HD double mean_flux(int body) const { return images == nullptr ? 0 : images[body].mean_flux; }

  // The solid bits of a plane, words_per_row for each row, or null: bit x % 32 of word x / 32. The
  // linked bits begin mask_words later.
  LBM_HD const std::uint32_t* solid_plane(int z) const {
    if (mask_of == nullptr || mask_of[z] < 0) return nullptr;
    return masks + bits_per_cell * mask_words * mask_of[z];
  }
  // Only where `fluid_words` is set.
  LBM_HD FluidPlane fluid_plane(int z) const {
    const std::int32_t mask = mask_of[z];
    return {fluid_words + (mask_words + 1) * mask, starts + starts_of[mask], words_per_row};
  }
  LBM_HD bool is_set(const std::uint32_t* plane, int x, int y) const {
    return (plane[static_cast<std::int64_t>(y) * words_per_row + (x >> 5)] >> (x & 31) & 1U) != 0;
  }
  LBM_HD bool is_solid(int x, int y, int z) const {
    const std::uint32_t* plane = solid_plane(z);
    return plane != nullptr && is_set(plane, x, y);
  }
  // The number of the body that holds the cell, -1 for none and for one that is not numbered. Only
  // where masks have body_bits.
  LBM_HD int body_of_cell(int x, int y, int z) const {
    const std::uint32_t* const plane = solid_plane(z);
    if (plane == nullptr) return -1;
    int number = 0;
    for (int bit = 0; bit < body_bits; ++bit) {
      number |= (is_set(plane + (2 + bit) * mask_words, x, y) ? 1 : 0) << bit;
    }
    return number - 1;
  }
  // The faces that the second pass does: shifted plain walls have a faster way
  // (conditions/wall_shift.hpp).
  LBM_HD unsigned second_pass_faces() const { return boundary_pass_faces & ~shifted_faces; }
  LBM_HD const CellList* list(int z) const {
    return list_of == nullptr || list_of[z] < 0 ? nullptr : lists + list_of[z];
  }
};

// Where the arrays of a BoundaryView begin in its memory, in bytes; nothing where there is no
// array.
struct BoundaryOffsets {
  std::optional<std::size_t> conditions, profiles, modes, scalar_values, patch_of[6], fractions;
  std::optional<std::size_t> masks, mask_of, fluid_words, starts, starts_of;
  std::optional<std::size_t> lists, list_of, cells, links, bodies, images;
  std::optional<std::size_t> forces, force_of, zones;
};

// The view with pointers into a memory at `base`.
BoundaryView placed(BoundaryView view, const BoundaryOffsets& at, const std::byte* base);

}  // namespace lbm
