// SPDX-License-Identifier: Apache-2.0

// Kernels of the main update are compiled with free slip and without, which is faster. In double
// precision it is not, so all have free slip.
#pragma once

#include <type_traits>

#include "solver/update/update_cell.hpp"

namespace lbm::cuda {

// Calls visitor(Storage{}, std::type_identity<Collision>{}, std::bool_constant<free_slip>{}) for
// the lattice's storage, collision and faces.
template <class Visitor>
void visit_update_with_slip(const Lattice& lattice, const Visitor& visitor) {
  visit_update(lattice, [&](auto storage, auto collision) {
    if constexpr (sizeof(typename decltype(storage)::Real) < 8) {
      if (lattice.walls.free_slip == 0) return visitor(storage, collision, std::false_type{});
    }
    visitor(storage, collision, std::true_type{});
  });
}

}  // namespace lbm::cuda
