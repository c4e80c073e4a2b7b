// State of FlowRecords in a checkpoint: the last samples and forces, and the number of calm
// samples.
#include <algorithm>

#include "cases/run/records/flow_records.hpp"

namespace lbm::cases {
namespace {

io::Json to_json(const Vec3& v) { return io::Json::array({v[0], v[1], v[2]}); }

Vec3 vector_of(const YAML::Node& node) {
  Vec3 v{};
  for (std::size_t a = 0; a < 3 && node && node.IsSequence() && a < node.size(); ++a) {
    v[a] = saved_number(node[a]);
  }
  return v;
}

io::Json to_json(const std::optional<FlowSample>& look) {
  if (!look) return nullptr;
  io::Json json = io::Json::object();
  json["step"] = look->step;
  json["time"] = look->time;
  json["mass"] = look->mass;
  json["kinetic_energy"] = look->kinetic_energy;
  json["momentum"] = to_json(look->momentum);
  json["speed_max"] = look->speed_max;
  json["density_min"] = look->density_min;
  json["density_max"] = look->density_max;
  return json;
}

std::optional<FlowSample> sample_of(const YAML::Node& node) {
  if (!node || !node.IsMap()) return std::nullopt;
  FlowSample look;
  look.step = saved_whole(node["step"]);
  look.time = saved_number(node["time"]);
  look.mass = saved_number(node["mass"]);
  look.kinetic_energy = saved_number(node["kinetic_energy"]);
  look.momentum = vector_of(node["momentum"]);
  look.speed_max = saved_number(node["speed_max"]);
  look.density_min = saved_number(node["density_min"]);
  look.density_max = saved_number(node["density_max"]);
  return look;
}

}  // namespace

io::Json FlowRecords::save_state() const {
  io::Json state = io::Json::object();
  state["last_look"] = to_json(last_sample_);
  io::Json& steady = state["steady"];
  steady["every"] = steady_every_;
  steady["tolerance"] = case_.run.until_steady.tolerance.value_or(0);
  steady["last_look"] = to_json(last_steady_sample_);
  steady["calm_looks"] = calm_samples_;
  io::Json& forces = state["forces"] = io::Json::array();
  for (const BodyForces& f : last_forces_) {
    forces.push_back(io::Json::array({to_json(f.force), to_json(f.torque), to_json(f.coefficient),
                                      to_json(f.torque_coefficient)}));
  }
  return state;
}

void FlowRecords::load_state(const YAML::Node& state) {
  last_sample_.reset();
  last_steady_sample_.reset();
  calm_samples_ = 0;
  std::fill(last_forces_.begin(), last_forces_.end(), BodyForces{});
  if (!state || !state.IsMap()) return;
  last_sample_ = sample_of(state["last_look"]);
  // A changed steadiness criterion starts anew.
  const YAML::Node steady = state["steady"];
  if (steady && saved_whole(steady["every"]) == steady_every_ &&
      saved_number(steady["tolerance"]) == case_.run.until_steady.tolerance.value_or(0)) {
    last_steady_sample_ = sample_of(steady["last_look"]);
    calm_samples_ = static_cast<int>(saved_whole(steady["calm_looks"]));
  }
  const YAML::Node forces = state["forces"];
  for (std::size_t b = 0; forces && b < last_forces_.size() && b < forces.size(); ++b) {
    BodyForces& f = last_forces_[b];
    f.force = vector_of(forces[b][0]);
    f.torque = vector_of(forces[b][1]);
    f.coefficient = vector_of(forces[b][2]);
    f.torque_coefficient = vector_of(forces[b][3]);
  }
}

}  // namespace lbm::cases
