// SPDX-License-Identifier: Apache-2.0

// The macroscopic fields: their list, their values in a cell, and planes of them, in lattice units.
// Field ring, ranks, outputs, statistics, probes and sums over boxes follow the list. A new field
// of the flow is an enumerator, a row and its values in macro_values_of(). The scalars of a lattice
// follow those of the flow, one value each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/core/host_device.hpp"
#include "solver/lattice/moments.hpp"

namespace lbm {

enum class Dimension { none, velocity, density, pressure, rate, rate_squared };

// In SI; empty: no unit.
constexpr const char* si_unit(Dimension dimension) {
  constexpr const char* names[] = {"", "m/s", "kg/m^3", "Pa", "1/s", "1/s^2"};
  return names[static_cast<int>(dimension)];
}

enum class Macro : std::uint8_t {
  velocity,
  density  // less 1, which it is close to
};

struct MacroField {
  const char* name;
  int components;
  Dimension dimension;
};
// In the order of Macro.
inline constexpr std::array macro_fields{MacroField{"velocity", 3, Dimension::velocity},
                                         MacroField{"density", 1, Dimension::density}};

constexpr const MacroField& facts_of(Macro field) {
  return macro_fields[static_cast<std::size_t>(field)];
}
// The number of values of a cell before those of the field.
constexpr int first_value_of(Macro field) {
  int first = 0;
  for (int f = 0; f < static_cast<int>(field); ++f) first += facts_of(Macro(f)).components;
  return first;
}
// The number of values of a cell.
inline constexpr int macro_values = first_value_of(Macro(macro_fields.size()));
static_assert(first_value_of(Macro::velocity) == 0,
              "sums of statistics and speeds are made of 0 to 2");

// The same with so many scalars.
LBM_HD constexpr int macro_values_with(int scalars) { return macro_values + scalars; }

template <class Real>
struct MacroValues {
  Real of[macro_values];
};
template <class Real>
LBM_HD MacroValues<Real> macro_values_of(const Moments<Real>& m) {
  return {{m.ux, m.uy, m.uz, m.drho}};
}

namespace detail {
// first[i], components[i]: of the field that value i belongs to.
struct MacroPlaces {
  int first[macro_values] = {}, components[macro_values] = {};
};
constexpr MacroPlaces macro_places() {
  MacroPlaces places;
  int first = 0;
  for (const MacroField& field : macro_fields) {
    for (int i = first; i < first + field.components; ++i) {
      places.first[i] = first;
      places.components[i] = field.components;
    }
    first += field.components;
  }
  return places;
}
}  // namespace detail

// Where a value of a cell lies in a plane of so many cells: field after field, each
// [cells][components].
LBM_HD constexpr std::int64_t macro_place(int value, std::int64_t cell, std::int64_t cells) {
  constexpr detail::MacroPlaces places = detail::macro_places();
  const int first = places.first[value];
  return first * cells + places.components[value] * cell + (value - first);
}

// Writes the values of a cell to a plane.
template <class Real>
LBM_HD void put_fields(const Moments<Real>& m, std::int64_t cell, std::int64_t cells,
                       float* plane) {
  const MacroValues<Real> values = macro_values_of(m);
  LBM_UNROLL
  for (int i = 0; i < macro_values; ++i) {
    plane[macro_place(i, cell, cells)] = static_cast<float>(values.of[i]);
  }
}

// Writes a scalar of a cell to a plane.
LBM_HD void put_scalar(int scalar, double value, std::int64_t cell, std::int64_t cells,
                       float* plane) {
  plane[std::int64_t{macro_values + scalar} * cells + cell] = static_cast<float>(value);
}

// A plane of fields, or a part of one.
struct FieldPlane {
  std::span<const float> values;
  int scalars = 0;  // behind the fields of the flow

  std::size_t cells() const {
    return values.size() / static_cast<std::size_t>(macro_values_with(scalars));
  }
  // [cells]
  std::span<const float> scalar(int i) const {
    return values.subspan(static_cast<std::size_t>(macro_values + i) * cells(), cells());
  }
  // [cells][components]
  std::span<const float> operator[](Macro field) const {
    return values.subspan(static_cast<std::size_t>(first_value_of(field)) * cells(),
                          static_cast<std::size_t>(facts_of(field).components) * cells());
  }
  // The values of a cell, those of its scalars last.
  std::array<double, macro_values + most_scalars> at(std::size_t cell) const {
    std::array<double, macro_values + most_scalars> all{};
    for (int i = 0; i < scalars; ++i) {
      const int value = macro_values + i;
      all[static_cast<std::size_t>(value)] = double{scalar(i)[cell]};
    }
    for (int i = 0; i < macro_values; ++i) {
      const auto place =
          macro_place(i, static_cast<std::int64_t>(cell), static_cast<std::int64_t>(cells()));
      all[static_cast<std::size_t>(i)] = double{values[static_cast<std::size_t>(place)]};
    }
    return all;
  }
};

}  // namespace lbm
