// SPDX-License-Identifier: Apache-2.0

// The kinds of fields that follow from the macroscopic ones, and the scalars of a lattice.
#pragma once

#include <array>
#include <optional>

#include "solver/core/enum_names.hpp"
#include "solver/lattice/macro_fields.hpp"
#include "solver/lattice/scalars.hpp"

namespace lbm::fields {

enum class Kind {
  density,
  pressure,  // relative: (rho - 1) / 3
  velocity,
  vorticity,
  q_criterion,  // (|W|^2 - |S|^2) / 2, W and S as below (Hunt, Wray & Moin 1988)
  strain_rate,  // S, the symmetric part of the gradient: xx, yy, zz, xy, yz, xz, the order of VTK
  wall_shear_stress,
  solid_fraction,  // share of a cell that bodies fill
  solid,           // 1 where it is at least a half
  scalar           // the first one of the lattice; the others follow: scalar_kind()
};

constexpr Kind scalar_kind(std::size_t scalar) {
  return static_cast<Kind>(static_cast<std::size_t>(Kind::scalar) + scalar);
}
// The number of a scalar among those of the lattice; empty for the other kinds.
constexpr std::optional<std::size_t> scalar_of(Kind kind) {
  if (kind < Kind::scalar) return std::nullopt;
  return static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::scalar);
}

struct KindFacts {
  const char* name;
  int components;
  Dimension dimension;
  bool of_gradients = false;  // needs the neighbouring planes and cells
  // A value of a cell is (source + added) / divisor; empty: it is made in another way.
  std::optional<Macro> source = {};
  double added = 0, divisor = 1;
};

// A macroscopic field itself.
constexpr KindFacts itself(Macro field, double added = 0) {
  const MacroField& facts = facts_of(field);
  return {facts.name, facts.components, facts.dimension, false, field, added};
}

// In the order of Kind, without the scalars, which have names in each case.
inline constexpr std::array kind_rows{
    itself(Macro::density, 1),
    KindFacts{"pressure", 1, Dimension::pressure, false, Macro::density, 0, 3},
    itself(Macro::velocity),
    KindFacts{"vorticity", 3, Dimension::rate, true},
    KindFacts{"q_criterion", 1, Dimension::rate_squared, true},
    KindFacts{"strain_rate", 6, Dimension::rate, true},
    KindFacts{"wall_shear_stress", 3, Dimension::pressure, true},
    KindFacts{"solid_fraction", 1, Dimension::none},
    KindFacts{"solid", 1, Dimension::none}};
inline constexpr KindFacts scalar_facts{"scalar", 1, Dimension::none};

constexpr const KindFacts& facts_of(Kind kind) {
  return scalar_of(kind) ? scalar_facts : kind_rows[static_cast<std::size_t>(kind)];
}
constexpr int components_of(Kind kind) { return facts_of(kind).components; }
constexpr bool needs_gradient(Kind kind) { return facts_of(kind).of_gradients; }

// Without the scalars.
constexpr auto enum_names(Kind) {
  std::array<const char*, kind_rows.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kind_rows[i].name;
  return names;
}
using lbm::to_string;

}  // namespace lbm::fields
