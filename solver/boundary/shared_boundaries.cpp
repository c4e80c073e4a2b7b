// SPDX-License-Identifier: Apache-2.0

// Boundaries in memory that processes of a host share, and the bytes of their checksum.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <type_traits>
#include <utility>

#include "solver/boundary/boundaries.hpp"

namespace lbm {

// The shared memory holds bytes_, this head, linked_cells_ and fluid_cells_, each aligned().
struct Boundaries::SharedHead {
  BoundaryView view;
  BoundaryOffsets at;
  std::int64_t solid_cells, blocked_links;
  std::size_t linked_cells, fluid_cells;
};

namespace {

template <class T>
std::size_t size_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

}  // namespace

std::string Boundaries::share() {
  static_assert(std::is_trivially_copyable_v<SharedHead>);
  const SharedHead head{
      view_, at_, solid_cells_, blocked_links_, linked_cells_.size(), fluid_cells_.size()};
  const std::size_t all = aligned(bytes_.size()) + aligned(sizeof(head)) +
                          aligned(size_of(linked_cells_)) + aligned(size_of(fluid_cells_));
  auto memory = std::make_shared<SharedMemory>(SharedMemory::create(all, "boundaries"));
  std::byte* to = memory->data();
  const auto put = [&](const void* values, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, values, bytes);
    to += aligned(bytes);
  };
  put(bytes_.data(), bytes_.size());
  put(&head, sizeof(head));
  put(linked_cells_.data(), size_of(linked_cells_));
  put(fluid_cells_.data(), size_of(fluid_cells_));
  shared_size_ = bytes_.size();
  shared_ = std::move(memory);
  bytes_ = {};
  return shared_->name() + ' ' + std::to_string(all) + ' ' + std::to_string(shared_size_);
}

std::optional<Boundaries> Boundaries::open(const std::string& name, int nx, int ny, int nz,
                                           const FaceBoundaries& faces,
                                           std::span<const TimeFactor> body_factors,
                                           const TimeFactor& force_factor) {
  std::istringstream text(name);
  std::string memory_name;
  std::size_t all = 0, size = 0;
  if (!(text >> memory_name >> all >> size)) return std::nullopt;
  auto memory = SharedMemory::open(memory_name, all);
  if (!memory) return std::nullopt;
  Boundaries opened;
  opened.identity_ = next_identity();
  opened.prepare_faces(faces);
  opened.add_conditions(nx, ny, nz, faces);  // for the factors in time only; the bytes are shared
  for (const TimeFactor& factor : body_factors) opened.add_factor(factor);
  opened.set_force_factor(force_factor);
  opened.bytes_ = {};
  SharedHead head{};
  const std::byte* from = memory->data() + aligned(size);
  const auto get = [&](void* values, std::size_t bytes) {
    if (bytes > 0) std::memcpy(values, from, bytes);
    from += aligned(bytes);
  };
  get(&head, sizeof(head));
  opened.linked_cells_.resize(head.linked_cells);
  opened.fluid_cells_.resize(head.fluid_cells);
  get(opened.linked_cells_.data(), size_of(opened.linked_cells_));
  get(opened.fluid_cells_.data(), size_of(opened.fluid_cells_));
  opened.view_ = head.view;
  opened.at_ = head.at;
  opened.solid_cells_ = head.solid_cells;
  opened.blocked_links_ = head.blocked_links;
  opened.shared_size_ = size;
  opened.shared_ = std::make_shared<SharedMemory>(std::move(*memory));
  return opened;
}

void Boundaries::visit_for_checksum(
    const std::function<void(std::span<const std::byte>)>& add) const {
  constexpr std::size_t block = 64;
  const auto motions = static_cast<std::size_t>(view_.body_count) * sizeof(BodyMotion);
  const std::size_t before_images =
      at_.force_of ? *at_.force_of + linked_cells_.size() * sizeof(std::int32_t)
                   : at_.bodies.value_or(0) + motions;
  const auto all = at_.images ? bytes().first(before_images) : bytes();
  const std::size_t end =
      at_.conditions ? *at_.conditions + conditions_.size() * sizeof(BoundaryConditionView) : 0;
  const auto begin = all.first(std::min(all.size(), (end + block - 1) / block * block));
  std::vector<std::byte> changed(begin.begin(), begin.end());
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const double density = 1 + conditions_[i].drho;
    std::memcpy(changed.data() + *at_.conditions + i * sizeof(BoundaryConditionView) +
                    offsetof(BoundaryConditionView, drho),
                &density, sizeof(density));
  }
  if (!changed.empty()) add(changed);
  if (begin.size() < all.size()) add(all.subspan(begin.size()));
}

}  // namespace lbm
