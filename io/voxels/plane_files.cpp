// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/plane_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "io/files/input_file.hpp"
#include "io/text/header_text.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

bool is_tiff(const fs::path& path) {
  const std::string ending = small_letters(path.extension().string());
  return ending == ".tif" || ending == ".tiff";
}

// A name with # for each of its numbers, and these.
struct Numbered {
  std::string pattern;
  std::vector<std::int64_t> numbers;
};

Numbered numbered(std::string_view name) {
  Numbered result;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t digits = digits_at(name, at);
    result.pattern += digits > 0 ? '#' : name[at];
    if (digits > 0) {
      // Numbers of too many digits stay 0, so that they are found to be alike.
      std::from_chars(&name[at], &name[at] + digits, result.numbers.emplace_back());
    }
    at += std::max<std::size_t>(digits, 1);
  }
  return result;
}

// All names must have the same words around their numbers: another one is a copy, a preview, or a
// plane of another image. The rarest pattern is named.
void check_patterns(const fs::path& path, const std::vector<std::string>& names,
                    const std::vector<Numbered>& all) {
  std::map<std::string_view, std::size_t> counts;
  for (const Numbered& name : all) ++counts[name.pattern];
  if (counts.size() == 1) return;
  const auto rarer = [&](const auto& a, const auto& b) {
    return counts[a.pattern] < counts[b.pattern];
  };
  const auto [rare, usual] = std::minmax_element(all.begin(), all.end(), rarer);
  refuse_file(path,
              fmt::format("{} and {} are named differently: is one of them no plane of the "
                          "image? Move it away, or give a pattern of names that leaves it out",
                          names[static_cast<std::size_t>(rare - all.begin())],
                          names[static_cast<std::size_t>(usual - all.begin())]));
}

// Names must differ in one number, by equal steps.
void check_names(const fs::path& path, const std::vector<std::string>& names) {
  std::vector<Numbered> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(numbered(name));
  check_patterns(path, names, all);
  std::int64_t least = 0;
  std::optional<std::size_t> column;  // of the number that differs
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto &last = all[i - 1].numbers, &here = all[i].numbers;
    const auto [a, b] = std::mismatch(last.begin(), last.end(), here.begin());
    const auto at = static_cast<std::size_t>(a - last.begin());
    const bool same = a == last.end();
    if (!same && (column.value_or(at) != at || !std::equal(a + 1, last.end(), b + 1))) {
      refuse_file(path, fmt::format("{} and {} differ in more than the number of the plane: give a "
                                    "pattern of names of one image",
                                    names[i - 1], names[i]));
    }
    if (!same) column = at;
    const std::int64_t step = same ? 0 : *b - *a;
    least = i == 1 ? step : std::min(least, step);
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto& here = all[i].numbers;
    const std::int64_t step = column ? here[*column] - all[i - 1].numbers[*column] : 0;
    if (step == least && least > 0) continue;
    const char* what = step == 0 ? "the same number" : "a gap between their numbers";
    refuse_file(path,
                fmt::format("{} and {} have {}: is a plane missing? The numbers of the planes "
                            "must have equal steps: copy or rename the files",
                            names[i - 1], names[i], what));
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
