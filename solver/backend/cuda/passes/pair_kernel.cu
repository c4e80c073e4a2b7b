// SPDX-License-Identifier: Apache-2.0

// Two steps of populations in one pass over device memory. Level s + 1 between them stays on chip.
//
// A block owns a tile of columns (x, y) and walks along z, with one barrier a plane. For plane j it
// makes the first step in the tile and in the ring of cells around it, from populations copied into
// shared memory two planes ahead. Threads exchange the result in shared memory (pass_level.hpp).
// Then the block makes the second step of plane j - 1, in the tile alone. The update of a cell has
// the operations of the other kernels in the same order, so its bits are the same.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/passes/pair_arguments.hpp"
#include "solver/backend/cuda/passes/pass_level.hpp"

namespace lbm::cuda {
namespace {

// FaceBit of the closed faces of z that a plane of this role touches.
LBM_HD unsigned ends_of_z(unsigned role) {
  return ((role & at_bottom) != 0 ? z_min : 0U) | ((role & at_top) != 0 ? z_max : 0U);
}

// Loads the populations that the staged input lacks: links across a wall or a free-slip face, and
// all links of a cell with TileCell::pulls_itself. All loads come before the first use.
template <class Storage, class Collision>
__device__ void pull_across_faces(const PairArguments<Storage, Collision>& args, int made, int z,
                                  typename Storage::Real (&g)[Storage::Set::directions]) {
  const PlaneLayout& layout = args.first.layout;
  const TileCell<Storage> cell(layout, args.first.walls.faces, args.pass.tiles_across,
                               args.tile_of(static_cast<int>(blockIdx.x)),
                               of_this_iteration(static_cast<int>(threadIdx.x)));
  const InputPlanes<Storage> in = args.input(made);
  const CellOffsets at(layout, cell.x, cell.y);
  const unsigned faces = args.touched(cell.x, cell.y, z);
  const LinkGather gather{args.first, in, at, faces};
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) {
    if (cell.pulls_itself || (faces & entered_faces(q)) != 0)
      g[q] = gather.load(q, gather.source_of(q));
  }
  LBM_UNROLL
  for (int q = 1; q < Storage::Set::directions; ++q) {
    if ((faces & entered_faces(q)) != 0) g[q] = gather.with_term(q, gather.source_of(q), g[q]);
  }
}

template <class Storage, class Collision>
__global__ void __launch_bounds__(PassShape<Storage>::threads, 1)
    pair_kernel(const __grid_constant__ PairArguments<Storage, Collision> args) {
  using Shape = PassShape<Storage>;
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  extern __shared__ __align__(128) std::byte shared[];
  wait_for_launch_before();
  const LaunchPair& pair = args.pass.pair;
  const PlaneLayout& layout = args.first.layout;
  const int begin = args.begin_of(static_cast<int>(blockIdx.y));
  const int end = args.begin_of(static_cast<int>(blockIdx.y) + 1);
  auto* const roles = reinterpret_cast<std::uint8_t*>(shared + Shape::roles_begin);
  const int tile = args.tile_of(static_cast<int>(blockIdx.x));
  for (int j = begin - 1 + static_cast<int>(threadIdx.x); j <= end; j += Shape::threads) {
    roles[j] = static_cast<std::uint8_t>(args.role_of(j, tile, begin, end));
  }
  __syncthreads();

  const TileCell<Storage> cell(layout, args.first.walls.faces, args.pass.tiles_across, tile,
                               static_cast<int>(threadIdx.x));
  const InputCopies<Storage> copies(layout, cell);
  const unsigned own = static_cast<unsigned>(cell.y) * static_cast<unsigned>(layout.row) +
                       static_cast<unsigned>(cell.x);
  const auto fetch = [&](int j) {
    if ((roles[j] & computes) != 0) {
      const int made = pair.made[j];
      copies.copy(args.slot(pair.first.in[made + copies.plane()]),
                  shared + (j & 1) * Shape::input_bytes);
      if (cell.sides != 0) {
        SideLinks<Storage>::copy(of_this_iteration(cell.sides), args.slot(pair.first.in[made + 1]),
                                 own, layout.pitch,
                                 shared + Shape::side_begin + (j & 1) * Shape::side_bytes);
      }
    }
    __pipeline_commit();
  };
  const unsigned pitch = static_cast<unsigned>(layout.pitch);
  const auto store = [&](int slot, const Real(&g)[Storage::Set::directions], std::uint32_t key) {
    auto* to = reinterpret_cast<Value*>(args.slot(slot)) + own;
    const auto rounding = Storage::rounding(key, g[0]);
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q, to += pitch) {
      *to = Storage::store_rounded(g[q], rounding);
    }
  };

  LevelBetween<Storage> level(shared, cell);
  unsigned before = 0;  // role of the plane before

  fetch(begin - 1);
  fetch(begin);
  __pipeline_wait_prior(0);
  __syncthreads();
  LBM_NO_UNROLL
  for (int j = begin - 1; j <= end; ++j) {
    const unsigned role = roles[j];
    Real g[Storage::Set::directions];  // plane j of level s + 1
    if ((role & computes) != 0) {
      const std::byte* staged = shared + (j & 1) * Shape::input_bytes;
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q) {
        g[q] = Storage::load_scaled(*reinterpret_cast<const Value*>(
            staged + q * Shape::direction_bytes + cell.staged[1 - cx(q)]));
      }
      if ((role & (at_bottom | at_top)) != 0 || cell.pulls_itself) {
        if (cell.live) pull_across_faces(args, pair.made[j], args.z_between(j), g);
      } else if (cell.sides != 0) {
        SideLinks<Storage>::pull(args.first, of_this_iteration(cell.sides), cell.x, staged,
                                 shared + Shape::side_begin + (j & 1) * Shape::side_bytes, g);
      }
      args.first.collision(g);
      if constexpr (sizeof(Value) != sizeof(Real)) {  // rounded as if it were stored
        const auto rounding = Storage::rounding(args.first.rounding, g[0]);
        LBM_UNROLL
        for (int q = 0; q < Storage::Set::directions; ++q) {
          g[q] = Storage::load_scaled(Storage::store_rounded(g[q], rounding));
        }
      }
      if ((role & keeps) != 0 && cell.inner) {
        store(pair.second.in[j], g, args.first.rounding);
      }
    } else if ((role & reads) != 0) {
      const auto* from = reinterpret_cast<const Value*>(args.slot(pair.second.in[j])) + own;
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q)
        g[q] = Storage::load_scaled(from[q * pitch]);
    } else {
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q) g[q] = Real(0);
    }
    level.publish(cell.live, g);
    __pipeline_wait_prior(0);
    __syncthreads();
    if (j + 2 <= end) fetch(j + 2);
    if (cell.inner) {
      Real f[Storage::Set::directions];
      level.gather(f, g);
      if (cell.sides != 0 || ((role | before) & (at_bottom | at_top)) != 0) {
        const unsigned sides = of_this_iteration(cell.sides);
        level.cross_faces(args.second, sides | ends_of_z(before), sides | ends_of_z(role), f);
      }
      if ((before & finishes) != 0) {
        args.second.collision(f);
        store(pair.second.out[j - 2], f, args.second.rounding);
      }
    }
    level.advance();
    before = role;
  }
}

}  // namespace

std::size_t pass_shared_bytes(const Lattice& lattice) {
  if (lattice.representation == Representation::moments) {
    return moment_pass_shared_bytes(lattice);
  }
  return lattice.storage == StorageType::fp16 ? PassShape<Fp16>::shared_bytes
                                              : PassShape<Fp32>::shared_bytes;
}

void launch_pair(const DeviceLattice& device, const PairPass& pass, const LaunchQueue& queue) {
  if (device.lattice.representation == Representation::moments) {
    return launch_moment_pair(device, pass, queue);
  }
  visit_update(
      device.lattice, [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
        if constexpr (has_passes(Storage::type) && Storage::Set::has_pair_pass &&
                      !holds_moments<Storage> && Collision::has_pair_pass) {
          launch_tiles<PassShape<Storage>>(pair_kernel<Storage, Collision>,
                                           make_pair_arguments<Storage, Collision>(device, pass),
                                           pass, queue);
        }
      });
}

}  // namespace lbm::cuda
