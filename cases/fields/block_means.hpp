// SPDX-License-Identifier: Apache-2.0

// Means over cubes of cells; planes may come in any order.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lbm::fields {

class BlockMeans {
 public:
  // nx x ny cells a plane; edge: cells along a cube; components: values per cell of each array.
  // Cells left over at the upper ends are ignored.
  BlockMeans(int nx, int ny, int nz, int edge, std::vector<int> components);

  // Adds plane z without its solid cells (solid[cell] != 0). Returns the arrays of the layer of
  // cubes completed by z, or null. Cubes without fluid are 0.
  const std::vector<std::vector<float>>* add(int z, std::span<const std::span<const float>> arrays,
                                             std::span<const float> solid);

 private:
  // Sums of each array over the part of each cube that lies in one plane, or over whole cubes; last
  // the numbers of fluid cells.
  using Sums = std::vector<std::vector<double>>;
  // The planes of a layer of cubes; added up when all have come, so that their order is the same
  // in every schedule.
  struct Layer {
    std::vector<Sums> planes;
    int done = 0;
  };
  Sums zeros() const;

  int row_;           // cells in a row of a plane
  int nx_, ny_, nz_;  // number of cubes
  int edge_;
  std::vector<int> components_;
  std::map<int, Layer> layers_;
  std::vector<std::vector<float>> means_;
};

}  // namespace lbm::fields
