// SPDX-License-Identifier: Apache-2.0

// State of Quantities in a checkpoint: values, series, and the detection of the steady state.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/case/schema/keys.hpp"
#include "cases/run/records/quantities.hpp"

namespace lbm::cases {

// The definition of a quantity as text: a changed definition starts a new series.
std::string Quantities::about(const Item& item) const {
  std::string text;
  const std::string start = "quantities.NAME.";
  for (const std::string& key : members("quantities." + item.asked.name)) {
    text += find_key(start + key)->write(case_, item.position) + ";";
  }
  return text;
}

io::Json Quantities::save_state() const {
  io::Json state = io::Json::object();
  const double tolerance = case_.run.until_steady.tolerance.value_or(0);
  for (const Item& item : items_) {
    if (is_count(*item.asked.kind)) continue;
    state[item.asked.name] = {{"about", about(item)},
                              {"value", item.value},
                              {"series", item.series.save()},
                              {"steady",
                               {{"every", steady_every_},
                                {"tolerance", tolerance},
                                {"step", item.steady_step},
                                {"value", item.steady_value},
                                {"calm", item.calm}}}};
  }
  return state;
}

void Quantities::load_state(const io::Json& state) {
  const double tolerance = case_.run.until_steady.tolerance.value_or(0);
  for (Item& item : items_) {
    if (is_count(*item.asked.kind)) continue;
    item.series.clear();
    item.value = item.steady_value = 0;
    item.steady_step = item.calm = 0;
    const io::Json& saved = io::member(state, item.asked.name);
    if (io::text_in(io::member(saved, "about")) != about(item)) continue;
    item.value = io::number_in(io::member(saved, "value")).value_or(0);
    item.series.load(io::member(saved, "series"));
    const io::Json& steady = io::member(saved, "steady");
    const bool same = io::whole_in(io::member(steady, "every")) == steady_every_ &&
                      io::number_in(io::member(steady, "tolerance")).value_or(0) == tolerance;
    if (!same) continue;  // a changed criterion starts anew
    item.steady_step = io::whole_in(io::member(steady, "step")).value_or(0);
    item.steady_value = io::number_in(io::member(steady, "value")).value_or(0);
    item.calm = static_cast<int>(io::whole_in(io::member(steady, "calm")).value_or(0));
  }
}

}  // namespace lbm::cases
