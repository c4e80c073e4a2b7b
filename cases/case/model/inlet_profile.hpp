// Velocities over the cells of an inlet.
#pragma once

#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {

// The two transverse axes of a face, in the order x, y, z, and its cells along them; the cell
// (i, j) has the number j * na + i.
struct FaceGrid {
  int a, b;    // axes
  int na, nb;  // cells

  FaceGrid(const Case& lbm_case, int face)
      : a(face / 2 == 0 ? 1 : 0),
        b(face / 2 == 2 ? 1 : 2),
        na(lbm_case.grid.cells[a]),
        nb(lbm_case.grid.cells[b]) {}
};

// Three components for each cell, cells per step. peak: the rule's velocity in these units. Throws
// UsageError for a table that cannot be read.
std::vector<float> inlet_profile(const Case& lbm_case, const FaceCondition& rule, int face,
                                 const Units& units, const Vec3& peak);

// The developed flow in a duct of half widths w and h, at (x, y) from its middle, over that in the
// middle (White, Viscous Fluid Flow, eq. 3-48).
double duct_velocity(double x, double y, double w, double h);

}  // namespace lbm::cases
