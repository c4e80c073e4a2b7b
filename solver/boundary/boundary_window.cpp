// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/boundary_window.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "solver/boundary/boundaries.hpp"

namespace lbm {
namespace {

// Places in `count` arcs of much the same size, each of which begins at the beginning of the
// memory. Nothing where two items of `window` consecutive planes overlap.
std::optional<WindowPlaces> places_in_arcs(std::span<const std::int32_t> item_of,
                                           std::span<const std::size_t> sizes, int window,
                                           int count) {
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  WindowPlaces places;
  std::vector<int> arc_of;
  std::size_t before = 0, in_arc = 0;
  for (const std::size_t size : sizes) {
    // The middle of the item tells its arc.
    const double middle = static_cast<double>(before) + static_cast<double>(size) / 2;
    const int arc = std::min(
        static_cast<int>(middle * count / static_cast<double>(std::max<std::size_t>(all, 1))),
        count - 1);
    if (!arc_of.empty() && arc != arc_of.back()) in_arc = 0;
    arc_of.push_back(arc);
    places.begin.push_back(in_arc);
    before += size;
    in_arc += size;
    places.size = std::max(places.size, in_arc);
  }
  if (count == 1) return places;
  // The planes with items, in two turns.
  const int nz = static_cast<int>(item_of.size());
  std::vector<int> used;
  for (int z = 0; z < 2 * nz; ++z) {
    if (item_of[z % nz] >= 0) used.push_back(z);
  }
  // From each plane with an item as the first one: a window that begins before holds no more.
  std::size_t last = 0;
  for (std::size_t first = 0; first < used.size() / 2; ++first) {
    last = std::max(last, first);
    while (last + 1 < used.size() && used[last + 1] < used[first] + window) ++last;
    const std::int32_t low = item_of[used[first] % nz], high = item_of[used[last] % nz];
    const bool wraps = used[last] >= nz;            // item 0 follows the last item of all
    if (wraps && high >= low) return std::nullopt;  // all items
    const int arcs = arc_of[high] - arc_of[low] + (wraps ? count : 0);
    const bool apart = arcs == 1 && places.begin[high] + sizes[high] <= places.begin[low];
    if (arcs != 0 && !apart) return std::nullopt;
  }
  return places;
}

}  // namespace

WindowPlaces window_places(std::span<const std::int32_t> item_of,
                           std::span<const std::size_t> sizes, int window) {
  for (int count = static_cast<int>(item_of.size()) / std::max(window, 1); count > 1; --count) {
    if (auto places = places_in_arcs(item_of, sizes, window, count)) return *std::move(places);
  }
  return *places_in_arcs(item_of, sizes, window, 1);
}

PlacedItems::PlacedItems(std::span<const std::int32_t> item_of, std::vector<std::size_t> sizes,
                         int window)
    : places_(window_places(item_of, sizes, window)),
      sizes_(std::move(sizes)),
      last_visit_(sizes_.size(), -1) {}

bool PlacedItems::take(int item, int visit, int oldest) {
  const auto index = static_cast<std::size_t>(item);
  const bool there = last_visit_[index] >= 0;
  last_visit_[index] = visit;
  if (there) return false;
  const std::size_t begin = places_.begin[index], end = begin + sizes_[index];
  auto other = in_memory_.upper_bound(begin);
  if (other != in_memory_.begin()) {
    const auto before = std::prev(other);
    if (before->first + sizes_[static_cast<std::size_t>(before->second)] > begin) other = before;
  }
  while (other != in_memory_.end() && other->first < end) {
    int& last_visit = last_visit_[static_cast<std::size_t>(other->second)];
    if (last_visit > oldest) {
      throw std::logic_error("PlacedItems: the planes of these visits lie too far apart");
    }
    last_visit = -1;
    other = in_memory_.erase(other);
  }
  if (end > begin) in_memory_.emplace(begin, item);
  return end > begin;
}

namespace {

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

}  // namespace

bool BoundaryWindow::useful(const Boundaries& boundaries) {
  const BoundaryView view = boundaries.view();
  return view.masks != nullptr || view.forces != nullptr;
}

BoundaryWindow::BoundaryWindow(const Boundaries& boundaries, int planes)
    : boundaries_(boundaries), host_(boundaries.view()), nz_(boundaries.planes()) {
  const auto placed_items = [&](const std::int32_t* item_of, const auto& size_of) -> PlacedItems {
    if (item_of == nullptr) return {};
    const std::span items(item_of, static_cast<std::size_t>(nz_));
    std::vector<std::size_t> sizes;
    const int count = *std::max_element(items.begin(), items.end()) + 1;
    sizes.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) sizes.push_back(size_of(i));
    return {items, std::move(sizes), planes};
  };
  masks_ = placed_items(host_.mask_of, [](int) { return std::size_t{1}; });
  forces_ = placed_items(host_.force_of, [](int) { return std::size_t{1}; });
  lists_ = placed_items(host_.list_of, [&](int list) {
    const CellList& cells = host_.lists[list];
    const std::size_t bytes = static_cast<std::size_t>(cells.cells) * sizeof(LinkedCell) +
                              static_cast<std::size_t>(links_of(cells)) * sizeof(BlockedLink);
    return (bytes + sizeof(LinkedCell) - 1) / sizeof(LinkedCell) * sizeof(LinkedCell);
  });
  if (host_.fluid_words != nullptr) {
    for (std::size_t mask = 0; mask < masks_.count(); ++mask) {
      mask_starts_ = std::max(mask_starts_, fluid_starts(static_cast<int>(mask)));
    }
  }
  place_arrays();
}

// Number of entries of a mask in BoundaryView::starts.
std::size_t BoundaryWindow::fluid_starts(int mask) const {
  const int cells = host_.fluid_words[(host_.mask_words + 1) * mask + host_.mask_words].first();
  return (static_cast<std::size_t>(cells) + 31) / 32 + 1;
}

// And slants.
std::int64_t BoundaryWindow::links_of(const CellList& list) const {
  if (list.cells == 0) return 0;
  if (list.to_slants > 0) return std::int64_t{2} * list.to_slants;
  const LinkedCell& last = host_.cells[list.first_cell + list.cells - 1];
  return std::int64_t{last.first} + std::popcount(last.blocked);
}

// The bytes of all faces, of bodies that move and of zones, which precede the data of planes.
std::span<const std::byte> BoundaryWindow::faces() const {
  const std::span<const std::byte> all = boundaries_.bytes();
  const void* planes = host_.forces;
  if (host_.mask_of != nullptr) planes = host_.mask_of;
  if (host_.masks != nullptr) planes = host_.masks;
  return all.first(static_cast<std::size_t>(static_cast<const std::byte*>(planes) - all.data()));
}

void BoundaryWindow::place_arrays() {
  bytes_ = faces().size();
  at_ = boundaries_.offsets();  // those of the faces stay
  const auto place = [&](std::optional<std::size_t>& at, std::size_t bytes) {
    const std::size_t begin = aligned(bytes_);
    bytes_ = begin + (at ? bytes : 0);
    if (at) at = begin;
  };
  const auto planes = static_cast<std::size_t>(nz_), masks = masks_.size();
  const auto words = static_cast<std::size_t>(host_.mask_words);
  const auto bits = static_cast<std::size_t>(host_.bits_per_cell);
  constexpr std::size_t word = sizeof(std::uint32_t);
  place(at_.mask_of, planes * sizeof(std::int32_t));
  place(at_.list_of, planes * sizeof(std::int32_t));
  place(at_.lists, lists_.count() * sizeof(CellList));
  place(at_.starts_of, masks * sizeof(std::int64_t));
  place(at_.bodies, static_cast<std::size_t>(host_.body_count) * sizeof(BodyMotion));
  place(at_.images, images() * sizeof(BodyImage));
  place(at_.force_of, planes * sizeof(std::int32_t));
  table_bytes_ = bytes_;
  place(at_.masks, bits * words * word * masks);
  place(at_.fluid_words, (words + 1) * sizeof(FluidWord) * masks);
  place(at_.starts, mask_starts_ * word * masks);
  place(at_.cells, lists_.size());  // each list: its cells, then its links
  if (at_.links) at_.links = at_.cells;
  place(at_.forces, forces_.size() * force_bytes());
}

std::vector<std::byte> BoundaryWindow::tables() const {
  std::vector<std::byte> tables(table_bytes_);
  const auto put = [&](const std::optional<std::size_t>& at, std::span<const std::byte> bytes) {
    if (at)
      std::copy(bytes.begin(), bytes.end(), tables.begin() + static_cast<std::ptrdiff_t>(*at));
  };
  // On the device the tables hold places of masks and forces instead of their numbers.
  const auto put_places = [&](const std::optional<std::size_t>& at, const std::int32_t* item_of,
                              const PlacedItems& items) {
    if (!at) return;
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
  for (std::size_t i = 0; i < masks_.size(); ++i) {
    starts_of.push_back(static_cast<std::int64_t>(i * mask_starts_));
  }
  put(0, faces());
  put_places(at_.mask_of, host_.mask_of, masks_);
  put_places(at_.force_of, host_.force_of, forces_);
  put(at_.list_of, bytes_of(host_.list_of, static_cast<std::size_t>(nz_)));
  put(at_.lists, std::as_bytes(std::span(lists)));
  put(at_.starts_of, std::as_bytes(std::span(starts_of)));
  put(at_.bodies, bytes_of(host_.bodies, static_cast<std::size_t>(host_.body_count)));
  put(at_.images, bytes_of(host_.images, images()));
  return tables;
}

std::vector<BoundaryWindow::Copy> BoundaryWindow::fetch(int first, int count, int visit,
                                                        int oldest) {
  std::vector<Copy> copies;
  for (int i = 0; i < count; ++i) {
    const int z = ((first + i) % nz_ + nz_) % nz_;
    const int mask = host_.mask_of != nullptr ? host_.mask_of[z] : -1;
    const int list = host_.list_of != nullptr ? host_.list_of[z] : -1;
    const int force = host_.force_of != nullptr ? host_.force_of[z] : -1;
    if (mask >= 0 && masks_.take(mask, visit, oldest)) add_mask(mask, copies);
    if (list >= 0 && lists_.take(list, visit, oldest)) add_list(list, copies);
    if (force >= 0 && forces_.take(force, visit, oldest)) add_force(force, copies);
  }
  return copies;
}

void BoundaryWindow::add_mask(int mask, std::vector<Copy>& copies) const {
  const auto words = static_cast<std::size_t>(host_.mask_words), place = masks_.begin(mask);
  const std::size_t all = static_cast<std::size_t>(host_.bits_per_cell) * words;
  constexpr std::size_t word = sizeof(std::uint32_t);
  copies.push_back({*at_.masks + all * word * place,
                    bytes_of(host_.masks + all * static_cast<std::size_t>(mask), all)});
  if (host_.fluid_words == nullptr) return;
  copies.push_back({*at_.fluid_words + (words + 1) * sizeof(FluidWord) * place,
                    bytes_of(host_.fluid_words + (host_.mask_words + 1) * mask, words + 1)});
  copies.push_back({*at_.starts + mask_starts_ * word * place,
                    bytes_of(host_.starts + host_.starts_of[mask], fluid_starts(mask))});
}

void BoundaryWindow::add_force(int force, std::vector<Copy>& copies) const {
  copies.push_back({*at_.forces + force_bytes() * forces_.begin(force),
                    bytes_of(host_.forces + host_.force_values * host_.force_cells * force,
                             force_bytes() / sizeof(float))});
}

void BoundaryWindow::add_list(int list, std::vector<Copy>& copies) const {
  const CellList& cells = host_.lists[list];
  const auto count = static_cast<std::size_t>(cells.cells);
  const std::size_t to = *at_.cells + lists_.begin(list);
  copies.push_back({to, bytes_of(host_.cells + cells.first_cell, count)});
  copies.push_back(
      {to + count * sizeof(LinkedCell),
       bytes_of(host_.links + cells.first_link, static_cast<std::size_t>(links_of(cells)))});
}

BoundaryView placed(BoundaryView view, const BoundaryOffsets& at, const std::byte* base) {
  const auto place = [&]<class T>(const T*& pointer, const std::optional<std::size_t>& offset) {
    pointer = offset ? reinterpret_cast<const T*>(base + *offset) : nullptr;
  };
  place(view.conditions, at.conditions);
  place(view.profiles, at.profiles);
  place(view.modes, at.modes);
  place(view.scalar_values, at.scalar_values);
  place(view.fractions, at.fractions);
  for (int f = 0; f < 6; ++f) place(view.patch_of[f], at.patch_of[f]);
  place(view.masks, at.masks);
  place(view.mask_of, at.mask_of);
  place(view.fluid_words, at.fluid_words);
  place(view.starts, at.starts);
  place(view.starts_of, at.starts_of);
  place(view.lists, at.lists);
  place(view.list_of, at.list_of);
  place(view.cells, at.cells);
  place(view.links, at.links);
  place(view.bodies, at.bodies);
  place(view.images, at.images);
  place(view.forces, at.forces);
  place(view.force_of, at.force_of);
  place(view.zones, at.zones);
  return view;
}

}  // namespace lbm
