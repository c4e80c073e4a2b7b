// SPDX-License-Identifier: Apache-2.0
#include "io/image/planes_seen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace lbm::io {
namespace {

std::size_t checked_planes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays) {
  const auto [nx, ny, nz] = geometry.points;
  if (nx < 1 || ny < 1 || nz < 1)
    throw std::invalid_argument(fmt::format("no image of {} x {} x {} points", nx, ny, nz));
  for (const ArrayInfo& array : arrays)
    if (array.name.empty() || array.name.find('/') != std::string::npos || array.components < 1)
      throw std::invalid_argument(
          fmt::format("no array '{}' of {} components", array.name, array.components));
  return static_cast<std::size_t>(nz);
}

}  // namespace

PlanesSeen::PlanesSeen(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : points_(0), arrays_(arrays.begin(), arrays.end()), seen_(checked_planes(geometry, arrays)) {
  points_ =
      static_cast<std::size_t>(geometry.points[0]) * static_cast<std::size_t>(geometry.points[1]);
}

void PlanesSeen::check_number(int z) const {
  if (z < 0 || static_cast<std::size_t>(z) >= seen_.size())
    throw std::out_of_range(fmt::format("plane {} of 0..{}", z, seen_.size() - 1));
  if (has(z)) throw std::logic_error(fmt::format("plane {} came twice", z));
}

void PlanesSeen::add_once(int z) {
  check_number(z);
  add(z);
}

void PlanesSeen::check(int z, std::span<const std::span<const float>> arrays) const {
  check_number(z);
  if (arrays.size() != arrays_.size())
    throw std::invalid_argument(
        fmt::format("{} arrays, the image has {}", arrays.size(), arrays_.size()));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].size() != points_ * static_cast<std::size_t>(arrays_[i].components))
      throw std::invalid_argument(
          fmt::format("array {}: {} values for {} points with {} components", arrays_[i].name,
                      arrays[i].size(), points_, arrays_[i].components));
}

void PlanesSeen::check_complete() const {
  const auto missing = std::count(seen_.begin(), seen_.end(), false);
  if (missing == 0) return;
  const auto first = std::find(seen_.begin(), seen_.end(), false) - seen_.begin();
  throw std::logic_error(
      fmt::format("missing: {} of {} planes, the first is {}", missing, seen_.size(), first));
}

}  // namespace lbm::io
