// SPDX-License-Identifier: Apache-2.0

// Computes one plane of the fields of an output.
#pragma once

#include <memory>
#include <vector>

#include "cases/fields/gradients.hpp"
#include "cases/fields/quantities.hpp"

namespace lbm::fields {

// Factors from lattice units to the units of the case.
struct Scales {
  double length = 1, velocity = 1, density = 1, pressure = 1;

  double of(Kind kind) const;
};

class FieldMaker {
 public:
  // viscosity: kinematic, in lattice units.
  FieldMaker(const GridShape& grid, const HaloBox& box, std::vector<Kind> kinds,
             const Scales& scales, double viscosity);

  // Number of threads that make the rows of a plane; 1 by default.
  void set_threads(int threads) { threads_ = threads; }

  // The wanted cells of the middle plane, scaled: one array [ny][nx][components] for each kind.
  // Valid until the next call and no longer than `planes`.
  std::span<const std::span<const float>> make(const PlaneTriple& planes, const WallsAround& walls);

 private:
  // All of these make rows first ... last - 1; gradient: of the same rows.
  void make_one(Kind kind, const PlaneTriple& planes, const WallsAround& walls, int first, int last,
                std::span<const float> gradient, std::span<float> result) const;
  void solid_mask(int z, const WallsAround& walls, int first, int last,
                  std::span<float> result) const;
  // Copies the wanted cells out of the loaded ones.
  void pick(std::span<const float> loaded, int components, int first, int last,
            std::span<float> wanted) const;
  std::size_t cells() const { return static_cast<std::size_t>(box_.wanted.plane_cells()); }

  GridShape grid_;
  HaloBox box_;
  std::vector<Kind> kinds_;
  Scales scales_;
  double viscosity_;
  Gradients gradients_;
  int threads_ = 1;
  std::vector<std::vector<float>> arrays_;
  std::vector<std::span<const float>> made_;
};

}  // namespace lbm::fields
