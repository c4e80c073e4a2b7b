// SPDX-License-Identifier: Apache-2.0

// `lbm cases`.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/scalars.hpp"
#include "cases/cli/library/case_library.hpp"
#include "cases/cli/terminal/print.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

void list(const std::vector<LibraryCase>& library, bool json) {
  if (json) {
    io::Json all = io::Json::array();
    for (const LibraryCase& one : library) {
      io::Json data = io::Json::array();
      for (const auto& file : one.data) data.push_back(file.string());
      all.push_back(
          {{"name", one.name}, {"about", one.about}, {"file", one.file.string()}, {"data", data}});
    }
    print_to(stdout, "{}", io::json_text(all));
    return;
  }
  std::size_t width = 0;
  for (const LibraryCase& one : library) width = std::max(width, one.name.size());
  for (const LibraryCase& one : library)
    print_to(stdout, "{:<{}}  {}\n", one.name, width, one.about);
  print_to(stdout, "\nlbm cases NAME copies one of them here, with its data files.\n");
}

const LibraryCase& find(const std::vector<LibraryCase>& library, std::string name) {
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  for (const LibraryCase& one : library) {
    if (one.name == name) return one;
  }
  std::string near;
  for (const LibraryCase& one : library) {
    if (!name.empty() && one.name.find(name) != std::string::npos) {
      near += (near.empty() ? "; with that in their names: " : ", ") + one.name;
    }
  }
  throw UsageError(fmt::format("lbm cases: found no case \"{}\"{}; lbm cases lists all",
                               one_line(name, 80), near));
}

}  // namespace

int cases_command(const CasesOptions& options) {
  const std::vector<LibraryCase> library = case_library();
  if (options.name.empty()) {
    if (!options.out.empty())
      throw UsageError("--out: found no NAME before it: lbm cases NAME --out DIR");
    list(library, options.json);
    return exit_ok;
  }
  const LibraryCase& one = find(library, options.name);
  const auto files = copy_case(one, options.out, options.overwrite);
  if (options.json) {
    io::Json json = {{"name", one.name}, {"files", io::Json::array()}};
    for (const auto& file : files) json["files"].push_back(file.string());
    print_to(stdout, "{}", io::json_text(json));
    return exit_ok;
  }
  for (const auto& file : files) print_to(stdout, "{}: written\n", one_line(file.string()));
  print_to(stdout, "next: lbm check {0}, lbm run {0}\n", one_line(files.front().string()));
  return exit_ok;
}

}  // namespace lbm::cases
