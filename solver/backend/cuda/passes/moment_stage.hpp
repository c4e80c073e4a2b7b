// SPDX-License-Identifier: Apache-2.0

// One of the two steps of moment_pair_kernel.cu, as one thread does it.
//
// publish() makes the populations of plane p from its moments; those that leave the thread's pair
// go to shared memory. gather() streams plane p: sinking populations complete the sums of plane
// p - 1, level ones enter those of plane p, rising ones are kept in registers for plane p + 1.
//
// Populations along an axis (q = 1 ... 6) are halved here, which makes them sums of moments; sums
// double them in a fused product. The bits are those of moments.hpp.
#pragma once

#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/backend/cuda/passes/pass_input.hpp"
#include "solver/lattice/boundary_condition.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// p: all populations, axes halved. m(i): stored moment i. both() makes the opposite q and q + 1.
template <class Load>
__device__ __forceinline__ void half_populations(const Load& m,
                                                 float (&p)[ten_moments::Set::directions]) {
  using namespace ten_moments;
  const float sx = m(isotropic) + m(xx), sy = m(isotropic) + m(yy), sz = m(isotropic) + m(zz);
  const float sxy = sx + m(yy), sxz = sx + m(zz), syz = sy + m(zz);
  p[0] = multiply(12.0F, m(isotropic));
  const auto both = [&](int q, float even, float odd) {
    p[q] = even + odd;
    p[q + 1] = even - odd;
  };
  both(1, sx, m(jx));
  both(3, sy, m(jy));
  both(5, sz, m(jz));
  both(7, sxy + m(xy), m(jx) + m(jy));
  both(13, sxy - m(xy), m(jx) - m(jy));
  both(9, sxz + m(xz), m(jx) + m(jz));
  both(15, sxz - m(xz), m(jx) - m(jz));
  both(11, syz + m(yz), m(jy) + m(jz));
  both(17, syz - m(yz), m(jy) - m(jz));
}

// As side_sums() and level_sums() of moments.hpp, from halves along the axes.
__device__ __forceinline__ ten_moments::SideSums<float> side_sums_of_halves(float z, float x_plus,
                                                                            float x_minus,
                                                                            float y_plus,
                                                                            float y_minus) {
  const float along_x = x_plus + x_minus, along_y = y_plus + y_minus;
  return {multiply_add(2.0F, z, along_x + along_y), x_plus - x_minus, y_plus - y_minus, along_x,
          along_y};
}
__device__ __forceinline__ ten_moments::LevelSums<float> level_sums_of_halves(
    float rest, const float (&g)[8]) {  // q = 1, 2, 3, 4, 7, 8, 13, 14
  const float same = g[4] + g[5], other = g[6] + g[7], diagonal = same + other;
  const float x = g[0] + g[1], y = g[2] + g[3];
  const float one = g[4] - g[5], two = g[6] - g[7];
  return {multiply_add(2.0F, x + y, rest + diagonal),
          multiply_add(2.0F, g[0] - g[1], one + two),
          multiply_add(2.0F, g[2] - g[3], one - two),
          multiply_add(2.0F, x, diagonal),
          multiply_add(2.0F, y, diagonal),
          same - other};
}

// Bits: position of a plane at the closed faces of z.
enum PlaneEnd : unsigned { at_first = 1, at_last = 2, beyond_last = 4 };

// Pointers of a thread into shared memory.
struct PairPlace {
  // The exchange plus 8 (wide) or 4 (narrow) bytes times the place of the pair. Places are counted
  // from the first row that publishes.
  std::byte *wide, *narrow;
  // [threads] each, from publish() to gather(): populations at rest, +z, -z of both cells.
  // Registers are short.
  float2* kept;
  // [threads] each, from one gather() to the next: populations that walls reflect along x; along y
  // into the left cell; along y into the right cell.
  float* sent;
};

template <class Exchange, int threads>
class MomentStage {
 public:
  // m: moments of both cells. is_first, is_last: their row is the first or the last that publishes.
  __device__ __forceinline__ void publish(const PairPlace& at, bool is_first, bool is_last,
                                          const float (&m)[2][ten_moments::count]) {
    float g[2][ten_moments::Set::directions];
    LBM_UNROLL
    for (int c = 0; c < 2; ++c) half_populations([&](int i) { return m[c][i]; }, g[c]);
    at.kept[0] = {g[0][0], g[1][0]};
    at.kept[threads] = {g[0][5], g[1][5]};
    at.kept[2 * threads] = {g[0][6], g[1][6]};
    LBM_UNROLL
    for (int i = 0; i < 3; ++i) {
      right_[i] = g[0][PlusX::at(i)];
      left_[i] = g[1][MinusX::at(i)];
    }
    if (!is_last) {
      LBM_UNROLL
      for (int i = 0; i < 3; ++i)
        *wide(at, PlusY::at(i), 0) = {g[0][PlusY::at(i)], g[1][PlusY::at(i)]};
      LBM_UNROLL
      for (int c = 0; c < 2; ++c) {
        *diagonal(at, 7, c, 0) = g[c][7];
        *diagonal(at, 14, c, 0) = g[c][14];
      }
    }
    if (!is_first) {
      LBM_UNROLL
      for (int i = 0; i < 3; ++i)
        *wide(at, MinusY::at(i), 0) = {g[0][MinusY::at(i)], g[1][MinusY::at(i)]};
      LBM_UNROLL
      for (int c = 0; c < 2; ++c) {
        *diagonal(at, 8, c, 0) = g[c][8];
        *diagonal(at, 13, c, 0) = g[c][13];
      }
    }
    if (!is_first && !is_last) {
      LBM_UNROLL
      for (int i = 0; i < 3; ++i) {
        *along_x(at, PlusX::at(i), 0) = g[1][PlusX::at(i)];
        *along_x(at, MinusX::at(i), 0) = g[0][MinusX::at(i)];
      }
    }
  }

  // Streams plane p after publish(). sums: set to those of both cells in plane p - 1. faces: some
  // cell of the warp touches a closed face. sides: FaceBit of x and y that the left cell touches;
  // the right cell's 4 bits further up. end: PlaneEnd of p.
  template <bool faces, class Params>
  __device__ __forceinline__ void gather(const Params& params, const PairPlace& at, unsigned sides,
                                         unsigned end, ten_moments::MomentSums<float> (&sums)[2]) {
    rest_ = at.kept[0];
    up_ = at.kept[threads];
    down_ = at.kept[2 * threads];
    LBM_UNROLL
    for (int c = 0; c < 2; ++c) {
      const Links<Params> links{params, *this, at, faces ? sides >> (4 * c) & 15U : 0U, c};
      gather_cell<faces>(links, end, sums[c]);
    }
  }

 private:
  using Level = DirectionList<1, 2, 3, 4, 7, 8, 13, 14>;
  // z, then with +x, -x, +y, -y.
  using Rising = DirectionList<5, 9, 16, 11, 18>;
  using Sinking = DirectionList<6, 15, 10, 17, 12>;
  // Along the axis, then the two diagonals with z.
  using PlusX = DirectionList<1, 9, 15>;
  using MinusX = DirectionList<2, 10, 16>;
  using PlusY = DirectionList<3, 11, 17>;
  using MinusY = DirectionList<4, 18, 12>;
  // In the order of their arrays (ExchangeShape).
  using Wide = DirectionList<3, 4, 11, 18, 17, 12>;
  using Diagonal = DirectionList<7, 8, 13, 14>;
  static __device__ constexpr int x_place(int q) {
    return cx(q) > 0 ? PlusX::index(q) : MinusX::index(q);
  }
  // Offset in pairs: the array of q begins with the first row that it holds.
  static __device__ constexpr int first_row(int q) { return cy(q) > 0 ? 0 : -pairs_per_row; }
  static __device__ float2* wide(const PairPlace& at, int q, int to) {
    return reinterpret_cast<float2*>(at.wide +
                                     (Wide::index(q) * Exchange::slots + first_row(q) + to) * 8);
  }
  static __device__ float* diagonal(const PairPlace& at, int q, int c, int to) {
    return reinterpret_cast<float*>(
        at.narrow + Exchange::diagonals +
        ((4 * c + Diagonal::index(q)) * Exchange::slots + first_row(q) + to) * 4);
  }
  static __device__ float* along_x(const PairPlace& at, int q, int to) {
    const int array = (cx(q) > 0 ? 0 : 3) + x_place(q);
    return reinterpret_cast<float*>(at.narrow + Exchange::along_x +
                                    (array * Exchange::x_slots - pairs_per_row + to) * 4);
  }

  // Populations of the plane last published, as the links of cell c of the pair read them.
  template <class Params>
  struct Links {
    const Params& params;
    const MomentStage& stage;
    const PairPlace& at;
    unsigned sides;  // closed faces of x and y that the cell touches
    int c;

    __device__ unsigned slip() const { return params.free_slip_faces(); }
    // The wall term of q, halved along an axis. crossed: faces, one wall at least.
    __device__ float term(int q, unsigned crossed) const {
      const float term = params.walls.term[q][wall_set(q, crossed)];
      return q <= 6 ? multiply(0.5F, term) : term;
    }
    // The cell's own population.
    __device__ __forceinline__ float own(int q) const {
      if (q == 5) return c == 0 ? stage.up_.x : stage.up_.y;
      if (q == 6) return c == 0 ? stage.down_.x : stage.down_.y;
      if (cx(q) != 0 && cy(q) != 0) return *diagonal(at, q, c, 0);
      if (cx(q) > 0) return c == 0 ? stage.right_[x_place(q)] : *along_x(at, q, 0);
      if (cx(q) < 0) return c == 1 ? stage.left_[x_place(q)] : *along_x(at, q, 0);
      const float2* both = wide(at, q, 0);
      return c == 0 ? both->x : both->y;
    }
    // Population q (a diagonal, c_z = 0) of the cell dx and dy away.
    __device__ __forceinline__ float diagonal_at(int q, int dx, int dy) const {
      const int from = c + dx;  // 0, 1: in the pair; -1, 2: in the pairs beside it
      const int pair = from < 0 ? -1 : (from > 1 ? 1 : 0);
      return *diagonal(at, q, from & 1, dy * pairs_per_row + pair);
    }
    // Population that streams along q into the cell; for c_z = +-1 into the cell above or below it.
    __device__ __forceinline__ float incoming(int q) const {
      if (cx(q) == 0 && cy(q) == 0) return own(q);
      if (cy(q) == 0) {
        if (cx(q) > 0) return c == 1 ? stage.right_[x_place(q)] : *along_x(at, q, -1);
        return c == 0 ? stage.left_[x_place(q)] : *along_x(at, q, 1);
      }
      if (cx(q) != 0) return diagonal_at(q, -cx(q), -cy(q));
      const float2 both = *wide(at, q, -cy(q) * pairs_per_row);
      return c == 0 ? both.x : both.y;
    }
    // Population that enters by a level link (c_z = 0) that crosses closed faces.
    __device__ __forceinline__ float level_across(int q, unsigned crossed) const {
      if ((crossed & ~slip()) != 0) return own(opposite(q)) + term(q, crossed);
      if (crossed == entered_faces(q)) return own(opposite(q));
      // A diagonal that one face with free slip reflects.
      const bool of_x = (crossed & (x_min | x_max)) != 0;
      return of_x ? diagonal_at(mirrored(q, 1), 0, -cy(q)) : diagonal_at(mirrored(q, 2), -cx(q), 0);
    }
    // Population that enters by a link across the closed face `end` of z, and maybe one of x or y.
    __device__ __forceinline__ float end_across(int q, unsigned end) const {
      const unsigned crossed = (sides | end) & entered_faces(q);
      if ((crossed & ~slip()) != 0) return own(opposite(q)) + term(q, crossed);
      return (crossed & sides) != 0 ? own(opposite(q)) : incoming(mirrored(q, 4));
    }
  };

  template <bool faces, class LinksOfCell>
  __device__ __forceinline__ void gather_cell(const LinksOfCell& links, unsigned end,
                                              ten_moments::MomentSums<float>& sums) {
    const int c = links.c;
    const unsigned sides = links.sides, slip = faces ? links.slip() : 0U;
    float in[8];
    LBM_UNROLL
    for (int i = 0; i < 8; ++i) in[i] = links.incoming(Level::at(i));
    if (faces && sides != 0) {
      LBM_UNROLL
      for (int i = 0; i < 8; ++i) {
        const unsigned crossed = sides & entered_faces(Level::at(i));
        if (crossed != 0) in[i] = links.level_across(Level::at(i), crossed);
      }
    }
    // Sinking populations, into plane p - 1.
    float down[5];
    LBM_UNROLL
    for (int i = 0; i < 5; ++i) down[i] = links.incoming(Sinking::at(i));
    if (faces && (end & beyond_last) != 0) {
      LBM_UNROLL
      for (int i = 0; i < 5; ++i) down[i] = rising_[c][i];
    } else if (faces && sides != 0) {
      LBM_UNROLL
      for (int i = 1; i < 5; ++i) {
        const int q = Sinking::at(i);
        const unsigned crossed = sides & entered_faces(q);
        if (crossed == 0) continue;
        down[i] = (crossed & slip) != 0
                      ? links.own(mirrored(q, 3))
                      : links.at.sent[i <= 2 ? 0 : (1 + c) * threads] + links.term(q, crossed);
      }
    }
    sums = ten_moments::sums_of(from_below_[c], level_[c],
                                side_sums_of_halves(down[0], down[1], down[2], down[3], down[4]));
    level_[c] = level_sums_of_halves(c == 0 ? rest_.x : rest_.y, in);
    // Rising populations: up[] of plane p - 1 enter plane p, then those of plane p replace them.
    auto& up = rising_[c];
    if (faces && (end & at_first) != 0) {
      LBM_UNROLL
      for (int i = 0; i < 5; ++i) up[i] = links.end_across(Rising::at(i), z_min);
    } else if (faces && sides != 0) {
      LBM_UNROLL
      for (int i = 1; i < 5; ++i) {
        const int q = Rising::at(i);
        const unsigned walls = sides & entered_faces(q) & ~slip;
        if (walls != 0) up[i] = links.own(opposite(q)) + links.term(q, walls);
      }
    }
    from_below_[c] = side_sums_of_halves(up[0], up[1], up[2], up[3], up[4]);
    if (faces && (end & at_last) != 0) {  // the upper face reflects; in sinking order
      LBM_UNROLL
      for (int i = 0; i < 5; ++i) up[i] = links.end_across(Sinking::at(i), z_max);
      return;
    }
    LBM_UNROLL
    for (int i = 0; i < 5; ++i) up[i] = links.incoming(Rising::at(i));
    if (faces && sides != 0) {
      LBM_UNROLL
      for (int i = 1; i < 5; ++i) {
        const int q = Rising::at(i);
        if ((sides & entered_faces(q) & slip) != 0) up[i] = links.own(mirrored(q, 3));
      }
      // Walls reflect these rising populations into the sinking directions of this plane.
      if ((sides & x_min) != 0) links.at.sent[0] = links.own(16);
      if ((sides & x_max) != 0) links.at.sent[0] = links.own(9);
      if ((sides & y_min) != 0) links.at.sent[(1 + c) * threads] = links.own(18);
      if ((sides & y_max) != 0) links.at.sent[(1 + c) * threads] = links.own(11);
    }
  }

  // Populations of the plane last published that stay in the columns of their pair: at rest, +z and
  // -z of both cells; +x and +x+-z of the left cell; -x and -x+-z of the right cell.
  float2 rest_{}, up_{}, down_{};
  float right_[3] = {}, left_[3] = {};
  ten_moments::SideSums<float> from_below_[2] = {};  // rising, into the plane last gathered
  ten_moments::LevelSums<float> level_[2] = {};      // of that plane
  float rising_[2][5] = {};                          // rising, out of that plane
};

}  // namespace lbm::cuda

#endif
