// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/synonyms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace lbm::cases {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array key_words{
    Pair{"nu", "fluid.viscosity"},
    Pair{"kinematic_viscosity", "fluid.viscosity"},
    Pair{"re", "fluid.reynolds"},
    Pair{"rho", "fluid.density"},
    Pair{"omega", "fluid.tau"},
    Pair{"u_ref", "fluid.velocity"},
    Pair{"l_ref", "fluid.length"},
    Pair{"ulb", "fluid.lattice_velocity"},
    Pair{"dx", "grid.spacing"},
    Pair{"resolution", "grid.cells"},
    Pair{"shape", "grid.cells"},
    Pair{"nx", "grid.cells"},
    Pair{"ny", "grid.cells"},
    Pair{"nz", "grid.cells"},
    Pair{"domain", "grid.size"},
    Pair{"bc", "boundaries"},
    Pair{"boundary", "boundaries"},
    Pair{"boundary_conditions", "boundaries"},
    Pair{"boundaries.left", "boundaries.x_min"},
    Pair{"boundaries.right", "boundaries.x_max"},
    Pair{"boundaries.front", "boundaries.y_min"},
    Pair{"boundaries.back", "boundaries.y_max"},
    Pair{"boundaries.bottom", "boundaries.z_min"},
    Pair{"boundaries.top", "boundaries.z_max"},
    Pair{"boundaries.inlet", "boundaries.z_min"},
    Pair{"boundaries.outlet", "boundaries.z_max"},
    Pair{"body_force", "force.acceleration"},
    Pair{"gravity", "force.acceleration"},
    Pair{"end_time", "run.time"},
    Pair{"t_end", "run.time"},
    Pair{"tmax", "run.time"},
    Pair{"iterations", "run.steps"},
    Pair{"max_iter", "run.steps"},
    Pair{"max_steps", "run.steps"},
    Pair{"convergence", "run.until_steady.tolerance"},
    Pair{"les", "lattice.smagorinsky"},
    Pair{"turbulence_model", "lattice.smagorinsky"},
    Pair{"precision", "lattice.storage"},
    Pair{"gpu", "device.index"},
    Pair{"output.every", "output.every_steps"},
    Pair{"write_interval", "output.every_steps"},
    Pair{"save_every", "output.every_steps"},
};

constexpr std::array value_words{
    Pair{"noslip", "wall"},
    Pair{"no_slip", "wall"},
    Pair{"no-slip", "wall"},
    Pair{"bounce_back", "wall"},
    Pair{"bounceback", "wall"},
    Pair{"moving_wall", "wall"},
    Pair{"inlet", "velocity"},
    Pair{"inflow", "velocity"},
    Pair{"outlet", "pressure"},
    Pair{"symmetry", "slip"},
    Pair{"freeslip", "slip"},
    Pair{"free_slip", "slip"},
    Pair{"cyclic", "periodic"},
    Pair{"gpu", "cuda"},
    Pair{"srt", "bgk"},
    Pair{"mrt", "trt"},
    Pair{"rlb", "regularised"},
    Pair{"regularized", "regularised"},
    Pair{"float", "fp32"},
    Pair{"single", "fp32"},
    Pair{"double", "fp64"},
    Pair{"half", "fp16"},
    Pair{"parabolic", "duct"},
    Pair{"poiseuille", "duct"},
    Pair{"convective", "outflow"},
    Pair{"non_reflecting", "far_field"},
    Pair{"farfield", "far_field"},
    Pair{"free_stream", "far_field"},
};

template <std::size_t n>
std::optional<std::string> find(const std::array<Pair, n>& words, std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* at = std::find_if(words.begin(), words.end(),
                                [&](const Pair& pair) { return pair.first == word; });
  if (at == words.end()) return std::nullopt;
  return std::string(at->second);
}

}  // namespace

std::optional<std::string> key_of_other_programs(const std::string& word) {
  return find(key_words, word);
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
