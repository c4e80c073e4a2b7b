// Where walls are around a cell, and how fast they move: what differences near walls need.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "cases/fields/halo_box.hpp"
#include "cases/fields/plane_fit.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/d3q19.hpp"

namespace lbm::fields {

// What is known of the velocity at a face, half a cell beyond the outermost cells, at some time.
struct FaceVelocity {
  std::optional<Vector> velocity;  // empty: not known there (outlets, free slip, patches)
  bool is_wall = false;
};

// A place on a wall, seen from a cell: in the direction -c_q, `share` of the way to the next cell.
struct WallPoint {
  int q = 0;
  double share = 0.5;
  Vector velocity{};
  // Radians per step of the body: what moves with it goes angular_velocity x d faster at a place d
  // farther.
  Vector angular_velocity{};
};

class WallsAround {
 public:
  // boundaries must outlive it.
  WallsAround(const GridShape& grid, const Boundaries& boundaries,
              const std::array<FaceVelocity, 6>& faces);

  bool is_solid(int x, int y, int z) const { return view_.is_solid(x, y, z); }
  // Whether the three planes around z have no solid cell.
  bool is_open(int z) const;
  // Of a face in the order x_min, x_max, ...
  const FaceVelocity& face(int axis, bool upper) const { return faces_[face_index(axis, upper)]; }
  // The wall of a body between a fluid cell and the solid one it pulls direction q from.
  WallPoint body_wall(int x, int y, int z, int q) const;
  // Fluid cells of plane z at bodies.
  template <class Visit>
  void for_each_linked(int z, const Visit& visit) const {
    const CellList* list = view_.list(z);
    if (list == nullptr) return;
    for (std::int32_t i = 0; i < list->cells; ++i) visit(view_.cells[list->first_cell + i]);
  }
  // All places on walls (not inlets) around a fluid cell.
  std::vector<WallPoint> wall_points(int x, int y, int z) const;
  // The unit normal into the fluid of the plane that fits these points of a cell; where they do not
  // tell it, as those of one link or of a cell close to the wall, of the plane that fits the walls
  // of bodies at the cells around, too.
  Vector normal(int x, int y, int z, const std::vector<WallPoint>& points) const;

 private:
  static std::size_t face_index(int axis, bool upper) {
    return 2 * static_cast<std::size_t>(axis) + (upper ? 1 : 0);
  }
  const LinkedCell* linked(int x, int y, int z) const;
  WallPoint point_of(const LinkedCell& cell, int z, int q) const;
  void add_body_points(int x, int y, int z, std::vector<WallPoint>& points) const;

  GridShape grid_;
  BoundaryView view_;
  std::array<FaceVelocity, 6> faces_;
};

// The velocity of direction q.
Vector component_of(int q);

// From the centre of the cell.
Vector place_of(const WallPoint& point);

}  // namespace lbm::fields
