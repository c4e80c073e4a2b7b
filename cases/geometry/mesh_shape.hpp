// SPDX-License-Identifier: Apache-2.0

// The body enclosed by a closed triangle surface, its scan lines, and a tree of its triangles; the
// surface beside the cells of a box, and as a stream sees it.
#pragma once

#include "cases/geometry/mesh.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

// x, y where the border of a triangle crosses a plane of constant z downwards, upwards.
struct PlaneCut {
  std::array<double, 2> down, up;
};
// A cut by a row of constant y.
struct RowCut {
  double x;
  int turn;  // towards larger x, +1: enters the surface, -1: leaves it
};
// Neighbouring triangles compute the same bits for their common edge, and a vertex on the plane
// counts as above it: every row enters a closed surface as often as it leaves it, however values
// are rounded.
std::optional<PlaneCut> cut_by_plane(const Mesh& mesh, std::int32_t triangle, double z);
std::optional<RowCut> cut_by_row(const PlaneCut& cut, double y);

// Bounding volume hierarchy of a mesh's triangles, stored as one flat array.
class Bvh {
 public:
  // Reorders the triangles of `mesh`: those of one leaf become contiguous.
  explicit Bvh(Mesh& mesh);

  // Bounds are rounded outward, so that a triangle never leaves its boxes.
  struct Node {
    std::array<float, 3> low, high;
    std::int32_t first;  // leaf: its first triangle; else the second child (the first one follows)
    std::int32_t count;  // triangles of a leaf; 0 for an inner node
    bool touches(const Box& box) const {
      return low[0] <= box.high[0] && high[0] >= box.low[0] && low[1] <= box.high[1] &&
             high[1] >= box.low[1] && low[2] <= box.high[2] && high[2] >= box.low[2];
    }
  };

  // Calls act(triangle) for the triangles of every leaf that touches the box.
  template <class Act>
  void visit(const Box& box, Act act) const {
    std::array<std::int32_t, 64> waiting;
    int count = 0;
    for (std::int32_t n = nodes_.empty() ? -1 : 0; n >= 0; n = count > 0 ? waiting[--count] : -1) {
      // Descend to the first child; the second one goes onto the stack.
      while (nodes_[n].touches(box)) {
        const Node& node = nodes_[n];
        if (node.count > 0) {
          for (std::int32_t t = node.first; t < node.first + node.count; ++t) act(t);
          break;
        }
        waiting[count++] = node.first;
        ++n;
      }
    }
  }

 private:
  std::vector<Node> nodes_;  // balanced: at most 32 levels
};

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

 private:
  template <class Act>
  void each_row_cut(const Vec& p, Act act) const;
  template <class Act>
  void each_hit(const Segment& s, Act act) const;

  Mesh mesh_;
  Bvh bvh_;
  Box bounds_;
};

struct PartCount {
  int all = 0;    // parts that share no corner of a triangle
  int empty = 0;  // those that enclose no cell centre of the box
};

// The parts of a closed surface. Along a periodic axis the box has no end. A surface of one part is
// not looked at. Throws TimeLimitReached.
PartCount count_empty_parts(const MeshShape& surface, const std::array<int, 3>& cells,
                            const std::array<bool, 3>& periodic, const TimeLimit& limit);

// Area of the projection of all triangles along an axis (0 to 2), without what hides behind: on a
// grid of 1024 points along the longer side of the projection, so that its error is of the order of
// its outline / 1024. In the units of the mesh, squared.
double frontal_area(Mesh mesh, std::size_t axis);

}  // namespace lbm::geometry
