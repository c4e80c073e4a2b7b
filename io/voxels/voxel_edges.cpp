// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_edges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "io/files/input_file.hpp"

namespace lbm::io {
namespace {

// "Micrometers", "micron" and all signs of micro become "um".
std::string short_unit(std::string_view unit) {
  std::string text(unit);
  // Latin-1 (ImageJ), the escape of Java, the two characters of Unicode in UTF-8.
  for (const std::string_view micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "\\u00B5"}) {
    if (text.starts_with(micro)) text.replace(0, micro.size(), "u");
  }
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.size() > 2 && text.ends_with('s')) text.pop_back();
  for (const std::string_view metre : {"metre", "meter"}) {
    if (text.ends_with(metre)) text.replace(text.size() - metre.size(), metre.size(), "m");
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{
      {{"centim", "cm"},
       {"millim", "mm"},
       {"microm", "um"},
       {"micron", "um"},
       {"nanom", "nm"},
       {"in", "inch"}}};
  for (const auto& [name, unit_of_it] : names) {
    if (text == name) return std::string(unit_of_it);
  }
  return text;
}

double metres_of(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, double>, 7> units{{{"m", 1},
                                                                             {"cm", 1e-2},
                                                                             {"mm", 1e-3},
                                                                             {"um", 1e-6},
                                                                             {"nm", 1e-9},
                                                                             {"angstrom", 1e-10},
                                                                             {"inch", 0.0254}}};
  for (const auto& [name, metres] : units) {
    if (name == unit) return metres;
  }
  return 0;
}

}  // namespace

VoxelEdges voxel_edges(const std::filesystem::path& path, std::string_view key,
                       const std::vector<double>& lengths, std::string_view unit) {
  const auto is_wrong = [](double x) { return x <= 0 || std::isinf(x); };
  if (lengths.size() != 3 || std::any_of(lengths.begin(), lengths.end(), is_wrong)) {
    refuse_file(path, fmt::format("its header has {} ({}), must be three numbers > 0, the edges of "
                                  "a voxel: correct or remove it",
                                  key, fmt::join(lengths, " ")));
  }
  VoxelEdges edges{.unit = short_unit(unit)};
  for (std::size_t a = 0; a < 3; ++a) edges.lengths[a] = std::isnan(lengths[a]) ? 0 : lengths[a];
  edges.metres = metres_of(edges.unit);
  if (edges.metres == 0) edges.unit.clear();
  return edges;
}

std::string text_of(const VoxelEdges& edges) {
  if (edges.lengths == std::array<double, 3>{}) return "";
  std::vector<std::string> texts;
  for (const double x : edges.lengths) texts.push_back(x > 0 ? fmt::format("{:.6g}", x) : "?");
  return fmt::format("{}{}{}", fmt::join(texts, " x "), edges.unit.empty() ? "" : " ", edges.unit);
}

}  // namespace lbm::io
