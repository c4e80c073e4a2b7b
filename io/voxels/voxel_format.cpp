// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/files/input_file.hpp"
#include "io/text/words.hpp"

namespace lbm::io {
namespace {

struct Unit {
  std::string_view name, sign;
  double metres;
};
constexpr std::array<Unit, 9> units{{{"m", "m", 1},
                                     {"centim", "cm", 1e-2},
                                     {"millim", "mm", 1e-3},
                                     {"microm", "um", 1e-6},
                                     {"micron", "um", 1e-6},
                                     {"nanom", "nm", 1e-9},
                                     {"angstrom", "angstrom", 1e-10},
                                     {"inch", "inch", 0.0254},
                                     {"in", "inch", 0.0254}}};

// "Micrometers", "micron" and all signs of micro are "um". Null: no unit of length.
const Unit* unit_of(std::string_view word) {
  std::string text(word);
  // Latin-1 (ImageJ), the escape of Java, the two characters of Unicode in UTF-8.
  for (const std::string_view micro : {"\xc2\xb5", "\xce\xbc", "\xb5", "\\u00B5"}) {
    if (text.starts_with(micro)) text.replace(0, micro.size(), "u");
  }
  text = small_letters(text);
  if (text.size() > 2 && text.ends_with('s')) text.pop_back();
  for (const std::string_view metre : {"metre", "meter"}) {
    if (text.ends_with(metre)) text.replace(text.size() - metre.size(), metre.size(), "m");
  }
  const auto* const found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) {
    return text == unit.name || text == unit.sign;
  });
  return found == units.end() ? nullptr : found;
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
  VoxelEdges edges;
  for (std::size_t a = 0; a < 3; ++a) edges.lengths[a] = std::isnan(lengths[a]) ? 0 : lengths[a];
  if (const Unit* known = unit_of(unit)) {
    edges.unit = known->sign;
    edges.metres = known->metres;
  }
  return edges;
}

std::string text_of(const VoxelEdges& edges) {
  if (edges.lengths == std::array<double, 3>{}) return "";
  std::vector<std::string> texts;
  for (const double x : edges.lengths) texts.push_back(x > 0 ? fmt::format("{:.6g}", x) : "?");
  return fmt::format("{}{}{}", fmt::join(texts, " x "), edges.unit.empty() ? "" : " ", edges.unit);
}

}  // namespace lbm::io
