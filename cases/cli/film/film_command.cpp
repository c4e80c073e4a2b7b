// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/film/film_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "cases/case/scalars.hpp"
#include "cases/cli/film/ffmpeg.hpp"
#include "cases/cli/terminal/print.hpp"
#include "io/files/run_directory.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

// Files by picture, in the order of their steps.
std::map<std::string, std::vector<fs::path>> pictures_in(const std::string& directory) {
  std::error_code ec;
  std::map<std::string, std::vector<fs::path>> all;
  for (const auto& entry : fs::directory_iterator(directory, ec)) {
    const std::string file = entry.path().filename().string();
    const std::string name(io::picture_name(file));
    if (!name.empty()) all[name].push_back(entry.path());
  }
  if (ec) throw UsageError(fmt::format("{}: cannot be read: {}", directory, ec.message()));
  // Steps of more than nine digits come after all others.
  for (auto& [name, files] : all) {
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
      const auto size_a = a.native().size(), size_b = b.native().size();
      return size_a != size_b ? size_a < size_b : a < b;
    });
  }
  return all;
}

std::string names_of(const std::map<std::string, std::vector<fs::path>>& pictures) {
  std::vector<std::string> names;
  names.reserve(pictures.size());
  for (const auto& entry : pictures) names.push_back(entry.first);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int film_command(const FilmOptions& options) {
  auto pictures = pictures_in(options.directory);
  if (pictures.empty()) {
    throw UsageError(fmt::format(
        "{}: found no pictures of a run (NAME_000000100.png); the case asks for them with "
        "pictures.NAME, see docs/pictures.md",
        options.directory));
  }
  if (!options.picture.empty()) {
    if (!pictures.contains(options.picture)) {
      throw UsageError(fmt::format("--picture: found \"{}\", must be one of {}",
                                   one_line(options.picture, 64), names_of(pictures)));
    }
    pictures = {{options.picture, pictures.at(options.picture)}};
  }
  if (!options.out.empty() && pictures.size() > 1) {
    throw UsageError(fmt::format(
        "--out: found pictures of several names ({}), must be one film: add --picture NAME",
        names_of(pictures)));
  }
  for (const auto& [name, files] : pictures) {
    const fs::path out =
        options.out.empty() ? fs::path(options.directory) / (name + ".mp4") : fs::path(options.out);
    if (fs::exists(out) && !options.overwrite) {
      throw UsageError(fmt::format(
          "{}: is there already; add --overwrite to replace it, or choose another --out",
          out.string()));
    }
    make_film(files, options.rate, out);
    print_to(stdout, "{}: {} picture{}, {:.3g} s\n", out.string(), files.size(),
             files.size() == 1 ? "" : "s", static_cast<double>(files.size()) / options.rate);
  }
  return exit_ok;
}

}  // namespace lbm::cases
