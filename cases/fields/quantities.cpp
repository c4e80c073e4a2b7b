// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/quantities.hpp"

#include <cmath>
#include <cstddef>

namespace lbm::fields {

void vorticity(std::span<const float> gradient, std::span<float> result) {
  const std::size_t cells = gradient.size() / 9;
  for (std::size_t c = 0; c < cells; ++c) {
    const float* g = gradient.data() + 9 * c;
    result[3 * c] = g[7] - g[5];
    result[3 * c + 1] = g[2] - g[6];
    result[3 * c + 2] = g[3] - g[1];
  }
}

// Equals -(du_i/dx_j du_j/dx_i) / 2.
void q_criterion(std::span<const float> gradient, std::span<float> result) {
  const std::size_t cells = gradient.size() / 9;
  for (std::size_t c = 0; c < cells; ++c) {
    const float* g = gradient.data() + 9 * c;
    result[c] =
        -0.5F * (g[0] * g[0] + g[4] * g[4] + g[8] * g[8]) - g[1] * g[3] - g[2] * g[6] - g[5] * g[7];
  }
}

void strain_rate(std::span<const float> gradient, std::span<float> result) {
  const std::size_t cells = gradient.size() / 9;
  for (std::size_t c = 0; c < cells; ++c) {
    const float* g = gradient.data() + 9 * c;
    float* s = result.data() + 6 * c;
    s[0] = g[0];
    s[1] = g[4];
    s[2] = g[8];
    s[3] = 0.5F * (g[1] + g[3]);
    s[4] = 0.5F * (g[5] + g[7]);
    s[5] = 0.5F * (g[2] + g[6]);
  }
}

void magnitude(std::span<const float> vectors, std::span<float> result) {
  for (std::size_t c = 0; c < result.size(); ++c) {
    const float* v = vectors.data() + 3 * c;
    result[c] = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
}

void pressure(std::span<const float> drho, std::span<float> result) {
  for (std::size_t c = 0; c < drho.size(); ++c) result[c] = drho[c] / 3;
}

}  // namespace lbm::fields
