// SPDX-License-Identifier: Apache-2.0

// `lbm cases`: lists and copies the case files that come with the program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "io/files/place.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_about = 96;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw ResourceError(fmt::format("{}: cannot read: is it complete?", file.string()));
  return bytes;
}

// The case files by name, in the first of these folders that has any: those of an installed
// program (../share), of the Python package (beside the program), of a build tree.
std::map<std::string, fs::path> case_library() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  std::map<std::string, fs::path> found;
  std::string looked;
  for (const char* place :
       {"../share/lbm/cases", "cases", "share/lbm/cases", "../cases", LBM_SOURCE_CASES}) {
    const fs::path folder = (program / place).lexically_normal();
    looked += (looked.empty() ? "" : ", ") + folder.string();
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".yaml") found[file.stem().string()] = file;
    }
    if (!found.empty()) return found;
  }
  throw ResourceError("lbm cases: found no case files in " + looked +
                      ": install lbm again, with its cases");
}

// The first sentence of the comment at the head of a case file, on one line. A sentence does not
// end after an initial, as in "J. Fluid Mech.".
std::string about_of(const std::string& text) {
  std::string about;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.size() > 2 && line[0] == '#';) {
    about += (about.empty() ? "" : " ") + line.substr(2);
  }
  static const std::regex sentence(R"(^.*?[^ (]{2}(?=\.( |$)))");
  std::smatch found;
  if (std::regex_search(about, found, sentence)) about = found.str();
  if (about.size() <= most_of_about) return about;
  return about.substr(0, about.rfind(' ', most_of_about)) + " ...";
}

// The files that a case names, relative to its folder.
std::vector<std::string> data_of(const fs::path& file) {
  return files_of(parse_case(bytes_of(file), file.string()));
}

void list(const std::map<std::string, fs::path>& library, bool json) {
  io::Json all = io::Json::array();
  std::string lines;
  for (const auto& [name, file] : library) {
    const std::string about = about_of(bytes_of(file));
    lines += fmt::format("{:<24}  {}\n", name, about);
    if (!json) continue;
    all.push_back(
        {{"name", name}, {"about", about}, {"file", file.string()}, {"data", data_of(file)}});
  }
  print_to(stdout, "{}", json ? io::json_text(all) : lines);
  if (json) return;
  print_to(stdout, "\nlbm cases NAME copies one of them here, with its data files.\n");
}

fs::path find(const std::map<std::string, fs::path>& library, std::string name) {
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  if (const auto at = library.find(name); at != library.end()) return at->second;
  std::string near;
  for (const auto& one : library) {
    if (name.empty() || one.first.find(name) == std::string::npos) continue;
    near += (near.empty() ? "; with that in their names: " : ", ") + one.first;
  }
  throw UsageError(fmt::format("lbm cases: found no case \"{}\"{}; lbm cases lists all",
                               one_line(name, 80), near));
}

// Throws UsageError where `to` exists and is not a file with the same bytes as `from`.
void refuse_others(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(to, ignored))) return;
  if (fs::is_regular_file(to, ignored) && bytes_of(from) == bytes_of(to)) return;
  throw UsageError(fmt::format(
      "{}: exists already with other content: choose another directory with --out, or replace it "
      "with --overwrite",
      to.string()));
}

}  // namespace

int cases_command(const Options& options) {
  const auto library = case_library();
  const fs::path directory = options.text("out");
  if (!options.has("name")) {
    if (options.has("out"))
      throw UsageError("--out: found no NAME before it: lbm cases NAME --out DIR");
    list(library, options.has("json"));
    return exit_ok;
  }
  const fs::path file = find(library, options.text("name"));
  std::vector<std::string> names = data_of(file);
  names.insert(names.begin(), file.filename().string());
  for (const std::string& name : names) {
    if (!options.has("overwrite")) refuse_others(file.parent_path() / name, directory / name);
  }
  io::Json json = {{"name", file.stem().string()}, {"files", io::Json::array()}};
  std::string lines;
  for (const std::string& name : names) {
    const fs::path to = directory / name;
    std::error_code failed;
    if (to.has_parent_path()) fs::create_directories(to.parent_path(), failed);
    if (failed) {
      throw ResourceError(
          fmt::format("{}: cannot make this directory: {}: choose another one with --out",
                      to.parent_path().string(), failed.message()));
    }
    io::write_file_atomically(io::Place(to), bytes_of(file.parent_path() / name));
    json["files"].push_back(to.string());
    lines += one_line(to.string()) + ": written\n";
  }
  lines += fmt::format("next: lbm check {0}, lbm run {0}\n",
                       one_line((directory / file.filename()).string()));
  print_to(stdout, "{}", options.has("json") ? io::json_text(json) : lines);
  return exit_ok;
}

}  // namespace lbm::cases
