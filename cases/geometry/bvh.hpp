// SPDX-License-Identifier: Apache-2.0

// Bounding volume hierarchy of a mesh's triangles, stored as one flat array.
#pragma once

#include <span>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

class Bvh {
 public:
  // Reorders the triangles of `mesh`: those of one leaf become contiguous.
  explicit Bvh(Mesh& mesh);

  // Bounds are rounded outward, so that a triangle never leaves its boxes.
  struct Node {
    std::array<float, 3> low, high;
    std::int32_t first;  // leaf: its first triangle; else the second child (the first one follows)
    std::int32_t count;  // triangles of a leaf; 0 for an inner node
  };

  // Calls act(triangle) for the triangles of every leaf that touches(node) accepts.
  template <class Touches, class Act>
  void visit(Touches touches, Act act) const {
    std::array<std::int32_t, 64> waiting;
    int count = 0;
    for (std::int32_t n = nodes_.empty() ? -1 : 0; n >= 0; n = count > 0 ? waiting[--count] : -1) {
      // Descend to the first child; the second one goes onto the stack.
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
  std::vector<Node> nodes_;  // balanced: at most 32 levels
};

}  // namespace lbm::geometry
