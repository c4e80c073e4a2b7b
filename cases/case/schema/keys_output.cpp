// Key table: output and expectations.
#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

bool is_column(const std::string& name) {
  return name == "ux" || name == "uy" || name == "uz" || name == "density";
}

std::vector<Key> expect_keys(const std::string& name) {
  const std::string path = "expect." + name;
  const auto of = [name](auto& c) -> auto& { return item(c.expect, name); };
  std::vector<Key> keys;
  keys.push_back(word<Measure>(
      {path + ".quantity", "required",
       "Compared quantity: a component of the force or torque on `body` or of its coefficient "
       "(force / (1/2 rho u^2 A)), the mass or kinetic energy of all fluid, the velocity at "
       "`point`, or a centre-line `profile`."},
      {{"force.x", {Quantity::force, 0}},
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
       {"profile", {Quantity::profile, -1}}},
      [of](auto& c) -> auto& { return of(c).measure; }));
  keys.push_back(text(
      {path + ".body", "required for forces", "Name of the body."}, item_name_rule,
      is_item_name, [of](auto& c) -> auto& { return of(c).body; }));
  keys.push_back(vector(
      {path + ".point", "required for velocities",
       "Position from the corner of the box, in cells; in m with `units: si`."},
      [of](auto& c) -> auto& { return of(c).point; }));
  keys.push_back(word<int>(
      {path + ".profile", "required for profiles",
       "Axis of the profile, which runs through the middle of the box."},
      {{"x", 0}, {"y", 1}, {"z", 2}}, [of](auto& c) -> auto& { return of(c).profile; }));
  keys.push_back(text(
      {path + ".column", "required for profiles", "Compared column of the profile."},
      "ux, uy, uz or density", is_column, [of](auto& c) -> auto& { return of(c).column; }));
  keys.push_back(text(
      {path + ".file", "required for profiles",
       "Reference values: a CSV file of coordinate and value, relative to the "
       "case file, in the units of `profile_x.csv`."},
      "1 to 1000 characters", is_file_name, [of](auto& c) -> auto& { return of(c).file; }));
  keys.push_back(number(
      {path + ".value", "required but for profiles", "Expected value, in units of the case."},
      any_number, [of](auto& c) -> auto& { return of(c).value; }));
  keys.push_back(number(
      {path + ".tolerance", "this or tolerance_absolute",
       "Largest accepted difference, relative to the value; for profiles relative to the range of "
       "the reference values."},
      not_negative, [of](auto& c) -> auto& { return of(c).tolerance; }));
  keys.push_back(number(
      {path + ".tolerance_absolute", "this or tolerance", "The same, in units of the value."},
      not_negative, [of](auto& c) -> auto& { return of(c).tolerance_absolute; }));
  keys.push_back(number(
      {path + ".average_from", "only the end",
       "Compare the mean from this time to the end of the run. In convective times; in s with "
       "`units: si`."},
      not_negative, [of](auto& c) -> auto& { return of(c).average_from; }));
  return keys;
}

}  // namespace

void add_output_keys(Parts& parts) {
  add(parts, text(
                 {"output.directory", "out/<name>",
                  "Directory of the results, relative to the working directory; `lbm run --out` "
                  "overrides it."},
                 "1 to 1000 characters", is_file_name,
                 [](auto& c) -> auto& { return c.output.directory; }));
  add(parts, time_list(
                 {"output.times", "[]",
                  "Write density and velocity at these times, none of them after the end of the "
                  "run. In convective times; in s with `units: si`."},
                 [](auto& c) -> auto& { return c.output.times; }));
  add(parts, whole(
                 {"output.every_steps", "never",
                  "Also write density and velocity at this interval of steps."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.output.every_steps; }));
  add(parts, boolean(
                 {"output.at_end", "true", "Also write density and velocity at the end."},
                 [](auto& c) -> auto& { return c.output.at_end; }));
  add(parts, word<bool>(
                 {"output.on_error", "stop",
                  "If field files cannot be written: `stop` ends the run with exit code 4; "
                  "`continue` warns and drops that output."},
                 {{"stop", true}, {"continue", false}},
                 [](auto& c) -> auto& { return c.output.stops_on_error; }));
  add(parts, boolean(
                 {"output.profiles", "true",
                  "Write velocity profiles along the centre lines (CSV) at the end."},
                 [](auto& c) -> auto& { return c.output.profiles; }));
  add(parts, whole(
                 {"output.forces", "1",
                  "Write the forces on bodies at this interval of steps (only with bodies)."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.output.forces; }));
  add(parts, whole(
                 {"output.monitor", "never",
                  "Write a monitor sample at this interval of steps: mass, kinetic energy, "
                  "extremes of density and speed."},
                 {1, max_steps}, [](auto& c) -> auto& { return c.output.monitor; }));
}

void add_expect_keys(Parts& parts) {
  add_group(parts, {"expect", expect_keys, [](const Case& c) { return names_of(c.expect); }});
}

}  // namespace lbm::cases::key_table
