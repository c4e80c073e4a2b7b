// Means over cubes of cells, from planes in any order.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lbm::fields {

class BlockMeans {
 public:
  // Planes of nx x ny cells, each array with so many values a cell; edge: cells along a cube. What
  // is left over at the ends of the axes is left out.
  BlockMeans(int nx, int ny, int nz, int edge, std::vector<int> components);

  // Adds plane z; solid[cell] != 0 cells do not count. Returns the arrays of the layer of cubes
  // that it completes, or null. Cubes without fluid have 0.
  const std::vector<std::vector<float>>* add(int z, std::span<const std::span<const float>> arrays,
                                             std::span<const float> solid);

 private:
  struct Layer {
    std::vector<std::vector<double>> sums;
    std::vector<int> counts;
    int planes = 0;
  };
  void add_array(std::size_t array, std::span<const float> values, std::span<const float> solid,
                 Layer& layer) const;

  int row_;           // cells of a row of a plane
  int nx_, ny_, nz_;  // cubes
  int edge_;
  std::vector<int> components_;
  std::map<int, Layer> layers_;
  std::vector<std::vector<float>> means_;
};

}  // namespace lbm::fields
