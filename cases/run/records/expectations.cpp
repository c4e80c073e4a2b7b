// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/expectations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "io/files/place.hpp"
#include "io/text/csv.hpp"

namespace lbm::cases {
namespace {

// The cells around the middle of n cells: one, or two with weight 0.5 each.
struct Middle {
  int first, second;
  explicit Middle(int n) : first((n - 1) / 2), second(n / 2) {}
  // Weight of cell i in the value at the middle.
  double share(int i) const { return (i == first ? 0.5 : 0) + (i == second ? 0.5 : 0); }
};

const Vec3& part_of(const BodyForces& forces, Quantity quantity) {
  if (quantity == Quantity::force) return forces.force;
  return quantity == Quantity::torque ? forces.torque : forces.coefficient;
}

// A number about a named quantity; NaN where the run cannot tell it, such as the frequency of a
// flow that does not oscillate.
double number_about(const std::string& name, Quantity quantity,
                    std::span<const QuantityResult> results) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const QuantityResult& r) { return r.name == name; });
  if (found == results.end()) return none;
  const TimeStatistics& s = found->statistics;
  if (quantity != Quantity::value && s.samples == 0) return none;
  const auto value_of = [](const std::optional<Extreme>& e) { return e ? e->value : none; };
  // In the order of Quantity, from value on.
  const std::optional<double> numbers[] = {found->value,        s.mean,
                                           s.mean_error,        s.rms,
                                           s.rms_error,         value_of(s.maximum),
                                           found->maximum_time, value_of(s.minimum),
                                           found->minimum_time, s.frequency,
                                           found->strouhal};
  return numbers[static_cast<int>(quantity) - static_cast<int>(Quantity::value)].value_or(none);
}

// Weight of cell i in the value at x (in cells): linear between centres, constant in the outer half
// of the outermost cells.
double weight(int i, double x, int cells) {
  const double from_centre = std::clamp(x - 0.5, 0.0, static_cast<double>(cells - 1)) - i;
  return std::max(0.0, 1 - std::abs(from_centre));
}

}  // namespace

Profiles::Profiles(const Case& lbm_case)
    : grid_(lbm_case.grid), columns_{"ux", "uy", "uz", "density"} {
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    columns_.push_back(scalar.name);
    scalars_.push_back({scalar.reference, scalar.difference});
  }
  for (int axis = 0; axis < 3; ++axis) {
    lines_[axis].values.assign(columns_.size(), std::vector<double>(grid_.cells[axis], 0.0));
  }
}

void Profiles::set(std::size_t axis, std::size_t component, std::vector<double> values) {
  auto& line = lines_[axis].values[component];
  if (values.size() == line.size()) line = std::move(values);
}

void Profiles::add_plane(int z, const FieldPlane& plane, float velocity_scale) {
  const auto velocity = plane[Macro::velocity], drho = plane[Macro::density];
  const auto& [nx, ny, nz] = grid_.cells;
  const Middle mx(nx), my(ny), mz(nz);
  const auto add = [&, nx = nx](std::size_t axis, int at, double share, int x, int y) {
    const auto cell = static_cast<std::size_t>(y) * nx + x;
    auto& values = lines_[axis].values;
    for (std::size_t i = 0; i < 3; ++i) {
      const float value = velocity[3 * cell + i] * velocity_scale;
      values[i][at] += share * value;
    }
    values[3][at] += share * (1 + double{drho[cell]});
    for (std::size_t s = 0; s < scalars_.size(); ++s) {
      const double stored = double{plane.scalar(static_cast<int>(s))[cell]};
      values[4 + s][at] += share * (scalars_[s].reference + scalars_[s].difference * stored);
    }
  };
  for (const int y : {my.first, my.second}) {
    for (const int x : {mx.first, mx.second}) add(2, z, 0.25, x, y);
  }
  const double share = mz.share(z) / 2;
  if (share == 0) return;
  for (int x = 0; x < nx; ++x) {
    for (const int y : {my.first, my.second}) add(0, x, share, x, y);
  }
  for (int y = 0; y < ny; ++y) {
    for (const int x : {mx.first, mx.second}) add(1, y, share, x, y);
  }
}

std::vector<std::string> Profiles::write(const io::RunDirectory& directory, double spacing,
                                         const std::vector<std::string>& comments) const {
  std::vector<std::string> names;
  for (int axis = 0; axis < 3; ++axis) {
    const char letter = "xyz"[axis];
    io::CsvTable table{comments, {std::string(1, letter)}, {}};
    table.columns.insert(table.columns.end(), columns_.begin(), columns_.end());
    auto& position = table.data.emplace_back();
    for (int i = 0; i < grid_.cells[axis]; ++i) position.push_back((i + 0.5) * spacing);
    for (const auto& values : lines_[axis].values) table.data.push_back(values);
    names.push_back(fmt::format("profile_{}.csv", letter));
    io::write_file_atomically(directory.file(names.back()), io::csv_text(table));
  }
  return names;
}

bool expects_fields(const Case& lbm_case) {
  return std::any_of(lbm_case.expect.begin(), lbm_case.expect.end(), [](const Expectation& e) {
    return e.measure->quantity == Quantity::velocity || e.measure->quantity == Quantity::profile;
  });
}

Expectations::Expectations(const Case& lbm_case, const Derived& derived,
                           const std::vector<std::string>& bodies)
    : case_(lbm_case),
      derived_(derived),
      units_(make_units(lbm_case, derived)),
      profiles_(lbm_case) {
  for (const Expectation& expected : lbm_case.expect) {
    Item item{expected, items_.size(), derived.steps, 0, {}};
    if (expected.average_from) {
      item.mean_from =
          static_cast<std::int64_t>(std::ceil(to_steps(units_, *expected.average_from)));
    }
    const auto body = std::find(bodies.begin(), bodies.end(), expected.body);
    item.body = static_cast<std::size_t>(body - bodies.begin());
    if (!expected.file.empty()) item.reference.emplace(path_of(lbm_case, expected.file));
    items_.push_back(std::move(item));
  }
}

void Expectations::sample(Item& item, std::int64_t step, double value, bool counts) {
  item.last = value;
  if (!counts || step < item.mean_from) return;
  item.sum += value;
  item.samples += 1;
}

void Expectations::on_forces(std::int64_t step, std::span<const BodyForces> forces) {
  for (Item& item : items_) {
    if (item.expected.body.empty()) continue;
    const auto& [quantity, axis] = *item.expected.measure;
    const Vec3& part = part_of(forces[item.body], quantity);
    sample(item, step, part[static_cast<std::size_t>(axis)], true);
  }
}

void Expectations::on_sample(const FlowSample& state, bool monitored) {
  for (Item& item : items_) {
    const Quantity quantity = item.expected.measure->quantity;
    if (quantity == Quantity::mass) sample(item, state.step, state[mass], monitored);
    if (quantity == Quantity::kinetic_energy) {
      sample(item, state.step, state[kinetic_energy], monitored);
    }
  }
}

void Expectations::add_point(Item& item, int z, std::span<const float> velocity) const {
  const auto& [nx, ny, nz] = case_.grid.cells;
  const Vec3 at = to_cells(units_, *item.expected.point);
  const double of_plane = weight(z, at[2], nz);
  if (of_plane == 0) return;
  const auto axis = static_cast<std::size_t>(item.expected.measure->axis);
  for (int y = 0; y < ny; ++y) {
    const double of_row = of_plane * weight(y, at[1], ny);
    if (of_row == 0) continue;
    for (int x = 0; x < nx; ++x) {
      const auto cell = static_cast<std::size_t>(y) * nx + x;
      item.last += of_row * weight(x, at[0], nx) * velocity[3 * cell + axis] * units_.velocity;
    }
  }
}

// Discards fields loaded from a checkpoint at the end of a shorter run.
void Expectations::begin_fields() {
  profiles_ = Profiles(case_);
  for (Item& item : items_) {
    if (item.expected.measure->quantity == Quantity::velocity) item.last = 0;
  }
  fields_came_ = false;
}

void Expectations::add_plane(int z, const FieldPlane& plane) {
  fields_came_ = true;
  profiles_.add_plane(z, plane, static_cast<float>(units_.velocity));
  for (Item& item : items_) {
    if (item.expected.measure->quantity == Quantity::velocity) {
      add_point(item, z, plane[Macro::velocity]);
    }
  }
}

ExpectationResult Expectations::compare(const Item& item,
                                        std::span<const QuantityResult> quantities) const {
  const Expectation& expected = item.expected;
  ExpectationResult result;
  result.name = expected.name;
  result.quantity = find_key("expect.NAME.quantity")->write(case_, item.position);
  result.relative = expected.tolerance;
  double scale = 0;
  if (item.reference) {
    const auto axis = static_cast<std::size_t>(*expected.profile);
    const double cell = case_.units == UnitSystem::si ? units_.length : 1 / derived_.length;
    const auto& columns = profiles_.columns();
    const auto column = std::find(columns.begin(), columns.end(), expected.column);
    const auto worst = item.reference->largest_deviation(
        profiles_.along(axis, static_cast<std::size_t>(column - columns.begin())), cell);
    result.value = worst.value;
    result.expected = worst.expected;
    result.position = worst.position;
    scale = item.reference->range();
  } else {
    // If the flow was steady before averaging began, the last value is the mean.
    result.value = item.samples > 0 ? item.sum / item.samples : item.last;
    if (!expected.of.empty()) {
      result.value = number_about(expected.of, expected.measure->quantity, quantities);
    }
    result.expected = *expected.value;
    scale = std::abs(result.expected);
  }
  result.deviation = std::abs(result.value - result.expected);
  result.tolerance =
      expected.tolerance ? *expected.tolerance * scale : *expected.tolerance_absolute;
  result.met = result.deviation <= result.tolerance;
  return result;
}

// Identifies what the sums belong to, so that a changed expectation starts anew.
std::string Expectations::about(const Item& item) const {
  std::string text;
  for (const char* key : {"quantity", "of", "body", "point", "average_from"}) {
    text += find_key(std::string("expect.NAME.") + key)->write(case_, item.position) + ";";
  }
  return text;
}

io::Json Expectations::save_state() const {
  io::Json state = io::Json::object();
  io::Json& items = state["items"] = io::Json::object();
  for (const Item& item : items_) {
    items[item.expected.name] = {
        {"about", about(item)}, {"last", item.last}, {"sum", item.sum}, {"samples", item.samples}};
  }
  if (!fields_came_) return state;
  const std::size_t columns = profiles_.columns().size();
  for (std::size_t line = 0; line < 3 * columns; ++line) {
    state["lines"].push_back(profiles_.along(line / columns, line % columns));
  }
  return state;
}

void Expectations::load_state(const io::Json& state) {
  begin_fields();
  for (Item& item : items_) {
    item.last = item.sum = item.samples = 0;
    const io::Json& saved = io::member(io::member(state, "items"), item.expected.name);
    if (io::text_in(io::member(saved, "about")) != about(item)) continue;
    item.last = io::number_in(io::member(saved, "last")).value_or(0);
    item.sum = io::number_in(io::member(saved, "sum")).value_or(0);
    item.samples = io::number_in(io::member(saved, "samples")).value_or(0);
  }
  const io::Json& lines = io::member(state, "lines");
  const std::size_t columns = profiles_.columns().size();
  for (std::size_t line = 0; line < 3 * columns && line < lines.size(); ++line) {
    std::vector<double> values;
    for (const io::Json& value : io::item(lines, line))
      values.push_back(io::number_in(value).value_or(0));
    profiles_.set(line / columns, line % columns, std::move(values));
  }
  fields_came_ = !lines.is_null();
}

std::vector<ExpectationResult> Expectations::results(
    std::span<const QuantityResult> quantities) const {
  std::vector<ExpectationResult> results;
  for (const Item& item : items_) results.push_back(compare(item, quantities));
  return results;
}

}  // namespace lbm::cases
