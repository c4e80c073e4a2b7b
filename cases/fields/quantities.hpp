// The fields that users ask for, from density, velocity and its gradient. Lattice units; cells of a
// plane row by row.
#pragma once

#include <span>
#include <vector>

namespace lbm::fields {

enum class Kind {
  density,
  pressure,
  velocity,
  vorticity,
  q_criterion,
  strain_rate,
  wall_shear_stress,
  solid
};

constexpr const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::density:
      return "density";
    case Kind::pressure:
      return "pressure";
    case Kind::velocity:
      return "velocity";
    case Kind::vorticity:
      return "vorticity";
    case Kind::q_criterion:
      return "q_criterion";
    case Kind::strain_rate:
      return "strain_rate";
    case Kind::wall_shear_stress:
      return "wall_shear_stress";
    case Kind::solid:
      break;
  }
  return "solid";
}

constexpr int components_of(Kind kind) {
  if (kind == Kind::strain_rate) return 6;
  const bool vector =
      kind == Kind::velocity || kind == Kind::vorticity || kind == Kind::wall_shear_stress;
  return vector ? 3 : 1;
}

// Whether the planes beside are needed, and the cells around.
constexpr bool needs_gradient(Kind kind) {
  return kind == Kind::vorticity || kind == Kind::q_criterion || kind == Kind::strain_rate ||
         kind == Kind::wall_shear_stress;
}

// gradient: du_i / dx_j at 9 * cell + 3 * i + j.
void vorticity(std::span<const float> gradient, std::vector<float>& result);  // 3 a cell

// (|W|^2 - |S|^2) / 2 with the antisymmetric and symmetric parts of the gradient (Hunt, Wray & Moin
// 1988).
void q_criterion(std::span<const float> gradient, std::vector<float>& result);

// Symmetric part: xx, yy, zz, xy, yz, xz, as VTK has it.
void strain_rate(std::span<const float> gradient, std::vector<float>& result);

// The length of each vector.
void magnitude(std::span<const float> vectors, std::vector<float>& result);

// Relative: (rho - 1) / 3.
void pressure(std::span<const float> density, std::vector<float>& result);

}  // namespace lbm::fields
