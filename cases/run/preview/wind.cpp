// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/wind.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/vec.hpp"

namespace lbm::cases {
namespace {

using geometry::length;
using geometry::operator+;  // NOLINT(misc-unused-using-decls)
using geometry::operator*;  // NOLINT(misc-unused-using-decls)

Vec3 inward_of(std::size_t face) {
  Vec3 normal{};
  normal[face / 2] = face % 2 == 0 ? 1 : -1;
  return normal;
}

// In units of the case; empty where the mean flow does not enter. A formula or table has a
// direction, but no speed here: the result is then a unit vector, and `known` false.
struct Entering {
  Vec3 velocity{};
  bool known = true;
};
std::optional<Entering> entering(const Case& lbm_case, const Derived& derived,
                                 const FaceCondition& condition, std::size_t face,
                                 const std::string& key) {
  const bool far_field = condition.type == BoundaryKind::far_field;
  if (condition.type != BoundaryKind::velocity && !far_field) return std::nullopt;
  const Vec3 inward = inward_of(face);
  if (condition.velocity_formulas) {
    const FaceFormulas formulas(lbm_case, derived, static_cast<int>(face), key + ".velocity",
                                *condition.velocity_formulas);
    double sum = 0;
    for (const Vec3& u : formulas.sample()) sum += geometry::dot(u, inward);
    if (sum <= 0) return std::nullopt;
    return Entering{inward, false};
  }
  if (condition.profile == InletProfile::table) {
    const VelocityTable table(path_of(lbm_case, condition.file));
    if (geometry::dot(table.fastest(), inward) <= 0) return std::nullopt;
    return Entering{inward, false};
  }
  if (geometry::dot(condition.velocity, inward) <= 0) return std::nullopt;
  return Entering{condition.velocity, true};
}

// In m/s; without `units: si` in cells per step, where velocities of a case are in those of
// reference.
class Speeds {
 public:
  Speeds(const Case& lbm_case, const Units& units)
      : si_(lbm_case.units == UnitSystem::si), velocity_(units.velocity) {}
  std::string text(double speed) const {
    return si_ ? fmt::format("{:.4g} m/s", speed)
               : fmt::format("{:.4g} cells/step", speed / velocity_);
  }

 private:
  bool si_;
  double velocity_;
};

class Inlets {
 public:
  Inlets(const Case& lbm_case, const Derived& derived) : case_(lbm_case), derived_(derived) {
    for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
      const std::string key = validation::face_key(face);
      const std::array<std::size_t, 2> across{(face / 2 + 1) % 3, (face / 2 + 2) % 3};
      add(lbm_case.faces[face], face, key,
          1.0 * lbm_case.grid.cells[across[0]] * lbm_case.grid.cells[across[1]]);
      // The area of a patch decides nothing but its share beside other inlets.
      for (const Patch& patch : lbm_case.faces[face].patches) {
        add(patch, face, key + ".patches." + patch.name, 1);
      }
    }
  }

  std::optional<Wind> wind(const Speeds& speeds) const {
    if (keys_.empty() || length(sum_) == 0) return std::nullopt;
    std::string text = keys_.front();
    if (keys_.size() > 1) text += fmt::format(" and {} more", keys_.size() - 1);
    if (speed_) text += ", " + speeds.text(*speed_);
    return Wind{geometry::unit(sum_), text};
  }

 private:
  void add(const FaceCondition& condition, std::size_t face, const std::string& key, double area) {
    const auto flow = entering(case_, derived_, condition, face, key);
    if (!flow) return;
    sum_ = sum_ + area * flow->velocity;
    if (keys_.empty() && flow->known) speed_ = length(flow->velocity);
    if (!keys_.empty() && speed_ && std::abs(*speed_ - length(flow->velocity)) > 1e-9 * *speed_) {
      speed_.reset();
    }
    keys_.push_back(key);
  }

  const Case& case_;
  const Derived& derived_;
  Vec3 sum_{};
  std::vector<std::string> keys_;
  std::optional<double> speed_;  // empty: unknown, or several
};

std::optional<Wind> driven(const Case& lbm_case, const Units& units) {
  const Vec3 gradient = pressure_gradient(lbm_case, units, {{0, 0, 0}, lbm_case.grid.cells});
  if (length(gradient) == 0) return std::nullopt;
  const auto& force = lbm_case.force.acceleration;
  const bool is_force = force && length(*force) > 0;
  return Wind{geometry::unit(gradient), is_force ? "force.acceleration" : "a pressure difference"};
}

}  // namespace

std::optional<Wind> wind_of(const Case& lbm_case, const Derived& derived) {
  const Units units = make_units(lbm_case, derived);
  const Speeds speeds(lbm_case, units);
  if (auto wind = Inlets(lbm_case, derived).wind(speeds)) return wind;
  if (auto wind = driven(lbm_case, units)) return wind;
  const Initial& initial = lbm_case.initial;
  if (initial.flow != InitialFlow::uniform || !initial.velocity || length(*initial.velocity) == 0) {
    return std::nullopt;
  }
  return Wind{geometry::unit(*initial.velocity),
              "initial.velocity, " + speeds.text(length(*initial.velocity))};
}

}  // namespace lbm::cases
