// SPDX-License-Identifier: Apache-2.0

// Named quantities of a region, from fields at ends of sweeps: means, flow rates, and those of
// porous media such as the permeability.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "cases/case/model/regions.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_planes.hpp"

namespace lbm::cases {

// Sums over the fluid cells of a region, plane by plane. Sums of planes are added in the order of
// z, so schedule and ranks change no bit.
class RegionQuantity final : public FieldConsumer {
 public:
  // position: in Case::quantities.
  RegionQuantity(const ResultContext& context, std::size_t position, Quantities& quantities);

  bool wants(std::int64_t step) const override {
    return quantities_.wants(position_, step) || step == context_.last_step;
  }
  std::optional<std::int64_t> next_after(std::int64_t step) const override {
    return quantities_.next_after(position_, step);
  }
  tiling::FieldBox box() const override { return box_.loaded; }
  void add_plane(std::int64_t step, int z, std::span<const float> drho,
                 std::span<const float> velocity) override;
  // The values are part of the state of Quantities.
  std::string state_name() const override { return "quantity." + asked_.name; }

 private:
  // Over fluid cells, in lattice units.
  struct Sum {
    double number = 0;  // the field; for driven flows the velocity along the driving force
    double speed = 0;   // for the tortuosity only
  };
  struct Around {
    fields::PlaneWindow window;
    fields::WallsAround walls;  // at the step
  };
  struct Sums {
    std::vector<Sum> planes;       // by plane of the box
    int count = 0;                 // planes that have been summed
    std::optional<Around> around;  // for fields that need gradients
  };
  Sum sum_of_gradients(const fields::PlaneTriple& planes, const fields::WallsAround& walls) const;
  Sum sum_of(int z, std::span<const float> drho, std::span<const float> velocity) const;
  double value_of(const Sums& sums) const;
  double of_driven_flow(const Sum& sum) const;

  ResultContext context_;
  std::size_t position_;
  const NamedQuantity& asked_;
  Quantities& quantities_;
  QuantityRegion region_;
  fields::HaloBox box_;
  Units units_;
  BoundaryView solids_;
  QuantityRegion::Count cells_;
  double gradient_ = 0;                     // driven flows: magnitude of pressure_gradient()
  Vec3 along_{};                            // ... and its direction
  double cell_edge_;                        // in units of the case: m or fluid.length
  std::map<std::int64_t, Sums> under_way_;  // by step
};

}  // namespace lbm::cases
