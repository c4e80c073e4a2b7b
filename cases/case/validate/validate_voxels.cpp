// SPDX-License-Identifier: Apache-2.0

// Bodies of voxels: keys that change the image.
#include <array>
#include <utility>

#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {

void check_voxel_changes(const Case& lbm_case, const Body& body) {
  const auto key = [&](const char* name) { return "bodies." + body.name + "." + name; };
  const std::array<std::pair<const char*, bool>, 11> given{
      {{"crop_from", body.crop_from.has_value()},
       {"crop_to", body.crop_to.has_value()},
       {"voxel_size", body.voxel_size.has_value()},
       {"resample", body.resample.has_value()},
       {"axes", body.axes.has_value()},
       {"coarsen", body.coarsen.has_value()},
       {"refine", body.refine.has_value()},
       {"mirror", !body.mirror.empty()},
       {"repeat", body.repeat.has_value()},
       {"connected", body.connected.has_value()},
       {"reservoir", body.reservoir.has_value()}}};
  for (const auto& [name, is_given] : given) {
    if (!is_given || body.shape == BodyShape::voxels) continue;
    refuse(lbm_case, key(name),
           "conflicts with shape: only voxels take it: remove it, or set shape: voxels");
  }
  if (body.coarsen.value_or(1) > 1 && body.refine.value_or(1) > 1) {
    refuse(lbm_case, key("refine"), "conflicts with coarsen: remove one");
  }
  for (std::size_t a = 0; body.crop_from && body.crop_to && a < 3; ++a) {
    if ((*body.crop_from)[a] < (*body.crop_to)[a]) continue;
    refuse(lbm_case, key("crop_to"),
           fmt::format("found {} along {}, must be more than crop_from, {}", (*body.crop_to)[a],
                       "xyz"[a], (*body.crop_from)[a]));
  }
}

}  // namespace lbm::cases::validation
