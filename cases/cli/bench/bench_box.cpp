// SPDX-License-Identifier: Apache-2.0

// Lattices and boundaries of measurements.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/cli/bench/bench_case.hpp"
#include "tiling/pipeline/record_ring.hpp"

namespace lbm::cases {
namespace {

double sphere_radius(const BenchCase& bench) {
  return *std::min_element(bench.cells.begin(), bench.cells.end()) / 6.0;
}

// In the middle of the box.
class Sphere final : public SolidGeometry {
 public:
  explicit Sphere(const BenchCase& bench) : cells_(bench.cells), radius_(sphere_radius(bench)) {}

  void plane(int z, std::span<std::uint16_t> body) const override {
    const int nx = cells_[0], ny = cells_[1];
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const double square = square_of({x + 0.5, y + 0.5, z + 0.5});
        body[static_cast<std::size_t>(y) * nx + x] = square < radius_ * radius_ ? 1 : 0;
      }
    }
  }
  // Share t with |fluid + t (solid - fluid)| = radius, from the centre of the sphere.
  double wall_distance(int, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override {
    double along = 0, length = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = solid[a] - fluid[a];
      along += d * (fluid[a] - cells_[a] / 2.0);
      length += d * d;
    }
    const double outside = square_of(fluid) - radius_ * radius_;
    return (-along - std::sqrt(along * along - length * outside)) / length;
  }
  std::array<int, 2> plane_range() const override {
    const double middle = cells_[2] / 2.0;
    return {static_cast<int>(middle - radius_) - 1, static_cast<int>(middle + radius_) + 2};
  }

 private:
  double square_of(const std::array<double, 3>& point) const {
    double sum = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = point[a] - cells_[a] / 2.0;
      sum += d * d;
    }
    return sum;
  }

  std::array<int, 3> cells_;
  double radius_;
};

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

std::vector<BenchGroup> default_groups(BackendKind backend) {
  using enum BenchGroup;
  if (backend == BackendKind::cpu) return {copy, in_core, threads};
  return {copy, link, in_core, out_of_core, halo, size};
}

bool BenchLimits::wants(BenchGroup group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

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

std::uint64_t bench_host_bytes(const BenchCase& bench) {
  return bench.lattice_bytes + bench_pattern_planes * bench_lattice(bench).layout.bytes;
}

Lattice bench_lattice(const BenchCase& bench) {
  if (bench.box == BenchBox::tunnel) {
    CollisionSpec collision;
    collision.kind = CollisionKind::trt;
    collision.omega = 1 / 0.505;
    collision.smagorinsky = 0.16;
    const auto& n = bench.cells;
    return make_lattice(n[0], n[1], n[2], bench.storage, collision, tunnel_faces());
  }
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = bench.box == BenchBox::cavity;
  if (bench.box == BenchBox::cavity) faces[5].velocity = {0.05, 0, 0};
  const auto& [nx, ny, nz] = bench.cells;
  return make_lattice(nx, ny, nz, bench.storage, 0.6, faces, bench.representation);
}

Boundaries bench_boundaries(const BenchCase& bench) {
  if (!has_sphere(bench)) return {};
  const auto& [nx, ny, nz] = bench.cells;
  const FaceBoundaries faces =
      bench.box == BenchBox::tunnel ? tunnel_faces() : faces_of(BoundaryKind::periodic);
  BodySpec body;
  body.interpolated = bench.box == BenchBox::tunnel;
  const Sphere sphere(bench);
  return {nx, ny, nz, faces, &sphere, std::span(&body, 1)};
}

}  // namespace lbm::cases
