// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/init_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/init/draft.hpp"
#include "cases/cli/terminal/empty_names.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/cli/terminal/signals.hpp"
#include "cases/run/predict/case_check.hpp"
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
  for (const Flow& flow : flows()) {
    if (flow.name == name) return flow;
  }
  std::vector<std::string> names;
  for (const Flow& flow : flows()) names.push_back(flow.name);
  throw UsageError(name.empty()
                       ? fmt::format("lbm init: no flow given, must be {}; see lbm init --help",
                                     fmt::join(names, ", "))
                       : fmt::format("lbm init: found \"{}\", must be {}; see lbm init --help",
                                     one_line(name, 80), fmt::join(names, ", ")));
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

void require_place(const InitOptions& options) {
  std::error_code ignored;
  const fs::path folder = fs::path(options.out).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw UsageError(fmt::format("--out {}: the folder {} does not exist: make it first",
                                 options.out, folder.string()));
  }
  if (options.overwrite || !fs::exists(fs::symlink_status(options.out, ignored))) return;
  throw UsageError(
      fmt::format("{}: exists already: choose another file with --out, or replace it with "
                  "--overwrite",
                  options.out));
}

double cells_of(const InitOptions& options) {
  const auto cells = parse_number(options.cells);
  if (!cells || *cells < 1 || *cells > 1e13) {
    throw UsageError(
        fmt::format("--cells: found \"{}\", must be a number from 1 to 1e13", options.cells));
  }
  return *cells;
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
void ask_options(const Flow& flow, bool all, Given& given, std::istream& in, std::ostream& out) {
  for (const Option& option : flow.options) {
    if (given.contains(option.name) || (!all && !option.required)) continue;
    const std::string usual = option.required           ? ""
                              : option.fallback.empty() ? " [Enter: none]"
                                                        : fmt::format(" [{}]", option.fallback);
    for (;;) {
      const std::string answer =
          ask(in, out, fmt::format("{} ({}){}: ", option.help, option.value, usual));
      if (answer.empty() && !option.required) break;
      const std::string fault = answer.empty() ? "an answer is needed" : fault_of(option, answer);
      if (fault.empty()) given[option.name] = answer;
      if (fault.empty()) break;
      out << "  " << fault << "\n";
    }
  }
}

// With as many cells as were asked for; else with so many that the grid bears the flow, if they
// are not too many.
Draft draft_for(const Flow& flow, const Values& values, const InitOptions& options) {
  if (!options.cells.empty()) return make_draft(flow, values, cells_of(options), options.out);
  Draft draft = make_draft(flow, values, flow.cells, options.out);
  const double finer = std::pow(draft.viscosity_factor, draft.dimensions) * 1.1;
  const double bearing = draft.viscosity_factor > 1 ? flow.cells * finer : 0;
  double wanted = rounded_up(std::max({bearing, draft.cells_needed, 1.0}), 2);
  if (wanted > most_cells_unasked) wanted = draft.cells_needed;
  if (wanted <= flow.cells || wanted > most_cells_unasked) return draft;
  return make_draft(flow, values, wanted, options.out);
}

// The lines of lbm check that a newcomer needs, as comments.
std::string facts(const std::string& check) {
  constexpr std::array wanted{
      "grid", "Reynolds number", "Mach number", "tau, omega", "cell Reynolds", "run", "memory"};
  std::string text = "# What lbm check said when this file was written:\n";
  std::istringstream lines(check);
  for (std::string line; std::getline(lines, line) && !line.starts_with("  units ");) {
    for (const char* word : wanted) {
      if (line.starts_with(fmt::format("  {} ", word))) text += "# " + line + "\n";
    }
  }
  return text;
}

struct Written {
  std::string text;
  io::Json json;
  std::vector<std::string> warnings;
};

Written finished(const Draft& draft, const std::string& file) {
  Written result;
  result.text = draft.text;
  const Case lbm_case = parse_case(draft.text, file);
  std::string said;
  try {
    const CaseCheck check = check_case(lbm_case, TimeLimit(init_check_limit));
    said = facts(check_text(check));
    result.json = check_json(check);
    result.warnings = check.warnings;
  } catch (const ResourceError& error) {  // the case may be for another machine
    said = "# This machine has too little memory for it.\n";
    result.warnings = warnings(lbm_case, validate(lbm_case));
    result.warnings.emplace_back(error.what());
  }
  result.text.replace(draft.text.find(facts_mark), std::string(facts_mark).size(), said);
  return result;
}

void print(const InitOptions& options, const Flow& flow, const Values& values, const Draft& draft,
           const Written& written) {
  if (options.json) {
    const io::Json json = {
        {"file", options.out},
        {"flow", flow.name},
        {"name", values.texts.at("name")},
        {"command", values.texts.at("command")},
        {"chosen", draft.chosen},
        {"notes", draft.notes},
        {"check", written.json},
        {"warnings", written.warnings},
        {"preview", options.preview.empty() ? io::Json() : io::Json(options.preview)}};
    print_to(stdout, "{}", io::json_text(json));
    return;
  }
  print_to(stdout, "{}: written\n", one_line(options.out));
  for (const std::string& line : draft.chosen) print_to(stdout, "  {}\n", line);
  for (const std::string& line : draft.notes) print_to(stdout, "note: {}\n", line);
  for (const std::string& line : written.warnings) print_to(stdout, "warning: {}\n", line);
  const std::string file = one_line(quoted(options.out));
  if (!options.preview.empty()) {
    print_to(stdout, "{}: written\n", one_line(options.preview));
    print_to(stdout, "next: look at it, lbm plan {0}, lbm run {0}\n", file);
    return;
  }
  const std::string picture = fs::path(options.out).replace_extension(".png").string();
  print_to(stdout, "next: lbm check {0} --preview {1} (look at it), lbm plan {0}, lbm run {0}\n",
           file, one_line(quoted(picture)));
}

std::string command_of(const Flow& flow, const InitOptions& options) {
  std::string line = "lbm init " + flow.name;
  for (const Option& o : flow.options) {
    const auto found = options.given.find(o.name);
    if (found != options.given.end()) line += " --" + o.name + " " + quoted(found->second);
  }
  if (!options.cells.empty()) line += " --cells " + options.cells;
  return one_line(line, 2000);
}

int run_init(const InitOptions& options) {
  let_signals_through();
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  return init_command(options, terminal ? &std::cin : nullptr, terminal ? &std::cerr : nullptr);
}

void add_flow(CLI::App& init_app, const Flow& flow, InitOptions& options) {
  CLI::App* one = init_app.add_subcommand(flow.name, flow.help);
  for (const Option& option : flow.options) {
    const std::string usual =
        option.fallback.empty() ? "" : fmt::format(" (default: {})", option.fallback);
    one->add_option_function<std::string>(
           "--" + option.name,
           [&options, name = option.name](const std::string& value) {
             options.given[name] = value;
           },
           option.help + usual)
        ->type_name(option.value + (option.required ? " REQUIRED" : ""));
  }
  if (flow.cells > 0) {
    one->add_option("--cells", options.cells,
                    fmt::format("About so many cells in all (default: {:.0f}, or more where they "
                                "are needed)",
                                flow.cells))
        ->type_name("N");
  }
  one->add_option("--out", options.out, fmt::format("File to write (default: {}.yaml)", flow.name))
      ->check(not_empty_file)
      ->type_name("FILE");
  one->add_option("--preview", options.preview,
                  "Also draw the box, its bodies and the direction of the flow, as lbm check "
                  "--preview does")
      ->check(not_empty_file)
      ->type_name("FILE.png");
  one->add_flag("--overwrite", options.overwrite, "Replace the files if they are there");
  one->add_flag("--json", options.json, "Print one JSON object instead of text");
  one->callback([&options, name = flow.name] { options.flow = name; });
}

}  // namespace

int init_command(InitOptions options, std::istream* in, std::ostream* out) {
  const bool may_ask = in != nullptr && out != nullptr;
  const bool asks_all = options.given.empty() && options.cells.empty();
  const Flow& flow = options.flow.empty() && may_ask ? ask_flow(*in, *out) : flow_of(options.flow);
  if (may_ask) ask_options(flow, asks_all, options.given, *in, *out);
  if (options.out.empty()) options.out = flow.name + ".yaml";
  Values values = values_of(flow, options.given, options.out);
  require_place(options);
  if (!options.preview.empty()) check_preview_file(options.preview, options.out, options.overwrite);
  values.texts["name"] = name_from(options.out);
  values.texts["command"] = command_of(flow, options);
  values.texts["file"] = one_line(quoted(fs::path(options.out).filename().string()));
  add_facts(flow, values);
  const Draft draft = draft_for(flow, values, options);
  const Written written = finished(draft, options.out);
  io::write_file_atomically(io::Place(options.out), written.text);
  if (!options.preview.empty()) {
    const Case made = parse_case(written.text, options.out);
    write_preview(made, validate(made), options.preview, options.overwrite);
  }
  print(options, flow, values, draft, written);
  return exit_ok;
}

void add_init(CLI::App& app, InitOptions& options, int& exit_code) {
  CLI::App* init_app = app.add_subcommand(
      "init", "Write an annotated case file of a common flow; on a terminal it asks");
  init_app->require_subcommand(0, 1);
  init_app->allow_extras();                                  // what follows it
  init_app->add_option("unknown", options.flow)->group("");  // a misspelt flow
  // Other commands need no flows.
  init_app->preparse_callback([&options, init_app](std::size_t) {
    for (const Flow& flow : flows()) add_flow(*init_app, flow, options);
  });
  init_app->callback([&options, &exit_code, init_app] {
    const auto extras = init_app->remaining(true);
    if (!extras.empty() && !init_app->get_subcommands().empty()) {
      throw UsageError(fmt::format(
          "lbm init {0}: found \"{1}\", which it does not take; see lbm init {0} --help",
          options.flow, one_line(extras.front(), 80)));
    }
    exit_code = run_init(options);
  });
}

}  // namespace lbm::cases
