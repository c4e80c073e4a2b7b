// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/memory_needed.hpp"

#include <algorithm>

#include "solver/lattice/step_record.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/lattice_on_device.hpp"
#include "tiling/pipeline/record_ring.hpp"
#include "tiling/schedule/make_scheduler.hpp"

namespace lbm::tiling {
namespace {

std::size_t boundary_bytes(const Boundaries& boundaries, PlaneGrid grid,
                           const ScheduleOptions& options) {
  grid.nz = std::max(grid.nz, boundaries.planes());  // of all slabs
  return LatticeOnDevice::boundary_bytes_needed(boundaries, planes_in_use(grid, options));
}

}  // namespace

std::size_t device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                const ScheduleOptions& options, const OutputShape& outputs,
                                int slab_planes) {
  const PlaneGrid grid{lattice.nz, lattice.periodic_z(), 0, slab_planes};
  const int slots = slots_needed(grid, options);
  const std::size_t probes =
      outputs.probes > 0 ? ProbeCells::bytes_needed(outputs.probes, lattice.nz) : 0;
  const std::size_t fields =
      outputs.field_cells > 0
          ? FieldRing::device_bytes_needed(outputs.field_cells, lattice.layout.bytes)
          : 0;
  return static_cast<std::size_t>(slots) * lattice.layout.bytes +
         boundary_bytes(boundaries, grid, options) + probes +
         RecordRing::device_bytes_needed({boundaries.bodies(), outputs.probes}, options) + fields;
}

std::size_t host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                              const OutputShape& outputs, std::uint64_t staging_limit) {
  if (outputs.field_cells == 0) return 0;
  return FieldRing::host_planes(outputs.field_cells, lattice.nz, options.planes_per_visit,
                                staging_limit) *
         FieldRing::plane_bytes(outputs.field_cells);
}

}  // namespace lbm::tiling
