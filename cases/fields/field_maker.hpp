// SPDX-License-Identifier: Apache-2.0

// Computes one plane of the fields of an output, and the velocity gradients that they need.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "cases/fields/plane_window.hpp"
#include "cases/fields/quantities.hpp"
#include "cases/fields/walls_around.hpp"

namespace lbm::fields {

// Length of each vector.
void magnitude(std::span<const float> vectors, std::span<float> result);

// Central differences. Next to walls of known velocity (halfway walls, inlets, bodies at their
// exact distance) the wall serves as the neighbour, which keeps second order. At other faces
// differences are one-sided and first order.
class Gradients {
 public:
  Gradients(const GridShape& grid, const HaloBox& box) : grid_(grid), box_(box) {}

  // du_i / dx_j at 9 * cell + 3 * i + j for the cells of row j of the wanted plane; 0 in solid
  // cells. Lattice units.
  void compute(const PlaneTriple& planes, const WallsAround& walls, int j,
               std::span<float> gradient) const;

  // ds / dx_a of a scalar at 3 * cell + a for the cells of row j of the wanted plane, in a box
  // without solid cells. Lattice units.
  void of_scalar(const PlaneTriple& planes, int scalar, const ScalarSpec& spec, int j,
                 std::span<float> gradient) const;

  // Stress of the fluid on the wall in row j, 3 values per cell; 0 in cells without walls around.
  // Equals rho nu times the normal derivative of the tangential velocity, seen from the frame
  // rotating with the wall; the normal (WallsAround::normal()) points into the fluid. The
  // derivative is taken at the wall, from a parabola through the wall, the cell and the next cell,
  // along each link to the wall.
  void wall_shear_stress(const PlaneTriple& planes, const WallsAround& walls, double viscosity,
                         int j, std::span<float> stress) const;

 private:
  struct Side {
    double distance = 0;  // 0: unknown
    Vector velocity{};
  };
  Side side(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
            const std::array<int, 3>& at, int axis, bool upper) const;
  // The loaded cell at offset dx, dy, dz, in its plane; no plane: outside.
  struct LoadedCell {
    const FieldPlane* plane = nullptr;
    std::int64_t cell = 0;
  };
  LoadedCell near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy, int dz) const;
  // Its velocity; null outside.
  const float* velocity_near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy,
                             int dz) const;
  Vector shear_at(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                  const std::array<int, 3>& at, const std::vector<WallPoint>& points) const;
  bool inside(int n, std::size_t axis) const;  // away from the faces
  // True if no wall can be near the cells of the row, but for faces along x.
  bool is_open(const PlaneTriple& planes, const WallsAround& walls, int y) const;
  bool is_fluid(const WallsAround& walls, const std::array<int, 3>& at, int dx, int dy,
                int dz) const;
  void cell_gradient(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                     const std::array<int, 3>& at, float* g) const;

  GridShape grid_;
  HaloBox box_;
};

// A scalar is reference + difference * its stored value.
struct ScalarScale {
  double reference = 0, difference = 1;
};

// Factors from lattice units to the units of the case.
struct Scales {
  double length = 1, velocity = 1, density = 1, pressure = 1;
  std::array<ScalarScale, most_scalars> scalars = {};

  double of(Kind kind) const;
  // The summand behind the factor.
  double added_to(Kind kind) const;
};

class FieldMaker {
 public:
  // viscosity: kinematic, in lattice units. threads: share the rows of a plane.
  FieldMaker(const GridShape& grid, const HaloBox& box, std::vector<Kind> kinds,
             const Scales& scales, double viscosity, int threads = 1);

  // The wanted cells of the middle plane, scaled: one array [ny][nx][components] for each kind.
  // Valid until the next call and no longer than `planes`.
  std::span<const std::span<const float>> make(const PlaneTriple& planes, const WallsAround& walls);

 private:
  // Makes row j; gradient: of the same row.
  void make_row(Kind kind, const PlaneTriple& planes, const WallsAround& walls, int j,
                std::span<const float> gradient, std::span<float> row) const;
  // Copies the wanted cells of row j out of the loaded ones.
  void pick(std::span<const float> loaded, int components, int j, std::span<float> row) const;

  GridShape grid_;
  HaloBox box_;
  std::vector<Kind> kinds_;
  Scales scales_;
  double viscosity_;
  Gradients gradients_;
  int threads_;
  std::vector<std::vector<float>> arrays_;
  std::vector<std::span<const float>> made_;
};

}  // namespace lbm::fields
