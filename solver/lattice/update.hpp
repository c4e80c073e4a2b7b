// THE update of one cell: pull the 19 populations that stream into it, collide, store. Written
// once; the CPU backend feeds it rows and batches, the GPU backend one cell per thread.
//
// Level s of a plane is the lattice after s steps, post-collision:
//   g_q(x, t+1) = collide( g_q(x - c_q, t) )     where x - c_q is fluid
//                 collide( g_opp(q)(x, t) + wall term )   where it is not
//                 (solver/lattice/walls.hpp)
#pragma once

#include "solver/lattice/bgk.hpp"
#include "solver/lattice/flags.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// The update itself. gather(q) gives the incoming shifted population of direction q, scatter(q, g)
// takes the outgoing one; all gathers come before the first scatter.
template <class Real, class Collision, class Gather, class Scatter>
LBM_HD void update_cell(const Collision& collide, const Gather& gather, const Scatter& scatter) {
  Real g[d3q19::directions];
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) g[q] = gather(q);
  collide(g);
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) scatter(q, g[q]);
}

// The lattice in the arithmetic of a storage policy, ready for kernels. Populations, wall terms
// too, are times Storage::scale here and in all that follows.
template <class Storage>
struct UpdateParams {
  using Real = typename Storage::Real;
  PlaneLayout layout;
  int nz;
  Bgk<Storage> collision;
  Walls<Real> walls;
  FlagView flags;
};

template <class Storage>
UpdateParams<Storage> make_update_params(const Lattice& lattice, const FlagView& flags) {
  using Real = typename Storage::Real;
  UpdateParams<Storage> params{
      lattice.layout, lattice.nz, {static_cast<Real>(lattice.omega)}, {}, flags};
  params.walls.faces = lattice.walls.faces;
  for (int q = 0; q < d3q19::directions; ++q) {
    for (int s = 0; s < 4; ++s) {
      params.walls.term[q][s] = static_cast<Real>(lattice.walls.term[q][s]) * Storage::scale;
    }
  }
  return params;
}

// The planes z - 1, z and z + 1 of the level before; what lies beyond a wall is never read.
template <class Storage>
struct InputPlanes {
  const typename Storage::Value* plane[3];
};

// Offsets of a cell's neighbours inside a plane, periodic: [0] is x - 1 (y - 1), [1] x, [2] x + 1.
struct CellOffsets {
  int column[3];
  int row[3];  // where the row begins

  LBM_HD CellOffsets(const PlaneLayout& layout, int x, int y)
      : column{x == 0 ? layout.nx - 1 : x - 1, x, x == layout.nx - 1 ? 0 : x + 1},
        row{(y == 0 ? layout.ny - 1 : y - 1) * static_cast<int>(layout.row),
            y * static_cast<int>(layout.row),
            (y == layout.ny - 1 ? 0 : y + 1) * static_cast<int>(layout.row)} {}
  // Of rows that begin where the caller says.
  LBM_HD CellOffsets(const PlaneLayout& layout, int x, const int (&rows)[3])
      : column{x == 0 ? layout.nx - 1 : x - 1, x, x == layout.nx - 1 ? 0 : x + 1},
        row{rows[0], rows[1], rows[2]} {}
};

// Bits of the directions whose source is a solid cell. Only cells flagged near_solid ask.
template <class Storage>
LBM_HD unsigned solid_links(const UpdateParams<Storage>& params, int x, int y, int z,
                            unsigned touched) {
  const int nx = params.layout.nx, ny = params.layout.ny;
  const int column[3] = {x == 0 ? nx - 1 : x - 1, x, x == nx - 1 ? 0 : x + 1};
  const int row[3] = {y == 0 ? ny - 1 : y - 1, y, y == ny - 1 ? 0 : y + 1};
  const std::uint8_t* plane[3] = {params.flags.plane(z == 0 ? params.nz - 1 : z - 1),
                                  params.flags.plane(z),
                                  params.flags.plane(z == params.nz - 1 ? 0 : z + 1)};
  unsigned links = 0;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; ++q) {
    if ((touched & entered_faces(q)) != 0) continue;
    const std::uint8_t* flags = plane[1 - d3q19::cz(q)];
    if (flags == nullptr) continue;
    const std::int64_t first = static_cast<std::int64_t>(row[1 - d3q19::cy(q)]) * nx;
    if (flags[first + column[1 - d3q19::cx(q)]] == flag_solid) links |= 1U << q;
  }
  return links;
}

// Gathers for any fluid cell: follows each link to a cell, a wall or a solid.
template <class Storage>
struct LinkGather {
  const UpdateParams<Storage>& params;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;
  unsigned touched;  // wall faces of the box that the cell touches
  unsigned solid;    // solid_links()

  LBM_HD typename Storage::Real operator()(int q) const {
    const unsigned crossed = touched & entered_faces(q);
    const bool blocked = crossed != 0 || (solid >> q & 1U) != 0;
    const int pitch = params.layout.pitch;
    const int fluid_source = q * pitch + at.row[1 - d3q19::cy(q)] + at.column[1 - d3q19::cx(q)];
    const int wall_source = d3q19::opposite(q) * pitch + at.row[1] + at.column[1];
    const auto* plane = blocked ? in.plane[1] : in.plane[1 - d3q19::cz(q)];
    const auto value = Storage::load_scaled(plane[blocked ? wall_source : fluid_source]);
    return crossed != 0 ? value + params.walls.term[q][wall_set(q, crossed)] : value;
  }
};

}  // namespace lbm
