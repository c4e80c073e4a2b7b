// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/flow.hpp"

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

// Adds the options of a file, without those that the flow has.
void add_options(Flow& flow, const YAML::Node& options) {
  for (const auto& entry : options) {
    Option one;
    one.name = entry.first.as<std::string>();
    const YAML::Node& about = entry.second;
    one.value = about["value"].as<std::string>("");
    one.help = about["help"].as<std::string>("");
    one.fallback = about["default"].as<std::string>("");
    one.required = about["required"].as<bool>(false);
    one.words = about["words"].as<std::vector<std::string>>(std::vector<std::string>{});
    one.kind = one.words.empty() ? about["kind"].as<std::string>("number") : "word";
    const bool known = std::any_of(flow.options.begin(), flow.options.end(),
                                   [&](const Option& other) { return other.name == one.name; });
    if (!known) flow.options.push_back(std::move(one));
  }
}

Flow flow_of(const YAML::Node& file, const YAML::Node& common) {
  Flow flow;
  flow.file = file;
  flow.general = common["general"];
  flow.name = file["flow"].as<std::string>();
  flow.help = file["help"].as<std::string>();
  flow.cells = file["cells"].as<double>();
  flow.parts = common["parts"].as<formula::Parts>();
  if (file["units"].as<std::string>("") != "lattice") flow.sources.push_back(common);
  flow.sources.push_back(file);
  for (auto source = flow.sources.rbegin(); source != flow.sources.rend(); ++source) {
    add_options(flow, (*source)["options"]);
  }
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

io::Json values_of(const Flow& flow, const Options& given, const std::string& case_file) {
  io::Json values;
  for (const Option& o : flow.options) {
    const bool is_given = given.has(o.name);
    if (o.required && !is_given) {
      throw UsageError(fmt::format("missing: --{} {}: {}", o.name, o.value, o.help));
    }
    const std::string text = is_given ? given.text(o.name) : o.fallback;
    const bool has = is_given || !text.empty();
    const std::string fault = has ? fault_of(o, text) : "";
    if (!fault.empty()) throw UsageError(fmt::format("--{}: {}", o.name, fault));
    values["has_" + o.name] = has;
    values[o.name] = text;
    if (o.kind == "number") values[o.name] = has ? *parse_number(text) : 0;
    for (std::string word : o.words) {
      const bool is = word == text;
      std::replace(word.begin(), word.end(), '-', '_');
      values[o.name + "_" + word] = is;
    }
    if (o.kind == "text") values[o.name + "_quoted"] = double_quoted(text);
    if (o.kind == "file") values[o.name + "_file"] = file_from(case_file, text);
    if (o.kind == "three" && has) values[o.name] = three_whole(text);
  }
  return values;
}

}  // namespace lbm::cases::init
