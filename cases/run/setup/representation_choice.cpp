// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/representation_choice.hpp"

#include <fmt/format.h>

#include "cases/case/model/stored_cells.hpp"

namespace lbm::cases {

RepresentationChoice choose_representation(const Case& lbm_case) {
  const LatticeKeys& lattice = lbm_case.lattice;
  if (lattice.representation) return {*lattice.representation, ""};
  const Representation taken = stored_values(lattice);
  if (taken == Representation::populations) return {taken, ""};
  return {taken, fmt::format("all that lattice.collision: {} needs", to_string(lattice.collision))};
}

}  // namespace lbm::cases
