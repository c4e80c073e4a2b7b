// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/field_maker.hpp"

#include <algorithm>

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

void FieldMaker::pick(std::span<const float> loaded, int components,
                      std::vector<float>& wanted) const {
  if (!box_.has_halo) {
    wanted.assign(loaded.begin(), loaded.end());
    return;
  }
  const auto count = static_cast<std::size_t>(components);
  wanted.resize(count * static_cast<std::size_t>(box_.wanted.plane_cells()));
  float* to = wanted.data();
  for (int j = 0; j < box_.wanted.count[1]; ++j) {
    for (int i = 0; i < box_.wanted.count[0]; ++i, to += components) {
      std::copy_n(loaded.data() + box_.loaded_cell(i, j) * components, components, to);
    }
  }
}

void FieldMaker::make_one(Kind kind, const PlaneTriple& planes, const WallsAround& walls,
                          std::vector<float>& result) {
  switch (kind) {
    case Kind::density:
      return pick(planes.here->density, 1, result);
    case Kind::pressure:
      pick(planes.here->density, 1, density_);
      return pressure(density_, result);
    case Kind::velocity:
      return pick(planes.here->velocity, 3, result);
    case Kind::vorticity:
      return vorticity(gradient_, result);
    case Kind::q_criterion:
      return q_criterion(gradient_, result);
    case Kind::strain_rate:
      return strain_rate(gradient_, result);
    case Kind::wall_shear_stress:
      return gradients_.wall_shear_stress(planes, walls, viscosity_, result);
    case Kind::solid:
      return solid_mask(planes.z, walls, result);
  }
}

void FieldMaker::solid_mask(int z, const WallsAround& walls, std::vector<float>& result) const {
  result.resize(static_cast<std::size_t>(box_.wanted.plane_cells()));
  float* to = result.data();
  for (int j = 0; j < box_.wanted.count[1]; ++j) {
    const int y = box_.y(j, grid_.cells[1]);
    for (int i = 0; i < box_.wanted.count[0]; ++i) {
      *to++ = walls.is_solid(box_.x(i, grid_.cells[0]), y, z) ? 1.0F : 0.0F;
    }
  }
}

std::span<const std::span<const float>> FieldMaker::make(const PlaneTriple& planes,
                                                         const WallsAround& walls) {
  if (std::any_of(kinds_.begin(), kinds_.end(), needs_gradient)) {
    gradients_.compute(planes, walls, gradient_);
  }
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const auto scale = static_cast<float>(scales_.of(kinds_[k]));
    // Unchanged input: nothing to copy.
    if (kinds_[k] == Kind::density && scale == 1 && !box_.has_halo) {
      made_[k] = planes.here->density;
      continue;
    }
    make_one(kinds_[k], planes, walls, arrays_[k]);
    made_[k] = arrays_[k];
    if (scale == 1) continue;
    for (float& value : arrays_[k]) value *= scale;
  }
  return made_;
}

}  // namespace lbm::fields
