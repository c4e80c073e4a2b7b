// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <regex>
#include <string>
#include <system_error>

#include "io/files/input_file.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

bool is_tiff(const fs::path& path) {
  const std::string ending = path.extension().string();
  return same_word(ending, ".tif") || same_word(ending, ".tiff");
}

// A name with # for each of its numbers, and these.
struct Numbered {
  std::string pattern;
  std::vector<std::int64_t> numbers;
};

Numbered numbered(const std::string& name) {
  static const std::regex digits("[0-9]+");
  Numbered result{std::regex_replace(name, digits, "#"), {}};
  for (std::sregex_iterator at(name.begin(), name.end(), digits), end; at != end; ++at) {
    // Numbers of too many digits stay 0, so that they are found to be alike.
    const std::string text = at->str();
    std::from_chars(text.data(), text.data() + text.size(), result.numbers.emplace_back());
  }
  return result;
}

// All names must have the same words around their numbers: another one is a copy, a preview, or a
// plane of another image. They must differ in one number, by equal steps.
void check_names(const fs::path& path, const std::vector<std::string>& names) {
  std::vector<Numbered> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(numbered(name));
  const auto refuse = [&](std::size_t one, std::size_t other, const char* what) {
    refuse_file(path, fmt::format("{} and {} {}", names[one], names[other], what));
  };
  const std::size_t usual = all.size() / 2;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].pattern != all[usual].pattern)
      refuse(i, usual,
             "are named differently: is one of them no plane of the image? Move it away, or give a "
             "pattern of names that leaves it out");
  }
  const auto &first = all.front().numbers, &last = all.back().numbers;
  const auto column = static_cast<std::size_t>(
      std::mismatch(first.begin(), first.end(), last.begin()).first - first.begin());
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (k != column && all[i].numbers[k] != first[k])
        refuse(i - 1, i,
               "differ in more than the number of the plane: give a pattern of names of one image");
    }
    const bool same = column == first.size();
    steps.push_back(same ? 0 : all[i].numbers[column] - all[i - 1].numbers[column]);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == 0) refuse(i, i + 1, "have the same number: is one of them a copy?");
    if (steps[i] != *std::ranges::min_element(steps))
      refuse(i, i + 1,
             "have a gap between their numbers: is a plane missing? The numbers of the planes must "
             "have equal steps: copy or rename the files");
  }
}

}  // namespace

bool names_plane_files(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return true;
  return !fs::exists(status) && path.filename().string().find_first_of("*?") != std::string::npos;
}

std::vector<fs::path> plane_files(const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const fs::path folder = is_folder ? path : path.parent_path();
  const std::string pattern = path.filename().string();
  std::vector<std::string> names;
  fs::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    const bool is_wanted = is_folder ? name[0] != '.' && is_tiff(name)
                                     : fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
    if (!is_wanted) continue;
    if (names.size() == most_voxels) {
      refuse_file(path, fmt::format("names more than {} files", most_voxels));
    }
    names.push_back(name);
  }
  if (error) {
    refuse_file(path, fmt::format("its folder cannot be read: {}", error.message()));
  }
  if (names.empty()) {
    refuse_file(path, is_folder
                          ? "is a directory without .tif files; give the path of an image, or a "
                            "folder of planes as .tif files"
                          : "no file has such a name; give the names of the planes, relative "
                            "to the case file");
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  for (const std::string& name : names) {
    if (is_tiff(name)) continue;
    refuse_file(folder / name,
                "is no .tif file, and only these may hold one plane each: join the planes in one "
                "file (Python: lbm.voxels.convert)");
  }
  check_names(path, names);
  std::vector<fs::path> files;
  files.reserve(names.size());
  for (const std::string& name : names) files.push_back(folder / name);
  return files;
}

}  // namespace lbm::io
