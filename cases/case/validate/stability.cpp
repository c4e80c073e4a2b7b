// SPDX-License-Identifier: Apache-2.0
#include "cases/case/validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases {
namespace {

// The constant with which the turbulence model was measured; with less of it a flow counts as one
// without.
constexpr double measured_smagorinsky = 0.1;
constexpr const char* along_walls = "along moving walls";
constexpr const char* through_faces = "through open faces";

using Limit = double StableSpeeds::*;

// The models that bear the number and that the case may take, as the first of several remedies.
std::string models_for(const LatticeKeys& lattice, double number, Limit limit) {
  std::string names;
  for (const CollisionKind kind : {CollisionKind::trt, CollisionKind::regularised_filtered}) {
    if (number > stable_speeds({.collision = kind}).*limit || kind == lattice.collision) continue;
    if (lattice.representation == Representation::moments && !is_regularised(kind)) continue;
    if (lattice.velocities == VelocitySet::D3Q27 && is_regularised(kind)) continue;
    names += (names.empty() ? "lattice.collision: " : " or ") + std::string(to_string(kind));
  }
  return names.empty() ? "" : names + ", or ";
}

class Speeds {
 public:
  Speeds(const Case& lbm_case, const Derived& derived) : case_(lbm_case), derived_(derived) {
    for (const auto& at : validation::conditions_of(case_)) add(at);
    // A difference of pressures, or the rest of the case, drives a flow of about the reference
    // velocity through faces that give none.
    const bool driven = inlet_ && inlet_->speed > 0;
    if (is_open(case_) && !driven) inlet_ = {validation::viscosity_key(case_), derived_.velocity};
  }

  std::vector<CellReynolds> numbers() const {
    const StableSpeeds stable = stable_speeds(case_.lattice);
    std::vector<CellReynolds> all;
    all.reserve(walls_.size() + 1);
    const auto add = [&](const validation::GivenSpeed& driven, const char* where, double limit) {
      all.push_back({driven.key, where, driven.speed / derived_.viscosity, limit});
    };
    for (const validation::GivenSpeed& wall : walls_) add(wall, along_walls, stable.moving_walls);
    if (inlet_) add(*inlet_, through_faces, stable.open_faces);
    return all;
  }

  std::vector<Instability> judged() const {
    std::vector<Instability> found;
    const std::vector<CellReynolds> all = numbers();
    for (const CellReynolds& one : all) judge(one, found);
    // Where walls and inlets are slow, something else drives the flow.
    const bool slow = std::all_of(all.begin(), all.end(), [&](const CellReynolds& one) {
      return one.number * derived_.viscosity < derived_.velocity / 2;
    });
    if (slow) judge_tau(found);
    // The friction of bodies may make the estimate far too high.
    if (case_.bodies.empty()) judge_forces(found);
    return worst_first(std::move(found));
  }

  std::string remedy(double last_mach) const {
    std::vector<Instability> found = judged();
    // Bodies may not have held the flow; it may go on to become faster, too, so that a force that
    // is too high comes before the speed that was seen.
    const bool fast = last_mach == 0 || last_mach > validation::high_mach;
    if (found.empty() && fast) judge_forces(found);
    found = worst_first(std::move(found));
    if (!found.empty()) return found.front().key + ": " + found.front().text;
    const double mach = std::max(last_mach, std::sqrt(3.0) * fastest());
    if (mach > validation::high_mach) {
      return fmt::format(
          "the fastest cell was at Mach {:.2g}, above {}: use a smaller "
          "fluid.lattice_velocity",
          mach, validation::high_mach);
    }
    return fmt::format(
        "no key of the case is beyond what is known to be stable: {}look whether it starts with a "
        "jump (initial, ramp_time of inlets), or use a finer grid",
        more_stable());
  }

 private:
  // On D3Q27 there is nothing beyond cumulants, which are disturbed by fast streams oblique to
  // walls (docs/method.md).
  std::string more_stable() const {
    const CollisionKind kind = case_.lattice.collision;
    if (kind == CollisionKind::regularised_filtered) return "";
    if (case_.lattice.velocities != VelocitySet::D3Q27) {
      return "try lattice.collision: regularised_filtered, ";
    }
    return kind == CollisionKind::cumulant ? "try a smaller fluid.lattice_velocity, "
                                           : "try lattice.collision: cumulant, ";
  }

  // Largest speed of the walls and inlets, at least the reference velocity.
  double fastest() const {
    double speed = std::max(derived_.velocity, inlet_ ? inlet_->speed : 0);
    for (const validation::GivenSpeed& wall : walls_) speed = std::max(speed, wall.speed);
    return speed;
  }

  void add(const validation::PlacedCondition& at) {
    const BoundaryKind type = at.condition.type;
    const bool inlet = type == BoundaryKind::velocity || type == BoundaryKind::far_field;
    if (!inlet && type != BoundaryKind::wall) return;
    validation::GivenSpeed given = validation::given_speed(case_, derived_, at);
    if (type == BoundaryKind::wall) {
      if (given.speed > 0) walls_.push_back(std::move(given));
    } else if (!inlet_ || given.speed > inlet_->speed) {
      inlet_ = std::move(given);
    }
  }

  void judge(const CellReynolds& one, std::vector<Instability>& found) const {
    const auto& [key, where, number, stable] = one;
    if (number <= stable) return;
    const Limit limit =
        where == along_walls ? &StableSpeeds::moving_walls : &StableSpeeds::open_faces;
    // Upwards: the grid that is named must do.
    const double finer = std::ceil(10 * number / stable) / 10;
    found.push_back(
        {key,
         fmt::format("the cell Reynolds number (speed / viscosity, both on the lattice) is {:.3g}; "
                     "flows {} are stable up to {:.3g} with {}: take {}a grid {:.6g} times finer",
                     number, where, stable, name_of_model(),
                     models_for(case_.lattice, number, limit), finer),
         number / stable});
  }

  void judge_tau(std::vector<Instability>& found) const {
    const double number = 1 / (derived_.tau - 0.5);
    const double stable = stable_speeds(case_.lattice).without_speed;
    if (number <= stable) return;
    found.push_back(
        {validation::viscosity_key(case_),
         fmt::format("tau = {:.6g} is below {:.6g}, where flows with {} may become unstable: take "
                     "{}a finer grid",
                     derived_.tau, 0.5 + 1 / stable, name_of_model(),
                     models_for(case_.lattice, number, &StableSpeeds::without_speed)),
         number / stable});
  }

  void judge_forced(const ForcedSpeed& forced, std::vector<Instability>& found) const {
    const double mach = forced.speed() * std::sqrt(3.0);
    if (mach <= max_mach) return;
    // Rounded so that the numbers that are named do.
    const double smaller = std::ceil(10 * forced.excess_over(max_mach / std::sqrt(3.0))) / 10;
    const double velocity = derived_.velocity * max_mach / mach;
    const double digits = std::pow(10, std::floor(std::log10(velocity)) - 1);
    // A flow that fast ends the run on any grid and with any model, so that no other remedy helps.
    const bool ends_run = mach > case_.run.max_mach;
    found.push_back(
        {forced.key,
         fmt::format("it may drive the flow up to Mach {:.3g} ({:.3g} reference velocities), must "
                     "be below {}: make it {:.6g} times smaller, or lower "
                     "fluid.lattice_velocity to {:.6g}",
                     mach, forced.speed() / derived_.velocity, max_mach, smaller,
                     std::floor(velocity / digits) * digits),
         ends_run ? std::numeric_limits<double>::infinity() : mach / max_mach});
  }

  void judge_forces(std::vector<Instability>& found) const {
    for (const ForcedSpeed& forced : forced_speeds(case_, derived_)) judge_forced(forced, found);
  }

  static std::vector<Instability> worst_first(std::vector<Instability> found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.excess > b.excess; });
    return found;
  }

  std::string name_of_model() const {
    return fmt::format("lattice.collision: {}{}", to_string(case_.lattice.collision),
                       case_.lattice.smagorinsky > 0 ? " and this lattice.smagorinsky" : "");
  }

  const Case& case_;
  Derived derived_;
  std::vector<validation::GivenSpeed> walls_;
  std::optional<validation::GivenSpeed> inlet_;  // the fastest one
};

}  // namespace

// Measured by tests/verification/tools/stability.py; the tables are in docs/stability.md. The
// smallest of all grids; at the cylinder, whose inlet is a parabola, 1.5 times the mean speed.
StableSpeeds stable_speeds(const LatticeKeys& lattice) {
  const bool smagorinsky = lattice.smagorinsky >= measured_smagorinsky;
  // Rules of thumb: tau above 0.5001 with the turbulence model, 0.505 with bgk, 0.502 with trt,
  // else 0.501.
  const double damped = lattice.smagorinsky > 0 ? 1.0000001e4 : 0;
  switch (lattice.collision) {
    case CollisionKind::bgk:
      return {smagorinsky ? 16 : 12.5, smagorinsky ? 18.0 : 9, std::max(damped, 200.0)};
    case CollisionKind::trt:
      return {smagorinsky ? 30.0 : 20, smagorinsky ? 24.0 : 9, std::max(damped, 500.0)};
    case CollisionKind::central_moments:
      return {smagorinsky ? 100.0 : 30, 30, std::max(damped, 1000.0)};
    case CollisionKind::cumulant:
      return {20, 15, std::max(damped, 1000.0)};
    case CollisionKind::regularised:
      return {8, 24, std::max(damped, 1000.0)};
    case CollisionKind::regularised_filtered:
      return {100, 60, std::max(damped, 1000.0)};
  }
  return {};
}

std::vector<CellReynolds> cell_reynolds_numbers(const Case& lbm_case, const Derived& derived) {
  return Speeds(lbm_case, derived).numbers();
}

std::vector<Instability> expected_instabilities(const Case& lbm_case, const Derived& derived) {
  return Speeds(lbm_case, derived).judged();
}

std::string remedy_for_divergence(const Case& lbm_case, const Derived& derived, double mach) {
  return Speeds(lbm_case, derived).remedy(mach);
}

}  // namespace lbm::cases
