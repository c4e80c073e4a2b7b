// SPDX-License-Identifier: Apache-2.0

// Lattices and boundaries of measurements.
#include <algorithm>
#include <numbers>

#include "cases/cli/bench/bench_case.hpp"
#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tiling/pipeline/record_ring.hpp"

namespace lbm::cases {
namespace {

double sphere_radius(const BenchCase& bench) {
  return *std::min_element(bench.cells.begin(), bench.cells.end()) / 6.0;
}

bool has_sphere(const BenchCase& bench) {
  return bench.box == BenchBox::sphere || bench.box == BenchBox::tunnel;
}

FaceBoundaries faces_of(BoundaryKind kind) {
  FaceBoundaries faces;
  for (FaceBoundary& face : faces) face.condition.kind = kind;
  return faces;
}

// A wind tunnel along z: inlet, outlet, free slip at the sides.
FaceBoundaries tunnel_faces() {
  FaceBoundaries faces = faces_of(BoundaryKind::slip);
  faces[4].condition.kind = BoundaryKind::velocity;
  faces[4].condition.velocity = {0, 0, 0.05};
  faces[5].condition.kind = BoundaryKind::outflow;
  return faces;
}

}  // namespace

// Masks of the planes with solid cells; surface cells, fewer than 8 per cell area, with up to 9
// links each; faces.
std::uint64_t bench_boundary_bytes(const BenchCase& bench) {
  if (!has_sphere(bench)) return 0;
  constexpr int most_steps = 1024;  // per visit
  const double radius = sphere_radius(bench) + 1;
  const auto planes = static_cast<std::uint64_t>(2 * radius) + 5;
  const auto words = static_cast<std::uint64_t>((bench.cells[0] + 31) / 32) *
                     static_cast<std::uint64_t>(bench.cells[1]);
  const auto area = static_cast<std::uint64_t>(4 * std::numbers::pi * radius * radius);
  return planes * words * 8 + area * 2 * (16 + 9 * 4) +
         8 * static_cast<std::uint64_t>(bench.cells[2]) + 64 * planes + 8192 +
         tiling::RecordRing::device_bytes_needed({.bodies = 1}, {.steps_per_visit = most_steps});
}

Lattice bench_lattice(const BenchCase& bench) {
  const auto& [nx, ny, nz] = bench.cells;
  if (bench.box == BenchBox::tunnel) {
    CollisionSpec collision;
    collision.kind = CollisionKind::trt;
    collision.omega = 1 / 0.505;
    collision.smagorinsky = 0.16;
    return make_lattice(nx, ny, nz, bench.storage, collision, tunnel_faces());
  }
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = bench.box == BenchBox::cavity;
  if (bench.box == BenchBox::cavity) faces[5].velocity = {0.05, 0, 0};
  return make_lattice(nx, ny, nz, bench.storage, 0.6, faces, bench.representation);
}

Boundaries bench_boundaries(const BenchCase& bench) {
  if (!has_sphere(bench)) return {};
  const auto& [nx, ny, nz] = bench.cells;
  const FaceBoundaries faces =
      bench.box == BenchBox::tunnel ? tunnel_faces() : faces_of(BoundaryKind::periodic);
  BodySpec body;
  body.interpolated = bench.box == BenchBox::tunnel;
  const geometry::ShapePtr sphere =
      geometry::make_sphere({nx / 2.0, ny / 2.0, nz / 2.0}, sphere_radius(bench));
  const geometry::BodySet bodies(bench.cells, {}, {{"sphere", sphere}});
  return {nx, ny, nz, faces, &bodies, std::span(&body, 1)};
}

}  // namespace lbm::cases
