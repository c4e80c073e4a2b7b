// SPDX-License-Identifier: Apache-2.0

// Two steps in one pass over device memory, for cells that are kept as moments.
//
// A block owns a tile of 64 x 11 columns (x, y), a thread a pair of neighbours in x. The block
// walks along z, with two barriers a plane. Iteration j publishes plane j of level s
// (moment_stage.hpp), which completes plane j - 1 of level s + 1. It publishes this plane as well,
// which completes plane j - 2 of level s + 2, in the tile alone. The update of a cell has the
// operations of the other kernels in the same order, so its bits are the same. A collision that
// filters the stress needs the stress of the level before: moment_pass_shape.hpp.
//
// 16 warps leave 128 registers a thread. Copies into shared memory do not go through the L1 cache,
// which is small where shared memory is large.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/passes/moment_input.hpp"
#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/backend/cuda/passes/moment_stage.hpp"
#include "solver/backend/cuda/passes/pair_arguments.hpp"
#include "solver/update/update_cells.hpp"

namespace lbm::cuda {
namespace {

// More bits beside PlaneRole. copies: the plane of level s is copied into shared memory.
constexpr unsigned copies = 64;
constexpr unsigned beyond_top = 128;  // the plane after the uppermost one; z_max is closed

template <class Storage, class Collision>
struct MomentPairArguments {
  PairArguments<Storage, Collision> pair;
  RowsOfWarps rows;
};

// Bits of plane j in begin - 2 ... end + 1, counted as in PairArguments at all levels.
template <class Arguments>
__device__ unsigned role_of_plane(const Arguments& args, int j, int tile, int begin, int end) {
  const int nz = args.first.nz, z = args.z_between(j);
  const bool closed = (args.first.walls.faces & z_min) != 0;
  const auto role = [&](int plane) {
    return plane < begin - 1 || plane > end || args.beyond_face(plane)
               ? 0U
               : args.role_of(plane, tile, begin, end);
  };
  const unsigned own = role(j);
  const unsigned ends =
      !closed ? 0U : (z == 0 ? at_bottom | beyond_top : 0U) | (z == nz - 1 ? at_top : 0U);
  return own | ends | (((role(j - 1) | own | role(j + 1)) & computes) != 0 ? copies : 0U);
}

// The slot of plane j of level s, where some plane beside it is computed.
template <class Arguments>
__device__ int slot_of_input(const Arguments& args, int j) {
  const LaunchPair& pair = args.pass.pair;
  const int last = pair.second.count + 1;
  const auto made = [&](int plane) { return plane < 0 || plane > last ? -1 : pair.made[plane]; };
  if (made(j) >= 0) return pair.first.in[made(j) + 1];
  if (made(j + 1) >= 0) return pair.first.in[made(j + 1)];
  return pair.first.in[made(j - 1) + 2];
}

__device__ unsigned end_of(unsigned role) {
  return ((role & at_bottom) != 0 ? at_first : 0U) | ((role & at_top) != 0 ? at_last : 0U) |
         ((role & beyond_top) != 0 ? beyond_last : 0U);
}

template <class Storage, class Collision>
using ShapeOf = MomentPassShape<Storage, FiltersStress<Collision>>;

template <class Storage, class Collision>
__global__ void __launch_bounds__(ShapeOf<Storage, Collision>::threads, 1)
    moment_pair_kernel(const __grid_constant__ MomentPairArguments<Storage, Collision> all) {
  using Shape = ShapeOf<Storage, Collision>;
  using Pair = PairOfCells<Storage, Shape>;
  constexpr bool filtered = FiltersStress<Collision>;
  using Moments = float[2][ten_moments::count];
  extern __shared__ __align__(128) std::byte shared[];
  wait_for_launch_before();
  const auto& args = all.pair;
  const LaunchPair& pair = args.pass.pair;
  const PlaneLayout& layout = args.first.layout;
  const int begin = args.begin_of(static_cast<int>(blockIdx.y));
  const int end = args.begin_of(static_cast<int>(blockIdx.y) + 1);
  const int tile = args.tile_of(static_cast<int>(blockIdx.x));
  // roles[j]: of plane j; nothing is done with the two planes before the first one.
  auto* const roles = reinterpret_cast<std::uint8_t*>(shared + Shape::roles_begin) + 4 - begin;
  for (int j = begin - 4 + static_cast<int>(threadIdx.x); j <= end + 1; j += Shape::threads) {
    roles[j] =
        static_cast<std::uint8_t>(j < begin - 2 ? 0U : role_of_plane(args, j, tile, begin, end));
  }
  __syncthreads();

  int place = 0;
  const Pair cells(layout, args.first.walls.faces, args.pass.tiles_across, tile,
                   all.rows.row[threadIdx.x / 32], place);
  const unsigned pitch = static_cast<unsigned>(layout.pitch) * Shape::size;
  MomentStage<typename Shape::First, Shape::threads> first;
  MomentStage<typename Shape::Second, Shape::threads> second;
  // Addresses are computed where they are used, from two registers, to save registers.
  const auto places = [&](int exchange, int first_row, int sent) {
    const int own = of_this_iteration(place), t = of_this_iteration(static_cast<int>(threadIdx.x));
    return PairPlace{shared + exchange - first_row * pairs_per_row * 8 + own * 8,
                     shared + exchange - first_row * pairs_per_row * 4 + own * 4,
                     reinterpret_cast<float2*>(shared + Shape::kept_begin) + t,
                     reinterpret_cast<float*>(shared + sent) + t};
  };
  const auto first_places = [&] { return places(0, 0, Shape::sent_begin); };
  const auto second_places = [&] {
    return places(Shape::second_begin, 1, Shape::sent_begin + Shape::sent_bytes);
  };
  const auto first_stress = [&] {
    return KeptStress<Collision, Shape::first_pairs>(
        reinterpret_cast<float2*>(shared + Shape::first_stress_begin) +
        (of_this_iteration(place) - pairs_per_row));
  };
  const auto second_stress = [&](int j) {
    return KeptStress<Collision, Shape::second_pairs>(
        reinterpret_cast<float2*>(shared + Shape::second_stress_begin) +
        ((j & 1) * 6 * Shape::second_pairs + of_this_iteration(place) - 2 * pairs_per_row - 1));
  };
  // The shift of walls of x, where the pair touches one. slots: their offset in shared memory.
  const auto wall_shift = [&](const auto& params, int slots) {
    const int row = of_this_iteration(place) / pairs_per_row;
    return WallShift<Storage, std::remove_cvref_t<decltype(params)>>(
        params, args.pass.special.walls, of_this_iteration(cells.sides()),
        reinterpret_cast<float2*>(shared + slots) + 2 * row);
  };
  const auto first_shift = [&] { return wall_shift(args.first, Shape::first_shift_begin); };
  const auto second_shift = [&](int j) {
    return wall_shift(args.second, Shape::second_shift_begin + (j & 1) * Shape::shift_bytes);
  };
  const auto fetch = [&](int j, int buffer) {
    if ((roles[j] & copies) != 0 && cells.is(Pair::exists)) {
      cells.copy(args.slot(slot_of_input(args, j)),
                 shared + Shape::input_begin + buffer * Shape::input_bytes, pitch, layout.nx);
    }
  };
  const auto gather = [&](auto& stage, const auto& params, const PairPlace& where, unsigned role,
                          ten_moments::MomentSums<float>(&sums)[2]) {
    const unsigned plane_end = end_of(role);
    if (cells.is(Pair::warp_touches) || plane_end != 0) [[unlikely]] {
      stage.template gather<true>(params, where, of_this_iteration(cells.sides()), plane_end, sums);
    } else {
      stage.template gather<false>(params, where, 0, 0, sums);
    }
  };

  int buffer = 0;
  LBM_NO_UNROLL
  for (int n = 0; n < Shape::planes_ahead; ++n) {
    fetch(begin - 2 + n, n);
    __pipeline_commit();
  }
  LBM_NO_UNROLL
  for (int j = begin - 2; j <= end + 1; ++j) {
    const unsigned role = roles[j], below = roles[j - 1];
    {  // plane j of level s
      __pipeline_wait_prior(Shape::planes_ahead - 1);
      __syncwarp();
      buffer = of_this_iteration(buffer);  // or addresses stay in registers from plane to plane
      Moments m;
      cells.take(shared + Shape::input_begin + buffer * Shape::input_bytes, m);
      __syncwarp();
      if constexpr (!filtered) {
        if (j + Shape::planes_ahead <= end + 1) fetch(j + Shape::planes_ahead, buffer);
        __pipeline_commit();
        if (++buffer == Shape::planes_ahead) buffer = 0;
      }
      if (cells.is(Pair::exists)) {
        first.publish(first_places(), cells.is(Pair::first_row), cells.is(Pair::last_row), m);
      }
    }
    __syncthreads();
    // Sums over planes that were not copied are never used. A condition around them would cost
    // registers.
    if (cells.is(Pair::gathers)) {  // plane j - 1 of level s + 1
      Moments m;
      {
        ten_moments::MomentSums<float> sums[2];
        gather(first, args.first, first_places(), role, sums);
        if constexpr (filtered) {
          if (cells.is(Pair::warp_touches)) [[unlikely]]
            first_shift().add(sums, (below & (at_bottom | at_top)) != 0);
        }
        LBM_UNROLL
        for (int c = 0; c < 2; ++c) args.first.collision.relax(sums[c], first_stress()[c], m[c]);
      }
      if constexpr (sizeof(typename Storage::Value) != sizeof(float)) {  // as if it were stored
        LBM_UNROLL
        for (int c = 0; c < 2; ++c) {
          const auto rounding = Storage::rounding(args.first.rounding, m[c][0]);
          LBM_UNROLL
          for (int i = 0; i < ten_moments::count; ++i) {
            m[c][i] = Storage::load_scaled(Storage::store_rounded(m[c][i], rounding));
          }
        }
      }
      if ((below & (keeps | reads)) != 0) [[unlikely]] {
        std::byte* const plane = args.slot(pair.second.in[j - 1]);
        if ((below & reads) != 0) {
          cells.read(plane, pitch, layout.nx, m);
        } else if (cells.is(Pair::inner)) {
          cells.write(plane, pitch, m, args.first.rounding);
        }
      }
      if (cells.is(Pair::inner)) second_stress(j - 1).keep(m);
      if constexpr (filtered) {
        if (cells.is(Pair::warp_touches)) [[unlikely]]
          second_shift(j - 1).keep(m);
      }
      second.publish(second_places(), cells.is(Pair::second_first_row),
                     cells.is(Pair::second_last_row), m);
    }
    if constexpr (filtered) {
      if (cells.is(Pair::gathers)) {
        Moments m;
        cells.take(shared + Shape::input_begin, m);
        first_stress().keep(m);
        if (cells.is(Pair::warp_touches)) [[unlikely]]
          first_shift().keep(m);
      }
      __syncwarp();
      if (j <= end) fetch(j + 1, 0);
      __pipeline_commit();
    }
    __syncthreads();
    if (cells.is(Pair::inner)) {  // plane j - 2 of level s + 2
      ten_moments::MomentSums<float> sums[2];
      gather(second, args.second, second_places(), below, sums);
      if ((roles[j - 2] & finishes) != 0) {
        if constexpr (filtered) {
          if (cells.is(Pair::warp_touches)) [[unlikely]] {
            second_shift(j - 2).add(sums, (roles[j - 2] & (at_bottom | at_top)) != 0);
          }
        }
        Moments m;
        LBM_UNROLL
        for (int c = 0; c < 2; ++c) {
          args.second.collision.relax(sums[c], second_stress(j - 2)[c], m[c]);
        }
        cells.write(args.slot(pair.second.out[j - 3]), pitch, m, args.second.rounding);
      }
    }
  }
}

}  // namespace

std::size_t moment_pass_shared_bytes(const Lattice& lattice) {
  std::size_t bytes = 0;
  visit_update(lattice,
               [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
                 if constexpr (has_passes(Storage::type) && holds_moments<Storage>) {
                   bytes = ShapeOf<Storage, Collision>::shared_bytes;
                 }
               });
  return bytes;
}

void launch_moment_pair(const DeviceLattice& device, const PairPass& pass,
                        const LaunchQueue& queue) {
  visit_update(
      device.lattice, [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
        if constexpr (has_passes(Storage::type) && holds_moments<Storage>) {
          using Shape = ShapeOf<Storage, Collision>;
          launch_tiles<Shape>(moment_pair_kernel<Storage, Collision>,
                              MomentPairArguments<Storage, Collision>{
                                  make_pair_arguments<Storage, Collision>(device, pass), {}},
                              pass, queue);
        }
      });
}

}  // namespace lbm::cuda
