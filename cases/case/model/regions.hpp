// SPDX-License-Identifier: Apache-2.0

// The cells of a case's outputs: boxes of fields, cells of probes and of named quantities.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/model/point_cells.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/plane_window.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

fields::GridShape grid_shape(const Case& lbm_case);

// The cells of a region; its corners and places are in units of the case.
tiling::FieldBox region_box(const Case& lbm_case, const Derived& derived, const Region& region);

// The region of a picture, with the position of its slice.
Region picture_region(const Case& lbm_case, const Derived& derived, const Picture& picture);

// Points of a probe, in cells from the low corner of the box.
std::vector<Vec3> places_of(const Probe& probe, const Units& units);

// The fluid cells around each point of the probes and of the named quantities, sorted. Throws
// UsageError if a point has none; points of line probes may have none.
ProbeCells probe_cells(const Case& lbm_case, const Derived& derived, const Boundaries& boundaries);

// The cells and weights of a named quantity that is_at_point(). Throws UsageError if the point is
// inside a body. Points outside the box are clamped or wrapped, since plans try smaller boxes.
std::vector<PointCell> point_cells(const Case& lbm_case, const Derived& derived,
                                   const Boundaries& boundaries, const NamedQuantity& quantity);

// The cells of a named quantity that is_count() or is_of_region().
class QuantityRegion {
 public:
  QuantityRegion(const Case& lbm_case, const Derived& derived, const NamedQuantity& quantity);

  // Contains all cells of the quantity.
  const tiling::FieldBox& box() const { return box_; }
  // True if the cell, fluid or solid, belongs to the quantity. The cell must lie in box().
  bool holds(int x, int y, int z) const;
  // The axis (0, 1, 2) of the slice or face; 2 for other regions.
  int axis() const { return axis_; }

  struct Count {
    std::int64_t fluid = 0, solid = 0;
  };
  Count count(const Boundaries& boundaries) const;
  bool has_fluid(const Boundaries& boundaries) const;

 private:
  template <class Visit>
  void visit_cells(const Boundaries& boundaries, const Visit& visit) const;

  tiling::FieldBox box_;
  int axis_ = 2;
  int patch_ = 0;  // number in patch_of_; 0: all cells of the box
  std::vector<std::uint8_t> patch_of_;
  std::array<std::size_t, 2> across_{};  // axes of patch_of_
  int row_ = 0;                          // cells of the face along across_[0]
};

// Throws UsageError for a region without fluid, and for a wall pressure at a place without a wall.
void check_quantity_places(const Case& lbm_case, const Derived& derived,
                           const Boundaries& boundaries);

}  // namespace lbm::cases
