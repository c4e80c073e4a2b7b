// The body within a closed surface of triangles.
#pragma once

#include "cases/geometry/bvh.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// Solid is what the surface winds around, in either direction: shells that overlap are a union, a
// shell oriented inward within another is a cavity. A centre exactly on the surface is solid, but
// on the lower faces along y and z, which belong to what lies beyond; first_entry() then says 0.
class MeshShape : public Shape {
 public:
  // `mesh` is closed and consistently oriented, as prepare_mesh() leaves it.
  explicit MeshShape(Mesh mesh);

  // By the same cuts as sides(), so that both agree in every bit. Never 0.
  int side(const Vec& p) const override;
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override { return bounds_; }

  // A scan line: the triangles that the plane cuts, then the rows that each cut passes.
  void sides(const Window& w, std::span<std::int8_t> sides) const override;

  // The nearest triangle hit. `s` must begin outside.
  std::optional<double> first_entry(const Segment& s) const override;

  ShapePtr moved(const Affine& a) const;
  const Mesh& mesh() const { return mesh_; }
  std::size_t bytes() const;

 private:
  template <class Act>
  void each_hit(const Segment& s, Act act) const;

  Mesh mesh_;
  Bvh bvh_;
  Box bounds_;
};

}  // namespace lbm::geometry
