// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/bvh.hpp"

#include <algorithm>
#include <numeric>

namespace lbm::geometry {
namespace {

constexpr std::int32_t leaf_size = 4;

class Builder {
 public:
  Builder(Mesh& mesh, std::vector<Bvh::Node>& nodes)
      : mesh_(mesh), nodes_(nodes), order_(mesh.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    centres_.reserve(order_.size());
    for (const auto& t : mesh.triangles)
      centres_.push_back(mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]);
  }

  void build() {
    if (order_.empty()) return;
    add_node(0, static_cast<std::int32_t>(order_.size()));
    std::vector<std::array<std::int32_t, 3>> sorted;
    sorted.reserve(order_.size());
    for (const std::int32_t n : order_) sorted.push_back(mesh_.triangles[n]);
    mesh_.triangles = std::move(sorted);
  }

 private:
  void add_node(std::int32_t first, std::int32_t last) {
    const std::size_t self = nodes_.size();
    nodes_.push_back({});
    set_bounds(nodes_[self], first, last);
    if (last - first <= leaf_size) {
      nodes_[self].first = first;
      nodes_[self].count = last - first;
      return;
    }
    const std::int32_t middle = split(first, last);
    add_node(first, middle);
    nodes_[self].first = static_cast<std::int32_t>(nodes_.size());
    nodes_[self].count = 0;
    add_node(middle, last);
  }

  // Halves the range along the axis on which the centres are spread most.
  std::int32_t split(std::int32_t first, std::int32_t last) {
    Box spread;
    for (std::int32_t k = first; k < last; ++k) spread.add(centres_[order_[k]]);
    const Vec size = spread.high - spread.low;
    const auto axis = std::max_element(size.begin(), size.end()) - size.begin();
    const std::int32_t middle = first + (last - first) / 2;
    std::nth_element(
        order_.begin() + first, order_.begin() + middle, order_.begin() + last,
        [&](std::int32_t a, std::int32_t b) { return centres_[a][axis] < centres_[b][axis]; });
    return middle;
  }

  void set_bounds(Bvh::Node& node, std::int32_t first, std::int32_t last) const {
    Box box;
    for (std::int32_t k = first; k < last; ++k)
      for (const std::int32_t v : mesh_.triangles[order_[k]]) box.add(mesh_.vertices[v]);
    constexpr float far = std::numeric_limits<float>::infinity();
    for (int a = 0; a < 3; ++a) {
      node.low[a] = std::nextafter(static_cast<float>(box.low[a]), -far);
      node.high[a] = std::nextafter(static_cast<float>(box.high[a]), far);
    }
  }

  Mesh& mesh_;
  std::vector<Bvh::Node>& nodes_;
  std::vector<std::int32_t> order_;
  std::vector<Vec> centres_;
};

}  // namespace

Bvh::Bvh(Mesh& mesh) { Builder(mesh, nodes_).build(); }

}  // namespace lbm::geometry
