// The collision models: the one place where they are registered.
#pragma once

#include <type_traits>

#include "solver/collision/bgk.hpp"
#include "solver/collision/general_collision.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/collision/trt.hpp"

namespace lbm {

// Calls visitor(std::type_identity<C>{}) with the collision type C of the specification.
template <class Storage, class Visitor>
decltype(auto) visit_collision(const CollisionSpec& spec, Visitor&& visitor) {
  if (spec.plain()) return visitor(std::type_identity<Bgk<Storage>>{});
  if (spec.kind == CollisionKind::regularised) {
    return visitor(std::type_identity<GeneralCollision<Storage, Regularised>>{});
  }
  return visitor(std::type_identity<GeneralCollision<Storage, Trt>>{});
}

}  // namespace lbm
