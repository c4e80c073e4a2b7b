// A tree of boxes over the triangles of a mesh, as one flat array.
#pragma once

#include <span>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

class Bvh {
 public:
  // Reorders the triangles of `mesh`, so that those of a leaf stand together.
  explicit Bvh(Mesh& mesh);

  // Rounded outward: a triangle never leaves its boxes.
  struct Node {
    std::array<float, 3> low, high;
    std::int32_t first;  // a leaf: its first triangle; else the second child (the first follows)
    std::int32_t count;  // triangles of a leaf, 0 where there are children
  };

  // Calls act(triangle) for all triangles of the leaves that touches(node) lets through.
  template <class Touches, class Act>
  void visit(Touches touches, Act act) const {
    std::array<std::int32_t, 64> waiting;
    int count = 0;
    for (std::int32_t n = nodes_.empty() ? -1 : 0; n >= 0; n = count > 0 ? waiting[--count] : -1) {
      // Down the first children; the second ones wait.
      while (touches(nodes_[n])) {
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

  std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

 private:
  std::vector<Node> nodes_;  // halves of equal size: at most 32 levels
};

}  // namespace lbm::geometry
