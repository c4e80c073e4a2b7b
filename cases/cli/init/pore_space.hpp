// SPDX-License-Identifier: Apache-2.0

// Facts of an image of pores, from which a flow through it is predicted.
#pragma once

#include <array>
#include <cstdint>

#include "io/voxels/voxel_image.hpp"

namespace lbm::cases::init {

// In voxels.
struct PoreSpace {
  std::array<std::int64_t, 3> voxels{};
  double porosity = 0;
  // Sides of voxels between pore and solid in a unit of volume, x 2/3: a smooth surface that lies
  // in all directions alike has 2/3 of the area of its staircase.
  double surface = 0;

  double diameter() const { return 4 * porosity / surface; }  // hydraulic
  // By Kozeny and Carman (Carman 1937, Trans. Inst. Chem. Eng. 15, 150), to a factor of three or
  // so.
  double permeability() const { return porosity * porosity * porosity / (5 * surface * surface); }
};

// Reads the image plane by plane, which counts as periodic. label: of the pores. Throws UsageError
// for an image without pores or without solid; the message lists its labels.
PoreSpace pore_space(const io::VoxelImage& image, std::int64_t label);

// A creeping flow, in lattice units. The rules are those of lbm.porous.image_case (docs/rock.md).
struct CreepingFlow {
  double viscosity = 0;
  double velocity = 0;      // of the pores
  double acceleration = 0;  // that drives it
  std::int64_t every = 0;   // steps between two looks at whether it is steady
};
CreepingFlow creeping_flow(const PoreSpace& space);

}  // namespace lbm::cases::init
