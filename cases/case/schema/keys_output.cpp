// SPDX-License-Identifier: Apache-2.0

// Key table: output and expectations.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

bool is_column(const std::string& name) {
  return name == "ux" || name == "uy" || name == "uz" || name == "density";
}

// The words of Measure.
ValueType<Measure> measure() {
  struct Row {
    const char* word;
    Measure measure;
  };
  static constexpr Row rows[] = {
      {"force.x", {Quantity::force, 0}},
      {"force.y", {Quantity::force, 1}},
      {"force.z", {Quantity::force, 2}},
      {"torque.x", {Quantity::torque, 0}},
      {"torque.y", {Quantity::torque, 1}},
      {"torque.z", {Quantity::torque, 2}},
      {"coefficient.x", {Quantity::coefficient, 0}},
      {"coefficient.y", {Quantity::coefficient, 1}},
      {"coefficient.z", {Quantity::coefficient, 2}},
      {"mass", {Quantity::mass, -1}},
      {"kinetic_energy", {Quantity::kinetic_energy, -1}},
      {"velocity.x", {Quantity::velocity, 0}},
      {"velocity.y", {Quantity::velocity, 1}},
      {"velocity.z", {Quantity::velocity, 2}},
      {"profile", {Quantity::profile, -1}},
      {"value", {Quantity::value, -1}},
      {"mean", {Quantity::mean, -1}},
      {"mean_error", {Quantity::mean_error, -1}},
      {"rms", {Quantity::rms, -1}},
      {"rms_error", {Quantity::rms_error, -1}},
      {"maximum", {Quantity::maximum, -1}},
      {"maximum_time", {Quantity::maximum_time, -1}},
      {"minimum", {Quantity::minimum, -1}},
      {"minimum_time", {Quantity::minimum_time, -1}},
      {"frequency", {Quantity::frequency, -1}},
      {"strouhal", {Quantity::strouhal, -1}},
  };
  WordList list;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    list.add(rows[i].word, static_cast<std::int64_t>(i));
  }
  const ValueType<std::size_t> row = words<std::size_t>(std::move(list));
  const auto read = [read = row.read](const YAML::Node& node) -> std::optional<Measure> {
    const auto i = read(node);
    return i ? std::optional<Measure>(rows[*i].measure) : std::nullopt;
  };
  const auto write = [](const Measure& measure) -> std::string {
    for (const Row& each : rows) {
      if (each.measure == measure) return each.word;
    }
    return "unknown";
  };
  return {row.name, row.allowed, read, write};
}

void add_expectation(const auto& expected) {
  const Names named{"value",        "mean",    "mean_error",   "rms",       "rms_error", "maximum",
                    "maximum_time", "minimum", "minimum_time", "frequency", "strouhal"};
  const Names of_body{"force.x",  "force.y",       "force.z",       "torque.x",     "torque.y",
                      "torque.z", "coefficient.x", "coefficient.y", "coefficient.z"};
  const Names velocities{"velocity.x", "velocity.y", "velocity.z"};
  Names with_means{"mass", "kinetic_energy"};
  with_means.insert(with_means.end(), of_body.begin(), of_body.end());
  expected
      .add("quantity", &Expectation::measure, measure(), "required",
           "Compared quantity: a component of the force or torque on `body` or of its coefficient "
           "(force / (1/2 rho u^2 A)), the mass or kinetic energy of all fluid, the velocity at "
           "`point`, a centre-line `profile`; or of the quantity `of`: its `value` at the end, its "
           "`mean`, `rms`, `maximum` and `minimum` with their times, `frequency`, `strouhal` "
           "number, "
           "and the standard errors of the first two ([quantities.md](quantities.md)).")
      .required();
  expected
      .add("of", &Expectation::of, text(item_name_rule, is_item_name),
           "required for value to strouhal", "Name under `quantities`.")
      .belongs_to("quantity", named);
  expected
      .add("body", &Expectation::body, text(item_name_rule, is_item_name), "required for forces",
           "Name of the body.")
      .belongs_to("quantity", of_body);
  expected
      .add("point", &Expectation::point, vector(), "required for velocities",
           "Position from the corner of the box, in cells; in m with `units: si`.")
      .belongs_to("quantity", velocities);
  expected
      .add("profile", &Expectation::profile, axis(), "required for profiles",
           "Axis of the profile, which runs through the middle of the box.")
      .belongs_to("quantity", "profile");
  expected
      .add("column", &Expectation::column, text("ux, uy, uz or density", is_column),
           "required for profiles", "Compared column of the profile.")
      .belongs_to("quantity", "profile");
  expected
      .add("file", &Expectation::file, file_name(), "required for profiles",
           "Reference values: a CSV file of coordinate and value, relative to the case file, "
           "in the units of `profile_x.csv`.")
      .belongs_to("quantity", "profile");
  expected.add("value", &Expectation::value, number(any_number), "required but for profiles",
               "Expected value, in units of the case.");
  expected
      .add("tolerance", &Expectation::tolerance, number(not_negative), "this or tolerance_absolute",
           "Largest accepted difference, relative to the value; for profiles relative to the "
           "range of the reference values.")
      .one_of("tolerance_absolute");
  expected.add("tolerance_absolute", &Expectation::tolerance_absolute, number(not_negative),
               "this or tolerance", "The same, in units of the value.");
  expected
      .add("average_from", &Expectation::average_from, number(not_negative), "only the end",
           "Compare the mean from this time to the end of the run. In convective times; in s "
           "with `units: si`.")
      .only_with("quantity", with_means);
}

}  // namespace

void add_output_keys(Parts& parts) {
  const auto output = keys_of_case(parts).group("output", &Case::output);
  output.add(
      "directory", &Output::directory, file_name(), "out/<name>",
      "Directory of the results, relative to the working directory; `lbm run --out` overrides it.");
  output.add("times", &Output::times, times(), "[]",
             "Write density and velocity at these times, none of them after the end of the run. In "
             "convective times; in s with `units: si`.");
  output.add("every_steps", &Output::every_steps, whole(1, max_steps), "never",
             "Also write density and velocity at this interval of steps.");
  output.add("at_end", &Output::at_end, boolean(), "true",
             "Also write density and velocity at the end.");
  output.add("on_error", &Output::stops_on_error,
             words<bool>({{"stop", true}, {"continue", false}}), "stop",
             "If field files cannot be written: `stop` ends the run with exit code 4; `continue` "
             "warns and drops that output.");
  output.add("profiles", &Output::profiles, boolean(), "true",
             "Write velocity profiles along the centre lines (CSV) at the end.");
  output.add("forces", &Output::forces, whole(1, max_steps), "1",
             "Write the forces on bodies at this interval of steps (only with bodies).");
  output.add("monitor", &Output::monitor, whole(1, max_steps), "never",
             "Write a monitor sample at this interval of steps: mass, kinetic energy, extremes of "
             "density and speed.");
}

void add_expect_keys(Parts& parts) {
  const auto all = [](auto& c) -> auto& { return c.expect; };
  add_group(parts, "expect", all, [](const auto& expected) { add_expectation(expected); });
}

}  // namespace lbm::cases::key_table
