// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/boundary_window.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "solver/boundary/aligned.hpp"

namespace lbm {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

int items_of(std::span<const std::int32_t> item_of) {
  return *std::max_element(item_of.begin(), item_of.end()) + 1;
}

}  // namespace

bool BoundaryWindow::useful(const Boundaries& boundaries) {
  const BoundaryView view = boundaries.view();
  return view.masks != nullptr || view.forces != nullptr;
}

BoundaryWindow::BoundaryWindow(const Boundaries& boundaries, int planes)
    : boundaries_(boundaries), host_(boundaries.view()), nz_(boundaries.planes()) {
  place_masks(planes);
  place_lists(planes);
  place_forces(planes);
  place_arrays();
}

void BoundaryWindow::place_forces(int planes) {
  if (host_.forces == nullptr) return;
  const std::span force_of(host_.force_of, static_cast<std::size_t>(nz_));
  const auto forces = static_cast<std::size_t>(items_of(force_of));
  forces_ = {force_of, std::vector<std::size_t>(forces, 1), planes};
}

void BoundaryWindow::place_masks(int planes) {
  if (host_.masks == nullptr) return;
  const std::span mask_of(host_.mask_of, static_cast<std::size_t>(nz_));
  const int masks = items_of(mask_of);
  masks_ = {mask_of, std::vector<std::size_t>(static_cast<std::size_t>(masks), 1), planes};
  if (host_.fluid_words == nullptr) return;
  for (int mask = 0; mask < masks; ++mask) {
    mask_starts_ = std::max(mask_starts_, fluid_starts(mask));
  }
}

void BoundaryWindow::place_lists(int planes) {
  if (host_.lists == nullptr) return;
  const std::span list_of(host_.list_of, static_cast<std::size_t>(nz_));
  const int lists = items_of(list_of);
  std::vector<std::size_t> sizes;
  for (int list = 0; list < lists; ++list) {
    const CellList& cells = host_.lists[list];
    const auto links = static_cast<std::size_t>(links_of(cells));
    const std::size_t bytes =
        static_cast<std::size_t>(cells.cells) * sizeof(LinkedCell) + links * sizeof(BlockedLink);
    sizes.push_back((bytes + sizeof(LinkedCell) - 1) / sizeof(LinkedCell) * sizeof(LinkedCell));
  }
  lists_ = {list_of, std::move(sizes), planes};
}

// Number of entries of a mask in BoundaryView::starts.
std::size_t BoundaryWindow::fluid_starts(int mask) const {
  const int cells = host_.fluid_words[(host_.mask_words + 1) * mask + host_.mask_words].first();
  return (static_cast<std::size_t>(cells) + 31) / 32 + 1;
}

std::int64_t BoundaryWindow::links_of(const CellList& list) const {
  if (list.cells == 0) return 0;
  const LinkedCell& last = host_.cells[list.first_cell + list.cells - 1];
  return std::int64_t{last.first} + std::popcount(last.blocked);
}

// The bytes of all faces, which precede the data of planes.
std::span<const std::byte> BoundaryWindow::faces() const {
  const std::span<const std::byte> all = boundaries_.bytes();
  const void* const planes = host_.masks != nullptr ? static_cast<const void*>(host_.masks)
                                                    : static_cast<const void*>(host_.forces);
  return all.first(static_cast<std::size_t>(static_cast<const std::byte*>(planes) - all.data()));
}

void BoundaryWindow::place_arrays() {
  bytes_ = faces().size();
  const auto place = [&](std::size_t bytes) {
    const std::size_t begin = aligned(bytes_);
    bytes_ = begin + bytes;
    return begin;
  };
  const bool numbered = host_.fluid_words != nullptr;
  const auto planes = static_cast<std::size_t>(nz_), masks = masks_.size();
  const auto words = static_cast<std::size_t>(host_.mask_words);
  constexpr std::size_t word = sizeof(std::uint32_t);
  at_.mask_of = place(host_.masks != nullptr ? planes * sizeof(std::int32_t) : 0);
  at_.list_of = place(host_.list_of != nullptr ? planes * sizeof(std::int32_t) : 0);
  at_.lists = place(lists_.count() * sizeof(CellList));
  at_.starts_of = place(numbered ? masks * sizeof(std::int64_t) : 0);
  at_.bodies = place(static_cast<std::size_t>(host_.body_count) * sizeof(BodyMotion));
  at_.images = place(images() * sizeof(BodyImage));
  at_.force_of = place(host_.forces != nullptr ? planes * sizeof(std::int32_t) : 0);
  table_bytes_ = bytes_;
  at_.masks = place(2 * words * word * masks);
  at_.fluid_words = place(numbered ? (words + 1) * sizeof(FluidWord) * masks : 0);
  at_.starts = place(mask_starts_ * word * masks);
  at_.linked = place(lists_.size());
  at_.forces = place(forces_.size() * force_bytes());
}

std::vector<std::byte> BoundaryWindow::tables() const {
  std::vector<std::byte> tables(table_bytes_);
  const auto put = [&](std::size_t at, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), tables.begin() + static_cast<std::ptrdiff_t>(at));
  };
  // On the device the tables hold places of masks and forces instead of their numbers.
  const auto put_places = [&](std::size_t at, const std::int32_t* item_of,
                              const PlacedItems& items) {
    if (item_of == nullptr) return;
    std::vector<std::int32_t> place_of(item_of, item_of + nz_);
    for (std::int32_t& item : place_of) {
      if (item >= 0) item = static_cast<std::int32_t>(items.begin(item));
    }
    put(at, std::as_bytes(std::span(place_of)));
  };
  std::vector<CellList> lists(host_.lists, host_.lists + lists_.count());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::size_t begin = lists_.begin(static_cast<int>(i));
    const std::size_t links = begin + static_cast<std::size_t>(lists[i].cells) * sizeof(LinkedCell);
    lists[i].first_cell = static_cast<std::int64_t>(begin / sizeof(LinkedCell));
    lists[i].first_link = static_cast<std::int64_t>(links / sizeof(BlockedLink));
  }
  std::vector<std::int64_t> starts_of;
  for (std::size_t i = 0; host_.fluid_words != nullptr && i < masks_.size(); ++i) {
    starts_of.push_back(static_cast<std::int64_t>(i * mask_starts_));
  }
  put(0, faces());
  put_places(at_.mask_of, host_.mask_of, masks_);
  put_places(at_.force_of, host_.force_of, forces_);
  if (host_.list_of != nullptr) {
    put(at_.list_of, bytes_of(host_.list_of, static_cast<std::size_t>(nz_)));
  }
  put(at_.lists, std::as_bytes(std::span(lists)));
  put(at_.starts_of, std::as_bytes(std::span(starts_of)));
  put(at_.bodies, bytes_of(host_.bodies, static_cast<std::size_t>(host_.body_count)));
  put(at_.images, bytes_of(host_.images, images()));
  return tables;
}

BoundaryView BoundaryWindow::view(const std::byte* base) const {
  BoundaryView view = boundaries_.view(base);  // the faces
  const auto place = [&]<class T>(const T*& pointer, std::size_t at) {
    if (pointer != nullptr) pointer = reinterpret_cast<const T*>(base + at);
  };
  place(view.masks, at_.masks);
  place(view.mask_of, at_.mask_of);
  place(view.fluid_words, at_.fluid_words);
  place(view.starts, at_.starts);
  place(view.starts_of, at_.starts_of);
  place(view.lists, at_.lists);
  place(view.list_of, at_.list_of);
  place(view.cells, at_.linked);
  place(view.links, at_.linked);
  place(view.bodies, at_.bodies);
  place(view.images, at_.images);
  place(view.forces, at_.forces);
  place(view.force_of, at_.force_of);
  return view;
}

std::vector<BoundaryWindow::Copy> BoundaryWindow::fetch(int first, int count, int visit,
                                                        int oldest) {
  std::vector<Copy> copies;
  for (int i = 0; i < count; ++i) {
    const int z = ((first + i) % nz_ + nz_) % nz_;
    const int mask = host_.masks != nullptr ? host_.mask_of[z] : -1;
    const int list = host_.lists != nullptr ? host_.list_of[z] : -1;
    const int force = host_.forces != nullptr ? host_.force_of[z] : -1;
    if (mask >= 0 && masks_.take(mask, visit, oldest)) add_mask(mask, copies);
    if (list >= 0 && lists_.take(list, visit, oldest)) add_list(list, copies);
    if (force >= 0 && forces_.take(force, visit, oldest)) add_force(force, copies);
  }
  return copies;
}

void BoundaryWindow::add_mask(int mask, std::vector<Copy>& copies) const {
  const auto words = static_cast<std::size_t>(host_.mask_words), place = masks_.begin(mask);
  constexpr std::size_t word = sizeof(std::uint32_t);
  copies.push_back({at_.masks + 2 * words * word * place,
                    bytes_of(host_.masks + 2 * host_.mask_words * mask, 2 * words)});
  if (host_.fluid_words == nullptr) return;
  copies.push_back({at_.fluid_words + (words + 1) * sizeof(FluidWord) * place,
                    bytes_of(host_.fluid_words + (host_.mask_words + 1) * mask, words + 1)});
  copies.push_back({at_.starts + mask_starts_ * word * place,
                    bytes_of(host_.starts + host_.starts_of[mask], fluid_starts(mask))});
}

void BoundaryWindow::add_force(int force, std::vector<Copy>& copies) const {
  copies.push_back({at_.forces + force_bytes() * forces_.begin(force),
                    std::as_bytes(std::span(host_.forces + 3 * host_.force_cells * force,
                                            static_cast<std::size_t>(3 * host_.force_cells)))});
}

void BoundaryWindow::add_list(int list, std::vector<Copy>& copies) const {
  const CellList& cells = host_.lists[list];
  const auto count = static_cast<std::size_t>(cells.cells);
  const std::size_t to = at_.linked + lists_.begin(list);
  copies.push_back({to, bytes_of(host_.cells + cells.first_cell, count)});
  copies.push_back(
      {to + count * sizeof(LinkedCell),
       bytes_of(host_.links + cells.first_link, static_cast<std::size_t>(links_of(cells)))});
}

}  // namespace lbm
