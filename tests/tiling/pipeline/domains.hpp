// SPDX-License-Identifier: Apache-2.0

// The lattices of flow_domains.hpp and scalar_domains.hpp on all devices and in all storage types,
// for tests that compare runs.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tiling/pipeline/scalar_domains.hpp"
#include "tests/tiling/pipeline/zone_domains.hpp"

namespace lbm::tiling::test {

struct Box {
  const char* name;
  Domain (*domain)(const Size&, StorageType, const std::optional<Model>&);
  std::optional<Model> model = std::nullopt;
  bool slow = false;

  Domain make(const Size& n, StorageType storage) const { return domain(n, storage, model); }
};

inline std::vector<Box> boxes() {
  const Model regularised{CollisionKind::regularised, Representation::moments};
  const Model filtered{CollisionKind::regularised_filtered, Representation::moments};
  const CellValues of_d3q27{Representation::populations, VelocitySet::D3Q27};
  const Model d3q27{CollisionKind::trt, of_d3q27}, cumulant{CollisionKind::cumulant, of_d3q27};
  return {{"walls", walls},
          {"heat_between_walls", heat_between_walls, {}, true},
          {"heat_around_solids", heat_around_solids, {}, true},
          {"heat_of_moments", heat_around_solids, regularised, true},
          {"heat_from_surfaces", heat_from_surfaces, {}, true},
          {"heat_by_place_and_time", one_heat_by_place_and_time, {}, true},
          {"turbulent_heat", turbulent_heat_around_solids, {}, true},
          {"periodic", periodic},
          {"mixed_with_solids", mixed_with_solids},
          {"tunnel", tunnel, {}, true},
          {"central_moments_in_tunnel", tunnel, Model{CollisionKind::central_moments}, true},
          {"drop", drop, {}, true},
          {"d3q27_walls_and_slip", walls_and_slip, d3q27},
          {"cumulant_in_tunnel_with_sponge", tunnel_with_sponge, cumulant, true},
          {"d3q27_drop", drop, d3q27, true},
          {"d3q27_pushed", pushed, d3q27, true},
          {"moments_with_solids", mixed_with_solids, regularised, true},
          {"filtered_moments_in_tunnel", tunnel, filtered, true},
          {"tunnel_with_sponge", tunnel_with_sponge, {}, true},
          {"pushed", pushed, {}, true},
          {"pushed_moments", pushed, regularised, true},
          {"with_moving_body", with_moving_body},
          {"moments_with_moving_body", with_moving_body, regularised, true},
          {"cumulant_with_moving_body", with_moving_body, cumulant, true},
          {"with_zones", with_zones},
          {"moments_with_zones", with_zones, regularised, true},
          {"cumulant_with_zones", with_zones, cumulant, true},
          {"pushed_zones", pushed_zones, {}, true},
          {"moments_with_sponge", solids_with_sponge, regularised, true}};
}

// GPUs have a kernel of their own for two steps of moments in one pass.
inline std::vector<Box> gpu_boxes() {
  std::vector<Box> all = boxes();
  const Model regularised{CollisionKind::regularised, Representation::moments};
  all.push_back({"moments_between_walls", walls, regularised});
  const Model filtered{CollisionKind::regularised_filtered, Representation::moments};
  all.push_back({"filtered_moments_between_walls", walls, filtered});
  all.push_back({"filtered_moments_beside_slip", walls_and_slip, filtered});
  all.push_back({"periodic_moments", periodic, regularised});
  all.push_back({"moments_with_drop", drop, regularised});
  all.push_back({"one_heat_between_walls", one_heat_between_walls});
  all.push_back({"one_heat_of_moments_between_walls", one_heat_between_walls, regularised});
  all.push_back({"one_turbulent_heat", turbulent_heat_between_walls, Model{CollisionKind::trt}});
  all.push_back({"one_turbulent_heat_of_moments", turbulent_heat_between_walls, regularised});
  all.push_back({"one_heat_in_periodic_box", one_heat_in_periodic_box});
  all.push_back({"one_heat_of_moments_in_periodic_box", one_heat_in_periodic_box, regularised});
  all.push_back({"one_heat_from_surfaces", one_heat_from_surfaces});
  all.push_back({"one_heat_of_moments_from_surfaces", one_heat_from_surfaces, regularised});
  all.push_back({"one_heat_between_far_fields", one_heat_between_far_fields});
  return all;
}

// A device, a storage type and a box.
struct Variant {
  BackendKind backend;
  StorageType storage;
  Box box;

  friend void PrintTo(const Variant& v, std::ostream* out) { *out << v.box.name; }
};

inline std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda}) {
    for (const StorageType storage : {StorageType::fp32, StorageType::fp16, StorageType::fp64}) {
      const bool gpu = kind == BackendKind::cuda;
      for (const Box& box : gpu ? gpu_boxes() : boxes()) all.push_back({kind, storage, box});
    }
  }
  return all;
}

inline std::string name_of(const testing::TestParamInfo<Variant>& test) {
  return std::string(to_string(test.param.backend)) + "_" + to_string(test.param.storage) + "_" +
         test.param.box.name;
}

}  // namespace lbm::tiling::test
