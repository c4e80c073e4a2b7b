#include "tiling/pipeline/merge_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/core/error.hpp"

namespace lbm::tiling {

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
  const FlowLimits& limits = lattice.limits;
  throw DivergedError(fmt::format(
      "the flow diverged before step {}: {} cells are not finite, or outside density {} to {} or "
      "Mach {}, the first one [{}, {}, {}]; use a smaller fluid.lattice_velocity, a finer grid, or "
      "a lower fluid.reynolds",
      step, record[bad_cells], limits.density_min, limits.density_max, limits.mach_max, cell % nx,
      cell % plane / nx, cell / plane));
}

}  // namespace lbm::tiling
