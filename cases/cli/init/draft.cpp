// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/derived.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/stability.hpp"
#include "cases/case/validate/validate.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

constexpr double most_factor = 1e12;

class Choice {
 public:
  Choice(const Flow& flow, Values& values, const std::string& case_file)
      : flow_(flow),
        file_(case_file),
        v_(values),
        most_velocity_(value("most_velocity", 0.05)),
        most_tau_(value("most_tau", 1)) {}

  void choose() {
    v_.numbers["smagorinsky"] = 0;
    v_.texts["collision"] = "trt";
    slow_down();
    if (stable(1)) {
      return reason("two relaxation times: walls stay in their places at any viscosity");
    }
    const std::string trt = limit();
    v_.texts["collision"] = "regularised_filtered";
    slow_down();
    if (stable(1)) {
      return reason("the flow is too fast for trt on this grid (" + trt +
                    "): this model is stable");
    }
    const char* const fastest = "bears the fastest flow for its grid of all models";
    reason(fastest);
    if (value("keep_viscosity", 0) != 0) {
      v_.numbers["smagorinsky"] = 0.1;  // the constant that docs/stability.md measured
      stable(1);
      v_.texts["why_viscosity"] =
          "beyond what is known to be stable (" + limit() + "): lbm check warns";
      return;
    }
    raise_viscosity();
    reason(fastest);
  }

  std::string text() const {
    return v_.rendered(flow_.data["text"].as<std::string>(), flow_.parts);
  }

  double value(const char* name, double otherwise) const {
    const auto at = v_.numbers.find(name);
    return at == v_.numbers.end() ? otherwise : at->second;
  }

  // The choices with their reasons.
  std::vector<std::string> lines() const {
    const auto& [nx, ny, nz] = case_.grid.cells;
    std::vector<std::string> lines{
        fmt::format("grid.cells: {} x {} x {}", nx, ny, nz),
        v_.filled("fluid.lattice_velocity: {{ lattice_velocity }}, Mach {{ mach | 2 }}: "
                  "{{ why_velocity }}"),
        v_.filled("lattice.collision: {{ collision }}: {{ why_collision }}")};
    if (v_.numbers.at("smagorinsky") > 0) {
      lines.push_back(v_.filled("lattice.smagorinsky: {{ smagorinsky }}: {{ why_viscosity }}"));
    } else if (v_.numbers.at("viscosity_factor") != 1) {
      lines.push_back(
          v_.filled("Reynolds number: {{ made | 4 }} in place of "
                    "{{ made * viscosity_factor | 4 }}: {{ why_viscosity }}"));
    }
    return lines;
  }

 private:
  // True if no instability is expected at this viscosity factor. Keeps the numbers of the case.
  bool stable(double factor) {
    v_.numbers["viscosity_factor"] = factor;
    case_ = parse_case(text(), file_);
    validate_structure(case_);
    derived_ = derive(case_);
    v_.numbers["mach"] = derived_.mach;
    v_.numbers["tau"] = derived_.tau;
    v_.numbers["made"] = derived_.reynolds;
    v_.numbers["convective_time"] = derived_.convective_time;
    v_.numbers["steps"] = static_cast<double>(derived_.steps);
    v_.numbers["step_seconds"] = make_units(case_, derived_).time;
    return expected_instabilities(case_, derived_).empty();
  }

  // tau is 1/2 + a constant x the lattice velocity.
  void slow_down() {
    v_.numbers["lattice_velocity"] = most_velocity_;
    stable(1);
    const double mach = v_.numbers["mach"], tau = v_.numbers["tau"];
    v_.texts["why_velocity"] = fmt::format(
        "errors of compression are of the order of Mach^2, {:.1g} %", 100 * mach * mach);
    if (tau <= most_tau_) return;
    v_.numbers["lattice_velocity"] =
        rounded_down(most_velocity_ * (most_tau_ - 0.5) / (tau - 0.5), 3);
    v_.texts["why_velocity"] =
        fmt::format("so slow that tau is {:.3g}, as larger ones lose accuracy", most_tau_);
  }

  // "cell Reynolds number 5, stable up to 9", or the relaxation time.
  std::string limit() const {
    const auto numbers = cell_reynolds_numbers(case_, derived_);
    if (numbers.empty()) return v_.filled("tau {{ tau }}");
    const auto& worst = *std::max_element(
        numbers.begin(), numbers.end(),
        [](const auto& a, const auto& b) { return a.number / a.stable < b.number / b.stable; });
    return fmt::format("cell Reynolds number {:.3g}, stable up to {:.3g}", worst.number,
                       worst.stable);
  }

  void reason(const std::string& why) { v_.texts["why_collision"] = why + "; " + limit(); }

  void raise_viscosity() {
    double low = 1, high = 2;
    while (!stable(high) && high < most_factor) low = high, high *= 4;
    while (high / low > 1.001) {
      const double middle = std::sqrt(low * high);
      (stable(middle) ? high : low) = middle;
    }
    const double factor = rounded_up(high, 3);
    stable(factor);
    v_.texts["why_viscosity"] = fmt::format(
        "a grid {0:.6g} times finer in each direction would bear the viscosity that was asked for; "
        "this one bears {0:.6g} times as much",
        factor);
  }

  const Flow& flow_;
  const std::string& file_;
  Values& v_;
  double most_velocity_, most_tau_;
  Case case_;
  Derived derived_;
};

// Throws UsageError where --cells gives too few cells across a part of the flow, whose power of the
// cells across is the number of cells.
void require(const YAML::Node& needs, const Values& values) {
  for (const auto& need : needs) {
    const double across = values.number(need["across"].as<std::string>());
    const auto least = need["least"].as<double>();
    if (across >= least) continue;
    const double cells = values.numbers.at("cells");
    const double power = values.number(need["power"].as<std::string>());
    throw UsageError(fmt::format(
        "--cells: found {:.6g}, which gives {:.2g} cells across {}, must be at least {}: give "
        "{:.0f}",
        cells, across, need["what"].as<std::string>(), least,
        rounded_up(1.05 * cells * std::pow(least / across, power), 3)));
  }
}

}  // namespace

Draft make_draft(const Flow& flow, Values values, double cells, const std::string& case_file) {
  values.numbers["cells"] = cells;
  for (const auto& [name, formula] : flow.values) values.numbers[name] = values.number(formula);
  for (const auto& [name, line] : flow.texts) values.texts[name] = values.filled(line);
  for (const char* name : {"why_velocity", "why_collision", "why_viscosity"}) values.texts[name];
  for (const char* name : {"mach", "tau", "convective_time", "steps", "step_seconds"}) {
    values.numbers[name] = 1;  // until the case is read
  }
  require(flow.data["needs"], values);
  Choice choice(flow, values, case_file);
  choice.choose();
  if (const auto& why = flow.data["why_velocity"]) {
    values.texts["why_velocity"] = values.filled(why.as<std::string>());
  }
  Draft draft;
  draft.text = choice.text();
  draft.chosen = choice.lines();
  draft.viscosity_factor = values.numbers.at("viscosity_factor");
  draft.dimensions = choice.value("dimensions", 3);
  draft.cells_needed = choice.value("cells_needed", 0);
  for (const auto& line : flow.data["chosen"]) {
    draft.chosen.push_back(values.filled(line.as<std::string>()));
  }
  for (const auto& note : flow.data["notes"]) {
    if (values.number(note["when"].as<std::string>()) == 0) continue;
    draft.notes.push_back(values.filled(note["text"].as<std::string>()));
  }
  return draft;
}

}  // namespace lbm::cases::init
