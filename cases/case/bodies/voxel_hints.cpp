// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/voxel_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lbm::cases {
namespace {

// The number that the same bytes are in the other byte order.
std::int64_t swapped(std::int64_t label, io::VoxelType type) {
  const std::size_t size = io::bytes_of(type);
  const auto bytes = static_cast<std::uint64_t>(label);
  std::uint64_t other = 0;
  for (std::size_t i = 0; i < size; ++i) other = other << 8 | (bytes >> (8 * i) & 0xff);
  const bool with_sign = type == io::VoxelType::int16 || type == io::VoxelType::int32;
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const auto value = static_cast<std::int64_t>(other);
  return with_sign && (other & sign) != 0 ? value - 2 * static_cast<std::int64_t>(sign) : value;
}

}  // namespace

std::string other_byte_order(const VoxelLabels& labels, const std::vector<std::int64_t>& fluid,
                             io::VoxelType type) {
  if (io::bytes_of(type) == 1) return "";
  const auto all = [&](const auto& is_there) {
    return std::all_of(fluid.begin(), fluid.end(), is_there);
  };
  if (all([&](std::int64_t label) { return labels.contains(label); })) return "";
  if (!all([&](std::int64_t label) { return labels.contains(swapped(label, type)); })) return "";
  return "; with their bytes in the other order these are those of fluid: change byte_order";
}

std::string other_way_round(const VoxelLabels& labels, const std::vector<std::int64_t>& fluid) {
  if (labels.size() != 2) return "";
  const auto& [first, first_voxels] = *labels.begin();
  const auto& [second, second_voxels] = *labels.rbegin();
  const bool is_first = std::count(fluid.begin(), fluid.end(), first) > 0;
  if (is_first == (std::count(fluid.begin(), fluid.end(), second) > 0)) return "";
  const std::int64_t pores = is_first ? first_voxels : second_voxels,
                     others = is_first ? second_voxels : first_voxels;
  if (pores <= others) return "";
  return fmt::format(
      "; if the pores have the label {0}, write fluid: [{0}], which makes {1:.3g} % fluid",
      is_first ? second : first,
      100 * static_cast<double>(others) / static_cast<double>(pores + others));
}

std::string grey_values(const VoxelLabels& labels) {
  constexpr std::size_t many = 100;
  if (labels.size() < many) return "";
  return fmt::format("; {} different labels: if these are grey values, segment the image first",
                     labels.size());
}

}  // namespace lbm::cases
