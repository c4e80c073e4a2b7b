// SPDX-License-Identifier: Apache-2.0

// The cells to load for the wanted ones, and their planes of macroscopic fields, kept until
// their neighbours have arrived: gradients need one more cell on each side.
#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "solver/lattice/macro_fields.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::fields {

struct GridShape {
  std::array<int, 3> cells{};
  std::array<bool, 3> periodic{};
};

struct HaloBox {
  tiling::FieldBox wanted, loaded;
  // Wanted cell (i, j) is loaded cell (first[0] + i * step, first[1] + j * step).
  std::array<int, 2> first{};
  int step = 1;
  bool has_halo = false;

  std::int64_t loaded_cell(int i, int j) const {
    return static_cast<std::int64_t>(first[1] + j * step) * loaded.count[0] + first[0] + i * step;
  }
  // Grid coordinates of a wanted cell.
  int x(int i, int nx) const { return (wanted.begin[0] + i * wanted.stride) % nx; }
  int y(int j, int ny) const { return (wanted.begin[1] + j * wanted.stride) % ny; }
};

// Without halo, the loaded cells are the wanted ones.
HaloBox with_halo(const GridShape& grid, const tiling::FieldBox& wanted, bool halo);

// A plane of the loaded box and its neighbours; null beyond the ends of the grid, and where the box
// has no halo.
struct PlaneTriple {
  int z = 0;
  const FieldPlane *below = nullptr, *here = nullptr, *above = nullptr;
};

// Planes arrive in any order, each once; in (cyclic) order at most five are kept.
class PlaneWindow {
 public:
  // So many threads copy a plane.
  PlaneWindow(const GridShape& grid, const HaloBox& box, int threads = 1)
      : grid_(grid), box_(box), threads_(threads) {}

  // Copies plane z of the loaded box, then calls ready(PlaneTriple) for each wanted plane whose
  // neighbours have arrived by now. Without a halo calls it at once, and copies nothing.
  template <class Ready>
  void add(int z, const FieldPlane& plane, const Ready& ready) {
    if (!box_.has_halo) return ready(PlaneTriple{z, nullptr, &plane, nullptr});
    if (wanted_around(z).empty()) return;  // between wanted planes that are far apart
    keep(z, plane);
    for (const int wanted : wanted_around(z)) {
      PlaneTriple planes{wanted};
      if (!find(neighbour(wanted, -1), planes.below) || !find(neighbour(wanted, 1), planes.above) ||
          !find(wanted, planes.here)) {
        continue;
      }
      ready(planes);
      done(wanted);
    }
  }
  std::size_t held() const { return planes_.size(); }

 private:
  struct Held {
    std::vector<float> values;
    FieldPlane plane;  // points into the copies
    int uses = 0;      // wanted planes that still need it
  };
  void keep(int z, const FieldPlane& plane);
  // The distinct planes among z - 1, z, z + 1; those that are wanted and not done.
  std::vector<int> around(int z) const;
  std::vector<int> wanted_around(int z) const;
  int neighbour(int z, int d) const;  // -1: none
  // False: has not arrived. Sets null for planes beyond the grid.
  bool find(int z, const FieldPlane*& plane) const;
  void done(int wanted);

  GridShape grid_;
  HaloBox box_;
  int threads_;
  std::map<int, Held> planes_;
  std::vector<std::vector<float>> free_;  // for reuse
  std::set<int> done_;
};

}  // namespace lbm::fields
