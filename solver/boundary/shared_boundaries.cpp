// SPDX-License-Identifier: Apache-2.0

// Boundaries in memory that processes of a host share.
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

// Copies values to or from consecutive aligned() places of memory.
class Cursor {
 public:
  explicit Cursor(std::byte* at) : at_(at) {}

  void put(const void* values, std::size_t bytes) {
    if (bytes > 0) std::memcpy(at_, values, bytes);
    at_ += aligned(bytes);
  }
  void get(void* values, std::size_t bytes) {
    if (bytes > 0) std::memcpy(values, at_, bytes);
    at_ += aligned(bytes);
  }

 private:
  std::byte* at_;
};

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
  Cursor cursor(memory->data());
  cursor.put(bytes_.data(), bytes_.size());
  cursor.put(&head, sizeof(head));
  cursor.put(linked_cells_.data(), size_of(linked_cells_));
  cursor.put(fluid_cells_.data(), size_of(fluid_cells_));
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
  Cursor cursor(memory->data() + aligned(size));
  cursor.get(&head, sizeof(head));
  opened.linked_cells_.resize(head.linked_cells);
  opened.fluid_cells_.resize(head.fluid_cells);
  cursor.get(opened.linked_cells_.data(), size_of(opened.linked_cells_));
  cursor.get(opened.fluid_cells_.data(), size_of(opened.fluid_cells_));
  opened.view_ = head.view;
  opened.at_ = head.at;
  opened.solid_cells_ = head.solid_cells;
  opened.blocked_links_ = head.blocked_links;
  opened.shared_size_ = size;
  opened.shared_ = std::make_shared<SharedMemory>(std::move(*memory));
  return opened;
}

}  // namespace lbm
