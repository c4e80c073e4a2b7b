// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/surface_window.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::cases {
namespace {

// A layer needs planes z - 2 ... z + 3: the rounded bodies of z - 1 ... z + 2, for gradients, need
// their neighbours.
constexpr int planes_below = 2, planes_above = 3;

// Cubes whose triangles are in memory together.
constexpr int cubes_together = 1 << 17;

constexpr float body_level = 0.5F;

}  // namespace

SurfaceWindow::SurfaceWindow(const std::array<int, 3>& cells, float isovalue, bool bodies,
                             DepthBuffer buffer)
    : cells_(cells), isovalue_(isovalue), bodies_(bodies), buffer_(std::move(buffer)) {}

std::uint64_t SurfaceWindow::bytes(std::int64_t plane_cells) {
  constexpr std::uint64_t most_planes = 12, bytes_a_cell = 2 * (4 + 4 + 1) + 1;
  constexpr std::uint64_t most_triangles = 12;  // of a cube
  return most_planes * bytes_a_cell * static_cast<std::uint64_t>(plane_cells) +
         most_triangles * cubes_together * 2 * sizeof(Triangle);
}

void SurfaceWindow::add_plane(int z, const SurfacePlane& plane, io::WorkerTeam& team) {
  Plane& kept = planes_[z];
  kept.flow.numbers.assign(plane.numbers.begin(), plane.numbers.end());
  kept.flow.colours.assign(plane.colours.begin(), plane.colours.end());
  kept.solid.resize(plane.solid.size());
  for (std::size_t i = 0; i < plane.solid.size(); ++i) {
    if (plane.solid[i] == 0) continue;
    kept.solid[i] = 1;
    kept.flow.numbers[i] = std::nanf("");
    kept.has_solids = true;
  }
  find_sides(kept.flow.numbers, isovalue_, kept.flow.sides);
  for (int layer = z - planes_above; layer <= z + planes_below; ++layer) {
    if (layer < 0 || layer + 1 >= cells_[2] || done_.contains(layer)) continue;
    bool whole = true;
    for (int i = layer - planes_below; i <= layer + planes_above; ++i) whole &= has(i);
    if (whole) draw_layer(layer, team);
  }
}

void SurfaceWindow::draw_layer(int z, io::WorkerTeam& team) {
  Layer flow{cells_[0], cells_[1], z, isovalue_, {}};
  Layer bodies{cells_[0], cells_[1], z, body_level, {}};
  for (int i = 0; i < 4; ++i) {
    const auto found = planes_.find(z - 1 + i);
    if (found == planes_.end()) continue;  // beyond the box
    if (bodies_) make_body(found->first);
    flow.planes[static_cast<std::size_t>(i)] = found->second.flow.view();
    bodies.planes[static_cast<std::size_t>(i)] = found->second.body.view();
  }
  draw(flow, false, team);
  if (!bodies.planes[1].numbers.empty() && !bodies.planes[2].numbers.empty()) {
    draw(bodies, true, team);
  }
  done_.insert(z);
  ++layers_done_;
  for (int i = z - planes_below; i <= z + planes_above; ++i) forget(i);
}

void SurfaceWindow::draw(const Layer& layer, bool bodies, io::WorkerTeam& team) {
  const int rows = layer.ny - 1, together = std::max(1, cubes_together / layer.nx);
  std::vector<Triangle> triangles;
  for (int from = 0; from < rows; from += together) {
    const int count = std::min(together, rows - from);
    std::vector<std::vector<Triangle>> of_row(static_cast<std::size_t>(count));
    in_parts(team, count, [&](int first, int last) {
      for (int y = first; y < last; ++y) {
        add_triangles(layer, from + y, from + y + 1, of_row[static_cast<std::size_t>(y)]);
      }
    });
    triangles.clear();
    for (const auto& some : of_row) triangles.insert(triangles.end(), some.begin(), some.end());
    if (!triangles.empty()) buffer_.add(triangles, bodies, team);
  }
}

// Half of a cell's number is its own, 1 for solid; half of it comes from the 27 cells around, with
// weights 1, 2, 1 along each axis: solid cells stay above the level, fluid cells below it.
void SurfaceWindow::make_body(int z) {
  Plane& plane = planes_.at(z);
  if (plane.body_made) return;
  plane.body_made = true;
  std::array<const Plane*, 3> around{&plane, &plane, &plane};  // beyond the box: as at its border
  if (z > 0) around[0] = &planes_.at(z - 1);
  if (z + 1 < cells_[2]) around[2] = &planes_.at(z + 1);
  const auto has_solids = [](const Plane* p) { return p->has_solids; };
  if (std::none_of(around.begin(), around.end(), has_solids)) return;
  plane.body.numbers.resize(plane.solid.size());
  const auto nx = static_cast<std::size_t>(cells_[0]), ny = static_cast<std::size_t>(cells_[1]);
  const auto sum = [](int before, int here, int after) { return before + 2 * here + after; };
  std::vector<int> column(plane.solid.size()), row(nx);
  for (std::size_t i = 0; i < column.size(); ++i) {
    column[i] = sum(around[0]->solid[i], around[1]->solid[i], around[2]->solid[i]);
  }
  for (std::size_t y = 0; y < ny; ++y) {
    const std::size_t here = y * nx, before = y > 0 ? here - nx : here;
    const std::size_t after = y + 1 < ny ? here + nx : here;
    for (std::size_t x = 0; x < nx; ++x) {
      row[x] = sum(column[before + x], column[here + x], column[after + x]);
    }
    for (std::size_t x = 0; x < nx; ++x) {
      const int smooth = sum(row[x > 0 ? x - 1 : x], row[x], row[x + 1 < nx ? x + 1 : x]);
      plane.body.numbers[here + x] =
          0.5F * static_cast<float>(plane.solid[here + x]) + 0.5F / 64 * static_cast<float>(smooth);
    }
  }
  find_sides(plane.body.numbers, body_level, plane.body.sides);
}

// A plane that no other layer needs.
void SurfaceWindow::forget(int z) {
  for (int layer = z - planes_above; layer <= z + planes_below; ++layer) {
    if (layer >= 0 && layer + 1 < cells_[2] && !done_.contains(layer)) return;
  }
  planes_.erase(z);
}

}  // namespace lbm::cases
