// SPDX-License-Identifier: Apache-2.0

// The cells of a case's outputs: boxes of fields, cells of probes and of named quantities; and the
// weights of cells around a point or at a wall.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/plane_window.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

struct PointCell {
  std::array<int, 3> cell{};
  double weight = 0;
};

// Trilinear interpolation between cell centres; `place` in cells from the corner of the box.
// Weights of solid cells are distributed among the others. Empty if all are solid.
std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place);

// Fluid cells whose centres are farther than this from a place on a wall do not count, in cells.
inline constexpr double wall_reach = 2;

// Extrapolation to a place on a wall, in cells from the corner of the box: the linear function that
// fits the fluid cells within wall_reach best (least squares), at the place itself. Only cells that
// are connected with the nearest one count: not those behind a thin body. The weights are exact for
// linear functions where these cells have two layers; some are negative, their sum is 1. Empty
// without fluid within reach.
std::vector<PointCell> cells_at_wall(const Case& lbm_case, const Boundaries& boundaries,
                                     const Vec3& place);

// True if a solid cell or a face that is not periodic is within wall_reach of the place.
bool is_near_wall(const Case& lbm_case, const Boundaries& boundaries, const Vec3& place);

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

// True for a quantity of a region that is a box, and of a field without gradients: sums over the
// box are enough for it (BoxValue). Devices compute them; other regions need the fields on the
// host.
bool is_of_box_sums(const NamedQuantity& quantity);
// The boxes of those quantities, each once, in the order of the case.
std::vector<tiling::FieldBox> summed_boxes(const Case& lbm_case, const Derived& derived);

// Throws UsageError for a region without fluid, and for a wall pressure at a place without a wall.
void check_quantity_places(const Case& lbm_case, const Derived& derived,
                           const Boundaries& boundaries);

}  // namespace lbm::cases
