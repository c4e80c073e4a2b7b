// SPDX-License-Identifier: Apache-2.0

// Velocity profiles of inlets.
#pragma once

#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {

// Cells of a face along its two transverse axes, in the order x, y, z; cell (i, j) has index j * na
// + i.
struct FaceGrid {
  int a, b;    // axes
  int na, nb;  // cells

  FaceGrid(const Case& lbm_case, int face)
      : a(face / 2 == 0 ? 1 : 0),
        b(face / 2 == 2 ? 1 : 2),
        na(lbm_case.grid.cells[a]),
        nb(lbm_case.grid.cells[b]) {}
};

// Three components for each cell, in cells per step. peak: velocity of the boundary condition in
// these units. patch: whose condition it is, if it is one of a patch; the profile is then that of
// the patch. Throws UsageError for an unreadable table.
std::vector<float> inlet_profile(const Case& lbm_case, const FaceCondition& condition, int face,
                                 const Units& units, const Vec3& peak,
                                 const Patch* patch = nullptr);

// Developed duct flow at (x, y) from the middle, relative to the middle, for half widths w and h
// (White, Viscous Fluid Flow, eq. 3-48).
double duct_velocity(double x, double y, double w, double h);

}  // namespace lbm::cases
