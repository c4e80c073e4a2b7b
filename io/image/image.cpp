// SPDX-License-Identifier: Apache-2.0
#include "io/image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "solver/lattice/half.hpp"

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
  if (seen_[static_cast<std::size_t>(z)])
    throw std::logic_error(fmt::format("plane {} came twice", z));
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

namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

template <typename T, typename Convert>
void store_each(std::span<const float> values, std::byte* to, Convert convert) {
  for (const float value : values) {
    const T stored = convert(value);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}

std::uint8_t to_uint8(float value) {
  if (!(value > 0)) return 0;  // NaN, too
  return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0F)));
}

}  // namespace

int bytes_of(Precision precision) {
  switch (precision) {
    case Precision::float16:
      return 2;
    case Precision::uint8:
      return 1;
    default:
      return 4;
  }
}

void store(std::span<const float> values, Precision precision, std::byte* to) {
  if (precision == Precision::float16)
    // Not by its address, which cannot be inlined where the compiler must.
    store_each<std::uint16_t>(values, to, [](float value) { return float_to_half(value); });
  else if (precision == Precision::uint8)
    store_each<std::uint8_t>(values, to, to_uint8);
  else
    std::memcpy(to, values.data(), values.size_bytes());
}

ImageGeometry thickened(ImageGeometry geometry) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (geometry.points[d] != 1) continue;
    geometry.points[d] = 2;
    geometry.origin[d] -= geometry.spacing[d] / 2;
  }
  return geometry;
}

FlatPlanes::FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : points_(geometry.points), doubled_(arrays.size()), planes_(arrays.size()) {
  for (const ArrayInfo& array : arrays) components_.push_back(array.components);
}

std::span<const float> FlatPlanes::doubled(std::size_t array, std::span<const float> values) {
  const auto [columns, rows, planes] = points_;
  if (columns != 1 && rows != 1) return values;
  std::vector<float>& result = doubled_[array];
  result.clear();
  const auto row = static_cast<std::size_t>(columns) * static_cast<std::size_t>(components_[array]);
  for (std::size_t at = 0; at < values.size(); at += row) {
    const auto one = values.subspan(at, row);
    for (int copy = 0; copy < (columns == 1 ? 2 : 1) * (rows == 1 ? 2 : 1); ++copy)
      result.insert(result.end(), one.begin(), one.end());
  }
  return result;
}

std::span<const std::span<const float>> FlatPlanes::doubled(
    std::span<const std::span<const float>> arrays) {
  for (std::size_t i = 0; i < planes_.size(); ++i) planes_[i] = doubled(i, arrays[i]);
  return planes_;
}

}  // namespace lbm::io
