// The kernels of the CPU, for all storages. Included by one source file per instruction set.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/row_pairs.hpp"
#include "solver/backend/cpu/update_row.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

template <class Storage>
void update_rows(const DeviceLattice& device, const UpdateLaunch& launch, int plane, int y_begin,
                 int y_end, bool stream) {
  using Value = typename Storage::Value;
  const auto params = make_update_params<Storage>(device.lattice, device.flags);
  const PlaneLayout& layout = params.layout;
  const auto sources_of = [&](int i, int y) {
    return launch_sources(params, device, launch, i, y);
  };
  Value* out = slot_of<Storage>(device, launch.out[plane]);
  RowSources<Storage> now = sources_of(plane, y_begin);
  const int above = std::min(plane + 1, launch.count - 1);
  for (int y = y_begin; y < y_end; ++y) {
    const RowSources<Storage> next =
        y + 1 < y_end ? sources_of(plane, y + 1) : sources_of(above, y_begin);
    update_row(params, now, &next, 0, layout.pitch, stream, out + y * layout.row);
    now = next;
  }
  if (stream) end_streaming();
}

template <class Storage>
void moment_rows(const DeviceLattice& device, int slot, int y_begin, int y_end, float* density,
                 float* velocity) {
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;
  const PlaneLayout& layout = device.lattice.layout;
  const auto* plane = reinterpret_cast<const Value*>(device.slots + slot * layout.bytes);
  for (int y = y_begin; y < y_end; ++y) {
    for (int x = 0; x < layout.nx; ++x) {
      Real g[d3q19::directions];
      for (int q = 0; q < d3q19::directions; ++q)
        g[q] = Storage::load(plane[layout.index(q, y, x)]);
      const Moments<Real> m = moments_of(g);
      const std::int64_t cell = static_cast<std::int64_t>(y) * layout.nx + x;
      density[cell] = static_cast<float>(m.rho);
      velocity[3 * cell] = static_cast<float>(m.ux);
      velocity[3 * cell + 1] = static_cast<float>(m.uy);
      velocity[3 * cell + 2] = static_cast<float>(m.uz);
    }
  }
}

void load_halves(const std::uint16_t* from, float* to, int count) {
  for (int i = 0; i < count; i += Lanes<Fp16>::count) {
    store_vector(to + i, Lanes<Fp16>::load(from + i));
  }
}

void store_halves(const float* from, std::uint16_t* to, int count) {
  using Vector = Lanes<Fp16>::Vector;
  for (int i = 0; i < count; i += Lanes<Fp16>::count) {
    store_vector(to + i, Lanes<Fp16>::pack(load_vector<Vector>(from + i)));
  }
}

void update_rows_any(const DeviceLattice& device, const UpdateLaunch& launch, int plane,
                     int y_begin, int y_end, bool stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    update_rows<decltype(storage)>(device, launch, plane, y_begin, y_end, stream);
  });
}

void update_pair_any(const DeviceLattice& device, const LaunchPair& pair, const PairStrip& strip) {
  visit_storage(device.lattice.storage,
                [&](auto storage) { PairRows<decltype(storage)>(device, pair, strip).run(); });
}

void moment_rows_any(const DeviceLattice& device, int slot, int y_begin, int y_end, float* density,
                     float* velocity) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    moment_rows<decltype(storage)>(device, slot, y_begin, y_end, density, velocity);
  });
}

}  // namespace
}  // namespace lbm::cpu
