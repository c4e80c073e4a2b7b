// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/free_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/run/records/step_logs.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::operator+;  // NOLINT(misc-unused-using-decls)
using geometry::operator-;  // NOLINT(misc-unused-using-decls)

// Calls visit(number) for all numbers of a state but the step, in the order of a checkpoint.
void visit_numbers_of(auto& state, const auto& visit) {
  for (auto* v : {&state.center, &state.velocity, &state.angular_velocity, &state.acceleration,
                  &state.angular_acceleration}) {
    for (auto& number : *v) visit(number);
  }
  for (auto& number : state.rotation) visit(number);
}

int wrapped(double place, int cells) {
  const double inside = place - cells * std::floor(place / cells);
  return std::min(static_cast<int>(inside), cells - 1);
}

}  // namespace

FreeBodies::FreeBodies(const Case& lbm_case, const CaseModel& model, Notices& notices)
    : case_(lbm_case), boundaries_(model.boundaries), notices_(notices) {
  for (const NumberedMovingBody& moving : boundaries_.moving()) {
    if (!moving.body->free) continue;
    const auto number = static_cast<std::size_t>(moving.number);
    bodies_.push_back({moving.number, model.bodies.at(number), moving.body->free.get()});
  }
}

void FreeBodies::on_step(std::int64_t step, std::span<const std::int64_t> values) {
  for (Item& item : bodies_) {
    const LatticeLoad load = load_of(values, static_cast<std::size_t>(item.number));
    item.body->advance(load.force, load.torque);
    const unsigned news = item.body->stopped_at() & ~item.told;
    item.told |= news;
    for (std::size_t face = 0; face < 6; ++face) {
      if ((news >> face & 1U) == 0) continue;
      notices_.note(
          fmt::format("step {}: {} is stopped at {}", step, item.name, face_names()[face]));
    }
  }
  for (const Item& item : bodies_) check(step, item);
}

void FreeBodies::check(std::int64_t step, const Item& item) const {
  const std::string key = "bodies." + item.name + ".free";
  const FreeBody::State& state = item.body->state();
  const auto& n = case_.grid.cells;
  const std::vector<Vector3> surface = item.body->surface();
  const auto refuse_meeting = [&](const std::string& other) {
    throw UsageError(
        fmt::format("{}: step {}: the body meets {}, must stay apart: change the "
                    "places, or end the run before",
                    where(case_, key), step, other));
  };
  const BoundaryView view = boundaries_.view();
  for (const Vector3& point : surface) {
    const geometry::Vec arm = point - state.center;
    const geometry::Vec u = state.velocity + geometry::cross(state.angular_velocity, arm);
    const double mach = geometry::length(u) * std::sqrt(3.0);
    if (!(mach <= most_mach_of_bodies)) {
      throw UsageError(
          fmt::format("{}: step {}: found a speed of Mach {:.3g}, must be at most {}: lower "
                      "fluid.lattice_velocity, or take more cells",
                      where(case_, key), step, mach, most_mach_of_bodies));
    }
    if (view.is_solid(wrapped(point[0], n[0]), wrapped(point[1], n[1]), wrapped(point[2], n[2]))) {
      refuse_meeting("a body at rest");
    }
  }
  for (const NumberedMovingBody& other : boundaries_.moving()) {
    if (other.number == item.number) continue;
    const BodyPlace place = other.body->place(static_cast<double>(step + 1));
    const auto meets = [&](const Vector3& point) { return holds(*other.body, place, point); };
    if (std::any_of(surface.begin(), surface.end(), meets)) {
      refuse_meeting("another body that moves");
    }
  }
}

io::Json FreeBodies::save_state() const {
  io::Json saved = io::Json::object();
  for (const Item& item : bodies_) {
    const FreeBody::State& state = item.body->state();
    io::Json& json = saved[item.name] = io::Json::array();
    json.push_back(state.step);
    visit_numbers_of(state, [&](double number) { json.push_back(number); });
  }
  return saved;
}

void FreeBodies::load_state(const io::Json& saved) {
  for (Item& item : bodies_) {
    const io::Json& json = io::member(saved, item.name);
    FreeBody::State state;
    std::size_t next = 0;
    const auto step = io::whole_in(io::item(json, next++));
    if (!step) continue;
    state.step = *step;
    visit_numbers_of(
        state, [&](double& number) { number = io::number_in(io::item(json, next++)).value_or(0); });
    item.body->set(state);
  }
}

}  // namespace lbm::cases
