// The velocity gradient by central differences. Next to walls whose velocity is known (halfway
// walls, inlets, bodies with their exact distance) the wall is the neighbour, so that the
// difference stays of second order; beyond other faces it is one-sided, of first order.
#pragma once

#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/fields/walls_around.hpp"

namespace lbm::fields {

// The plane of a loaded box and those beside it; null beyond the ends of the grid.
struct PlaneTriple {
  int z = 0;
  const FieldPlane *below = nullptr, *here = nullptr, *above = nullptr;
};

class Gradients {
 public:
  Gradients(const GridShape& grid, const HaloBox& box) : grid_(grid), box_(box) {}

  // du_i / dx_j at 9 * cell + 3 * i + j for each cell of the wanted plane, row by row; 0 in solid
  // cells. Lattice units.
  void compute(const PlaneTriple& planes, const WallsAround& walls,
               std::vector<float>& gradient) const;

  // The stress of the fluid on the wall, rho nu times the derivative of the tangential velocity,
  // as one sees it who turns with the wall, along the normal into the fluid, at fluid cells with
  // walls around; 0 elsewhere. 3 numbers a cell. The derivative is that at the wall of the parabola
  // through the wall, the cell and the next one, along each link that ends at the wall; for the
  // normal see WallsAround::normal().
  void wall_shear_stress(const PlaneTriple& planes, const WallsAround& walls, double viscosity,
                         std::vector<float>& stress) const;

 private:
  struct Side {
    double distance = 0;  // 0: nothing known there
    Vector velocity{};
  };
  Side side(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
            const std::array<int, 3>& at, int axis, bool upper) const;
  // The velocity of the loaded cell dx, dy, dz away; null outside.
  const float* near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy, int dz) const;
  Vector shear_at(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                  const std::array<int, 3>& at, const std::vector<WallPoint>& points) const;
  bool is_fluid(const WallsAround& walls, const std::array<int, 3>& at, int dx, int dy,
                int dz) const;
  void cell_gradient(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                     const std::array<int, 3>& at, float* g) const;

  GridShape grid_;
  HaloBox box_;
};

}  // namespace lbm::fields
