// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/init.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
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

}  // namespace lbm::cases::init
