// SPDX-License-Identifier: Apache-2.0

// Keeps planes of density less 1 and velocity until their neighbours have arrived.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "cases/fields/halo_box.hpp"

namespace lbm::fields {

// density less 1 [ny][nx], velocity [ny][nx][3].
struct FieldPlane {
  std::span<const float> drho, velocity;
};

// Planes arrive in any order, each once; in (cyclic) order at most five are kept.
class PlaneWindow {
 public:
  // So many threads copy a plane.
  PlaneWindow(const GridShape& grid, const HaloBox& box, int threads = 1)
      : grid_(grid), box_(box), threads_(threads) {}

  // Copies plane z of the loaded box, then calls ready(z, below, here, above) for each wanted plane
  // whose neighbours have arrived by now. below and above are null beyond the ends of the grid.
  template <class Ready>
  void add(int z, std::span<const float> drho, std::span<const float> velocity,
           const Ready& ready) {
    if (wanted_around(z).empty()) return;  // between wanted planes that are far apart
    Held& held = take(z);
    held.values.resize(drho.size() + velocity.size());
    const std::span<float> values = held.values;
    copy(drho, values.first(drho.size()));
    copy(velocity, values.subspan(drho.size()));
    held.plane = {values.first(drho.size()), values.subspan(drho.size())};
    for (const int wanted : wanted_around(z)) {
      const FieldPlane *below = nullptr, *above = nullptr;
      if (!find(neighbour(wanted, -1), below) || !find(neighbour(wanted, 1), above)) continue;
      const FieldPlane* here = nullptr;
      if (!find(wanted, here)) continue;
      ready(wanted, below, here, above);
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
  Held& take(int z);
  void copy(std::span<const float> from, std::span<float> to) const;
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
