// SPDX-License-Identifier: Apache-2.0

// Mass balance: an inflow requires an outflow.
#include <cmath>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

// Flow through all faces, in cells^2 x velocity of the case. Exact only if `simple`.
struct Balance {
  double in = 0;
  double out = 0;
  bool open = false;     // has a face or patch with free inflow or outflow
  bool simple = true;    // uniform flow over whole faces
  bool unknown = false;  // has a profile from a file or by formulas
  std::string key;       // of the first inlet or outlet with given velocity
};

void add_flow(const FaceCondition& condition, std::size_t face, const std::string& key, double area,
              Balance& balance) {
  balance.open = balance.open || fixes_pressure(condition.type);
  if (condition.type != BoundaryKind::velocity) return;
  const auto profile = condition.profile.value_or(InletProfile::uniform);
  balance.simple = balance.simple && profile == InletProfile::uniform;
  balance.unknown =
      balance.unknown || profile == InletProfile::table || condition.velocity_formulas;
  const double inward = condition.velocity[face / 2] * (face % 2 == 0 ? 1 : -1);
  if (inward != 0 && balance.key.empty()) balance.key = key + ".velocity";
  (inward > 0 ? balance.in : balance.out) += std::abs(inward) * area;
}

}  // namespace

void check_balance(const Case& lbm_case) {
  Balance balance;
  for (std::size_t face = 0; face < 6; ++face) {
    const auto axes = transverse(face);
    const double area = static_cast<double>(lbm_case.grid.cells[axes[0]]) *
                        static_cast<double>(lbm_case.grid.cells[axes[1]]);
    add_flow(lbm_case.faces[face], face, face_key(face), area, balance);
    for (const Patch& patch : lbm_case.faces[face].patches) {
      balance.simple = false;
      add_flow(patch, face, patch_key(face, patch), area, balance);
    }
  }
  if (balance.open || balance.unknown || balance.key.empty()) return;
  const char* remedy = "make a face or patch of type outflow or pressure";
  if (balance.in == 0 || balance.out == 0) {
    refuse(lbm_case, balance.key,
           fmt::format("missing: {}: {}",
                       balance.out == 0 ? "an outlet for this inlet" : "an inlet for this outlet",
                       remedy));
  }
  if (balance.simple && std::abs(balance.in - balance.out) > rounding * balance.in) {
    refuse(lbm_case, balance.key,
           fmt::format("found velocities on all openings that let {:.6g} in and {:.6g} out "
                       "(velocity x cells), must be equal: {}",
                       balance.in, balance.out, remedy));
  }
}

}  // namespace lbm::cases::validation
