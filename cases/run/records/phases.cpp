// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/phases.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

namespace lbm::cases {

void PhaseTable::add(double radians, double value) {
  const auto bins = static_cast<double>(bins_.size());
  const double turns = radians / (2 * std::numbers::pi);
  // An angle between two bins belongs to the upper one, whatever its rounding.
  const double bin = std::floor((turns - std::floor(turns)) * bins + 0.5 + 1e-9);
  Bin& b = bins_[static_cast<std::size_t>(bin) % bins_.size()];
  ++b.samples;
  const double difference = value - b.mean;
  b.mean += difference / static_cast<double>(b.samples);
  b.squares += difference * (value - b.mean);
}

io::CsvTable PhaseTable::table(std::vector<std::string> comments) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  io::CsvTable table{std::move(comments), {"angle", "samples", "mean", "rms"}, {}};
  table.data.resize(table.columns.size());
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const Bin& b = bins_[i];
    const auto samples = static_cast<double>(b.samples);
    table.data[0].push_back(360 * static_cast<double>(i) / static_cast<double>(bins_.size()));
    table.data[1].push_back(samples);
    table.data[2].push_back(b.samples > 0 ? b.mean : none);
    table.data[3].push_back(b.samples > 0 ? std::sqrt(b.squares / samples) : none);
  }
  return table;
}

io::Json PhaseTable::save() const {
  io::Json json = io::Json::array();
  for (const Bin& b : bins_) json.push_back({b.samples, b.mean, b.squares});
  return json;
}

void PhaseTable::load(const io::Json& json) {
  const bool same = json.is_array() && json.size() == bins_.size();
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const io::Json& saved = same ? json[i] : io::Json();
    bins_[i] = {io::whole_in(io::item(saved, 0)).value_or(0),
                io::number_in(io::item(saved, 1)).value_or(0),
                io::number_in(io::item(saved, 2)).value_or(0)};
  }
}

}  // namespace lbm::cases
