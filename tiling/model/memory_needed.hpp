// SPDX-License-Identifier: Apache-2.0

// The memory that a pipeline will take, before there is one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Sizes of the output that the sinks of a run will request.
struct OutputShape {
  std::int64_t field_cells = 0;  // FieldSink::most_plane_cells(); 0: no field sink
  int probes = 0;
};

// On the device. slab_planes: of the slab, where the grid has several; 0: the whole grid.
std::size_t device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                const ScheduleOptions& options, const OutputShape& outputs,
                                int slab_planes = 0);

// On the host, for output fields. staging_limit: PipelineConfig::staging_limit.
std::size_t host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                              const OutputShape& outputs, std::uint64_t staging_limit);

}  // namespace lbm::tiling
