// SPDX-License-Identifier: Apache-2.0

// The collision models: the one place where they are registered.
#pragma once

#include <type_traits>

#include "solver/collision/bgk.hpp"
#include "solver/collision/general_collision.hpp"
#include "solver/collision/moment_collision.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/collision/trt.hpp"

namespace lbm {

// Calls visitor(std::type_identity<C>{}) with the collision type C of the specification. C(g),
// or C(g, own) (stress_filter.hpp), replaces incoming populations by the values that Storage keeps:
// the first Storage::values of g.
// Moments know the regularised collision alone.
template <class Storage, class Visitor>
decltype(auto) visit_collision(const CollisionSpec& spec, Visitor&& visitor) {
  if constexpr (holds_moments<Storage>) {
    const bool plain = spec.smagorinsky == 0 && !spec.force.any();
    if (spec.kind == CollisionKind::regularised_filtered) {
      return plain ? visitor(std::type_identity<MomentCollision<Storage, true, true>>{})
                   : visitor(std::type_identity<MomentCollision<Storage, false, true>>{});
    }
    return plain ? visitor(std::type_identity<MomentCollision<Storage, true, false>>{})
                 : visitor(std::type_identity<MomentCollision<Storage, false, false>>{});
  } else {
    if (spec.plain()) return visitor(std::type_identity<Bgk<Storage>>{});
    if (spec.kind == CollisionKind::regularised_filtered) {
      return visitor(std::type_identity<GeneralCollision<Storage, FilteredRegularised>>{});
    }
    if (is_regularised(spec.kind)) {
      return visitor(std::type_identity<GeneralCollision<Storage, Regularised>>{});
    }
    return visitor(std::type_identity<GeneralCollision<Storage, Trt>>{});
  }
}

}  // namespace lbm
