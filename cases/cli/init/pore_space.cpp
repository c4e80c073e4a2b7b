// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/pore_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

// Predicted Reynolds number of the pores, and difference of density over ten hydraulic diameters:
// far from where inertia or compression matter, as the prediction may be low by a factor of ten.
constexpr double reynolds = 0.02;
constexpr double density = 1e-3;
// Time constant of the flow in wide pores, over hydraulic diameter^2 / viscosity.
constexpr double wide = 0.05;
constexpr double least_viscosity = 1.0 / 60, most_viscosity = 1.0 / 3;

double wave_number(const PoreSpace& space) {
  return 2 * std::numbers::pi /
         static_cast<double>(*std::max_element(space.voxels.begin(), space.voxels.end()));
}

// Time constant in steps of the slowest pressure wave of a periodic box with Darcy's friction:
// s^2 + (viscosity porosity / k) s + q^2 / 3 = 0.
double pressure_time(const PoreSpace& space, double viscosity) {
  const double damping = viscosity * space.porosity / space.permeability();
  const double q = wave_number(space);
  const double root = damping * damping - 4 * q * q / 3;
  if (root <= 0) return 2 / damping;
  return (damping + std::sqrt(root)) / (2 * q * q / 3);
}

std::string labels_of(const io::VoxelImage& image) {
  std::string text;
  const auto counts = image.count(TimeLimit());
  std::size_t shown = 0;
  for (const auto& [label, voxels] : counts) {
    if (++shown > 8) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", label);
  }
  return text;
}

}  // namespace

PoreSpace pore_space(const io::VoxelImage& image, std::int64_t label) {
  const auto [nx, ny, nz] = image.format().voxels;
  const auto size = static_cast<std::size_t>(nx * ny);
  std::vector<std::int64_t> labels(size);
  std::vector<char> first, before, here(size);
  std::int64_t pores = 0;
  std::int64_t sides = 0;
  const auto differ = [&](const std::vector<char>& a) {
    for (std::size_t i = 0; i < size; ++i) sides += a[i] != here[i] ? 1 : 0;
  };
  for (std::int64_t z = 0; z < nz; ++z) {
    image.plane(z, labels);
    for (std::size_t i = 0; i < size; ++i) here[i] = labels[i] == label ? 1 : 0;
    pores += std::count(here.begin(), here.end(), char{1});
    for (std::int64_t y = 0; y < ny; ++y) {
      const char* row = here.data() + y * nx;
      const char* next = here.data() + (y + 1) % ny * nx;
      for (std::int64_t x = 0; x < nx; ++x) {
        sides += (row[x] != next[x] ? 1 : 0) + (row[x] != row[(x + 1) % nx] ? 1 : 0);
      }
    }
    if (z == 0) first = here;
    if (z > 0) differ(before);
    before = here;
  }
  differ(first);  // the last plane with the first one
  const auto all = static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
  if (sides == 0) {
    throw UsageError(
        fmt::format("{}: found {} pores (label {}) in {:.0f} voxels, must have pores and solid: "
                    "give --pore one of "
                    "the labels {}",
                    image.format().file.string(), pores, label, all, labels_of(image)));
  }
  return {
      {nx, ny, nz}, static_cast<double>(pores) / all, 2.0 / 3 * static_cast<double>(sides) / all};
}

CreepingFlow creeping_flow(const PoreSpace& space) {
  CreepingFlow flow;
  // The slowest pressure wave is just not damped away before it swings.
  flow.viscosity =
      std::clamp(2 * wave_number(space) / std::sqrt(3.0) * space.permeability() / space.porosity,
                 least_viscosity, most_viscosity);
  const double d = space.diameter();
  flow.velocity = reynolds * flow.viscosity / d;
  flow.acceleration = flow.velocity * space.porosity * flow.viscosity / space.permeability();
  const double less = std::min(1.0, density / (3 * 10 * d * flow.acceleration));
  flow.velocity *= less;
  flow.acceleration *= less;
  // Even: in narrow pores even and odd steps may differ for ever, by some 1e-4.
  const double time = std::max(wide * d * d / flow.viscosity, pressure_time(space, flow.viscosity));
  flow.every = std::max<std::int64_t>(50, 2 * static_cast<std::int64_t>(std::ceil(time / 2)));
  return flow;
}

}  // namespace lbm::cases::init
