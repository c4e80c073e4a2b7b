// One plane of the fields that an output wants.
#pragma once

#include <memory>
#include <vector>

#include "cases/fields/gradients.hpp"
#include "cases/fields/quantities.hpp"

namespace lbm::fields {

// What lattice units are multiplied by.
struct Scales {
  double length = 1, velocity = 1, density = 1, pressure = 1;

  double of(Kind kind) const;
};

class FieldMaker {
 public:
  // viscosity: kinematic, lattice units.
  FieldMaker(const GridShape& grid, const HaloBox& box, std::vector<Kind> kinds,
             const Scales& scales, double viscosity);

  // Of the wanted plane: array by array in the order of the kinds, [ny][nx][components], scaled.
  // Valid until the next call, and as long as the planes.
  std::span<const std::span<const float>> make(const PlaneTriple& planes, const WallsAround& walls);

 private:
  void make_one(Kind kind, const PlaneTriple& planes, const WallsAround& walls,
                std::vector<float>& result);
  void solid_mask(int z, const WallsAround& walls, std::vector<float>& result) const;
  // Those of the wanted cells.
  void pick(std::span<const float> loaded, int components, std::vector<float>& wanted) const;

  GridShape grid_;
  HaloBox box_;
  std::vector<Kind> kinds_;
  Scales scales_;
  double viscosity_;
  Gradients gradients_;
  std::vector<float> gradient_, density_;
  std::vector<std::vector<float>> arrays_;
  std::vector<std::span<const float>> made_;
};

}  // namespace lbm::fields
