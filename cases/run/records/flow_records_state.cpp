// SPDX-License-Identifier: Apache-2.0

// State of FlowRecords in a checkpoint: the last samples and forces, and the number of calm
// samples.
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/run/records/flow_records.hpp"

namespace lbm::cases {
namespace {

// The members of a sample, by their names in reports and checkpoints.
template <class Sample, class Visit>
void visit_members(Sample& sample, const Visit& visit) {
  visit("step", sample.step);
  visit("time", sample.time);
  visit("mass", sample.mass);
  visit("kinetic_energy", sample.kinetic_energy);
  visit("momentum", sample.momentum);
  visit("speed_max", sample.speed_max);
  visit("density_min", sample.density_min);
  visit("density_max", sample.density_max);
  visit("alternation", sample.alternation);
}

void load(const io::Json& json, std::int64_t& value) { value = io::whole_in(json).value_or(0); }
void load(const io::Json& json, double& value) { value = io::number_in(json).value_or(0); }
void load(const io::Json& json, Vec3& vector) {
  for (std::size_t a = 0; a < 3; ++a) load(io::item(json, a), vector[a]);
}

std::optional<FlowSample> sample_of(const io::Json& json) {
  if (!json.is_object()) return std::nullopt;
  FlowSample sample;
  visit_members(sample, [&](const char* key, auto& value) { load(io::member(json, key), value); });
  return sample;
}

}  // namespace

void to_json(io::Json& json, const FlowSample& sample) {
  visit_members(sample, [&](const char* key, const auto& value) { json[key] = value; });
}

io::Json FlowRecords::save_state() const {
  io::Json forces = io::Json::array();
  for (const BodyForces& f : last_forces_) {
    forces.push_back(io::Json::array({f.force, f.torque, f.coefficient, f.torque_coefficient}));
  }
  return {{"last_look", last_sample_},
          {"steady",
           {{"every", steady_every_},
            {"tolerance", case_.run.until_steady.tolerance.value_or(0)},
            {"last_look", last_steady_sample_},
            {"calm_looks", calm_samples_}}},
          {"forces", std::move(forces)}};
}

void FlowRecords::load_state(const io::Json& state) {
  last_steady_sample_.reset();
  calm_samples_ = 0;
  last_sample_ = sample_of(io::member(state, "last_look"));
  // A changed steadiness criterion starts anew.
  const io::Json& steady = io::member(state, "steady");
  const double tolerance = io::number_in(io::member(steady, "tolerance")).value_or(0);
  if (io::whole_in(io::member(steady, "every")) == steady_every_ &&
      tolerance == case_.run.until_steady.tolerance.value_or(0)) {
    last_steady_sample_ = sample_of(io::member(steady, "last_look"));
    calm_samples_ = static_cast<int>(io::whole_in(io::member(steady, "calm_looks")).value_or(0));
  }
  const io::Json& forces = io::member(state, "forces");
  for (std::size_t b = 0; b < last_forces_.size(); ++b) {
    BodyForces& f = last_forces_[b];
    std::size_t part = 0;
    for (Vec3* vector : {&f.force, &f.torque, &f.coefficient, &f.torque_coefficient}) {
      load(io::item(io::item(forces, b), part++), *vector);
    }
  }
}

}  // namespace lbm::cases
