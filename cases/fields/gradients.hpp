// SPDX-License-Identifier: Apache-2.0

// Velocity gradients by central differences. Next to walls of known velocity (halfway walls,
// inlets, bodies at their exact distance) the wall serves as the neighbour, which keeps second
// order. At other faces differences are one-sided and first order.
#pragma once

#include <span>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/fields/walls_around.hpp"

namespace lbm::fields {

// A plane of the loaded box and its neighbours; null beyond the ends of the grid.
struct PlaneTriple {
  int z = 0;
  const FieldPlane *below = nullptr, *here = nullptr, *above = nullptr;
};

class Gradients {
 public:
  Gradients(const GridShape& grid, const HaloBox& box) : grid_(grid), box_(box) {}

  // du_i / dx_j at 9 * cell + 3 * i + j for the cells of rows first ... last - 1 of the wanted
  // plane, row by row; 0 in solid cells. Lattice units.
  void compute(const PlaneTriple& planes, const WallsAround& walls, int first, int last,
               std::span<float> gradient) const;

  // Stress of the fluid on the wall, 3 values per cell; 0 in cells without walls around. Equals rho
  // nu times the normal derivative of the tangential velocity, seen from the frame rotating with
  // the wall; the normal (WallsAround::normal()) points into the fluid. The derivative is taken at
  // the wall, from a parabola through the wall, the cell and the next cell, along each link to the
  // wall. Computes rows first ... last - 1 of `stress`, which has all rows.
  void wall_shear_stress(const PlaneTriple& planes, const WallsAround& walls, double viscosity,
                         int first, int last, std::span<float> stress) const;

 private:
  struct Side {
    double distance = 0;  // 0: unknown
    Vector velocity{};
  };
  Side side(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
            const std::array<int, 3>& at, int axis, bool upper) const;
  // Velocity of the loaded cell at offset dx, dy, dz; null outside.
  const float* near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy, int dz) const;
  Vector shear_at(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                  const std::array<int, 3>& at, const std::vector<WallPoint>& points) const;
  bool inside(int n, std::size_t axis) const;  // away from the faces
  bool is_fluid(const WallsAround& walls, const std::array<int, 3>& at, int dx, int dy,
                int dz) const;
  void cell_gradient(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                     const std::array<int, 3>& at, float* g) const;

  GridShape grid_;
  HaloBox box_;
};

}  // namespace lbm::fields
