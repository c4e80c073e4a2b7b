// SPDX-License-Identifier: Apache-2.0

// Synthetic turbulence at an inlet: Kraichnan, Phys. Fluids 13 (1970) 22, with the energy E(k) ~
// k^(-5/3) over a factor of 16 in k, carried by the mean flow (Taylor's hypothesis).
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "solver/boundary/boundary_view.hpp"

namespace lbm {

// Waves whose sum has the given rms in each component, no correlation between components, and the
// given integral scale of the longitudinal correlation; k.u = 0 for each wave. mean: velocity that
// carries them, cells per step. Frequencies are whole turns in mode_period, which makes the phase
// exact at any step.
std::vector<TurbulenceMode> turbulence_modes(const InletTurbulence& turbulence,
                                             const std::array<double, 3>& mean);

// Adds the fluctuation at a place (cells) and step to u, cells per step.
LBM_HD void add_turbulence(const TurbulenceMode* modes, int count, float x, float y, float z,
                           std::int64_t step, float factor, float (&u)[3]) {
  for (int i = 0; i < count; ++i) {
    const TurbulenceMode& m = modes[i];
    // Whole-number arithmetic: the phase in units of 1 / mode_period turns, modulo one turn.
    const std::int64_t turned = step * m.turns & (mode_period - 1);
    constexpr float turn = 6.2831853F / static_cast<float>(mode_period);
    const float wave =
        factor * cosf(m.kx * x + m.ky * y + m.kz * z + m.phase - turn * static_cast<float>(turned));
    u[0] += m.ux * wave;
    u[1] += m.uy * wave;
    u[2] += m.uz * wave;
  }
}

}  // namespace lbm
