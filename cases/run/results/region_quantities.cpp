// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/region_quantities.hpp"

#include <cmath>
#include <utility>

#include "cases/case/model/pressure_gradient.hpp"

namespace lbm::cases {
namespace {

// The summed number of a cell, in lattice units; densities less 1, which they are close to.
double number_of(QuantityField field, float drho, const float* velocity) {
  switch (field) {
    case QuantityField::pressure:
    case QuantityField::density:
      return drho;
    case QuantityField::velocity_x:
      return velocity[0];
    case QuantityField::velocity_y:
      return velocity[1];
    case QuantityField::velocity_z:
      return velocity[2];
    default:
      break;
  }
  return std::hypot(double{velocity[0]}, double{velocity[1]}, double{velocity[2]});
}

QuantityField field_of(const NamedQuantity& quantity, int axis) {
  constexpr QuantityField along[] = {QuantityField::velocity_x, QuantityField::velocity_y,
                                     QuantityField::velocity_z};
  return quantity.field.value_or(along[axis]);
}

// du_i / dx_j at 3 * i + j. For dissipation S : S, S the strain rate.
double square_of_gradient(QuantityField field, const float* gradient) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double a = gradient[3 * i + j], b = gradient[3 * j + i];
      sum += field == QuantityField::enstrophy ? (a - b) * (a - b) : (a + b) * (a + b);
    }
  }
  return sum / 4;
}

}  // namespace

RegionQuantity::RegionQuantity(const ResultContext& context, std::size_t position,
                               Quantities& quantities)
    : context_(context),
      position_(position),
      asked_(context.lbm_case.quantities[position]),
      quantities_(quantities),
      region_(context.lbm_case, context.model.derived, asked_),
      box_(fields::with_halo(grid_shape(context.lbm_case), region_.box(),
                             asked_.field && needs_gradient(*asked_.field))),
      units_(make_units(context.lbm_case, context.model.derived)),
      cells_(region_.count(context.model.boundaries)) {
  if (!context.model.boundaries.none()) solids_ = context.model.boundaries.view();
  const double edge =
      context.lbm_case.units == UnitSystem::si ? units_.length : 1 / context.model.derived.length;
  cell_edge_ = edge;
  if (!is_of_driven_flow(*asked_.kind)) return;
  along_ = pressure_gradient(context.lbm_case, units_, region_.box());
  gradient_ = std::hypot(along_[0], along_[1], along_[2]);
  for (double& component : along_) component /= gradient_;
}

RegionQuantity::Sum RegionQuantity::sum_of(int z, std::span<const float> drho,
                                           std::span<const float> velocity) const {
  const tiling::FieldBox& box = region_.box();
  const bool driven = is_of_driven_flow(*asked_.kind);
  const bool speeds = asked_.kind == QuantityKind::tortuosity;
  const QuantityField field = field_of(asked_, region_.axis());
  Sum sum;
  std::size_t at = 0;
  for (int y = box.begin[1]; y < box.begin[1] + box.count[1]; ++y) {
    for (int x = box.begin[0]; x < box.begin[0] + box.count[0]; ++x, ++at) {
      if (!region_.holds(x, y, z) || solids_.is_solid(x, y, z)) continue;
      const float* const u = &velocity[3 * at];
      sum.number += driven ? along_[0] * u[0] + along_[1] * u[1] + along_[2] * u[2]
                           : number_of(field, drho[at], u);
      if (speeds) sum.speed += number_of(QuantityField::speed, drho[at], u);
    }
  }
  return sum;
}

double RegionQuantity::of_driven_flow(const Sum& sum) const {
  const Derived& derived = context_.model.derived;
  const double pore_velocity = sum.number / static_cast<double>(cells_.fluid);
  switch (*asked_.kind) {
    case QuantityKind::tortuosity:  // Duda, Koza & Matyka (2011), Phys. Rev. E 84, 036319
      return sum.speed / sum.number;
    case QuantityKind::pore_velocity:
      return pore_velocity * units_.velocity;
    case QuantityKind::pore_reynolds:
      return pore_velocity * derived.length / derived.viscosity;
    default:
      break;
  }
  // Darcy: U = k / viscosity x gradient, with the superficial velocity U.
  const double cells =
      derived.viscosity * sum.number / static_cast<double>(cells_.fluid + cells_.solid) / gradient_;
  const double edge = context_.lbm_case.units == UnitSystem::si ? units_.length : 1;
  return cells * edge * edge;
}

double RegionQuantity::value_of(const Sums& sums) const {
  Sum sum;
  for (const Sum& plane : sums.planes) {
    sum.number += plane.number;
    sum.speed += plane.speed;
  }
  if (is_of_driven_flow(*asked_.kind)) return of_driven_flow(sum);
  if (asked_.kind == QuantityKind::flow_rate) {
    return sum.number * units_.velocity * (cell_edge_ * cell_edge_);
  }
  const double mean = sum.number / static_cast<double>(cells_.fluid);
  if (asked_.field == QuantityField::pressure) return from_density_difference(units_, mean);
  if (asked_.field == QuantityField::density) return (1 + mean) * units_.density;
  const double rate = units_.velocity / cell_edge_;
  if (asked_.field == QuantityField::enstrophy) return mean * rate * rate;
  if (asked_.field == QuantityField::dissipation) {
    return 2 * context_.model.derived.viscosity * mean * rate * rate * units_.velocity * cell_edge_;
  }
  return mean * units_.velocity;
}

RegionQuantity::Sum RegionQuantity::sum_of_gradients(const fields::PlaneTriple& planes,
                                                     const fields::WallsAround& walls) const {
  const tiling::FieldBox& box = region_.box();
  const fields::Gradients gradients(grid_shape(context_.lbm_case), box_);
  std::vector<float> gradient(9 * static_cast<std::size_t>(box.count[0]));
  Sum sum;
  for (int j = 0; j < box.count[1]; ++j) {
    gradients.compute(planes, walls, j, gradient);
    for (int i = 0; i < box.count[0]; ++i) {
      const int x = box.begin[0] + i, y = box.begin[1] + j;
      if (!region_.holds(x, y, planes.z) || solids_.is_solid(x, y, planes.z)) continue;
      sum.number += square_of_gradient(*asked_.field, &gradient[9 * static_cast<std::size_t>(i)]);
    }
  }
  return sum;
}

void RegionQuantity::add_plane(std::int64_t step, int z, std::span<const float> drho,
                               std::span<const float> velocity) {
  const tiling::FieldBox& box = region_.box();
  Sums& sums = under_way_[step];
  sums.planes.resize(static_cast<std::size_t>(box.count[2]));
  const auto set = [&](int at, const Sum& sum) {
    sums.planes[static_cast<std::size_t>(at - box.begin[2])] = sum;
    ++sums.count;
  };
  if (!box_.has_halo) {
    set(z, sum_of(z, drho, velocity));
  } else {
    if (!sums.around) {
      sums.around.emplace(Around{fields::PlaneWindow(grid_shape(context_.lbm_case), box_),
                                 walls_at(context_.lbm_case, context_.model, step)});
    }
    sums.around->window.add(z, {drho, velocity}, [&](const fields::PlaneTriple& planes) {
      set(planes.z, sum_of_gradients(planes, sums.around->walls));
    });
  }
  if (sums.count < box.count[2]) return;
  quantities_.take(position_, step, value_of(sums));
  under_way_.erase(step);
}

}  // namespace lbm::cases
