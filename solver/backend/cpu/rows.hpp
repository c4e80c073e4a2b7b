// The update on the CPU. Whole rows run vectorised: 19 input rows, 19 output rows, one wall term
// each. What a row cannot express (the cells at x faces, cells next to solids) is done again after
// it in batches of 16 cells. Included by one source file per instruction set.
#pragma once

#include <algorithm>

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/half_rows.hpp"
#include "solver/lattice/update.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// Cells computed together outside of rows, gathered and scattered one by one.
template <class Storage>
class CellBatch {
 public:
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  static constexpr int size = 16;

  CellBatch(const UpdateParams<Storage>& params, const InputPlanes<Storage>& in, Value* out, int z)
      : params_(params), in_(in), out_(out), z_(z) {}

  void add(int x, int y) {
    const CellOffsets at(params_.layout, x, y);
    const unsigned touched = touched_faces(params_.walls.faces, x, y, z_, params_.layout.nx,
                                           params_.layout.ny, params_.nz);
    const std::uint8_t* flags = params_.flags.plane(z_);
    const bool near_solid =
        flags != nullptr && flags[static_cast<std::int64_t>(y) * params_.layout.nx + x] != 0;
    const unsigned solid = near_solid ? solid_links(params_, at, z_, touched) : 0;
    const LinkGather<Storage> gather{params_, in_, at, touched, solid};
    LBM_UNROLL
    for (int q = 0; q < d3q19::directions; ++q) g_[q][count_] = gather(q);
    offset_[count_++] = at.row[1] + at.column[1];
    if (count_ == size) flush();
  }

  void flush() {
#pragma GCC ivdep
    for (int i = 0; i < size; ++i) {
      update_cell<Real>(
          params_.collision, [&](int q) { return g_[q][i]; }, [&](int q, Real g) { g_[q][i] = g; });
    }
    for (int q = 0; q < d3q19::directions; ++q) {
      Value* out = out_ + q * params_.layout.pitch;
      for (int i = 0; i < count_; ++i) out[offset_[i]] = Storage::store(g_[q][i]);
    }
    count_ = 0;
  }

 private:
  const UpdateParams<Storage>& params_;
  const InputPlanes<Storage>& in_;
  Value* out_;
  int z_;
  int count_ = 0;
  int offset_[size];
  alignas(64) Real g_[d3q19::directions][size] = {};
};

// Input rows and wall terms of one output row.
template <class Storage>
struct RowSources {
  const typename Storage::Value* row[d3q19::directions];
  typename Storage::Real term[d3q19::directions];

  RowSources(const UpdateParams<Storage>& params, const InputPlanes<Storage>& in, int y, int z) {
    const PlaneLayout& layout = params.layout;
    const CellOffsets at(layout, 0, y);
    // x = -1: touches no x face; those are the batch's.
    const unsigned touched =
        touched_faces(params.walls.faces, -1, y, z, layout.nx, layout.ny, params.nz);
    for (int q = 0; q < d3q19::directions; ++q) {
      const unsigned crossed = touched & entered_faces(q);
      row[q] = crossed != 0 ? in.plane[1] + d3q19::opposite(q) * layout.pitch + at.row[1]
                            : in.plane[1 - d3q19::cz(q)] + q * layout.pitch +
                                  at.row[1 - d3q19::cy(q)] - d3q19::cx(q);
      term[q] = params.walls.term[q][wall_set(q, crossed)];
    }
  }
};

// The whole row, padding included: what is computed there is never read. At its ends the row reads
// one value beyond, which is still inside the plane: q = 0 and q = 18 do not move along x.
template <class Storage>
void update_row(const UpdateParams<Storage>& params, const RowSources<Storage>& sources,
                typename Storage::Value* out) {
  using Real = typename Storage::Real;
  const int pitch = params.layout.pitch;
  const int width = params.layout.pitch / 16 * 16;
  const Bgk<Real> collision = params.collision;
  const RowSources<Storage> from = sources;
#pragma GCC ivdep
  for (int x = 0; x < width; ++x) {
    update_cell<Real>(
        collision, [&](int q) { return Storage::load(from.row[q][x]) + from.term[q]; },
        [&](int q, Real g) { out[q * pitch + x] = Storage::store(g); });
  }
}

// Halves: piece by piece through floats in the first-level cache, so that whole vectors are
// converted.
inline void update_row(const UpdateParams<Fp16>& params, const RowSources<Fp16>& from,
                       std::uint16_t* out) {
  constexpr int piece = 64;
  alignas(64) float g[d3q19::directions][piece];
  const int width = params.layout.pitch / 16 * 16;
  const Bgk<float> collision = params.collision;
  for (int x0 = 0; x0 < width; x0 += piece) {
    const int count = std::min(piece, width - x0);
    for (int q = 0; q < d3q19::directions; ++q) load_halves(from.row[q] + x0, g[q], count);
#pragma GCC ivdep
    for (int x = 0; x < count; ++x) {
      update_cell<float>(
          collision, [&](int q) { return g[q][x] + from.term[q]; },
          [&](int q, float value) { g[q][x] = value; });
    }
    for (int q = 0; q < d3q19::directions; ++q) {
      store_halves(g[q], out + q * params.layout.pitch + x0, count);
    }
  }
}

// Flagged cells of the row: those next to solids go to the batch, solid ones are stored as zero.
template <class Storage>
void update_flagged(const UpdateParams<Storage>& params, const std::uint8_t* flags, int y,
                    typename Storage::Value* out, CellBatch<Storage>& batch) {
  const PlaneLayout& layout = params.layout;
  const std::uint8_t* row = flags + static_cast<std::int64_t>(y) * layout.nx;
  for (int x = 0; x < layout.nx; ++x) {
    if (row[x] == flag_near_solid && x > 0 && x < layout.nx - 1) batch.add(x, y);
  }
  batch.flush();
  for (int x = 0; x < layout.nx; ++x) {
    if (row[x] != flag_solid) continue;
    for (int q = 0; q < d3q19::directions; ++q) out[layout.index(q, y, x)] = {};
  }
}

template <class Storage>
void update_rows(const DeviceLattice& device, const UpdateLaunch& launch, int plane, int y_begin,
                 int y_end) {
  using Value = typename Storage::Value;
  const auto params = make_update_params<Storage>(device.lattice, device.flags);
  const PlaneLayout& layout = params.layout;
  const auto slot = [&](int i) {
    return reinterpret_cast<Value*>(device.slots + i * layout.bytes);
  };
  const InputPlanes<Storage> in{
      {slot(launch.in[plane]), slot(launch.in[plane + 1]), slot(launch.in[plane + 2])}};
  Value* out = slot(launch.out[plane]);
  const int z = (launch.first_plane + plane) % params.nz;
  const std::uint8_t* flags = params.flags.plane(z);
  CellBatch<Storage> batch(params, in, out, z);
  // Rows and batches alternate in groups, so that a batch finds its rows still in the cache.
  constexpr int group = CellBatch<Storage>::size / 2;
  for (int y0 = y_begin; y0 < y_end; y0 += group) {
    const int y1 = y0 + group < y_end ? y0 + group : y_end;
    for (int y = y0; y < y1; ++y) {
      update_row(params, RowSources<Storage>(params, in, y, z), out + y * layout.row);
    }
    for (int y = y0; y < y1; ++y) {
      batch.add(0, y);
      if (layout.nx > 1) batch.add(layout.nx - 1, y);
    }
    batch.flush();
    if (flags == nullptr) continue;
    for (int y = y0; y < y1; ++y) update_flagged(params, flags, y, out, batch);
  }
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

void update_rows_any(const DeviceLattice& device, const UpdateLaunch& launch, int plane,
                     int y_begin, int y_end) {
  switch (device.lattice.storage) {
    case StorageType::fp32:
      return update_rows<Fp32>(device, launch, plane, y_begin, y_end);
    case StorageType::fp16:
      return update_rows<Fp16>(device, launch, plane, y_begin, y_end);
    case StorageType::fp64:
      return update_rows<Fp64>(device, launch, plane, y_begin, y_end);
  }
}

void moment_rows_any(const DeviceLattice& device, int slot, int y_begin, int y_end, float* density,
                     float* velocity) {
  switch (device.lattice.storage) {
    case StorageType::fp32:
      return moment_rows<Fp32>(device, slot, y_begin, y_end, density, velocity);
    case StorageType::fp16:
      return moment_rows<Fp16>(device, slot, y_begin, y_end, density, velocity);
    case StorageType::fp64:
      return moment_rows<Fp64>(device, slot, y_begin, y_end, density, velocity);
  }
}

}  // namespace
}  // namespace lbm::cpu
