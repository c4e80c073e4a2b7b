// SPDX-License-Identifier: Apache-2.0

// A collision whose model is chosen at run time, so that its users are compiled for it once. All
// cells of a launch take the same branch.
#pragma once

#include <type_traits>

#include "solver/collision/collisions.hpp"

namespace lbm {

// The models of visit_collision(), side by side; all but one are empty.
template <class Storage>
struct AnyCollision {
  template <class OfPopulations, class OfMoments>
  using Either = std::conditional_t<holds_moments<Storage>, OfMoments, OfPopulations>;
  using First = Either<Bgk<Storage>, MomentCollision<Storage, true, false>>;
  using Second = Either<GeneralCollision<Storage, Trt>, MomentCollision<Storage, false, false>>;
  using Third =
      Either<GeneralCollision<Storage, Regularised>, MomentCollision<Storage, true, true>>;
  using Fourth =
      Either<GeneralCollision<Storage, FilteredRegularised>, MomentCollision<Storage, false, true>>;
  // All models get `own`; only those that filter the stress read it.
  static constexpr bool filters_stress = true;

  First first;
  Second second;
  Third third;
  Fourth fourth;
  int chosen;

  static AnyCollision of(const CollisionSpec& spec, double step) {
    AnyCollision any{};
    visit_collision<Storage>(spec, [&]<class C>(std::type_identity<C>) {
      const_cast<C&>(any.get<C>()) = C::of(spec, step);
      any.chosen = std::is_same_v<C, First>    ? 0
                   : std::is_same_v<C, Second> ? 1
                   : std::is_same_v<C, Third>  ? 2
                                               : 3;
    });
    return any;
  }

  template <class C>
  const C& get() const {
    static_assert(is_model<C>);
    if constexpr (std::is_same_v<C, First>) return first;
    if constexpr (std::is_same_v<C, Second>) return second;
    if constexpr (std::is_same_v<C, Third>) return third;
    if constexpr (std::is_same_v<C, Fourth>) return fourth;
  }
  // Calls visitor(collision) with the model that was chosen.
  template <class Visitor>
  LBM_HD decltype(auto) visit(const Visitor& visitor) const {
    switch (chosen) {
      case 0:
        return visitor(first);
      case 1:
        return visitor(second);
      case 2:
        return visitor(third);
      default:
        return visitor(fourth);
    }
  }

  template <class T, class Own>
  LBM_HD void operator()(T (&g)[d3q19::directions], const Own& own) const {
    visit([&](const auto& collision) { collide_cell(collision, g, own); });
  }

 private:
  template <class C>
  static constexpr bool is_model = std::is_same_v<C, First> || std::is_same_v<C, Second> ||
                                   std::is_same_v<C, Third> || std::is_same_v<C, Fourth>;
};

// Calls visitor(model) with the model of an AnyCollision, or with the collision itself.
template <class Storage, class Visitor>
LBM_HD void with_model(const AnyCollision<Storage>& collision, const Visitor& visitor) {
  collision.visit(visitor);
}
template <class Collision, class Visitor>
LBM_HD void with_model(const Collision& collision, const Visitor& visitor) {
  visitor(collision);
}

}  // namespace lbm
