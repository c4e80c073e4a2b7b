// SPDX-License-Identifier: Apache-2.0

// The key table and the case: values go in as YAML text and come out as Python values.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/run/predict/predict.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/case_data.hpp"

namespace lbm::python {
namespace nb = nanobind;
namespace {

using Text = std::pair<std::string, std::string>;

// The Python value of one YAML scalar. type: the key's type in the key table.
nb::object scalar_value(const std::string& type, const YAML::Node& node) {
  const bool is_auto = node.Scalar() == "auto";
  if (type.find("whole") != std::string::npos || type == "memory") {
    return is_auto ? nb::object(nb::str("auto")) : nb::object(nb::int_(node.as<std::int64_t>()));
  }
  if (type == "switch") return nb::bool_(node.as<bool>());
  const bool number = type.find("number") != std::string::npos || type == "list of points" ||
                      type == "list of rotations";
  // Formulas are in quotes, also those that are numbers. The word of an axis is no number.
  const auto value =
      number && !is_auto && node.Tag() != "!" ? cases::parse_number(node.Scalar()) : std::nullopt;
  if (value) return nb::float_(*value);
  return nb::str(node.Scalar().c_str(), node.Scalar().size());
}

nb::object value_of(const std::string& type, const YAML::Node& node) {
  if (!node.IsSequence()) return scalar_value(type, node);
  nb::list items;
  for (const auto& item : node) items.append(value_of(type, item));
  return items;
}

// None where the key has no value.
nb::object value_of(const std::string& type, const std::string& yaml) {
  return yaml.empty() ? nb::none() : value_of(type, YAML::Load(yaml));
}

// One row of the key table; see KeyRow in python/lbm/_key_table.py.
nb::tuple row_of(const cases::Key& key) {
  const std::string default_yaml = key.write(cases::Case{});
  return nb::make_tuple(key.path, key.row, key.type, value_of(key.type, default_yaml), key.allowed,
                        cases::must_be(key), key.takes_scalars);
}

nb::list key_rows() {
  nb::list rows;
  for (const cases::Key& key : cases::keys()) rows.append(row_of(key));
  return rows;
}

CaseData from_values(const std::vector<Text>& texts) {
  std::vector<cases::CaseValue> values;
  values.reserve(texts.size());
  for (const auto& [path, yaml] : texts) values.push_back({path, yaml, ""});
  return {cases::case_from_values(values)};
}

nb::list values(const CaseData& data) {
  nb::list all;
  for (const auto& [path, yaml, type] : cases::values_of(data.lbm_case)) {
    all.append(nb::make_tuple(path, value_of(type, yaml)));
  }
  return all;
}

nb::object check_value(const std::string& path, const std::string& yaml) {
  const cases::CaseValue value = cases::checked_value(path, yaml);
  return value_of(value.type, value.yaml);
}

Text check(const CaseData& data) {
  const cases::Answer answer = cases::check_case(data.lbm_case);
  return {io::json_text(answer.json), answer.text};
}

Text plan(const CaseData& data, int processes, int per_host, double network, double latency,
          const std::string& machine, bool measure) {
  const cases::Answer answer =
      cases::plan_case(data.lbm_case, {processes, per_host, network, latency, machine, measure});
  return {io::json_text(answer.json), answer.text};
}

void bind_table(nb::module_& module) {
  module.def("keys", key_rows,
             "The key table: (path, row, type, default value or None, allowed, \"must be ...\", "
             "whether the names of the case's scalars are words, too) of each key.",
             nb::sig("def keys() -> list[tuple[str, str, str, typing.Any, str, str, bool]]"));
  module.def("case_reference", cases::case_reference_markdown,
             "The page docs/case_reference.md, which documents all keys.");
  module.def("alternatives", cases::exclusive_keys,
             "Paths of keys of which a case has at most one.");
  module.def("is_item_name", cases::is_item_name, nb::arg("name"));
  module.attr("item_name_rule") = cases::item_name_rule;
  module.def("nearest_key", cases::nearest_key, nb::arg("path"));
  module.def("check_value", check_value, nb::arg("path"), nb::arg("yaml"),
             "The value as a case holds it, None for a group. Raises UsageError for an unknown "
             "key and for a value that the key table does not allow.",
             nb::sig("def check_value(path: str, yaml: str) -> typing.Any"));
}

}  // namespace

void bind_case(nb::module_& module) {
  bind_table(module);
  using release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<CaseData>(module, "CaseData", "A case that has been read and judged as one.")
      .def("values", values, "(path, value) of all keys that have one, in order.",
           nb::sig("def values(self) -> list[tuple[str, typing.Any]]"))
      .def(
          "yaml",
          [](const CaseData& data) {
            return cases::to_yaml(cases::with_whole_paths(data.lbm_case));
          },
          "The case file that says the same, files named from the root.")
      .def(
          "cells",
          [](const CaseData& data) {
            cases::Case lbm_case = data.lbm_case;
            if (lbm_case.grid.cells == std::array<int, 3>{0, 0, 0}) {
              cases::resolve_grid(lbm_case);
              cases::resolve_image_grid(lbm_case);
            }
            return nb::make_tuple(lbm_case.grid.cells[0], lbm_case.grid.cells[1],
                                  lbm_case.grid.cells[2]);
          },
          "nx, ny, nz of the grid.", nb::sig("def cells(self) -> tuple[int, int, int]"))
      .def("check", check, release(), "What `lbm check` prints: JSON and text.")
      .def("plan", plan, nb::arg("processes") = 1, nb::arg("per_host") = 0,
           nb::arg("network") = 0.0, nb::arg("latency") = 0.0, nb::arg("machine") = "",
           nb::arg("measure") = false, release(), "What `lbm plan` prints: JSON and text.");
  module.def(
      "read",
      [](const std::string& path, const std::vector<std::string>& overrides) {
        return CaseData{cases::without_file(cases::read_case(path, overrides))};
      },
      nb::arg("path"), nb::arg("overrides"), "A case file, changed by \"key=value\"s.");
  module.def(
      "parse",
      [](const std::string& text, const std::string& name) {
        return CaseData{cases::without_file(cases::parse_case(text, name))};
      },
      nb::arg("text"), nb::arg("name"), "A case as text; `name` is what messages call it.");
  module.def("from_values", from_values, nb::arg("values"),
             "A case of (path, value as YAML text), judged as one.");
}

}  // namespace lbm::python
