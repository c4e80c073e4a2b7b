// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/representation_choice.hpp"

#include <fmt/format.h>

namespace lbm::cases {

RepresentationChoice choose_representation(const Case& lbm_case) {
  const LatticeKeys& lattice = lbm_case.lattice;
  if (lattice.representation) return {*lattice.representation, ""};
  if (!is_regularised(lattice.collision)) return {Representation::populations, ""};
  return {Representation::moments,
          fmt::format("all that lattice.collision: {} needs", to_string(lattice.collision))};
}

}  // namespace lbm::cases
