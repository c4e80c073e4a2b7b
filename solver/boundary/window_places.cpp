// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/window_places.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace lbm {
namespace {

// The items in arcs of much the same size. Each arc begins at the beginning of the memory.
class Arcs {
 public:
  Arcs(std::span<const std::size_t> sizes, int count) : sizes_(sizes), count_(count) {
    std::size_t all = 0;
    for (const std::size_t size : sizes) all += size;
    std::size_t before = 0, in_arc = 0;
    for (const std::size_t size : sizes) {
      // The middle of the item tells its arc.
      const double middle = static_cast<double>(before) + static_cast<double>(size) / 2;
      const int arc = std::min(
          static_cast<int>(middle * count / static_cast<double>(std::max<std::size_t>(all, 1))),
          count - 1);
      if (!arc_of_.empty() && arc != arc_of_.back()) in_arc = 0;
      arc_of_.push_back(arc);
      places_.begin.push_back(in_arc);
      before += size;
      in_arc += size;
      places_.size = std::max(places_.size, in_arc);
    }
  }

  const WindowPlaces& places() const { return places_; }

  // True if the places of items first, first + 1, ..., last do not overlap. wraps: item 0 follows
  // the last item of all.
  bool apart(std::size_t first, std::size_t last, bool wraps) const {
    if (count_ == 1) return true;
    if (wraps && last >= first) return false;  // all items
    const int arcs = arc_of_[last] - arc_of_[first] + (wraps ? count_ : 0);
    const std::size_t end = places_.begin[last] + sizes_[last];
    return arcs == 0 || (arcs == 1 && end <= places_.begin[first]);
  }

 private:
  std::span<const std::size_t> sizes_;
  int count_;
  WindowPlaces places_;
  std::vector<int> arc_of_;
};

// Tests all windows.
class Windows {
 public:
  Windows(std::span<const std::int32_t> item_of, int planes)
      : item_of_(item_of), planes_(planes), nz_(static_cast<int>(item_of.size())) {
    // The planes with items, in two turns.
    for (int turn = 0; turn < 2; ++turn) {
      for (int z = 0; z < nz_; ++z) {
        if (item_of_[static_cast<std::size_t>(z)] >= 0) used_.push_back(turn * nz_ + z);
      }
    }
  }

  bool apart(const Arcs& arcs) const {
    const auto item = [&](int plane) {
      return static_cast<std::size_t>(item_of_[static_cast<std::size_t>(plane % nz_)]);
    };
    // From each plane with an item as the first one: a window that begins before holds no more.
    std::size_t last = 0;
    for (std::size_t first = 0; first < used_.size() / 2; ++first) {
      last = std::max(last, first);
      while (last + 1 < used_.size() && used_[last + 1] < used_[first] + planes_) ++last;
      if (!arcs.apart(item(used_[first]), item(used_[last]), used_[last] >= nz_)) return false;
    }
    return true;
  }

 private:
  std::span<const std::int32_t> item_of_;
  int planes_, nz_;
  std::vector<int> used_;
};

}  // namespace

WindowPlaces window_places(std::span<const std::int32_t> item_of,
                           std::span<const std::size_t> sizes, int window) {
  const Windows windows(item_of, window);
  const auto planes = static_cast<int>(item_of.size());
  for (int count = planes / std::max(window, 1); count > 1; --count) {
    const Arcs arcs(sizes, count);
    if (windows.apart(arcs)) return arcs.places();
  }
  return Arcs(sizes, 1).places();
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

}  // namespace lbm
