// State of FlowRecords in a checkpoint: the last samples and forces, and the number of calm
// samples.
#include <nlohmann/json.hpp>
#include <string_view>

#include "cases/run/records/flow_records.hpp"

namespace lbm::cases {
namespace {

double number_of(const io::Json& json, std::string_view key) {
  return io::number_in(io::member(json, key)).value_or(0);
}

Vec3 vector_of(const io::Json& json) {
  Vec3 v{};
  for (std::size_t a = 0; a < 3; ++a) v[a] = io::number_in(io::item(json, a)).value_or(0);
  return v;
}

io::Json to_json(const std::optional<FlowSample>& look) {
  return look ? sample_json(*look) : io::Json();
}

std::optional<FlowSample> sample_of(const io::Json& json) {
  if (!json.is_object()) return std::nullopt;
  FlowSample look;
  look.step = io::whole_in(io::member(json, "step")).value_or(0);
  look.time = number_of(json, "time");
  look.mass = number_of(json, "mass");
  look.kinetic_energy = number_of(json, "kinetic_energy");
  look.momentum = vector_of(io::member(json, "momentum"));
  look.speed_max = number_of(json, "speed_max");
  look.density_min = number_of(json, "density_min");
  look.density_max = number_of(json, "density_max");
  return look;
}

}  // namespace

io::Json sample_json(const FlowSample& sample) {
  io::Json json = io::Json::object();
  json["step"] = sample.step;
  json["time"] = sample.time;
  json["mass"] = sample.mass;
  json["kinetic_energy"] = sample.kinetic_energy;
  json["momentum"] = sample.momentum;
  json["speed_max"] = sample.speed_max;
  json["density_min"] = sample.density_min;
  json["density_max"] = sample.density_max;
  return json;
}

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
    forces.push_back(io::Json::array({f.force, f.torque, f.coefficient, f.torque_coefficient}));
  }
  return state;
}

void FlowRecords::load_state(const io::Json& state) {
  last_steady_sample_.reset();
  calm_samples_ = 0;
  last_sample_ = sample_of(io::member(state, "last_look"));
  // A changed steadiness criterion starts anew.
  const io::Json& steady = io::member(state, "steady");
  if (io::whole_in(io::member(steady, "every")) == steady_every_ &&
      number_of(steady, "tolerance") == case_.run.until_steady.tolerance.value_or(0)) {
    last_steady_sample_ = sample_of(io::member(steady, "last_look"));
    calm_samples_ = static_cast<int>(io::whole_in(io::member(steady, "calm_looks")).value_or(0));
  }
  const io::Json& forces = io::member(state, "forces");
  for (std::size_t b = 0; b < last_forces_.size(); ++b) {
    const io::Json& saved = io::item(forces, b);
    last_forces_[b] = {vector_of(io::item(saved, 0)), vector_of(io::item(saved, 1)),
                       vector_of(io::item(saved, 2)), vector_of(io::item(saved, 3))};
  }
}

}  // namespace lbm::cases
