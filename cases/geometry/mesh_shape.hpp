// SPDX-License-Identifier: Apache-2.0

// The body enclosed by a closed triangle surface.
#pragma once

#include "cases/geometry/bvh.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// Solid is every point with a winding number other than zero: overlapping shells are united, a
// shell oriented inward within another is a cavity. A centre exactly on the surface is solid,
// except on lower faces along y and z, which count as outside; first_entry() returns 0 there.
class MeshShape : public Shape {
 public:
  // mesh: closed and consistently oriented, as prepare_mesh() returns it.
  explicit MeshShape(Mesh mesh);

  // Uses the cuts of sides(), so that both agree bit for bit. Never returns 0.
  int side(const Vec& p) const override;
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override { return bounds_; }

  // Scan-line conversion: triangles cut by the plane, then rows crossed by each cut.
  void sides(const Window& w, std::span<std::int8_t> sides) const override;

  // The nearest hit triangle. `s` must begin outside.
  std::optional<double> first_entry(const Segment& s) const override;

  // How often more lines along x enter the surface than leave it on their way to `p` from smaller
  // x, and from larger x. Equal for a closed surface, but for a point on it. The surface may be
  // open.
  struct Winding {
    int from_below = 0, from_above = 0;
  };
  Winding winding(const Vec& p) const;

  ShapePtr moved(const Affine& a) const;
  const Mesh& mesh() const { return mesh_; }
  std::size_t bytes() const;

 private:
  template <class Act>
  void each_row_cut(const Vec& p, Act act) const;
  template <class Act>
  void each_hit(const Segment& s, Act act) const;

  Mesh mesh_;
  Bvh bvh_;
  Box bounds_;
};

}  // namespace lbm::geometry
