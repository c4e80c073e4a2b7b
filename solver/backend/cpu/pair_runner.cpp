// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/pair_runner.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "solver/backend/cpu/fitting_threads.hpp"
#include "solver/backend/cpu/rows/row_functions.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cpu {
namespace {

template <Isa isa>
constexpr Kernels kernels_of(const char* name) {
  using enum StorageType;
  static_assert(
      int{fp32 == StorageType{0}} + int{fp16 == StorageType{1}} + int{fp64 == StorageType{2}} == 3);
  return {name,
          {&RowKernelsOf<isa, fp32>::populations, &RowKernelsOf<isa, fp16>::populations,
           &RowKernelsOf<isa, fp64>::populations},
          {&RowKernelsOf<isa, fp32>::moments, &RowKernelsOf<isa, fp16>::moments,
           &RowKernelsOf<isa, fp64>::moments},
          HalfConversions<isa>::load,
          HalfConversions<isa>::round};
}

}  // namespace

const Kernels kernels_baseline = kernels_of<Isa::baseline>("baseline");
#if defined(__x86_64__)
const Kernels kernels_avx2 = kernels_of<Isa::avx2>("avx2");
const Kernels kernels_avx512 = kernels_of<Isa::avx512>("avx512");
#endif

const Kernels& best_kernels() {
#if defined(__x86_64__)
  const char* asked = std::getenv("LBM_CPU_ISA");
  const std::string_view isa = asked == nullptr ? "" : asked;
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq");
  if (avx512 && isa != "avx2" && isa != "baseline") return kernels_avx512;
  if (avx2 && isa != "baseline") return kernels_avx2;
#endif
  return kernels_baseline;
}

bool exceeds_caches(const Lattice& lattice) {
  constexpr std::size_t cached = std::size_t{32} << 20;
  return lattice.bytes() > cached;
}

long cache_for_rows() { return std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20) * 5 / 8; }

std::size_t pair_ring_bytes(const Lattice& lattice, int planes) {
  const auto row = static_cast<std::size_t>(lattice.layout.row);
  return 3 * row * bytes_per_value(lattice.storage) * static_cast<std::size_t>(planes);
}

int planes_in_cache(const Lattice& lattice) {
  constexpr int least = 4, most = 16, in_pieces = 8;
  const auto fit = cache_for_rows() / static_cast<long>(pair_ring_bytes(lattice, 1)) - 2;
  return fit < least ? in_pieces : static_cast<int>(std::min<long>(fit, most));
}

int cells_per_piece(const Lattice& lattice, const LaunchPair& pair) {
  constexpr int least = 128;  // a quarter more is then computed twice
  const int pitch = lattice.layout.pitch;
  const auto bytes = static_cast<long>(pair_ring_bytes(lattice, pair.second.count + 2));
  const auto most = std::max(static_cast<int>(cache_for_rows() * pitch / bytes), least);
  const int pieces = (pitch + most - 1) / most;
  return ((pitch + pieces - 1) / pieces + 15) / 16 * 16;
}

bool PairRunner::run(const Kernels& kernels, const DeviceLattice& lattice, const LaunchPair& pair,
                     int threads, int piece) {
  constexpr int least_rows = 8;  // each strip computes the first step of two more rows
  const int ny = lattice.lattice.layout.ny;
  if (kernels.of(lattice.lattice).update_pair == nullptr) return false;
  if (ny < least_rows * threads || lattice.lattice.layout.fluid_only) return false;
  if (!has_pair_pass(lattice.lattice)) return false;
  const std::size_t bytes = pair_ring_bytes(lattice.lattice, pair.second.count + 2);
  rings_.resize(static_cast<std::size_t>(threads));
  for (Buffer& ring : rings_) {
    if (ring.size() < bytes) ring = map_host_memory(bytes, "rows between two steps");
  }
  if (piece == 0) piece = cells_per_piece(lattice.lattice, pair);
  const bool stream = exceeds_caches(lattice.lattice);
#pragma omp parallel num_threads(threads)
  {
    const FlushSubnormals flush;
    std::byte* const ring = rings_[static_cast<std::size_t>(omp_get_thread_num())].data();
#pragma omp for schedule(static)
    for (int i = 0; i < threads; ++i) {
      const int begin = static_cast<int>(1LL * ny * i / threads);
      const int end = static_cast<int>(1LL * ny * (i + 1) / threads);
      kernels.of(lattice.lattice).update_pair(lattice, pair, {begin, end, piece, stream, ring});
    }
  }
  return true;
}

}  // namespace lbm::cpu
