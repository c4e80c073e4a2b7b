// SPDX-License-Identifier: Apache-2.0

// The kernels of the CPU for a storage type.
#pragma once

#include <algorithm>

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/rows/boundary_cells.hpp"
#include "solver/backend/cpu/rows/row_functions.hpp"
#include "solver/backend/cpu/rows/row_pairs.hpp"
#include "solver/backend/cpu/rows/scalar_rows.hpp"
#include "solver/backend/cpu/rows/update_row.hpp"
#include "solver/lattice/step_record.hpp"
#include "solver/update/make_scalar_cells.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

template <class Storage>
void update_rows(const DeviceLattice& device, const UpdateLaunch& launch, int plane, int y_begin,
                 int y_end, bool stream) {
  using Value = typename Storage::Value;
  using Params = RowParams<Storage>;
  const Params params = launch_params<Storage>(device, launch);
  std::int64_t* const bodies = bodies_of(device, launch, plane);
  Value* out = slot_of<Storage>(device, launch.out[plane]);
  const auto scalars = make_scalar_cells<Storage>(device.lattice, device.boundaries, launch.step);
  GivenHeat heat{heat_of(device, launch, plane), scalars.count, {}};
  if constexpr (Storage::Set::has_fluid_planes) {
    if (device.lattice.layout.fluid_only) {
      const InputPlanes<Storage> in = launch_planes<Storage>(device, launch, plane);
      const int z = (launch.first_plane + plane) % params.nz;
      const FluidRows<Params, Storage> rows(params, in, z, out);
      FluidScalarRows<Storage> scalar_rows(scalars, rows.planes(), in, z, heat, out);
      for (int y = y_begin; y < y_end; ++y) {
        rows.update(y, bodies);
        if (scalars.count > 0) scalar_rows.update(y);
      }
      if (heat.record != nullptr) heat.sums.add_to(heat.record, heat.scalars);
      return;
    }
  }
  const auto late = LatePasses<Storage>::of(device.lattice, device.host, launch.step);
  stream = stream && scalars.count == 0;
  const PlaneLayout& layout = params.layout;
  const auto sources_of = [&](int i, int y) {
    return launch_sources<Storage>(params, device, launch, i, y);
  };
  RowSources<Storage> now = sources_of(plane, y_begin);
  const int above = std::min(plane + 1, launch.count - 1);
  const Counted counted{bodies, 0, layout.nx};
  for (int y = y_begin; y < y_end; ++y) {
    const auto next = y + 1 < y_end ? sources_of(plane, y + 1) : sources_of(above, y_begin);
    update_row<Storage>(params, late, now, &next, 0, layout.pitch, stream, counted,
                        out + y * layout.row);
    if (scalars.count > 0) {
      const InputPlanes<Storage> in = launch_planes<Storage>(device, launch, plane);
      ScalarRow<Storage>(scalars, in, y, now.z, heat, out + y * layout.row).update();
    }
    now = next;
  }
  if (heat.record != nullptr) heat.sums.add_to(heat.record, heat.scalars);
  if (stream) end_streaming();
}

// As for_each_moments(), where only fluid cells are stored: for the fluid cells of the row.
template <class Storage, class Visit>
void for_each_fluid_moments(const DeviceLattice& device, const PlaneState& plane, int y,
                            int x_begin, int x_end, const Visit& visit) {
  using Real = typename Storage::Real;
  constexpr Real unit = 1 / Storage::scale;
  const PlaneLayout& layout = device.lattice.layout;
  const FluidPlane fluid = device.boundaries.fluid_plane(plane.z);
  const Buoyancy buoyancy = buoyancy_of(device.lattice.scalars);
  const auto* values = slot_of<Storage>(device, plane.slot);
  for (int x = x_begin; x < x_end; ++x) {
    if (!fluid.is_fluid(x, y)) continue;
    const auto* cell = values + layout.fluid_offset(fluid.number_of(x, y));
    const auto sums = Storage::density_momentum(
        [&](int i) { return Storage::load_scaled(cell[i * layout.pitch]); });
    const Sums<Real> s{unit * sums.drho, unit * sums.jx, unit * sums.jy, unit * sums.jz};
    const auto force = with_buoyancy<Storage>(plane.force, buoyancy, cell, layout.pitch);
    visit(x, stored_moments(s, force), cell);
  }
}

// Calls visit(x, moments, cell) for the cells [x_begin, x_end) of a row, also for solid ones if
// they are stored; cell: the first stored value. Sums over directions are computed for a vector of
// cells at a time, into the padding of the row.
template <class Storage, class Visit>
void for_each_moments(const DeviceLattice& device, const PlaneState& plane, int y, int x_begin,
                      int x_end, const Visit& visit) {
  using Real = typename Storage::Real;
  using L = Lanes<Storage>;
  constexpr Real unit = 1 / Storage::scale;
  const PlaneLayout& layout = device.lattice.layout;
  if (layout.fluid_only) {
    return for_each_fluid_moments<Storage>(device, plane, y, x_begin, x_end, visit);
  }
  const auto* row = slot_of<Storage>(device, plane.slot) + layout.index(0, y, 0);
  const Buoyancy buoyancy = buoyancy_of(device.lattice.scalars);
  for (int begin = x_begin / L::count * L::count; begin < x_end; begin += L::count) {
    const auto sums =
        Storage::density_momentum([&](int i) { return L::load(row + i * layout.pitch + begin); });
    for (int i = std::max(x_begin - begin, 0); i < std::min(L::count, x_end - begin); ++i) {
      const Sums<Real> s{unit * sums.drho[i], unit * sums.jx[i], unit * sums.jy[i],
                         unit * sums.jz[i]};
      const auto* const cell = row + begin + i;
      const auto force = with_buoyancy<Storage>(plane.force_at(device.boundaries, begin + i, y, s),
                                                buoyancy, cell, layout.pitch);
      visit(begin + i, stored_moments(s, force), cell);
    }
  }
}

// Calls visit(column, is_solid, moments, cell) for the cells of a row of a rectangle, piece by
// piece, each up to the end of the row of the plane. Solid cells come if they are stored.
template <class Storage, class Visit>
void for_each_in_rectangle(const DeviceLattice& device, const PlaneState& plane,
                           const CellRectangle& r, int row, const Visit& visit) {
  const PlaneLayout& layout = device.lattice.layout;
  const std::uint32_t* solids = device.boundaries.solid_plane(plane.z);
  const int y = (r.y + row * r.stride) % layout.ny;
  for (int done = 0, count = 0; done < r.nx; done += count) {
    const int x_begin = (r.x + done * r.stride) % layout.nx;
    count = std::min(r.nx - done, (layout.nx - 1 - x_begin) / r.stride + 1);
    const int x_end = x_begin + (count - 1) * r.stride + 1;
    const auto visit_cell = [&](int x, const auto& m, const auto* cell) {
      if ((x - x_begin) % r.stride != 0) return;
      const bool solid = solids != nullptr && device.boundaries.is_set(solids, x, y);
      visit(done + (x - x_begin) / r.stride, solid, m, cell);
    };
    for_each_moments<Storage>(device, plane, y, x_begin, x_end, visit_cell);
  }
}

template <class Storage>
void moment_rows(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                 int row_begin, int row_end, float* fields) {
  const std::int64_t cells = std::int64_t{r.nx} * r.ny;
  const int scalars = device.lattice.scalar_count();
  for (int row = row_begin; row < row_end; ++row) {
    const std::int64_t first = static_cast<std::int64_t>(row) * r.nx;
    if (device.lattice.layout.fluid_only) {  // solid cells are not visited
      for (int i = 0; i < r.nx; ++i) {
        put_fields(Moments<float>{}, first + i, cells, fields);
        for (int s = 0; s < scalars; ++s) put_scalar(s, 0, first + i, cells, fields);
      }
    }
    const auto put = [&](int column, bool solid, auto m, const auto* cell) {
      if (solid) m = {};
      put_fields(m, first + column, cells, fields);
      for (int s = 0; s < scalars; ++s) {
        put_scalar(s, scalar_of<Storage>(cell, device.lattice.layout.pitch, s), first + column,
                   cells, fields);
      }
    };
    for_each_in_rectangle<Storage>(device, plane, r, row, put);
  }
}

template <class Storage>
void sum_rows(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
              int row_begin, int row_end, double scale, std::int64_t* sums) {
  const int scalars = device.lattice.scalar_count(), values = box_values_with(scalars);
  std::int64_t own[box_values_with(most_scalars)] = {};
  for (int row = row_begin; row < row_end; ++row) {
    BoxSums of_row;
    const auto add = [&](int, bool solid, const auto& m, const auto* cell) {
      if (solid) return;
      of_row.add(m);
      for (int s = 0; s < scalars; ++s) {
        of_row.add_scalar(s, double{scalar_of<Storage>(cell, device.lattice.layout.pitch, s)}, m);
      }
    };
    for_each_in_rectangle<Storage>(device, plane, r, row, add);
    of_row.add_to(own, scale, values);
  }
  for (int i = 0; i < values; ++i) add_shared(sums + i, own[i]);
}

// Adds the flow sums of rows of one plane to the record, which other threads add to as well.
template <class Storage>
void sample_flow_rows(const DeviceLattice& device, const PlaneState& plane, int y_begin, int y_end,
                      std::int64_t* record) {
  const PlaneLayout& layout = device.lattice.layout;
  const std::uint32_t* solids = device.boundaries.solid_plane(plane.z);
  std::int64_t sums[flow_values] = {};  // of differences
  const double scale = fixed::flow(layout.cells() * device.lattice.nz);
  for (int y = y_begin; y < y_end; ++y) {
    FlowSums row;
    differences::RowDifferences neighbours(plane.seed);
    const auto add = [&](int x, const auto& m, const auto* values) {
      if (solids != nullptr && device.boundaries.is_set(solids, x, y)) return;
      const std::int64_t cell = (std::int64_t{plane.z} * layout.ny + y) * layout.nx + x;
      const bool sane = scalars_are_sane<Storage>(
          values, layout.pitch, device.lattice.scalar_count(), device.lattice.limits.scalar_max);
      if (row.add(m, cell, device.lattice.limits, sane)) neighbours.add(x, m);
    };
    for_each_moments<Storage>(device, plane, y, 0, layout.nx, add);
    row.add_to(record, scale);
    neighbours.add_to(sums, {y, plane.z, layout.ny, device.lattice.nz, plane.seed});
  }
  for (int i = first_differences_x; i < flow_values; ++i) add_shared(record + i, sums[i]);
}

template <class Storage>
void update_pair(const DeviceLattice& device, const LaunchPair& pair, const PairStrip& strip) {
  PairRows<Storage>(device, pair, strip).run();
}

template <class Storage>
constexpr auto pair_function() {
  decltype(RowKernels::update_pair) function = nullptr;
  if constexpr (Storage::Set::has_pair_pass) function = update_pair<Storage>;
  return function;
}

template <class Storage>
constexpr RowKernels row_kernels{update_rows<Storage>, pair_function<Storage>(),
                                 moment_rows<Storage>, sample_flow_rows<Storage>,
                                 sum_rows<Storage>};

}  // namespace
}  // namespace lbm::cpu
