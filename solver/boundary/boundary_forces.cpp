// SPDX-License-Identifier: Apache-2.0

// The body force that depends on the place, as boundary data.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "solver/boundary/boundaries.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm {

void Boundaries::add_force(const ForceField& field, int nx, int ny, int nz) {
  const std::size_t values = std::size_t{3} * static_cast<std::size_t>(nx) * ny;
  const std::size_t bytes = values * sizeof(float), begin = aligned(bytes_.size());
  std::vector<std::int32_t> force_of(static_cast<std::size_t>(nz));
  const int asked = field.same_in_all_planes ? 1 : nz;
  const std::size_t most = begin + bytes * static_cast<std::size_t>(asked);
  try {
    bytes_.reserve(most);
  } catch (const std::bad_alloc&) {
    throw ResourceError(
        fmt::format("not enough host memory: {} for a force that depends on the place, {} is free; "
                    "use fewer cells, or a force that is the same in all planes of z",
                    human_bytes(most), human_bytes(host_memory_available())));
  }
  bytes_.resize(begin);
  std::int32_t last = -1;
  std::vector<float> plane(values);
  for (int z = 0; z < asked; ++z) {
    field.fill(z, plane);
    std::int32_t& number = force_of[static_cast<std::size_t>(z)];
    number = -1;
    if (std::all_of(plane.begin(), plane.end(), [](float f) { return f == 0; })) continue;
    const std::byte* const before = bytes_.data() + bytes_.size() - bytes;
    if (last < 0 || std::memcmp(before, plane.data(), bytes) != 0) {
      bytes_.resize(bytes_.size() + bytes);
      std::memcpy(bytes_.data() + bytes_.size() - bytes, plane.data(), bytes);
      ++last;
    }
    number = last;
  }
  if (field.same_in_all_planes) std::fill(force_of.begin(), force_of.end(), force_of[0]);
  if (last < 0) return;  // no force anywhere
  at_.forces = begin;
  at_.force_of = aligned(bytes_.size());
  bytes_.resize(*at_.force_of + force_of.size() * sizeof(std::int32_t));
  std::memcpy(bytes_.data() + *at_.force_of, force_of.data(),
              force_of.size() * sizeof(std::int32_t));
  view_.force_row = nx;
  view_.force_cells = std::int64_t{nx} * ny;
  if (linked_cells_.empty()) linked_cells_.resize(static_cast<std::size_t>(nz));
  set_force_factor(field.factor);
}

void Boundaries::set_force_factor(const TimeFactor& factor) {
  force_factor_ = factor;
  if (factor.kind != TimeFactor::Kind::constant) changes_in_time_ = true;
}

bool Boundaries::has_force(int z) const {
  if (!at_.force_of) return false;
  return reinterpret_cast<const std::int32_t*>(bytes().data() + *at_.force_of)[z] >= 0;
}

}  // namespace lbm
