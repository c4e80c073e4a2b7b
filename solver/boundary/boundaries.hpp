// Everything about the boundaries of a box that plain walls cannot say: faces with rules of their
// own, solid cells, and the links that bodies block. Owned on the host in one piece, so that a
// device gets it in one copy.
//
// Its size follows the surface of the bodies and the faces: a mask of two bits a cell for planes
// that hold solids, 16 bytes for each fluid cell at a body and 4 for each of its blocked links.
// Planes that look the same share them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/boundary/boundary_view.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/solid_geometry.hpp"

namespace lbm {

struct BodySpec {
  BodyMotion motion;
  bool interpolated = true;  // false: the wall is taken half a cell from the fluid cells
};

class Boundaries {
 public:
  Boundaries() = default;  // plain walls and periodic faces only
  // geometry may be null. Throws std::invalid_argument for more than max_boundary_conditions, or
  // tables of the wrong size.
  Boundaries(int nx, int ny, int nz, const FaceBoundaries& faces, const SolidGeometry* geometry,
             std::span<const BodySpec> bodies);

  bool none() const { return bytes_.empty(); }
  int bodies() const { return view_.body_count; }
  // Whether what the second pass does depends on the step.
  bool changes_in_time() const { return changes_in_time_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  // Pointers into bytes(), valid as long as this object, or into a copy of them at `base`.
  BoundaryView view() const { return view(bytes_.data()); }
  BoundaryView view(const std::byte* base) const;

  // How a rule's velocity is scaled at that time, for each rule; zero beyond the last.
  void factors(double step, double (&factor)[max_boundary_conditions]) const;
  // Cells of the second pass in plane z, besides those of z faces.
  int linked_cells(int z) const;
  std::int64_t solid_cells() const { return solid_cells_; }
  std::int64_t blocked_links() const { return blocked_links_; }

 private:
  // Where an array begins in bytes_; nothing: it is empty.
  template <class T>
  std::optional<std::size_t> append(const std::vector<T>& values);
  void prepare_faces(const FaceBoundaries& faces);
  void add_conditions(int nx, int ny, int nz, const FaceBoundaries& faces);
  void add_condition(const BoundaryCondition& rule, int face, const std::array<int, 3>& cells,
                     double share);

  struct Offsets {
    std::optional<std::size_t> conditions, profiles, modes, patch_of[6];
    std::optional<std::size_t> masks, mask_of, lists, list_of, cells, links, bodies;
  };
  std::vector<std::byte> bytes_;
  BoundaryView view_;  // without pointers
  Offsets at_;
  std::vector<BoundaryConditionView> conditions_;
  std::vector<float> profiles_;
  std::vector<TurbulenceMode> modes_;
  std::vector<TimeFactor> factors_;
  std::vector<int> linked_cells_;  // by plane; empty: none
  bool changes_in_time_ = false;
  std::int64_t solid_cells_ = 0, blocked_links_ = 0;
};

}  // namespace lbm
