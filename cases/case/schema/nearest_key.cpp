// SPDX-License-Identifier: Apache-2.0

// Suggestions for misspelt keys, and for words of other programs.
#include "cases/case/schema/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace lbm::cases {
namespace {

// A word of this program, and those of others in lower case, between spaces.
struct Synonyms {
  std::string_view ours, others;
};

constexpr std::array key_words{
    Synonyms{"fluid.viscosity", " nu kinematic_viscosity "},
    Synonyms{"fluid.reynolds", " re "},
    Synonyms{"fluid.density", " rho "},
    Synonyms{"fluid.tau", " omega "},
    Synonyms{"fluid.velocity", " u_ref "},
    Synonyms{"fluid.length", " l_ref "},
    Synonyms{"fluid.lattice_velocity", " ulb "},
    Synonyms{"grid.spacing", " dx "},
    Synonyms{"grid.cells", " resolution shape nx ny nz "},
    Synonyms{"grid.size", " domain "},
    Synonyms{"boundaries", " bc boundary boundary_conditions "},
    Synonyms{"boundaries.x_min", " boundaries.left "},
    Synonyms{"boundaries.x_max", " boundaries.right "},
    Synonyms{"boundaries.y_min", " boundaries.front "},
    Synonyms{"boundaries.y_max", " boundaries.back "},
    Synonyms{"boundaries.z_min", " boundaries.bottom boundaries.inlet "},
    Synonyms{"boundaries.z_max", " boundaries.top boundaries.outlet "},
    Synonyms{"force.acceleration", " body_force gravity "},
    Synonyms{"run.time", " end_time t_end tmax "},
    Synonyms{"run.steps", " iterations max_iter max_steps "},
    Synonyms{"run.until_steady.tolerance", " convergence "},
    Synonyms{"lattice.smagorinsky", " les turbulence_model "},
    Synonyms{"lattice.storage", " precision "},
    Synonyms{"scalars", " temperature heat thermal concentration tracer prandtl rayleigh "},
    Synonyms{"device.index", " gpu "},
    Synonyms{"output.every_steps", " output.every write_interval save_every "},
};

constexpr std::array value_words{
    Synonyms{"wall", " noslip no_slip no-slip bounce_back bounceback moving_wall "},
    Synonyms{"velocity", " inlet inflow "},
    Synonyms{"pressure", " outlet "},
    Synonyms{"slip", " symmetry freeslip free_slip "},
    Synonyms{"periodic", " cyclic "},
    Synonyms{"cuda", " gpu "},
    Synonyms{"bgk", " srt "},
    Synonyms{"trt", " mrt "},
    Synonyms{"central_moments", " cm cascaded kbc "},
    Synonyms{"cumulant", " cumulants k17 k15 "},
    Synonyms{"regularised", " rlb regularized "},
    Synonyms{"fp32", " float single "},
    Synonyms{"fp64", " double "},
    Synonyms{"fp16", " half "},
    Synonyms{"duct", " parabolic poiseuille "},
    Synonyms{"outflow", " convective "},
    Synonyms{"value", " dirichlet fixed isothermal "},
    Synonyms{"flux", " neumann "},
    Synonyms{"no_flux", " adiabatic insulated zero_flux "},
    Synonyms{"convection", " robin "},
    Synonyms{"open", " outflow zero_gradient "},
    Synonyms{"far_field", " non_reflecting farfield free_stream "},
};

std::optional<std::string> find(std::span<const Synonyms> all, std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& [ours, others] : all) {
    const bool spaces = word.find(' ') != std::string::npos;
    if (!spaces && others.find(" " + word + " ") != std::string_view::npos) {
      return std::string(ours);
    }
  }
  return std::nullopt;
}

constexpr std::size_t any_distance = 1000;  // more than there are letters in a path

// Edit distance with insertions, deletions, replacements and swaps of neighbours; ignores case. Any
// number above `most` where the distance is above it, which most pairs of words show early.
std::size_t edits(const std::string& a, const std::string& b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto same = [&](std::size_t i, std::size_t j) {
    return std::tolower(static_cast<unsigned char>(a[i])) ==
           std::tolower(static_cast<unsigned char>(b[j]));
  };
  std::size_t least_before = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t least = next[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({row[j + 1] + 1, next[j] + 1, row[j] + (same(i, j) ? 0 : 1)});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) {
        next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
      }
      least = std::min(least, next[j + 1]);
    }
    if (std::min(least, least_before) > most) return most + 1;  // later rows start from these two
    least_before = least;
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[b.size()];
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string parent(const std::string& path) {
  const auto dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// The path with its NAME replaced by the user-defined name in `wanted`.
std::string with_name(const std::string& path, const std::vector<std::string>& wanted) {
  if (path.find("NAME") == std::string::npos) return path;
  std::vector<std::string> names = names_of(path);
  const auto placeholder = std::find(names.begin(), names.end(), "NAME");
  const auto at = static_cast<std::size_t>(placeholder - names.begin());
  // The last name is that of a key.
  if (at >= names.size() || at + 1 >= wanted.size() || !is_item_name(wanted[at])) return path;
  *placeholder = wanted[at];
  return fmt::format("{}", fmt::join(names, "."));
}

// Keys and their groups; a set makes the choice among equally near ones deterministic.
std::set<std::string> all_paths() {
  std::set<std::string> paths;
  for (const Key& key : keys()) {
    for (std::string path = key.path; !path.empty(); path = parent(path)) {
      if (last_name(path) != "NAME") paths.insert(path);
    }
  }
  return paths;
}

}  // namespace

std::string nearest_key(const std::string& wanted) {
  if (wanted.size() > 100) return "";
  const std::string name = last_name(wanted);
  for (const std::string& word : {wanted, name}) {
    if (const auto known = find(key_words, word)) return *known;
  }
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3 + 1);
  std::string nearest;
  // Distances are doubled, so that a wrong parent adds half an edit, which breaks ties.
  std::size_t least = 2 * limit + 1;
  std::size_t least_full = 0;  // breaks ties by the distance of the whole path
  static const std::set<std::string> paths = all_paths();
  const std::vector<std::string> names = names_of(wanted);
  for (const std::string& table_path : paths) {
    const std::string path = with_name(table_path, names);
    // Compares the last name only if the path has no user-defined name.
    const bool unbound = path.find(".NAME.") != std::string::npos;
    const std::size_t by_name =
        unbound ? 2 * any_distance : 2 * edits(name, last_name(path), least / 2) + 1;
    const std::size_t full = 2 * edits(wanted, path, by_name <= least ? any_distance : least / 2);
    const std::size_t edits_needed = std::min(full, by_name);
    if (edits_needed < least || (edits_needed == least && !nearest.empty() && full < least_full)) {
      least = edits_needed;
      least_full = full;
      nearest = path;
    }
  }
  return nearest;
}

std::optional<std::string> value_of_other_programs(const std::string& word,
                                                   const std::string& allowed) {
  auto value = find(value_words, word);
  // Whole words only.
  const std::string list = ", " + allowed + ",";
  if (!value || list.find(", " + *value + ",") == std::string::npos) return std::nullopt;
  return value;
}

}  // namespace lbm::cases
