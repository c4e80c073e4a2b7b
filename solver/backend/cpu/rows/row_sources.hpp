// SPDX-License-Identifier: Apache-2.0

// Vectors of cells, and the input rows of an output row: one for each direction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "solver/lattice/storage.hpp"
#include "solver/update/update_cell.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// SIMD vectors of the instruction set that the including source is compiled for, with loads and
// stores for each storage type. These are GCC's vector types: the update of a cell is the same
// source for them as for single cells.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

// A vector of `bytes` bytes.
template <class Value, int bytes>
struct VectorOf {
  typedef Value Type __attribute__((vector_size(bytes)));  // `using` loses the attribute
};

template <class Vector, class Value>
inline Vector load_vector(const Value* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Vector, class Value>
inline void store_vector(Value* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// Stores past the caches, for values that are not read soon: the line is not read before it is
// overwritten, which saves a third of an update's traffic. `to` is aligned to the size of the
// vector. A plain store on other machines than x86.
template <class Vector, class Value>
inline void stream_vector(Value* to, const Vector& vector) {
#if defined(__AVX512F__)
  if constexpr (sizeof vector == 64) {
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), load_vector<__m512i>(&vector));
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof vector == 32) {
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), load_vector<__m256i>(&vector));
  }
#endif
#if defined(__x86_64__)
  if constexpr (sizeof vector == 16) {
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), load_vector<__m128i>(&vector));
  }
#endif
  store_vector(to, vector);
}

// Orders the stores of stream_vector() before all later stores of this thread.
inline void end_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// Vectors of `count` neighbouring cells in a number format. Packed: their values as stored.
template <class Number>
struct LanesOf {
  using Value = typename Number::Value;
  using Real = typename Number::Real;
  static constexpr int count = vector_bytes / static_cast<int>(sizeof(Real));
  using Vector = typename VectorOf<Real, vector_bytes>::Type;
  using Packed = typename VectorOf<Value, count* static_cast<int>(sizeof(Value))>::Type;

  static Vector load(const Value* from) { return load_vector<Vector>(from); }
  static Packed pack(const Vector& vector, std::uint32_t) { return vector; }
};

// Converts with the instruction set, or with the integer arithmetic of lattice/storage.hpp: the
// same bits for every value but NaN, also where subnormal floats are flushed to zero.
template <>
struct LanesOf<Half> {
  using Value = Half::Value;
  using Real = Half::Real;
  static constexpr int count = vector_bytes / static_cast<int>(sizeof(Real));
  using Vector = VectorOf<Real, vector_bytes>::Type;
  using Packed = VectorOf<Value, count* static_cast<int>(sizeof(Value))>::Type;

  // Without instructions for it a conversion is long: as a function, not at each of its many uses.
#if defined(__F16C__)
#define LBM_CONVERSION
#else
#define LBM_CONVERSION [[gnu::noinline]]
#endif
  LBM_CONVERSION static Vector load(const Value* from) {
#if defined(__AVX512F__)
    // With a mask of ones: g++ 12 warns about its own unmasked one.
    return _mm512_maskz_cvtph_ps(0xffff, load_vector<__m256i>(from));
#elif defined(__F16C__)
    return _mm256_cvtph_ps(load_vector<__m128i>(from));
#else
    Vector vector;
    for (int i = 0; i < count; ++i) vector[i] = Half::load_scaled(from[i]);
    return vector;
#endif
  }
  // As Half::store_rounded.
  LBM_CONVERSION static Packed pack(const Vector& vector, std::uint32_t key) {
    using Bits = VectorOf<std::uint32_t, vector_bytes>::Type;
    const Bits bits = reinterpret_cast<Bits>(vector);
    const Bits noise = half_noise(bits, key);
    const Vector noisy = reinterpret_cast<Vector>(bits + noise);
#if defined(__AVX512F__)
    return reinterpret_cast<Packed>(_mm512_maskz_cvtps_ph(0xffff, noisy, _MM_FROUND_TO_ZERO));
#elif defined(__F16C__)
    return reinterpret_cast<Packed>(_mm256_cvtps_ph(noisy, _MM_FROUND_TO_ZERO));
#else
    Packed packed;
    for (int i = 0; i < count; ++i) packed[i] = float_to_half_truncated(noisy[i]);
    return packed;
#endif
  }
};

#undef LBM_CONVERSION

template <class Storage>
using Lanes = LanesOf<typename Storage::Number>;

// The input rows of one output row, and their wall terms.
template <class Storage>
struct RowSources {
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

  InputPlanes<Storage> in;
  int begins[3];  // of rows y - 1, y and y + 1 in each of the planes
  int y, z, pitch;
  const Value*
      row[Storage::Set::directions];   // of populations the row of q, of moments that of the first
  int from[Storage::Set::directions];  // the direction whose population enters
  Real term[Storage::Set::directions];
  bool shifted;  // the row touches walls that are shifted
  bool walls;    // any term may be other than zero, and any from[q] other than q

  // begins_: see CellOffsets::row.
  template <class Params>
  RowSources(const Params& params, const InputPlanes<Storage>& planes, const int (&begins_)[3],
             int y_, int z_)
      : in(planes),
        begins{begins_[0], begins_[1], begins_[2]},
        y(y_),
        z(z_),
        pitch(params.layout.pitch) {
    const unsigned touched = touches(params, -1);  // x = -1: no x face
    walls = touched != 0;
    shifted = touched_faces(params.boundaries.shifted_faces, -1, y, z, params.layout.nx,
                            params.layout.ny, params.nz) != 0;
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) {
      const LinkSource link = link_source(q, touched & entered_faces(q), params.free_slip_faces());
      const int first = holds_moments<Storage> ? 0 : link.q * pitch;
      row[q] = in.plane[1 + link.d[2]] + first + begins[1 + link.d[1]] + link.d[0];
      from[q] = link.q;
      term[q] = link.walls == 0 ? Real(0) : params.walls.term[q][wall_set(q, link.walls)];
    }
  }
  // For rows of whole planes.
  template <class Params>
  RowSources(const Params& params, const InputPlanes<Storage>& planes, int y_, int z_)
      : RowSources(params, planes, CellOffsets(params.layout, 0, y_).row, y_, z_) {}

  template <class Params>
  unsigned touches(const Params& params, int x) const {
    return touched_faces(params.walls.faces, x, y, z, params.layout.nx, params.layout.ny,
                         params.nz);
  }

  // Fetches the input of cells [x, x + count) into the first-level cache. Unrolled: as loops, these
  // few instructions cost a fifth of the speed.
  template <int count>
  LBM_HD void prefetch(int x) const {
    constexpr int line = 64 / sizeof(Value);
    LBM_UNROLL
    for (int v = 0; v < Storage::values; ++v) {
      // Moments: the row above in the plane above; the others were read for earlier rows.
      const Value* const at =
          x + (holds_moments<Storage> ? in.plane[2] + begins[2] + v * pitch : row[v]);
      LBM_UNROLL
      for (int i = 0; i < count; i += line) __builtin_prefetch(at + i, 0, 3);
    }
  }

  // The row itself: its first value.
  const Value* own() const { return in.plane[1] + begins[1]; }

  // Calls take(q, gather) for all directions of the cell at x; gather(q) is its incoming
  // population.
  template <class Params, class Function>
  LBM_HD void gather(const Params& params, int x, const Function& take) const {
    const CellOffsets at(params.layout, x, begins);
    const LinkGather link{params, in, at, touches(params, x)};
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) take(q, link);
  }
};

// Populations that enter the cells from x on along direction q. They are the populations `source`
// of the input row of q.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector incoming(const RowSources<Storage>& from, int q, int source,
                                                int x) {
  using L = Lanes<Storage>;
  if constexpr (holds_moments<Storage>) {
    return Storage::population(source,
                               [&](int i) { return L::load(from.row[q] + i * from.pitch + x); });
  } else {
    return L::load(from.row[q] + x);
  }
}

// The incoming populations of a vector of cells, times Storage::scale.
template <class Storage>
using VectorG = typename Lanes<Storage>::Vector[Storage::Set::directions];

// Those of the cells from x on, where no link crosses an x face and populations have their own
// source (RowSources::from).
template <class Storage>
LBM_HD void load_from_rows(const RowSources<Storage>& from, int x, VectorG<Storage>& g) {
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) g[q] = incoming(from, q, q, x);
  if (from.walls) {
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) g[q] += from.term[q];
  }
}

// The values of a vector of cells, as they are stored.
template <class Storage>
using PackedCells = typename Lanes<Storage>::Packed[Storage::values];

}  // namespace
}  // namespace lbm::cpu
