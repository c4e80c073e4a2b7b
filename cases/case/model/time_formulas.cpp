// SPDX-License-Identifier: Apache-2.0

// All formulas of the time of a case, which a run checks before it needs them.
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases {

TimeFormulas::TimeFormulas(const Case& lbm_case, const Derived& derived) {
  const auto add = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) all_.emplace_back(lbm_case, derived, key, text, 1);
  };
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const std::string key = "boundaries." + face_names()[face];
    add(key + ".velocity_factor", lbm_case.faces[face].velocity_factor);
    for (const Patch& patch : lbm_case.faces[face].patches) {
      add(key + ".patches." + patch.name + ".velocity_factor", patch.velocity_factor);
    }
  }
  for (const Body& body : lbm_case.bodies) {
    add("bodies." + body.name + ".velocity_factor", body.velocity_factor);
    add("bodies." + body.name + ".motion.angle", body.motion.angle);
    for (const std::string& text : body.motion.displacement.value_or(Formulas{})) {
      add("bodies." + body.name + ".motion.displacement", text);
    }
  }
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    for (std::size_t face = 0; face < scalar.faces.size(); ++face) {
      for (const ScalarPart& part : parts_of_face(scalar, lbm_case, face)) {
        if (part.formula.empty()) continue;
        ScalarFaceFormula formula(lbm_case, derived, scalar, face, part);
        if (formula.by_time() && !formula.by_place()) at_faces_.push_back(std::move(formula));
      }
    }
  }
  add("force.acceleration_factor", lbm_case.force.acceleration_factor);
  if (acceleration_depends_on_place(lbm_case)) return;
  for (const std::string& text : lbm_case.force.acceleration_formulas.value_or(Formulas{})) {
    add("force.acceleration", text);
  }
}

void TimeFormulas::check(std::int64_t first_step, std::int64_t last_step) const {
  for (const ScalarFaceFormula& formula : at_faces_) {
    ScalarFaceFormula::Evaluator evaluator = formula.evaluator();
    for (std::int64_t half = 2 * first_step; half <= 2 * last_step; ++half) {
      (void)formula.checked(evaluator, 0, 0, static_cast<double>(half) / 2);
    }
  }
  for (const TimeFormula& formula : all_) {
    // A force is taken at half steps, too.
    for (std::int64_t half = 2 * first_step; half <= 2 * last_step; ++half) {
      (void)formula.checked(static_cast<double>(half) / 2);
    }
  }
}

}  // namespace lbm::cases
