// SPDX-License-Identifier: Apache-2.0
#include <fmt/args.h>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "cases/cli/doctor/facts.hpp"
#include "cases/formula/formula.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::doctor {
namespace {

// Facts as numbers in conditions and as text in findings.
class Context {
 public:
  explicit Context(const io::Json& facts) {
    for (const auto& [name, fact] : facts.items()) {
      const bool number = fact.is_number(), truth = fact.is_boolean();
      const double value = number  ? fact.get<double>()
                           : truth ? static_cast<double>(fact.get<bool>())
                                   : static_cast<double>(text_of(fact).size());
      names_.constants.emplace_back(name, value);
      if (name.ends_with("_bytes")) {
        text_.push_back(fmt::arg(name.c_str(), human_bytes(fact.get<std::uint64_t>())));
      } else if (fact.is_number_float()) {
        text_.push_back(fmt::arg(name.c_str(), value));
      } else {
        const std::string text = text_of(fact);
        text_.push_back(fmt::arg(name.c_str(), text.empty() ? "none" : text));
      }
    }
  }

  // True also for an empty condition.
  bool holds(const YAML::Node& condition) const {
    if (!condition) return true;
    formula::Formula::Evaluator value(formula::Formula(condition.as<std::string>(), names_));
    return value({}) != 0;
  }

  std::string text(const YAML::Node& node) const {
    return node ? fmt::vformat(node.as<std::string>(), text_) : "";
  }

 private:
  // The items of a list with commas between them.
  static std::string text_of(const io::Json& fact) {
    if (!fact.is_array()) return io::text_in(fact);
    std::string text;
    for (const io::Json& item : fact) text += (text.empty() ? "" : ", ") + io::text_in(item);
    return text;
  }

  formula::Names names_;
  fmt::dynamic_format_arg_store<fmt::format_context> text_;
};

Check judge(const YAML::Node& check, const Context& context) {
  Check line{"OK", context.text(check["check"]), context.text(check["finding"]), "", false};
  for (const YAML::Node& rule : check["rules"]) {
    if (!context.holds(rule["when"])) continue;
    line.verdict = rule["verdict"].as<std::string>("OK");
    line.finding += ": " + context.text(rule["meaning"]);
    line.remedy = context.text(rule["remedy"]);
    line.fatal = rule["fatal"].as<bool>(false);
    break;
  }
  return line;
}

}  // namespace

std::vector<Check> judge(const io::Json& facts) {
  std::vector<Check> lines;
  const auto add = [&](const YAML::Node& check, const io::Json& known) {
    const Context context(known);
    if (context.holds(check["only"])) lines.push_back(judge(check, context));
  };
  io::Json host = facts;
  host["gpus"] = facts["gpus"].size();
  for (const YAML::Node& check : YAML::Load(checks_yaml())) {
    if (!check["each"]) add(check, host);
    for (const io::Json& gpu : check["each"] ? facts["gpus"] : io::Json::array()) {
      io::Json both = host;
      both.update(gpu);
      add(check, both);
    }
  }
  return lines;
}

}  // namespace lbm::cases::doctor
