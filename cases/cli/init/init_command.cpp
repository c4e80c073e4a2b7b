// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/init.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/preview/preview.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using namespace init;

constexpr double most_cells_unasked = 2e7;  // of a grid that grows until it bears the flow
constexpr std::chrono::milliseconds init_check_limit{10000};

const Flow& flow_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Flow& flow : flows()) {
    if (flow.name == name) return flow;
    names.push_back(flow.name);
  }
  const std::string found = name.empty() ? "no flow given" : "found \"" + one_line(name, 80) + "\"";
  throw UsageError(
      fmt::format("lbm init: {}, must be {}; see lbm init --help", found, fmt::join(names, ", ")));
}

// A name that a case may have.
std::string name_from(const fs::path& file) {
  std::string name = file.stem().string();
  for (char& c : name) {
    const bool plain =
        (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  if (name.empty() || name[0] == '.' || name[0] == '-') name = "case" + name;
  return name.substr(0, 100);
}

void require_place(const std::string& file, bool overwrite) {
  std::error_code ignored;
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw UsageError(fmt::format("--out {}: the folder {} does not exist: make it first", file,
                                 folder.string()));
  }
  if (overwrite || !fs::exists(fs::symlink_status(file, ignored))) return;
  throw UsageError(
      fmt::format("{}: exists already: choose another file with --out, or replace it with "
                  "--overwrite",
                  file));
}

double cells_of(const std::string& text) {
  const auto cells = parse_number(text);
  if (cells && *cells >= 1 && *cells <= 1e13) return *cells;
  throw UsageError(fmt::format("--cells: found \"{}\", must be a number from 1 to 1e13", text));
}

std::string ask(std::istream& in, std::ostream& out, const std::string& prompt) {
  out << prompt << std::flush;
  std::string text;
  if (!std::getline(in, text)) {
    throw UsageError(
        "lbm init: the input ended before all questions were answered; nothing is written");
  }
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

const Flow& ask_flow(std::istream& in, std::ostream& out) {
  out << "Which flow?\n";
  for (std::size_t i = 0; i < flows().size(); ++i) {
    out << fmt::format("  {}  {:<12} {}\n", i + 1, flows()[i].name, flows()[i].help);
  }
  for (;;) {
    const std::string answer = ask(in, out, "Number or name: ");
    for (std::size_t i = 0; i < flows().size(); ++i) {
      if (answer == std::to_string(i + 1) || answer == flows()[i].name) return flows()[i];
    }
    out << fmt::format("  \"{}\" is none of them\n", one_line(answer, 40));
  }
}

// Adds answers for options that are not in `given`: for all of them, or for those that are
// required. An empty line takes the default.
void ask_options(const Flow& flow, bool all, Options& given, std::istream& in, std::ostream& out) {
  for (const auto& entry : flow.options) {
    const auto name = entry.first.as<std::string>();
    const YAML::Node& option = entry.second;
    const bool required = option["required"].IsDefined();
    if (given.has(name) || (!all && !required)) continue;
    const std::string fallback = member_of(option, "default");
    const std::string usual = required           ? ""
                              : fallback.empty() ? " [Enter: none]"
                                                 : fmt::format(" [{}]", fallback);
    const std::string prompt =
        fmt::format("{} ({}){}: ", member_of(option, "help"), member_of(option, "value"), usual);
    for (;;) {
      const std::string answer = ask(in, out, prompt);
      if (answer.empty() && !required) break;
      const std::string fault = answer.empty() ? "an answer is needed" : fault_of(option, answer);
      if (fault.empty()) given.set(name, answer);
      if (fault.empty()) break;
      out << "  " << fault << "\n";
    }
  }
}

// With as many cells as were asked for; else with so many that the grid bears the flow, if they
// are not too many.
io::Json draft_for(const Flow& flow, const io::Json& values, const Options& options) {
  const std::string file = options.text("out");
  if (options.has("cells")) return make_draft(flow, values, cells_of(options.text("cells")), file);
  io::Json draft = make_draft(flow, values, flow.cells, file);
  const double factor = draft.at("viscosity_factor"), needed = draft.value("cells_needed", 0.0);
  const double bearing =
      factor > 1 ? flow.cells * std::pow(factor, draft.value("dimensions", 3.0)) * 1.1 : 0;
  double wanted = formula::rounded_up(std::max({bearing, needed, 1.0}), 2);
  if (wanted > most_cells_unasked) wanted = needed;
  if (wanted <= flow.cells || wanted > most_cells_unasked) return draft;
  return make_draft(flow, values, wanted, file);
}

// The lines of lbm check that a newcomer needs.
std::vector<std::string> facts(const std::string& check) {
  constexpr std::array wanted{
      "grid", "Reynolds number", "Mach number", "tau, omega", "cell Reynolds", "run", "memory"};
  std::vector<std::string> found{" What lbm check said when this file was written:"};
  std::istringstream lines(check);
  for (std::string line; std::getline(lines, line) && !line.starts_with("  units ");) {
    for (const char* word : wanted) {
      if (line.starts_with(fmt::format("  {} ", word))) found.push_back(" " + line);
    }
  }
  return found;
}

// Adds to a draft what lbm check says of it: `facts`, `check` (its JSON) and `warnings`.
void add_check(const Flow& flow, const std::string& file, io::Json& draft) {
  const Case lbm_case = parse_case(case_text(flow, draft), file);
  draft["check"] = nullptr;
  try {
    Answer check = check_case(lbm_case, TimeLimit(init_check_limit));
    draft["facts"] = facts(check.text);
    draft["warnings"] = check.json.at("warnings");
    draft["check"] = std::move(check.json);
  } catch (const ResourceError& error) {  // the case may be for another machine
    draft["facts"] = {" This machine has too little memory for it."};
    draft["warnings"] = warnings(lbm_case, validate(lbm_case));
    draft["warnings"].push_back(error.what());
  }
}

// A word of a command line, in quotes where a shell needs them.
std::string quoted(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::strchr("_-./,+:", c) != nullptr;
  });
  return plain ? text : shell_word(text);
}

void print(const Options& options, const Flow& flow, const io::Json& draft) {
  const std::string file = options.text("out"), preview = options.text("preview");
  io::Json json = {{"file", file}, {"flow", flow.name}};
  for (const char* key : {"name", "command", "chosen", "notes", "check", "warnings"}) {
    json[key] = draft.at(key);
  }
  json["preview"] = preview.empty() ? io::Json() : io::Json(preview);
  if (options.has("json")) return write_text(stdout, io::json_text(json));
  const std::string picture = fs::path(file).replace_extension(".png").string();
  json.update({{"file", one_line(file)},
               {"preview", one_line(preview)},
               {"file_word", one_line(quoted(file))},
               {"picture_word", one_line(quoted(picture))}});
  write_text(stdout, formula::rendered(flow.parts.at("written"), json));
}

std::string command_of(const Flow& flow, const Options& options) {
  std::string line = "lbm init " + flow.name;
  for (const auto& option : flow.options) {
    const auto name = option.first.as<std::string>();
    if (options.has(name)) line += " --" + name + " " + quoted(options.text(name));
  }
  if (options.has("cells")) line += " --cells " + options.text("cells");
  return one_line(line, 2000);
}

void add_flow(CLI::App& init_app, const Flow& flow, Options& options) {
  CLI::App* command = init_app.add_subcommand(flow.name, flow.help);
  YAML::Node own = YAML::Clone(flow.options), general = YAML::Clone(flow.general);
  for (auto option : own) {  // questions may give what is required
    if (option.second.remove("required"))
      option.second["value"] = member_of(option.second, "value") + " REQUIRED";
    option.second.remove("kind");  // values_of() judges the values
    option.second.remove("words");
  }
  if (flow.cells == 0) general.remove("cells");
  for (auto option : general) {
    option.second["help"] = formula::filled(option.second["help"].as<std::string>(),
                                            {{"flow", flow.name}, {"cells", flow.cells}});
  }
  add_options(*command, own, options);
  add_options(*command, general, options);
}

}  // namespace

int init_command(const std::string& name, Options options, std::istream* in, std::ostream* out) {
  const bool may_ask = in != nullptr && out != nullptr;
  const Flow& flow = name.empty() && may_ask ? ask_flow(*in, *out) : flow_of(name);
  const bool asks_all = !options.has("cells") &&
                        std::none_of(flow.options.begin(), flow.options.end(), [&](const auto& o) {
                          return options.has(o.first.template as<std::string>());
                        });
  if (may_ask) ask_options(flow, asks_all, options, *in, *out);
  if (!options.has("out")) options.set("out", flow.name + ".yaml");
  const std::string file = options.text("out"), preview = options.text("preview");
  const bool overwrite = options.has("overwrite");
  io::Json values = values_of(flow, options, file);
  require_place(file, overwrite);
  if (!preview.empty()) check_preview_file(preview, file, overwrite);
  values["name"] = name_from(file);
  values["command"] = command_of(flow, options);
  values["file"] = one_line(quoted(fs::path(file).filename().string()));
  add_facts(flow, values);
  io::Json draft = draft_for(flow, values, options);
  add_check(flow, file, draft);
  const std::string text = case_text(flow, draft);
  io::write_file_atomically(io::Place(file), text);
  if (!preview.empty()) {
    const Case made = parse_case(text, file);
    write_preview(made, validate(made), preview, overwrite);
  }
  print(options, flow, draft);
  return exit_ok;
}

void add_init(CLI::App& init_app, Options& options, int& exit_code) {
  init_app.require_subcommand(0, 1);
  init_app.allow_extras();  // what follows it, and a misspelt flow
  // Other commands need no flows.
  init_app.preparse_callback([&options, &init_app](std::size_t) {
    for (const Flow& flow : flows()) add_flow(init_app, flow, options);
  });
  init_app.callback([&options, &exit_code, &init_app] {
    const auto extras = init_app.remaining(true);
    const auto chosen = init_app.get_subcommands();
    const std::string extra = extras.empty() ? "" : extras.front();
    const std::string flow = chosen.empty() ? extra : chosen.front()->get_name();
    if (!extra.empty() && !chosen.empty()) {
      throw UsageError(fmt::format(
          "lbm init {0}: found \"{1}\", which it does not take; see lbm init {0} --help", flow,
          one_line(extra, 80)));
    }
    let_signals_through();
    const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
    exit_code = init_command(flow, options, terminal ? &std::cin : nullptr,
                             terminal ? &std::cerr : nullptr);
  });
}

}  // namespace lbm::cases
