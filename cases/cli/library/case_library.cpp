// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/library/case_library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cases/case/case_files.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "io/files/atomic_file.hpp"
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

bool has_cases(const fs::path& folder) {
  std::error_code none;
  fs::directory_iterator entries(folder, none);
  return !none && std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".yaml";
  });
}

// Throws UsageError where `to` exists and is not a file with the same bytes as `from`.
void refuse_others(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(to, ignored))) return;
  if (fs::is_regular_file(to, ignored) && bytes_of(from) == bytes_of(to)) return;
  throw UsageError(
      fmt::format("{}: exists already with other content: choose another directory with --out, or "
                  "replace it with "
                  "--overwrite",
                  to.string()));
}

}  // namespace

std::vector<fs::path> library_places() {
  std::vector<fs::path> places;
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  if (!failed) {
    for (const char* place : {"../share/lbm/cases", "cases", "share/lbm/cases", "../cases"}) {
      places.push_back((folder / place).lexically_normal());
    }
  }
  places.emplace_back(LBM_SOURCE_CASES);
  return places;
}

std::string about_of(const std::string& text) {
  std::string about;
  for (std::size_t begin = 0; begin < text.size() && text[begin] == '#';) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of("# ", begin);
    if (first >= end) break;  // an empty line of comment
    about += (about.empty() ? "" : " ") + text.substr(first, end - first);
    begin = end + 1;
  }
  for (std::size_t dot = about.find(". "); dot != std::string::npos;
       dot = about.find(". ", dot + 1)) {
    const bool initial =
        dot < 2 || about[dot - 2] == ' ' || about[dot - 2] == '(';  // "J. Fluid Mech."
    if (!initial) {
      about.resize(dot);
      break;
    }
  }
  if (!about.empty() && about.back() == '.') about.pop_back();
  if (about.size() <= most_of_about) return about;
  return about.substr(0, about.rfind(' ', most_of_about)) + " ...";
}

std::vector<LibraryCase> case_library() {
  const std::vector<fs::path> places = library_places();
  const auto place = std::find_if(places.begin(), places.end(), has_cases);
  if (place == places.end()) {
    std::vector<std::string> names;
    names.reserve(places.size());
    for (const fs::path& p : places) names.push_back(p.string());
    throw ResourceError(
        fmt::format("lbm cases: found no case files in {}: install lbm again, with its cases",
                    fmt::join(names, ", ")));
  }
  std::vector<LibraryCase> library;
  for (const fs::directory_entry& entry : fs::directory_iterator(*place)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = bytes_of(entry.path());
    LibraryCase one{entry.path().stem().string(), about_of(text), entry.path(), {}};
    for (const std::string& file : files_of(parse_case(text, one.file.string())))
      one.data.emplace_back(file);
    library.push_back(std::move(one));
  }
  std::sort(library.begin(), library.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return library;
}

std::vector<fs::path> copy_case(const LibraryCase& one, const fs::path& directory, bool overwrite) {
  std::vector<std::pair<fs::path, fs::path>> copies{{one.file, directory / one.file.filename()}};
  for (const fs::path& data : one.data) {
    copies.emplace_back(one.file.parent_path() / data, directory / data);
  }
  for (const auto& [from, to] : copies) {
    if (!overwrite) refuse_others(from, to);
  }
  std::vector<fs::path> copied;
  for (const auto& [from, to] : copies) {
    std::error_code failed;
    if (!to.parent_path().empty()) fs::create_directories(to.parent_path(), failed);
    if (failed) {
      throw ResourceError(
          fmt::format("{}: cannot make this directory: {}: choose another one with --out",
                      to.parent_path().string(), failed.message()));
    }
    io::write_file_atomically(io::Place(to), bytes_of(from));
    copied.push_back(to);
  }
  return copied;
}

}  // namespace lbm::cases
