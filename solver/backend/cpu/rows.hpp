// The update on the CPU. Whole rows run vectorised: 19 input rows, 19 output rows, one wall term
// each. What a row cannot express (cells next to solids) is done again after it in batches of 16
// cells. Included by one source file per instruction set.
#pragma once

#include <algorithm>

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/half_rows.hpp"
#include "solver/backend/cpu/stream_row.hpp"
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
      for (int i = 0; i < count_; ++i) out[offset_[i]] = Storage::store_scaled(g_[q][i]);
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

// One output row: where its input rows begin, their wall terms.
template <class Storage>
struct RowSources {
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

  InputPlanes<Storage> in;
  int y, z;
  const Value* row[d3q19::directions];
  Real term[d3q19::directions];
  bool walls;  // any term may be other than zero

  RowSources(const UpdateParams<Storage>& params, const InputPlanes<Storage>& planes, int y_,
             int z_)
      : in(planes), y(y_), z(z_) {
    const PlaneLayout& layout = params.layout;
    const CellOffsets at(layout, 0, y);
    const unsigned touched = touches(params, -1);  // x = -1: no x face
    walls = touched != 0;
    for (int q = 0; q < d3q19::directions; ++q) {
      const unsigned crossed = touched & entered_faces(q);
      row[q] = crossed != 0 ? in.plane[1] + d3q19::opposite(q) * layout.pitch + at.row[1]
                            : in.plane[1 - d3q19::cz(q)] + q * layout.pitch +
                                  at.row[1 - d3q19::cy(q)] - d3q19::cx(q);
      term[q] = params.walls.term[q][wall_set(q, crossed)];
    }
  }

  unsigned touches(const UpdateParams<Storage>& params, int x) const {
    return touched_faces(params.walls.faces, x, y, z, params.layout.nx, params.layout.ny,
                         params.nz);
  }

  // Into the cache, for cells [x, x + count).
  void prefetch(int x, int count) const {
    constexpr int line = 64 / sizeof(Value);
    for (int q = 0; q < d3q19::directions; ++q) {
      for (int i = 0; i < count; i += line) __builtin_prefetch(row[q] + x + i, 0, 2);
    }
  }
};

// What the cell at one end of a row takes from across its x face: directions along +x at the
// first cell, along -x at the last.
template <class Storage, int cells>
void gather_end(const UpdateParams<Storage>& params, const RowSources<Storage>& from, int x, int i,
                typename Storage::Real (&g)[d3q19::directions][cells]) {
  const CellOffsets at(params.layout, x, from.y);
  const LinkGather<Storage> gather{params, from.in, at, from.touches(params, x), 0};
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) {
    if (d3q19::cx(q) > 0 && x == 0) g[q][i] = gather(q);
    if (d3q19::cx(q) < 0 && x == params.layout.nx - 1) g[q][i] = gather(q);
  }
}

// Updates the cells [x0, x0 + cells) of a row through the first-level cache: halves, so that whole
// vectors are converted; the ends of a row, so that what crosses the x faces can be put in; and
// what is stored past the cache, so that it leaves in whole lines.
template <class Storage, int cells>
void update_block(const UpdateParams<Storage>& params, const RowSources<Storage>& from, int x0,
                  bool stream, typename Storage::Value* out) {
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  constexpr bool halves = sizeof(Value) == 2;
  alignas(64) Real g[d3q19::directions][cells];
  const Bgk<Storage> collision = params.collision;
  const int last = params.layout.nx - 1 - x0, pitch = params.layout.pitch;
  const auto collide = [&](const auto& gather) {
#pragma GCC ivdep
    for (int x = 0; x < cells; ++x) {
      update_cell<Real>(
          collision, [&](int q) { return gather(q, x); },
          [&](int q, Real value) { g[q][x] = value; });
    }
  };
  if (halves || x0 == 0 || last < cells) {
    for (int q = 0; q < d3q19::directions; ++q) {
      if constexpr (halves) {
        load_halves(from.row[q] + x0, g[q], cells);
      } else {
        for (int x = 0; x < cells; ++x) g[q][x] = Storage::load_scaled(from.row[q][x0 + x]);
      }
      if (!from.walls) continue;
      for (int x = 0; x < cells; ++x) g[q][x] += from.term[q];
    }
    if (x0 == 0) gather_end(params, from, 0, 0, g);
    if (last >= 0 && last < cells) gather_end(params, from, x0 + last, last, g);
    collide([&](int q, int x) { return g[q][x]; });
  } else if (from.walls) {
    collide([&](int q, int x) { return Storage::load_scaled(from.row[q][x0 + x]) + from.term[q]; });
  } else {
    collide([&](int q, int x) { return Storage::load_scaled(from.row[q][x0 + x]); });
  }
  alignas(64) Value packed[cells];
  for (int q = 0; q < d3q19::directions; ++q) {
    Value* to = out + q * pitch + x0;
    if constexpr (halves) {
      store_halves(g[q], stream ? packed : to, cells);
      if (stream) stream_row(packed, to, sizeof packed);
    } else if (stream) {
      stream_row(g[q], to, sizeof packed);
    } else {
      std::copy(g[q], g[q] + cells, to);
    }
  }
}

// The whole row, padding included: what is computed there is never read. At its ends the row reads
// one value beyond, which is still inside the plane: q = 0 and q = 18 do not move along x. Cells
// next to solids get what the row can give; see update_flagged. next: the row after this one.
template <class Storage>
void update_row(const UpdateParams<Storage>& params, const RowSources<Storage>& from,
                const RowSources<Storage>& next, bool stream, typename Storage::Value* out) {
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  constexpr bool halves = sizeof(Value) == 2;
  constexpr int block = halves ? 64 : 16;
  const int pitch = params.layout.pitch;
  const Bgk<Storage> collision = params.collision;
  const bool in_blocks = halves || stream;
  // From memory in small steps: what is fetched ahead comes in while the step's cells are computed.
  const int ahead = in_blocks ? block : 64;
  const int inside = in_blocks ? 0 : (params.layout.nx - 1) / block * block;
  const auto collide = [&](int begin, int end, const auto& gather) {
#pragma GCC ivdep
    for (int x = begin; x < end; ++x) {
      update_cell<Real>(
          collision, [&](int q) { return gather(q, x); },
          [&](int q, Real g) { out[q * pitch + x] = Storage::store_scaled(g); });
    }
  };
  for (int x0 = 0; x0 < pitch; x0 += ahead) {
    const int end = std::min(x0 + ahead, pitch), direct = std::min(end, inside);
    next.prefetch(x0, end - x0);
    int x = x0;
    if (x == 0 && !in_blocks) {
      update_block<Storage, block>(params, from, 0, false, out);
      x = block;
    }
    if (from.walls) {
      collide(x, direct,
              [&](int q, int i) { return Storage::load_scaled(from.row[q][i]) + from.term[q]; });
    } else {
      collide(x, direct, [&](int q, int i) { return Storage::load_scaled(from.row[q][i]); });
    }
    x = std::max(x, direct);
    for (; x + block <= end; x += block) update_block<Storage, block>(params, from, x, stream, out);
    for (; x < end; x += 16) update_block<Storage, 16>(params, from, x, stream, out);
  }
}

inline bool has_flags(const std::uint8_t* flags, int count) {
  return std::any_of(flags, flags + count, [](std::uint8_t flag) { return flag != flag_fluid; });
}

// Flagged cells of the row, row[nx]: those next to solids go to the batch, solid ones are stored as
// zero.
template <class Storage>
void update_flagged(const UpdateParams<Storage>& params, const std::uint8_t* row, int y,
                    typename Storage::Value* out, CellBatch<Storage>& batch) {
  const PlaneLayout& layout = params.layout;
  for (int x = 0; x < layout.nx; ++x) {
    if (row[x] == flag_near_solid) batch.add(x, y);
  }
  batch.flush();
  for (int x = 0; x < layout.nx; ++x) {
    if (row[x] != flag_solid) continue;
    for (int q = 0; q < d3q19::directions; ++q) out[layout.index(q, y, x)] = {};
  }
}

template <class Storage>
void update_rows(const DeviceLattice& device, const UpdateLaunch& launch, int plane, int y_begin,
                 int y_end, bool stream) {
  using Value = typename Storage::Value;
  const auto params = make_update_params<Storage>(device.lattice, device.flags);
  const PlaneLayout& layout = params.layout;
  const auto slot = [&](int i) {
    return reinterpret_cast<Value*>(device.slots + i * layout.bytes);
  };
  const auto sources_of = [&](int i, int y) {
    const InputPlanes<Storage> in{
        {slot(launch.in[i]), slot(launch.in[i + 1]), slot(launch.in[i + 2])}};
    return RowSources<Storage>(params, in, y, (launch.first_plane + i) % params.nz);
  };
  Value* out = slot(launch.out[plane]);
  RowSources<Storage> now = sources_of(plane, y_begin);
  const std::uint8_t* flags = params.flags.plane(now.z);
  CellBatch<Storage> batch(params, now.in, out, now.z);
  const int above = std::min(plane + 1, launch.count - 1);
  for (int y = y_begin; y < y_end; ++y) {
    const RowSources<Storage> next =
        y + 1 < y_end ? sources_of(plane, y + 1) : sources_of(above, y_begin);
    const std::uint8_t* row_flags =
        flags == nullptr ? nullptr : flags + static_cast<std::int64_t>(y) * layout.nx;
    const bool flagged = row_flags != nullptr && has_flags(row_flags, layout.nx);
    update_row(params, now, next, stream && !flagged, out + y * layout.row);
    if (flagged) update_flagged(params, row_flags, y, out, batch);
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

void update_rows_any(const DeviceLattice& device, const UpdateLaunch& launch, int plane,
                     int y_begin, int y_end, bool stream) {
  switch (device.lattice.storage) {
    case StorageType::fp32:
      return update_rows<Fp32>(device, launch, plane, y_begin, y_end, stream);
    case StorageType::fp16:
      return update_rows<Fp16>(device, launch, plane, y_begin, y_end, stream);
    case StorageType::fp64:
      return update_rows<Fp64>(device, launch, plane, y_begin, y_end, stream);
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
