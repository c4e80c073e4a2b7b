// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "cases/case/limits.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/init/init.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

// number (> 0), whole, three, word, text or file
std::string kind_of(const YAML::Node& option) {
  const std::string kind = member_of(option, "kind");
  return option["words"] ? "word" : kind.empty() ? "number" : kind;
}

Flow flow_of(const YAML::Node& file, const YAML::Node& common) {
  Flow flow;
  flow.file = file;
  flow.general = common["general"];
  flow.name = file["flow"].as<std::string>();
  flow.help = file["help"].as<std::string>();
  flow.cells = file["cells"].as<double>();
  flow.parts = common["parts"].as<formula::Parts>();
  flow.options = YAML::Clone(file["options"]);
  if (file["units"].as<std::string>("") != "lattice") {
    flow.sources.push_back(common);
    for (const auto& entry : common["options"]) {
      const auto name = entry.first.as<std::string>();
      if (!file["options"][name]) flow.options[name] = entry.second;
    }
  }
  flow.sources.push_back(file);
  return flow;
}

// "100,100,200" as "100, 100, 200"; empty: it is no such text.
std::string three_whole(const std::string& text) {
  std::vector<std::int64_t> numbers;
  const std::string all = text + ",";
  for (std::size_t begin = 0, end; (end = all.find(',', begin)) != std::string::npos;
       begin = end + 1) {
    const auto number = parse_whole(all.substr(begin, end - begin));
    if (!number || *number < 1 || *number > max_cells_per_axis) return "";
    numbers.push_back(*number);
  }
  return numbers.size() == 3 ? fmt::format("{}", fmt::join(numbers, ", ")) : "";
}

// "file" in quotes, relative to the folder of the case where that is short.
std::string file_from(const std::string& case_file, const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path whole = fs::absolute(file).lexically_normal();
  const fs::path folder = fs::absolute(case_file).lexically_normal().parent_path();
  const fs::path relative = whole.lexically_relative(folder);
  const bool far = relative.empty() || relative.string().starts_with("../../../");
  // A symbolic link may lead elsewhere by "..".
  const bool same = !far && fs::equivalent(folder / relative, whole, failed);
  return double_quoted((same ? relative : whole).string());
}

constexpr double most_factor = 1e12;

class Choice {
 public:
  Choice(const Flow& flow, io::Json& values, const std::string& case_file)
      : flow_(flow), file_(case_file), v_(values) {}

  void choose() {
    v_["smagorinsky"] = 0;
    v_["collision"] = "trt";
    slow_down();
    if (stable(1)) {
      return reason("two relaxation times: walls stay in their places at any viscosity");
    }
    const std::string trt = limit();
    v_["collision"] = "regularised_filtered";
    slow_down();
    if (stable(1)) {
      return reason("the flow is too fast for trt on this grid (" + trt +
                    "): this model is stable");
    }
    const char* const fastest = "bears the fastest flow for its grid of all models";
    reason(fastest);
    if (v_.value("keep_viscosity", 0.0) != 0) {
      v_["smagorinsky"] = 0.1;  // the constant that docs/stability.md measured
      stable(1);
      v_["why_viscosity"] = "beyond what is known to be stable (" + limit() + "): lbm check warns";
      return;
    }
    raise_viscosity();
    reason(fastest);
  }

 private:
  // True if no instability is expected at this viscosity factor. Keeps the numbers of the case.
  bool stable(double factor) {
    v_["viscosity_factor"] = factor;
    case_ = parse_case(case_text(flow_, v_), file_);
    validate_structure(case_);
    derived_ = derive(case_);
    v_.update({{"grid", case_.grid.cells},
               {"mach", derived_.mach},
               {"tau", derived_.tau},
               {"made", derived_.reynolds},
               {"convective_time", derived_.convective_time},
               {"steps", derived_.steps},
               {"step_seconds", make_units(case_, derived_).time}});
    return expected_instabilities(case_, derived_).empty();
  }

  // tau is 1/2 + a constant x the lattice velocity.
  void slow_down() {
    const double fastest = v_.value("most_velocity", 0.05), most_tau = v_.value("most_tau", 1.0);
    v_["lattice_velocity"] = fastest;
    stable(1);
    v_["why_velocity"] = fmt::format("errors of compression are of the order of Mach^2, {:.1g} %",
                                     100 * derived_.mach * derived_.mach);
    if (derived_.tau <= most_tau) return;
    v_["lattice_velocity"] =
        formula::rounded_down(fastest * (most_tau - 0.5) / (derived_.tau - 0.5), 3);
    v_["why_velocity"] =
        fmt::format("so slow that tau is {:.3g}, as larger ones lose accuracy", most_tau);
  }

  // "cell Reynolds number 5, stable up to 9", or the relaxation time.
  std::string limit() const {
    const auto numbers = cell_reynolds_numbers(case_, derived_);
    if (numbers.empty()) return fmt::format("tau {:.6g}", derived_.tau);
    const auto& worst = *std::max_element(
        numbers.begin(), numbers.end(),
        [](const auto& a, const auto& b) { return a.number / a.stable < b.number / b.stable; });
    return fmt::format("cell Reynolds number {:.3g}, stable up to {:.3g}", worst.number,
                       worst.stable);
  }

  void reason(const std::string& why) { v_["why_collision"] = why + "; " + limit(); }

  void raise_viscosity() {
    double low = 1, high = 2;
    while (!stable(high) && high < most_factor) low = high, high *= 4;
    while (high / low > 1.001) {
      const double middle = std::sqrt(low * high);
      (stable(middle) ? high : low) = middle;
    }
    const double factor = formula::rounded_up(high, 3);
    stable(factor);
    v_["why_viscosity"] = fmt::format(
        "a grid {0:.6g} times finer in each direction would bear the viscosity that was asked for; "
        "this one bears {0:.6g} times as much",
        factor);
  }

  const Flow& flow_;
  const std::string& file_;
  io::Json& v_;
  Case case_;
  Derived derived_;
};

// Throws UsageError where --cells gives too few cells across a part of the flow, whose power of the
// cells across is the number of cells.
void require(const YAML::Node& needs, const io::Json& values) {
  for (const auto& need : needs) {
    const double across = formula::number(need["across"].as<std::string>(), values);
    const auto least = need["least"].as<double>();
    if (across >= least) continue;
    const double cells = values.at("cells");
    const double power = formula::number(need["power"].as<std::string>(), values);
    throw UsageError(fmt::format(
        "--cells: found {:.6g}, which gives {:.2g} cells across {}, must be at least {}: give "
        "{:.0f}",
        cells, across, need["what"].as<std::string>(), least,
        formula::rounded_up(1.05 * cells * std::pow(least / across, power), 3)));
  }
}

io::Json lines_of(const std::string& text) {
  io::Json lines = io::Json::array();
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

const std::vector<Flow>& flows() {
  static const std::vector<Flow> all = [] {
    const std::vector<YAML::Node> files = YAML::LoadAll(flow_files());
    std::vector<Flow> made;
    for (std::size_t i = 1; i < files.size(); ++i) made.push_back(flow_of(files[i], files[0]));
    return made;
  }();
  return all;
}

std::string member_of(const YAML::Node& option, const char* key) {
  return option[key].as<std::string>("");
}

std::string fault_of(const YAML::Node& option, const std::string& value) {
  constexpr double least = 1e-15, most = 1e15;  // beyond, products and ratios leave double
  const std::string kind = kind_of(option);
  std::string must;
  if (kind == "word") {
    const auto words = option["words"].as<std::vector<std::string>>();
    const bool known = std::find(words.begin(), words.end(), value) != words.end();
    if (!known) must = fmt::format("{}", fmt::join(words, ", "));
  } else if (kind == "number") {
    const auto number = parse_number(value);
    const bool fits = number && *number >= least && *number <= most;
    if (!fits) must = fmt::format("a number > 0, from {} to {}", least, most);
  } else if (kind == "whole" && !parse_whole(value)) {
    must = "a whole number";
  } else if (kind == "three" && three_whole(value).empty()) {
    must = "three whole numbers such as 100,100,200";
  }
  return must.empty() ? "" : fmt::format("found \"{}\", must be {}", one_line(value, 80), must);
}

io::Json values_of(const Flow& flow, const Options& given, const std::string& case_file) {
  io::Json values;
  for (const auto& entry : flow.options) {
    const auto name = entry.first.as<std::string>();
    const YAML::Node& option = entry.second;
    if (option["required"] && !given.has(name)) {
      throw UsageError(fmt::format("missing: --{} {}: {}", name, member_of(option, "value"),
                                   member_of(option, "help")));
    }
    const std::string kind = kind_of(option);
    const std::string text = given.has(name) ? given.text(name) : member_of(option, "default");
    const bool has = given.has(name) || !text.empty();
    const std::string fault = has ? fault_of(option, text) : "";
    if (!fault.empty()) throw UsageError(fmt::format("--{}: {}", name, fault));
    values["has_" + name] = has;
    values[name] = text;
    if (kind == "number") values[name] = has ? *parse_number(text) : 0;
    if (kind == "text") values[name + "_quoted"] = double_quoted(text);
    if (kind == "file") values[name + "_file"] = file_from(case_file, text);
    if (kind == "three" && has) values[name] = three_whole(text);
    for (const auto& each : option["words"]) {
      auto word = each.as<std::string>();
      const bool is = word == text;
      std::replace(word.begin(), word.end(), '-', '_');
      values[name + "_" + word] = is;
    }
  }
  return values;
}

std::string case_text(const Flow& flow, const io::Json& draft) {
  return formula::rendered(flow.file["text"].as<std::string>(), draft, flow.parts);
}

io::Json make_draft(const Flow& flow, io::Json values, double cells, const std::string& case_file) {
  values["cells"] = cells;
  for (const YAML::Node& source : flow.sources) {
    for (const auto& entry : source["values"]) {
      values[entry.first.as<std::string>()] =
          formula::number(entry.second.as<std::string>(), values);
    }
  }
  for (const YAML::Node& source : flow.sources) {
    for (const auto& entry : source["texts"]) {
      values[entry.first.as<std::string>()] =
          formula::filled(entry.second.as<std::string>(), values);
    }
  }
  for (const char* name : {"why_velocity", "why_collision", "why_viscosity"}) values[name] = "";
  for (const char* name : {"mach", "tau", "convective_time", "steps", "step_seconds"}) {
    values[name] = 1.0;  // until the case is read
  }
  values["facts"] = io::Json::array();
  require(flow.file["needs"], values);
  Choice(flow, values, case_file).choose();
  const auto part = [&](const char* name) {
    return formula::rendered(flow.file[name].as<std::string>(""), values);
  };
  if (flow.file["why_velocity"]) values["why_velocity"] = lines_of(part("why_velocity")).at(0);
  values["chosen"] = lines_of(formula::rendered(flow.parts.at("chosen"), values) + part("chosen"));
  values["notes"] = lines_of(part("notes"));
  return values;
}

}  // namespace lbm::cases::init
