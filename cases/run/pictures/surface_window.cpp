// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/surface_window.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <numeric>

namespace lbm::cases {
namespace {

// A layer needs planes z - 2 ... z + 3: the rounded bodies of z - 1 ... z + 2, for gradients, need
// their neighbours.
constexpr int planes_below = 2, planes_above = 3;

// Cubes whose triangles are in memory together.
constexpr int cubes_together = 1 << 18;

constexpr float body_level = 0.5F;

}  // namespace

SurfaceWindow::SurfaceWindow(const std::array<int, 3>& cells, float isovalue, bool bodies,
                             DepthBuffer buffer)
    : cells_(cells), isovalue_(isovalue), bodies_(bodies), buffer_(std::move(buffer)) {}

std::uint64_t SurfaceWindow::bytes(std::int64_t plane_cells) {
  constexpr std::uint64_t most_planes = 12, bytes_a_cell = 2 * (4 + 4 + 1) + 1;
  constexpr std::uint64_t bytes_a_cube = 19 * 48 + 12 * 24;  // 19 edges, 12 triangles
  return most_planes * bytes_a_cell * static_cast<std::uint64_t>(plane_cells) +
         bytes_a_cube *
             std::min<std::uint64_t>(cubes_together, static_cast<std::uint64_t>(plane_cells));
}

void SurfaceWindow::add_plane(int z, const SurfacePlane& plane, int threads) {
  keep(z, plane, threads);
  for (int layer = z - planes_above; layer <= z + planes_below; ++layer) {
    if (layer < 0 || layer + 1 >= cells_[2] || done_.contains(layer)) continue;
    bool whole = true;
    for (int i = layer - planes_below; i <= layer + planes_above; ++i) whole &= has(i);
    if (whole) draw_layer(layer, threads);
  }
}

void SurfaceWindow::keep(int z, const SurfacePlane& plane, int threads) {
  Plane& kept = planes_[z];
  if (!free_.empty()) {
    kept = std::move(free_.back());
    free_.pop_back();
  }
  const std::size_t count = plane.solid.size();
  kept.flow.numbers.resize(count);
  kept.flow.colours.resize(count);
  kept.flow.sides.resize(count);
  kept.solid.resize(count);
  kept.body.numbers.clear();
  kept.body.sides.clear();
  kept.body_made = false;
  std::atomic<bool> has_solids = false;
  std::atomic<unsigned> sides = 0;
  in_parts(threads, count, [&](std::size_t from, std::size_t to) {
    bool any = false;
    for (std::size_t i = from; i < to; ++i) {
      const bool solid = plane.solid[i] != 0;
      kept.solid[i] = solid ? 1 : 0;
      kept.flow.numbers[i] = solid ? std::numeric_limits<float>::quiet_NaN() : plane.numbers[i];
      kept.flow.colours[i] = plane.colours[i];
      any |= solid;
    }
    const auto part = [&](auto& values) { return std::span(values).subspan(from, to - from); };
    const auto own = part(kept.flow.sides);
    find_sides(part(kept.flow.numbers), isovalue_, own);
    sides |= std::reduce(own.begin(), own.end(), 0U, std::bit_or<>());
    if (any) has_solids = true;
  });
  kept.has_solids = has_solids;
  sides_ |= sides;
}

void SurfaceWindow::draw_layer(int z, int threads) {
  Layer flow{cells_[0], cells_[1], z, isovalue_, {}};
  Layer bodies{cells_[0], cells_[1], z, body_level, {}};
  for (int i = 0; i < 4; ++i) {
    const auto found = planes_.find(z - 1 + i);
    if (found == planes_.end()) continue;  // beyond the box
    if (bodies_) make_body(found->first, threads);
    flow.planes[static_cast<std::size_t>(i)] = found->second.flow.view();
    bodies.planes[static_cast<std::size_t>(i)] = found->second.body.view();
  }
  draw(flow, false, threads);
  if (!bodies.planes[1].numbers.empty() && !bodies.planes[2].numbers.empty()) {
    draw(bodies, true, threads);
  }
  done_.insert(z);
  for (int i = z - planes_below; i <= z + planes_above; ++i) forget(i);
}

// Some rows at a time, so that few triangles are in memory.
void SurfaceWindow::draw(const Layer& layer, bool bodies, int threads) {
  const int rows = layer.ny - 1, together = std::max(1, cubes_together / layer.nx);
  for (int from = 0; from < rows; from += together) {
    buffer_.draw(std::min(together, rows - from), bodies, threads,
                 [&](int first, int last, SurfaceMesh& mesh) {
                   add_triangles(layer, from + first, from + last, mesh);
                 });
  }
}

// Half of a cell's number is its own, 1 for solid; half of it comes from the 27 cells around, with
// weights 1, 2, 1 along each axis: solid cells stay above the level, fluid cells below it.
void SurfaceWindow::make_body(int z, int threads) {
  Plane& plane = planes_.at(z);
  if (plane.body_made) return;
  plane.body_made = true;
  std::array<const Plane*, 3> around{&plane, &plane, &plane};  // beyond the box: as at its border
  if (z > 0) around[0] = &planes_.at(z - 1);
  if (z + 1 < cells_[2]) around[2] = &planes_.at(z + 1);
  const auto has_solids = [](const Plane* p) { return p->has_solids; };
  if (std::none_of(around.begin(), around.end(), has_solids)) return;
  plane.body.numbers.resize(plane.solid.size());
  plane.body.sides.resize(plane.solid.size());
  in_parts(threads, cells_[1], [&](int from, int to) {
    std::vector<int> sums(static_cast<std::size_t>(cells_[0]));
    for (int y = from; y < to; ++y) make_body_row(plane, around, y, sums);
  });
}

// sums: scratch memory.
void SurfaceWindow::make_body_row(Plane& plane, const std::array<const Plane*, 3>& around, int y,
                                  std::vector<int>& sums) const {
  constexpr std::array weights{1, 2, 1};
  const auto nx = static_cast<std::size_t>(cells_[0]);
  std::fill(sums.begin(), sums.end(), 0);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      const int from = std::clamp(y - 1 + static_cast<int>(j), 0, cells_[1] - 1);
      const std::uint8_t* const row = around[k]->solid.data() + static_cast<std::size_t>(from) * nx;
      const int weight = weights[k] * weights[j];
      for (std::size_t x = 0; x < nx; ++x) sums[x] += weight * row[x];
    }
  }
  const std::size_t first = static_cast<std::size_t>(y) * nx;
  const auto own = std::span(plane.solid).subspan(first, nx);
  const auto numbers = std::span(plane.body.numbers).subspan(first, nx);
  for (std::size_t x = 0; x < nx; ++x) {
    const int smooth = sums[x > 0 ? x - 1 : x] + 2 * sums[x] + sums[x + 1 < nx ? x + 1 : x];
    numbers[x] = 0.5F * own[x] + 0.5F / 64 * static_cast<float>(smooth);
  }
  find_sides(numbers, body_level, std::span(plane.body.sides).subspan(first, nx));
}

// A plane that no other layer needs.
void SurfaceWindow::forget(int z) {
  for (int layer = z - planes_above; layer <= z + planes_below; ++layer) {
    if (layer >= 0 && layer + 1 < cells_[2] && !done_.contains(layer)) return;
  }
  const auto found = planes_.find(z);
  if (found == planes_.end()) return;
  free_.push_back(std::move(found->second));
  planes_.erase(found);
}

}  // namespace lbm::cases
