// SPDX-License-Identifier: Apache-2.0

// Position and velocity of the walls around a cell, for differences near walls, and the plane
// fitted to places on a wall.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/velocity_sets.hpp"
#include "solver/update/immersed_cells.hpp"

namespace lbm::fields {

using Vector = geometry::Vec;
using geometry::cross, geometry::dot;

struct PlaneFit {
  Vector normal{};       // unit length, towards the view; 0 without places and view
  bool is_sure = false;  // false: places too close together, or collinear
};

// Least squares. `view` is best about a cell away from the places, which weakens the effect of
// their curvature. Directions left undetermined get the smallest component of the normal.
PlaneFit fit_plane(std::span<const Vector> places, const Vector& view);

// v scaled to length 1; 0 stays 0.
Vector unit(const Vector& v);

// Velocity at a face at some time, half a cell beyond the outermost cells.
struct FaceVelocity {
  std::optional<Vector> velocity;  // empty: unknown (outlets, free slip, patches)
  bool is_wall = false;
};

// A point on a wall, seen from a cell: in direction -c_q, at `share` of the link.
struct WallPoint {
  int q = 0;
  double share = 0.5;
  Vector velocity{};
  // Radians per step of the body: the wall velocity at offset d is larger by angular_velocity x d.
  Vector angular_velocity{};
};

class WallsAround {
 public:
  // boundaries must outlive the object. step: the time, of factors of the velocities of bodies.
  // moving: the bodies that move, at that time.
  WallsAround(const GridShape& grid, const Boundaries& boundaries,
              const std::array<FaceVelocity, 6>& faces, double step = 0,
              std::vector<ImmersedBody> moving = {});

  // False in cells of bodies that move.
  bool is_solid(int x, int y, int z) const { return view_.is_solid(x, y, z); }
  // The share of the cell that bodies fill; cells of bodies at rest are full or empty.
  float solid_fraction(int x, int y, int z) const;
  // True if the three planes around z have no solid cell.
  bool is_open(int z) const;
  // Faces in the order x_min, x_max, ...
  const FaceVelocity& face(int axis, bool upper) const { return faces_[face_index(axis, upper)]; }
  // The body's wall on the link between a fluid cell and the solid cell that direction q comes
  // from.
  WallPoint body_wall(int x, int y, int z, int q) const;
  // Visits the fluid cells of plane z that have links to bodies.
  template <class Visit>
  void for_each_linked(int z, const Visit& visit) const {
    const CellList* list = view_.list(z);
    if (list == nullptr) return;
    for (std::int32_t i = 0; i < list->cells; ++i) visit(view_.cells[list->first_cell + i]);
  }
  // All wall points around a fluid cell; inlets are no walls.
  std::vector<WallPoint> wall_points(int x, int y, int z) const;
  // Unit normal into the fluid of the plane fitted to `points` of a cell. Where these do not
  // determine it (a single link, a cell close to the wall), the wall points of bodies around the
  // neighbouring cells are added.
  Vector normal(int x, int y, int z, const std::vector<WallPoint>& points) const;

 private:
  static std::size_t face_index(int axis, bool upper) {
    return 2 * static_cast<std::size_t>(axis) + (upper ? 1 : 0);
  }
  // Adds the wall points of bodies whose links no list holds (BodySpec::listed). Bit q of `listed`:
  // a list holds link q.
  void add_resting_points(int x, int y, int z, unsigned listed,
                          std::vector<WallPoint>& points) const;
  const LinkedCell* linked(int x, int y, int z) const;
  WallPoint point_of(const LinkedCell& cell, int z, int q) const;
  void add_body_points(int x, int y, int z, std::vector<WallPoint>& points) const;

  GridShape grid_;
  BoundaryView view_;
  std::vector<bool> has_solids_;  // by plane
  double factors_[max_boundary_conditions];
  std::array<FaceVelocity, 6> faces_;
  std::vector<ImmersedBody> moving_;
};

// The lattice velocity c_q.
Vector component_of(int q);

// Position relative to the centre of the cell.
Vector place_of(const WallPoint& point);

}  // namespace lbm::fields
