// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/field_maker.hpp"

#include <algorithm>

#include "solver/core/in_parts.hpp"

namespace lbm::fields {

double Scales::of(Kind kind) const {
  const double rate = velocity / length;
  switch (kind) {
    case Kind::density:
      return density;
    case Kind::pressure:
    case Kind::wall_shear_stress:
      return pressure;
    case Kind::velocity:
      return velocity;
    case Kind::vorticity:
    case Kind::strain_rate:
      return rate;
    case Kind::q_criterion:
      return rate * rate;
    case Kind::solid:
      break;
  }
  return 1;
}

FieldMaker::FieldMaker(const GridShape& grid, const HaloBox& box, std::vector<Kind> kinds,
                       const Scales& scales, double viscosity)
    : grid_(grid),
      box_(box),
      kinds_(std::move(kinds)),
      scales_(scales),
      viscosity_(viscosity),
      gradients_(grid, box),
      arrays_(kinds_.size()),
      made_(kinds_.size()) {}

void FieldMaker::pick(std::span<const float> loaded, int components, int first, int last,
                      std::span<float> wanted) const {
  const int nx = box_.wanted.count[0];
  float* to = wanted.data() + std::ptrdiff_t{first} * nx * components;
  if (!box_.has_halo) {
    std::copy_n(loaded.data() + std::ptrdiff_t{first} * nx * components,
                std::ptrdiff_t{last - first} * nx * components, to);
    return;
  }
  for (int j = first; j < last; ++j) {
    for (int i = 0; i < nx; ++i, to += components) {
      std::copy_n(loaded.data() + box_.loaded_cell(i, j) * components, components, to);
    }
  }
}

void FieldMaker::make_one(Kind kind, const PlaneTriple& planes, const WallsAround& walls, int first,
                          int last, std::span<const float> gradient,
                          std::span<float> result) const {
  const auto nx = static_cast<std::size_t>(box_.wanted.count[0]);
  const auto of_rows = [&](auto all, int values) {
    const std::size_t row = nx * static_cast<std::size_t>(values);
    return all.subspan(static_cast<std::size_t>(first) * row,
                       static_cast<std::size_t>(last - first) * row);
  };
  const std::span<float> made = of_rows(result, components_of(kind));
  switch (kind) {
    case Kind::density:
      pick(planes.here->drho, 1, first, last, result);
      for (float& value : made) value += 1;
      break;
    case Kind::pressure:
      pick(planes.here->drho, 1, first, last, result);
      pressure(made, made);
      break;
    case Kind::velocity:
      pick(planes.here->velocity, 3, first, last, result);
      break;
    case Kind::vorticity:
      vorticity(gradient, made);
      break;
    case Kind::q_criterion:
      q_criterion(gradient, made);
      break;
    case Kind::strain_rate:
      strain_rate(gradient, made);
      break;
    case Kind::wall_shear_stress:
      gradients_.wall_shear_stress(planes, walls, viscosity_, first, last, result);
      break;
    case Kind::solid:
      solid_mask(planes.z, walls, first, last, result);
      break;
  }
  const auto scale = static_cast<float>(scales_.of(kind));
  if (scale == 1) return;
  for (float& value : made) value *= scale;
}

void FieldMaker::solid_mask(int z, const WallsAround& walls, int first, int last,
                            std::span<float> result) const {
  float* to = result.data() + std::ptrdiff_t{first} * box_.wanted.count[0];
  for (int j = first; j < last; ++j) {
    const int y = box_.y(j, grid_.cells[1]);
    for (int i = 0; i < box_.wanted.count[0]; ++i) {
      *to++ = walls.is_solid(box_.x(i, grid_.cells[0]), y, z) ? 1.0F : 0.0F;
    }
  }
}

std::span<const std::span<const float>> FieldMaker::make(const PlaneTriple& planes,
                                                         const WallsAround& walls) {
  const bool gradients = std::any_of(kinds_.begin(), kinds_.end(), needs_gradient);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    arrays_[k].resize(static_cast<std::size_t>(components_of(kinds_[k])) * cells());
    made_[k] = arrays_[k];
  }
  const auto make_rows = [&](int first, int last) {
    // Row by row, so that gradients stay in the cache.
    std::vector<float> gradient(gradients ? 9 * static_cast<std::size_t>(box_.wanted.count[0]) : 0);
    for (int row = first; row < last; ++row) {
      if (gradients) gradients_.compute(planes, walls, row, row + 1, gradient);
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        make_one(kinds_[k], planes, walls, row, row + 1, gradient, arrays_[k]);
      }
    }
  };
  const int rows = box_.wanted.count[1];
  in_parts(threads_, rows, make_rows);
  return made_;
}

}  // namespace lbm::fields
