// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/flow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "cases/run/pictures/python.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

void add_options(Flow& flow, const YAML::Node& options) {
  for (const auto& entry : options) {
    Option one;
    one.name = entry.first.as<std::string>();
    if (std::any_of(flow.options.begin(), flow.options.end(),
                    [&](const Option& other) { return other.name == one.name; })) {
      continue;
    }
    const YAML::Node& about = entry.second;
    one.value = about["value"].as<std::string>("");
    one.help = about["help"].as<std::string>("");
    one.fallback = about["default"].as<std::string>("");
    one.required = about["required"].as<std::string>("") == "true";
    for (const auto& word : about["words"]) one.words.push_back(word.as<std::string>());
    one.kind = one.words.empty() ? about["kind"].as<std::string>("number") : "word";
    flow.options.push_back(std::move(one));
  }
}

void add_pairs(std::vector<std::pair<std::string, std::string>>& to, const YAML::Node& from) {
  for (const auto& entry : from) {
    to.emplace_back(entry.first.as<std::string>(), entry.second.as<std::string>());
  }
}

Flow flow_of(const std::string& name, const YAML::Node& common) {
  Flow flow;
  flow.name = name;
  flow.data = YAML::Load(flow_file(name));
  flow.help = flow.data["help"].as<std::string>("");
  flow.cells = flow.data["cells"].as<double>();
  add_options(flow, flow.data["options"]);
  if (flow.data["units"].as<std::string>("") != "lattice") {
    add_options(flow, common["options"]);
    add_pairs(flow.values, common["values"]);
    add_pairs(flow.texts, common["texts"]);
  }
  add_pairs(flow.values, flow.data["values"]);
  add_pairs(flow.texts, flow.data["texts"]);
  flow.parts = common["parts"].as<std::map<std::string, std::string>>();
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

}  // namespace

const std::vector<Flow>& flows() {
  static const std::vector<Flow> all = [] {
    const YAML::Node common = YAML::Load(flow_file("common"));
    std::vector<Flow> made;
    for (const char* name : {"cavity", "channel", "pipe", "wind_tunnel", "porous"}) {
      made.push_back(flow_of(name, common));
    }
    return made;
  }();
  return all;
}

std::string fault_of(const Option& option, const std::string& value) {
  constexpr double least = 1e-15, most = 1e15;  // beyond, products and ratios leave double
  std::string must;
  if (option.kind == "word") {
    const bool known =
        std::find(option.words.begin(), option.words.end(), value) != option.words.end();
    if (!known) must = fmt::format("{}", fmt::join(option.words, ", "));
  } else if (option.kind == "number") {
    const auto number = parse_number(value);
    const bool fits = number && *number >= least && *number <= most;
    if (!fits) must = fmt::format("a number > 0, from {} to {}", least, most);
  } else if (option.kind == "whole" && !parse_whole(value)) {
    must = "a whole number";
  } else if (option.kind == "three" && three_whole(value).empty()) {
    must = "three whole numbers such as 100,100,200";
  }
  return must.empty() ? "" : fmt::format("found \"{}\", must be {}", one_line(value, 80), must);
}

Values values_of(const Flow& flow, const Given& given, const std::string& case_file) {
  Values values;
  for (const Option& o : flow.options) {
    const auto found = given.find(o.name);
    if (o.required && found == given.end()) {
      throw UsageError(fmt::format("missing: --{} {}: {}", o.name, o.value, o.help));
    }
    const std::string& text = found == given.end() ? o.fallback : found->second;
    const bool has = found != given.end() || !text.empty();
    const std::string fault = has ? fault_of(o, text) : "";
    if (!fault.empty()) throw UsageError(fmt::format("--{}: {}", o.name, fault));
    values.numbers["has_" + o.name] = has ? 1 : 0;
    if (o.kind == "number") {
      values.numbers[o.name] = has ? *parse_number(text) : 0;
    } else {
      values.texts[o.name] = text;
    }
    for (std::string word : o.words) {
      const bool is = word == text;
      std::replace(word.begin(), word.end(), '-', '_');
      values.numbers[o.name + "_" + word] = is ? 1 : 0;
    }
    if (o.kind == "text") values.texts[o.name + "_quoted"] = double_quoted(text);
    if (o.kind == "file") values.texts[o.name + "_file"] = file_from(case_file, text);
    if (o.kind == "three" && has) values.texts[o.name] = three_whole(text);
  }
  return values;
}

std::string quoted(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string("_-./,+:").find(static_cast<char>(c)) != std::string::npos;
  });
  return plain ? text : shell_word(text);
}

}  // namespace lbm::cases::init
