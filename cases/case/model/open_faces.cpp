// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/open_faces.hpp"

#include <algorithm>

namespace lbm::cases {

bool is_open(const Case& lbm_case) {
  const auto open = [](const FaceCondition& condition) { return fixes_pressure(condition.type); };
  return std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(), [&](const Face& face) {
    return open(face) || std::any_of(face.patches.begin(), face.patches.end(), open);
  });
}

}  // namespace lbm::cases
