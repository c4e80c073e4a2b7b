// SPDX-License-Identifier: Apache-2.0

// The lattice at time zero: populations of a given flow.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "solver/lattice/lattice.hpp"

namespace lbm {

// Cells of a row from `begin` up to, not including, `end`.
struct CellRun {
  int begin, end;
};

// Calls visit(x) for each cell of the runs.
template <class Visit>
void visit_cells(std::span<const CellRun> runs, const Visit& visit) {
  for (const CellRun& run : runs) {
    for (int x = run.begin; x < run.end; ++x) visit(static_cast<std::size_t>(x));
  }
}

// One row of cells: density less 1 and velocity in lattice units, nx values each.
struct StateRow {
  std::span<double> drho, ux, uy, uz;
  // Strain rates (d_a u_b + d_b u_a) / 2 per step, xx, yy, zz, xy, xz, yz; nx values each, 0 at
  // first. Empty where the state has none.
  std::array<std::span<double>, 6> strain{};
  // The stored values of scalars (solver/lattice/scalars.hpp); nx values each. Empty beyond those
  // of the lattice.
  std::array<std::span<double>, most_scalars> scalars{};
  // The cells whose values are used, in order; the others need not be filled. Empty: all cells.
  std::span<const CellRun> used{};
};

// The flow at time zero. fill(y, z, row) fills row y of plane z; the row comes with zeros: density
// 1, velocity 0, scalars at their reference values. Called from many threads; may throw. An empty
// state means fluid at rest.
//
// Without strain rates the populations are the equilibrium of density and velocity, and stresses
// build up within some relaxation times. With them the populations are those of a developed flow
// (write_initial_plane).
class InitialState {
 public:
  InitialState() = default;
  template <class Fill>
  requires(!std::same_as<Fill, InitialState> &&
           std::invocable<const Fill&, int, int, const StateRow&>)
      InitialState(Fill fill, bool has_strain = false)
      : fill_(std::move(fill)), has_strain_(has_strain) {}

  explicit operator bool() const { return static_cast<bool>(fill_); }
  bool has_strain() const { return has_strain_; }
  void operator()(int y, int z, const StateRow& row) const { fill_(y, z, row); }

 private:
  std::function<void(int, int, const StateRow&)> fill_;
  bool has_strain_ = false;
};

// Writes plane z (lattice.layout.bytes bytes) as the flow of `state`, padding zeroed. Solid cells
// that are stored get it, too: their populations are never read. fluid: the fluid cells of the
// plane, where the layout is fluid_only, and then the only ones that are computed; else null. Runs
// on all threads; a call from a parallel region runs on its own thread. Throws what `state` throws,
// the first exception of all threads.
//
// With strain rates S the populations are those after the collision of step 0:
//   g_q = feq_q - w_q + 9/2 w_q (c_q c_q - 1/3) : N + 3/2 w_q c_q . F
//   N = -2/3 rho (tau - 1) S + (u F + F u) / 2
// the first order of the Chapman-Enskog expansion (Skordos, Phys. Rev. E 48 (1993) 4823; Latt,
// Hydrodynamic limit of lattice Boltzmann equations, thesis, Geneva 2007) times 1 - 1/tau,
// with the body force F at step 0 (Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308). tau has the
// part of the turbulence model: tau_0 + 3 sqrt(2) C_s^2 |S|, |S| = sqrt(S : S). All collision
// models have this stress in common.
void write_initial_plane(const Lattice& lattice, const InitialState& state, int z, std::byte* plane,
                         const FluidPlane* fluid = nullptr);

// Adds the populations of `state` less those of fluid at rest to those of plane z, without its
// strain rates: of a state of densities alone the velocity stays, but for the share of the change
// of density. Else as write_initial_plane().
void add_to_plane(const Lattice& lattice, const InitialState& state, int z, std::byte* plane,
                  const FluidPlane* fluid = nullptr);

}  // namespace lbm
