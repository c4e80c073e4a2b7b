// SPDX-License-Identifier: Apache-2.0

// The collision models: the one place where they are registered.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "solver/collision/bgk.hpp"
#include "solver/collision/central_moments.hpp"
#include "solver/collision/cumulant.hpp"
#include "solver/collision/general_collision.hpp"
#include "solver/collision/moment_collision.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/collision/trt.hpp"

namespace lbm {

// Collision models side by side. One is chosen at run time, the others are empty.
template <class First, class... Rest>
struct Models {
  First first;
  Models<Rest...> rest;

  template <class C>
  const C& get() const {
    if constexpr (std::is_same_v<C, First>) {
      return first;
    } else {
      return rest.template get<C>();
    }
  }
  template <class C>
  static constexpr int index() {
    if constexpr (std::is_same_v<C, First>) {
      return 0;
    } else {
      return 1 + Models<Rest...>::template index<C>();
    }
  }
  // Calls visitor(model) with model number i.
  template <class Visitor>
  LBM_HD void visit(int i, const Visitor& visitor) const {
    if (i == 0) {
      visitor(first);
    } else {
      rest.visit(i - 1, visitor);
    }
  }
};
template <class Last>
struct Models<Last> {
  Last first;

  template <class C>
  const C& get() const {
    static_assert(std::is_same_v<C, Last>);
    return first;
  }
  template <class C>
  static constexpr int index() {
    static_assert(std::is_same_v<C, Last>);
    return 0;
  }
  template <class Visitor>
  LBM_HD void visit(int, const Visitor& visitor) const {
    visitor(first);
  }
};

// General models (general_collision.hpp) in a list. Trt also does BGK with a body force or a
// turbulence model.
template <template <class> class... Model>
struct GeneralModels {
  template <class Storage>
  using All = Models<Bgk<Storage>, GeneralCollision<Storage, Model>...>;

  // Calls visitor(std::type_identity<C>{}) with the model of that kind. Throws
  // std::invalid_argument where the list has none.
  template <class Storage, class Visitor>
  static decltype(auto) visit(CollisionKind kind, Visitor& visitor) {
    const bool trt = kind == CollisionKind::bgk;
    return visit_from<Storage, Visitor, Model...>(trt ? CollisionKind::trt : kind, visitor);
  }

 private:
  template <class Storage, class Visitor, template <class> class First,
            template <class> class... Rest>
  static decltype(auto) visit_from(CollisionKind kind, Visitor& visitor) {
    if constexpr (sizeof...(Rest) > 0) {
      if (kind != First<Storage>::kind) return visit_from<Storage, Visitor, Rest...>(kind, visitor);
    } else if (kind != First<Storage>::kind) {
      throw std::invalid_argument(std::string("no such collision with ") + Storage::Set::name);
    }
    return visitor(std::type_identity<GeneralCollision<Storage, First>>{});
  }
};

// The models of each velocity set.
template <class Set>
struct ModelsOfSet;
template <>
struct ModelsOfSet<D3Q19> {
  using List = GeneralModels<Trt, Regularised, FilteredRegularised, CentralMoments>;
};
template <>
struct ModelsOfSet<D3Q27> {
  using List = GeneralModels<Trt, Cumulant>;
};

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
    using List = typename ModelsOfSet<typename Storage::Set>::List;
    return List::template visit<Storage>(spec.kind, visitor);
  }
}

// Those of visit_collision().
template <class Storage, bool moments = holds_moments<Storage>>
struct ModelsOf {
  using Type = typename ModelsOfSet<typename Storage::Set>::List::template All<Storage>;
};
template <class Storage>
struct ModelsOf<Storage, true> {
  using Type = Models<MomentCollision<Storage, true, false>, MomentCollision<Storage, false, false>,
                      MomentCollision<Storage, true, true>, MomentCollision<Storage, false, true>>;
};

// A collision whose model is chosen at run time, so that its users are compiled for it once. All
// cells of a launch take the same branch.
template <class Storage>
struct AnyCollision {
  using All = typename ModelsOf<Storage>::Type;
  // All models get `own`; only those that filter the stress read it.
  static constexpr bool filters_stress = true;

  All models;
  int chosen;

  static AnyCollision of(const CollisionSpec& spec, double step) {
    AnyCollision any{};
    visit_collision<Storage>(spec, [&]<class C>(std::type_identity<C>) {
      const_cast<C&>(any.get<C>()) = C::of(spec, step);
      any.chosen = All::template index<C>();
    });
    return any;
  }

  template <class C>
  const C& get() const {
    return models.template get<C>();
  }
  // Calls visitor(collision) with the model that was chosen.
  template <class Visitor>
  LBM_HD void visit(const Visitor& visitor) const {
    models.visit(chosen, visitor);
  }

  template <class T, class Own>
  LBM_HD void operator()(T (&g)[Storage::Set::directions], const Own& own) const {
    visit([&](const auto& collision) { collide_cell(collision, g, own); });
  }
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
