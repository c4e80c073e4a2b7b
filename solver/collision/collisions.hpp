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
// or C(g, own) (regularised.hpp), replaces incoming populations by the values that Storage keeps:
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

// A collision whose model is chosen at run time, so that its users are compiled for it once. All
// cells of a launch take the same branch.
//
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
template <class Collision, class Visitor>
LBM_HD void with_model(const Collision& collision, const Visitor& visitor) {
  if constexpr (requires { collision.visit(visitor); }) {
    collision.visit(visitor);
  } else {
    visitor(collision);
  }
}

}  // namespace lbm
