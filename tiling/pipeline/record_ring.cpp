// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/record_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::tiling {
namespace {

// " at z_max and x_min": the faces that such a cell touches; periodic ones are none.
std::string faces_at(const Lattice& lattice, const std::array<std::int64_t, 3>& cell) {
  const std::array<std::int64_t, 3> cells{lattice.layout.nx, lattice.layout.ny, lattice.nz};
  std::string names;
  for (std::size_t face = 0; face < 6; ++face) {
    const std::size_t axis = face / 2;
    if (cell[axis] != (face % 2 == 0 ? 0 : cells[axis] - 1)) continue;
    if ((lattice.walls.faces & (1u << face)) == 0) continue;
    names += (names.empty() ? " at " : " and ") + std::string(1, "xyz"[axis]) +
             (face % 2 == 0 ? "_min" : "_max");
  }
  return names;
}

}  // namespace

void merge_flow_values(std::span<std::int64_t> to, std::span<const std::int64_t> from) {
  for (std::size_t i = 0; i < std::min<std::size_t>({flow_values, to.size(), from.size()}); ++i) {
    const bool extreme =
        i == first_bad_cell || i == speed_max || i == density_max || i == density_min;
    to[i] = extreme ? std::max(to[i], from[i]) : to[i] + from[i];
  }
}

void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from) {
  merge_flow_values(to, from);
  for (std::size_t i = flow_values; i < to.size(); ++i) to[i] += from[i];
}

void refuse_bad_cells(const Lattice& lattice, std::int64_t step,
                      std::span<const std::int64_t> record) {
  if (record[first_bad_cell] == 0) return;
  const std::int64_t cell = cell_limit - record[first_bad_cell];
  const std::int64_t nx = lattice.layout.nx, plane = lattice.layout.cells();
  const std::array<std::int64_t, 3> at{cell % nx, cell % plane / nx, cell / plane};
  const FlowLimits& limits = lattice.limits;
  throw DivergedError(fmt::format(
      "the flow diverged before step {}: {} cells are not finite, or outside density {} to {} or "
      "Mach {}, the first one [{}, {}, {}]{}",
      step, record[bad_cells], limits.density_min, limits.density_max, limits.mach_max, at[0],
      at[1], at[2], faces_at(lattice, at)));
}

}  // namespace lbm::tiling
