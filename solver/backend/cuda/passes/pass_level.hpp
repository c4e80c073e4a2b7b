// SPDX-License-Identifier: Apache-2.0

// Level s + 1, between the two steps of pair_kernel.cu: threads exchange its populations.
#pragma once

#include "solver/backend/cuda/passes/pass_input.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// Streams the result of the first step into the second one. Iteration j publishes plane j, then
// completes plane j - 1: its sinking populations are read from plane j; its level and rising ones
// were read in iterations j - 1 and j - 2 and waited in registers. q = 0, 5 (+z) and 6 (-z) stay in
// the thread's column and need no exchange.
template <class Storage>
class LevelBetween {
  using Shape = PassShape<Storage>;
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

 public:
  __device__ LevelBetween(std::byte* shared, const TileCell<Storage>& cell)
      : cell_(shared + ((cell.tile_y + 1) * Shape::stride + cell.tile_x + 1) * Shape::size) {}

  // g: populations of the thread's cell in plane j. live: the cell exists.
  __device__ void publish(bool live, const Real (&g)[Storage::Set::directions]) const {
    if (!live) return;
    LBM_UNROLL
    for (int i = 0; i < Moving::Level::count; ++i) {
      put(level_ + i * Shape::direction_cells, g[Moving::Level::at(i)]);
    }
    LBM_UNROLL
    for (int i = 0; i < Moving::Rising::count; ++i) {
      put(rising_ + i * Shape::direction_cells, g[Moving::Rising::at(i)]);
      put(sinking_ + i * Shape::direction_cells, g[Moving::Sinking::at(i)]);
    }
  }

  // f: populations that stream into the thread's cell of plane j - 1, as if there were no faces.
  __device__ void gather(Real (&f)[Storage::Set::directions],
                         const Real (&g)[Storage::Set::directions]) {
    f[0] = level_in_[0];
    f[5] = rising_in_[0];
    f[6] = g[6];
    before_ = rising_in_next_[0];
    level_in_[0] = g[0];
    rising_in_[0] = rising_in_next_[0];
    rising_in_next_[0] = g[5];
    sinking_own_ = g[6];
    LBM_UNROLL
    for (int i = 0; i < Moving::Level::count; ++i) {
      const int q = Moving::Level::at(i);
      f[q] = level_in_[1 + i];
      level_in_[1 + i] = pull(level_, q);
    }
    LBM_UNROLL
    for (int i = 0; i < Moving::Rising::count; ++i) {
      const int up = Moving::Rising::at(i), down = Moving::Sinking::at(i);
      f[up] = rising_in_[1 + i];
      rising_in_[1 + i] = rising_in_next_[1 + i];
      rising_in_next_[1 + i] = pull(rising_, up);
      f[down] = pull(sinking_, down);
    }
  }

  // Corrects populations whose link crosses a wall or a free-slip face: the sinking ones in f, the
  // level and rising ones in the registers for later f. below, here: FaceBit of the closed faces
  // that the cell touches in planes j - 1 and j.
  template <class Params>
  __device__ void cross_faces(const Params& params, unsigned below, unsigned here,
                              Real (&f)[Storage::Set::directions]) {
    const unsigned slip = params.free_slip_faces();
    // own: group with the cell's opposite population, which a wall reflects (halfway bounce-back);
    // mirror: group with the population that free slip reflects. Both as bytes of shared memory.
    const auto enters = [&](int q, unsigned crossed, int own, int mirror) {
      if ((crossed & ~slip) == 0) return value(mirror, mirrored_source(direction(q), crossed));
      return get(own + Moving::place(opposite(q)) * Shape::direction_cells) +
             params.walls.term[q][wall_set(q, crossed)];
    };
    constexpr unsigned ends = z_min | z_max;
    LBM_UNROLL
    for (int i = 0; i < Moving::Level::count; ++i) {
      const int q = Moving::Level::at(i);
      const unsigned crossed = here & entered_faces(q);
      if (crossed != 0) level_in_[1 + i] = enters(q, crossed, level_, level_);
    }
    LBM_UNROLL
    for (int i = 0; i < Moving::Rising::count; ++i) {
      const int up = Moving::Rising::at(i), down = Moving::Sinking::at(i);
      // A wall or the face z_min reflects populations of plane j into plane j. Free slip at faces
      // of x and y alone reflects them into plane j + 1, whose cell touches the same faces.
      const unsigned up_crossed = here & entered_faces(up);
      if ((up_crossed & ~(slip & ~ends)) != 0) {
        rising_in_[1 + i] = enters(up, up_crossed, sinking_, sinking_);
      }
      const unsigned side = here & entered_faces(up) & ~ends;
      if (side != 0 && (side & ~slip) == 0) {
        rising_in_next_[1 + i] = value(rising_, mirrored_source(direction(up), side));
      }
      const unsigned down_crossed = below & entered_faces(down);
      if (down_crossed != 0) {
        const int before = rising_before();
        f[down] =
            enters(down, down_crossed, before, (down_crossed & ends) != 0 ? before : sinking_);
      }
    }
    if ((here & z_min) != 0) {
      rising_in_[0] = (slip & z_min) != 0 ? sinking_own_ : sinking_own_ + params.walls.term[5][1];
    }
    if ((below & z_max) != 0) {
      f[6] = (slip & z_max) != 0 ? before_ : before_ + params.walls.term[6][1];
    }
  }

  __device__ void advance() {
    level_ = 2 * Shape::level_begin + Shape::level_bytes - level_;
    sinking_ = 2 * Shape::sinking_begin + Shape::sinking_bytes - sinking_;
    rising_ += Shape::rising_bytes;
    if (rising_ == Shape::rising_begin + Shape::rising_planes * Shape::rising_bytes) {
      rising_ = Shape::rising_begin;
    }
  }

 private:
  __device__ void put(int at, Real value) const {
    *reinterpret_cast<Value*>(cell_ + at) = Storage::store_scaled(value);
  }
  __device__ Real get(int at) const {
    return Storage::load_scaled(*reinterpret_cast<const Value*>(cell_ + at));
  }
  __device__ Real pull(int group, int q) const {
    return get(group + Moving::place(q) * Shape::direction_cells -
               (cy(q) * Shape::stride + cx(q)) * Shape::size);
  }
  __device__ Real value(int group, const LinkSource& from) const {
    return get(group + Moving::place(from.q) * Shape::direction_cells +
               (from.d[1] * Shape::stride + from.d[0]) * Shape::size);
  }
  // The rising group of plane j - 1.
  __device__ int rising_before() const {
    return rising_ == Shape::rising_begin
               ? Shape::rising_begin + (Shape::rising_planes - 1) * Shape::rising_bytes
               : rising_ - Shape::rising_bytes;
  }

  std::byte* cell_;  // the thread's cell in a group at byte 0 of shared memory
  int level_ = Shape::level_begin, rising_ = Shape::rising_begin;
  int sinking_ = Shape::sinking_begin;
  // Index 0: the direction that stays in the column, q = 0 (level) or q = 5 (rising).
  Real level_in_[1 + Moving::Level::count] = {};
  Real rising_in_[1 + Moving::Rising::count] = {}, rising_in_next_[1 + Moving::Rising::count] = {};
  Real before_{}, sinking_own_{};  // the cell's own: rising, plane j - 1; sinking, plane j
};

}  // namespace lbm::cuda

#endif
