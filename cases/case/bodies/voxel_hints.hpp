// SPDX-License-Identifier: Apache-2.0

// Hints for messages: mistakes in the keys of an image that its labels show.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/voxels/voxel_image.hpp"

namespace lbm::cases {

using VoxelLabels = std::map<std::int64_t, std::int64_t>;  // voxels of each label

// All of these are ends of messages that name the labels, and empty where they have nothing to say.
// fluid: labels of the pores.

// A label of `fluid` is missing, and all of them are there with their bytes swapped.
std::string other_byte_order(const VoxelLabels& labels, const std::vector<std::int64_t>& fluid,
                             io::VoxelType type);

// Two labels, more than half of the voxels are fluid: they may be meant the other way round.
std::string other_way_round(const VoxelLabels& labels, const std::vector<std::int64_t>& fluid);

// So many labels as an image of grey values has.
std::string grey_values(const VoxelLabels& labels);

}  // namespace lbm::cases
