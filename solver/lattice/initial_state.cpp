// SPDX-License-Identifier: Apache-2.0
#include "solver/lattice/initial_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "solver/core/in_parts.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

namespace {

// Compares bits: 0 and -0 differ.
bool is_constant(std::span<const double> values) {
  return std::memcmp(values.data(), values.data() + 1, (values.size() - 1) * sizeof(double)) == 0;
}

bool is_constant(const StateRow& row) {
  for (const std::span<double> rates : row.strain) {
    if (!rates.empty() && !is_constant(rates)) return false;
  }
  for (const std::span<double> scalar : row.scalars) {
    if (!scalar.empty() && !is_constant(scalar)) return false;
  }
  return is_constant(row.drho) && is_constant(row.ux) && is_constant(row.uy) && is_constant(row.uz);
}

// The non-equilibrium part of the populations of a developed flow.
class DevelopedPart {
 public:
  explicit DevelopedPart(const CollisionSpec& spec)
      : tau_(1 / spec.omega),
        eddies_(3 * std::sqrt(2.0) * spec.smagorinsky * spec.smagorinsky),
        force_(spec.force.at(0)) {}

  // Adds the non-equilibrium part to the populations of cell x.
  template <int directions>
  void add(const StateRow& row, std::size_t x, double (&g)[directions]) const {
    std::array<double, 6> s;  // xx, yy, zz, xy, xz, yz
    for (std::size_t i = 0; i < 6; ++i) s[i] = row.strain[i][x];
    const double size = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] +
                                  2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
    const double factor = -2.0 / 3 * (1 + row.drho[x]) * (tau_ + eddies_ * size - 1);
    const double u[]{row.ux[x], row.uy[x], row.uz[x]};
    double n[3][3];
    constexpr int place[3][3]{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        n[a][b] = factor * s[place[a][b]] + (u[a] * force_[b] + u[b] * force_[a]) / 2;
      }
    }
    const double third = (n[0][0] + n[1][1] + n[2][2]) / 3;
    add_all(n, third, g, std::make_integer_sequence<int, directions>());
  }

 private:
  using Stress = double[3][3];

  template <int directions, int... q>
  void add_all(const Stress& n, double third, double (&g)[directions],
               std::integer_sequence<int, q...>) const {
    (add_direction<q>(n, third, g), ...);
  }

  // Most products with the components of a direction are zero and left out.
  template <int q, int directions>
  void add_direction(const Stress& n, double third, double (&g)[directions]) const {
    constexpr int c[]{cx(q), cy(q), cz(q)};
    double stress = -third, force = 0;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      LBM_UNROLL
      for (int b = 0; b < 3; ++b) {
        if (c[a] * c[b] != 0) stress += c[a] * c[b] * n[a][b];
      }
      if (c[a] != 0) force += c[a] * force_[static_cast<std::size_t>(a)];
    }
    g[q] += weight<typename SetOf<directions>::Set, double>(q) * (4.5 * stress + 1.5 * force);
  }

  double tau_, eddies_;
  std::array<double, 3> force_;
};

// The fluid cells of row y.
void find_runs(const FluidPlane& plane, int y, int nx, std::vector<CellRun>& runs) {
  runs.clear();
  for (int first = 0; first < nx; first += 32) {
    std::uint64_t cells = plane.words[plane.word_of(first, y)].fluid;
    if (nx - first < 32) cells &= (std::uint64_t{1} << (nx - first)) - 1;
    while (cells != 0) {
      const int from = std::countr_zero(cells), to = from + std::countr_one(cells >> from);
      if (!runs.empty() && runs.back().end == first + from) {
        runs.back().end = first + to;
      } else {
        runs.push_back({first + from, first + to});
      }
      cells = cells >> to << to;
    }
  }
}

// The stored values of the scalars of a cell: they move with the flow, and do not diffuse yet.
template <class Storage>
void store_scalars(const StateRow& row, std::size_t x, typename Storage::Value* stored) {
  const double factors[values_per_scalar] = {1, row.ux[x], row.uy[x], row.uz[x]};
  for (const std::span<double> scalar : row.scalars) {
    if (scalar.empty()) return;
    for (const double factor : factors) {
      *stored++ = Storage::store(static_cast<typename Storage::Real>(scalar[x] * factor));
    }
  }
}

// Writes the used cells of one row from the filled row of the state; the padding is zero already.
// developed: null without strain rates. fluid: as in write_initial_plane(). adds: to the values
// that are there.
template <class Storage>
void write_row(const PlaneLayout& layout, bool maxwellian, int y, const StateRow& row,
               const DevelopedPart* developed, const FluidPlane* fluid, bool adds,
               typename Storage::Value* plane) {
  const bool same = is_constant(row);  // then one cell is computed
  double g[Storage::Set::directions] = {};
  typename Storage::Value stored[Storage::Set::directions + values_per_scalar * most_scalars] = {};
  bool computed = false;
  for (const auto& [begin, end] : row.used) {
    const int number = fluid == nullptr ? 0 : fluid->number_of(begin, y);
    for (int x = begin; x < end; ++x) {
      if (!computed || !same) {
        const Moments<double> moments{row.drho[x], row.ux[x], row.uy[x], row.uz[x]};
        maxwellian ? maxwell_equilibrium(moments, g) : equilibrium(moments, g);
        if (developed != nullptr) developed->add(row, static_cast<std::size_t>(x), g);
        Storage::to_values(g);
        for (int i = 0; i < Storage::values; ++i) {
          stored[i] = Storage::store(static_cast<typename Storage::Real>(g[i]));
        }
        store_scalars<Storage>(row, static_cast<std::size_t>(x), stored + Storage::values);
        computed = true;
      }
      auto* const cell = plane + (fluid == nullptr ? layout.index(0, y, x)
                                                   : layout.fluid_offset(number + x - begin));
      for (int i = 0; i < Storage::values; ++i) {
        auto& value = cell[i * layout.pitch];
        value =
            adds ? Storage::store(Storage::load(value) + static_cast<typename Storage::Real>(g[i]))
                 : stored[i];
      }
      for (int i = Storage::values; !adds && i < layout.values_per_cell; ++i) {
        cell[i * layout.pitch] = stored[i];
      }
    }
  }
}

void zero_row(const PlaneLayout& layout, std::size_t value_bytes, int y, std::byte* plane) {
  const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * value_bytes;
  const std::size_t begin = static_cast<std::size_t>(y) * row_bytes;
  // The last row includes the rest of the plane.
  std::memset(plane + begin, 0, y + 1 < layout.ny ? row_bytes : layout.bytes - begin);
}

void write_plane(const Lattice& lattice, const InitialState& state, int z, bool adds,
                 std::byte* plane, const FluidPlane* fluid) {
  const PlaneLayout& layout = lattice.layout;
  const auto nx = static_cast<std::size_t>(layout.nx);
  const DevelopedPart developed(lattice.collision);
  const bool has_strain = state.has_strain() && !adds;
  FirstError error;
  if (layout.fluid_only && !adds) std::memset(plane, 0, lattice.plane_bytes(z));
#pragma omp parallel
  {
    const std::size_t scalars = lattice.scalars.size();
    std::vector<double> values(!state ? 0 : ((has_strain ? 10 : 4) + scalars) * nx);
    const auto part = [&](std::size_t i) { return std::span(values).subspan(i * nx, nx); };
    std::vector<CellRun> used{{0, layout.nx}};
#pragma omp for schedule(static)
    for (int y = 0; y < layout.ny; ++y) {
      if (!layout.fluid_only && !adds) zero_row(layout, bytes_per_value(lattice.storage), y, plane);
      if (!state) continue;  // at rest every shifted population is zero
      if (fluid != nullptr) find_runs(*fluid, y, layout.nx, used);
      if (used.empty()) continue;
      StateRow row{part(0), part(1), part(2), part(3)};
      for (std::size_t i = 0; i < scalars; ++i) row.scalars[i] = part(4 + i);
      for (std::size_t i = 0; has_strain && i < 6; ++i) row.strain[i] = part(4 + scalars + i);
      row.used = used;
      std::fill(values.begin(), values.end(), 0.0);
      error.guard([&] { state(y, z, row); });
      visit_storage(lattice, [&](auto storage) {
        using Storage = decltype(storage);
        write_row<Storage>(layout, is_maxwellian(lattice.collision.kind), y, row,
                           has_strain ? &developed : nullptr, fluid, adds,
                           reinterpret_cast<typename Storage::Value*>(plane));
      });
    }
  }
  error.rethrow();
}

}  // namespace

void write_initial_plane(const Lattice& lattice, const InitialState& state, int z, std::byte* plane,
                         const FluidPlane* fluid) {
  write_plane(lattice, state, z, false, plane, fluid);
}

void add_to_plane(const Lattice& lattice, const InitialState& state, int z, std::byte* plane,
                  const FluidPlane* fluid) {
  write_plane(lattice, state, z, true, plane, fluid);
}

}  // namespace lbm
