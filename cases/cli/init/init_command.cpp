// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/init_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/init/questions.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/run/predict/case_check.hpp"
#include "cases/run/preview/preview.hpp"
#include "io/files/atomic_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using namespace init;

constexpr double most_cells_unasked = 2e7;  // of a grid that grows until it bears the flow
constexpr std::chrono::milliseconds check_limit{10000};

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

// With as many cells as were asked for; else with so many that the grid bears the flow, if they
// are not too many.
Draft make_draft(const Flow& flow, const Answers& answers, const InitOptions& options,
                 Target target) {
  if (!options.cells.empty()) {
    target.cells = cells_of(options);
    return flow.draft(answers, target);
  }
  target.cells = flow.cells;
  Draft draft = flow.draft(answers, target);
  const double finer = std::pow(draft.numerics.viscosity_factor, draft.dimensions) * 1.1;
  const double bearing = draft.numerics.viscosity_factor > 1 ? target.cells * finer : 0;
  const double wanted = rounded_up(std::max({bearing, draft.cells_needed, 1.0}), 2);
  if (wanted <= target.cells) return draft;
  if (wanted <= most_cells_unasked) {
    target.cells = wanted;
  } else if (draft.cells_needed > target.cells && draft.cells_needed <= most_cells_unasked) {
    target.cells = draft.cells_needed;
  } else {
    return draft;
  }
  return flow.draft(answers, target);
}

// The lines of lbm check that a newcomer needs, as comments.
std::string facts(const std::string& check) {
  constexpr std::array wanted{
      "grid", "Reynolds number", "Mach number", "tau, omega", "cell Reynolds", "run", "memory"};
  std::string text = "# What lbm check said when this file was written:\n";
  for (std::size_t begin = 0; begin < check.size();) {
    const std::size_t end = std::min(check.find('\n', begin), check.size());
    const std::string line = check.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("  units ")) break;
    for (const char* word : wanted) {
      if (line.starts_with(fmt::format("  {} ", word))) text += "# " + line + "\n";
    }
  }
  return text;
}

struct Written {
  std::string text;
  std::string check;
  io::Json json;
  std::vector<std::string> warnings;
};

Written finished(const Draft& draft, const std::string& file) {
  Written result;
  result.text = draft.text;
  const std::size_t mark = result.text.find(facts_mark);
  const Case lbm_case = parse_case(draft.text, file);
  std::string said;
  try {
    const CaseCheck check = check_case(lbm_case, TimeLimit(check_limit));
    said = facts(check_text(check));
    result.json = check_json(check);
    result.warnings = check.warnings;
  } catch (const ResourceError& error) {  // the case may be for another machine
    said = "# This machine has too little memory for it.\n";
    result.warnings = warnings(lbm_case, validate(lbm_case));
    result.warnings.emplace_back(error.what());
  }
  result.text.replace(mark, std::string(facts_mark).size(), said);
  result.check = said;
  return result;
}

void print(const InitOptions& options, const Flow& flow, const Target& target, const Draft& draft,
           const Written& written) {
  if (options.json) {
    const io::Json json = {
        {"file", target.file},
        {"flow", flow.name},
        {"name", target.name},
        {"command", target.command},
        {"chosen", draft.chosen},
        {"notes", draft.notes},
        {"check", written.json},
        {"warnings", written.warnings},
        {"preview", options.preview.empty() ? io::Json() : io::Json(options.preview)}};
    print_to(stdout, "{}", io::json_text(json));
    return;
  }
  print_to(stdout, "{}: written\n", one_line(target.file));
  for (const std::string& line : draft.chosen) print_to(stdout, "  {}\n", line);
  for (const std::string& line : draft.notes) print_to(stdout, "note: {}\n", line);
  for (const std::string& line : written.warnings) print_to(stdout, "warning: {}\n", line);
  const std::string file = one_line(quoted(target.file));
  if (!options.preview.empty()) {
    print_to(stdout, "{}: written\n", one_line(options.preview));
    print_to(stdout, "next: look at it, lbm plan {0}, lbm run {0}\n", file);
    return;
  }
  const std::string picture = fs::path(target.file).replace_extension(".png").string();
  print_to(stdout, "next: lbm check {0} --preview {1} (look at it), lbm plan {0}, lbm run {0}\n",
           file, one_line(quoted(picture)));
}

}  // namespace

int init_command(InitOptions options, std::istream* in, std::ostream* out) {
  const bool may_ask = in != nullptr && out != nullptr;
  std::optional<Questions> questions;
  if (may_ask) questions.emplace(*in, *out);
  const bool asks_all = options.given.empty() && options.cells.empty();
  const Flow& flow = options.flow.empty() && may_ask ? questions->flow() : flow_of(options.flow);
  if (may_ask) questions->ask(flow, options.given, asks_all);
  if (options.out.empty()) options.out = flow.name + ".yaml";
  const Answers answers(flow.options, options.given);
  answers.check();
  require_place(options);
  Target target{options.out, name_from(options.out),
                "lbm init " + flow.name + answers.command_line(), 0};
  if (!options.cells.empty()) target.command += " --cells " + options.cells;
  target.command = one_line(target.command, 2000);
  if (!options.preview.empty()) check_preview_file(options.preview, options.overwrite);
  const Draft draft = make_draft(flow, answers, options, target);
  const Written written = finished(draft, target.file);
  io::write_file_atomically(io::Place(options.out), written.text);
  if (!options.preview.empty()) {
    write_preview(parse_case(written.text, target.file), options.preview, options.overwrite);
  }
  print(options, flow, target, draft, written);
  return exit_ok;
}

}  // namespace lbm::cases
