// SPDX-License-Identifier: Apache-2.0

// Completes a measurement of `lbm bench`: lattice, boundaries, schedule, steps, memory.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cases/cli/bench/bench.hpp"
#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "solver/core/error.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/pipeline/field_ring.hpp"

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

// Number of steps for about this duration, judged by the speed in core.
std::int64_t steps_for(const BenchCase& bench, const DeviceSpeeds& speeds) {
  if (bench.steps) return *bench.steps;
  const double rate = speeds.update(bench_lattice(bench)).bytes_per_second;
  const double steps = std::ceil(bench.seconds * rate / (bench.cell_bytes() * bench.cell_count()));
  return std::max(static_cast<std::int64_t>(std::min(steps, 1e9)), bench.least_steps);
}

// At least two sweeps, for the predicted duration.
std::int64_t whole_sweeps(const BenchCase& bench, const DeviceSpeeds& speeds) {
  const std::int64_t k = bench.options.steps_per_visit;
  const bool known =
      speeds.update(bench_lattice(bench)).bytes_per_second > 0 && speeds.link_in_both > 0;
  if (!known) return 2 * k;
  const double mlups =
      tiling::predict(bench_lattice(bench), bench.options, {8 * k, 0}, speeds).mlups;
  const double sweeps = bench.seconds * 1e6 * mlups / (bench.cell_count() * static_cast<double>(k));
  return k * std::max<std::int64_t>(2, std::llround(sweeps));
}

// Sets options, memory and steps, or the reason why there is no plan.
void plan(BenchCase& bench, const BenchLimits& limits, const DeviceSpeeds& speeds) {
  const bool in_core = !bench.scheme || *bench.scheme == tiling::Scheme::in_core;
  if (limits.integrated && !in_core) {
    bench.skipped = "an integrated GPU has no memory but the host's: no grid goes out of core";
    return;
  }
  const Lattice lattice = bench_lattice(bench);
  tiling::ScheduleRequest request;
  request.scheme = bench.scheme;
  request.integrated = limits.integrated;
  request.steps_per_visit = bench.k;
  request.planes_per_visit = bench.planes;
  const std::int64_t steps = steps_for(bench, speeds);
  request.run.steps = bench.steps ? steps : bench.run_steps.value_or(steps);
  request.threads = bench.threads;
  request.steps_in_one_pass = limits.steps_in_one_pass;
  request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
  const std::uint64_t boundaries = bench_boundary_bytes(bench), limit = bench.device_limit;
  try {
    const auto choice =
        tiling::choose_schedule(lattice, {}, request, limit - std::min(boundaries, limit));
    bench.options = choice.options;
    bench.device_bytes = choice.device_bytes + boundaries;
  } catch (const ResourceError&) {
    bench.skipped = fmt::format("does not fit {} of device memory", human_bytes(limit));
    return;
  }
  if (!bench.in_core()) {
    bench.lattice_bytes = static_cast<std::uint64_t>(lattice.nz) * lattice.layout.bytes;
    const bool whole = !bench.automatic() || bench.run_steps;
    if (!bench.steps && bench.whole_run) {
      const std::int64_t k = bench.options.steps_per_visit;
      bench.steps = (request.run.steps + k - 1) / k * k;
    }
    if (!bench.steps) bench.steps = whole ? whole_sweeps(bench, speeds) : steps;
  }
  const std::uint64_t needed = bench_host_bytes(bench);
  if (needed > limits.host_bytes) {
    bench.skipped = fmt::format("needs {} of host memory, {} allowed", human_bytes(needed),
                                human_bytes(limits.host_bytes));
  }
}

std::string name_of(const BenchCase& bench, bool whole_device) {
  const auto& n = bench.cells;
  const bool moments = bench.representation == Representation::moments;
  std::string name = fmt::format("{} {}{} {} x {} x {}", to_string(bench.storage),
                                 moments ? "moments " : "", to_string(bench.box), n[0], n[1], n[2]);
  if (bench.automatic() && !bench.in_core()) name += ", auto";
  if (whole_device) return name;
  return name + fmt::format(", device {:.3g} GB", 1e-9 * static_cast<double>(bench.device_limit));
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
  if (bench.box == BenchBox::cumulant) {
    CollisionSpec collision;
    collision.kind = CollisionKind::cumulant;
    collision.omega = 1 / 0.6;
    return make_lattice(nx, ny, nz, bench.storage, collision, faces_of(BoundaryKind::periodic),
                        {bench.representation, VelocitySet::D3Q27});
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

std::uint64_t bench_host_bytes(const BenchCase& bench) {
  return bench.lattice_bytes + bench_pattern_planes * bench_lattice(bench).layout.bytes;
}

BenchCase completed(BenchCase bench, const BenchLimits& limits, const DeviceSpeeds& speeds) {
  const bool whole_device = bench.device_limit > limits.device_bytes;
  if (bench.threads == 0) bench.threads = limits.threads;
  bench.device_limit = std::min(bench.device_limit, limits.device_bytes);
  bench.steps = limits.steps;
  bench.options.scheme = bench.scheme.value_or(tiling::Scheme::wavefront);
  plan(bench, limits, speeds);
  bench.name = name_of(bench, whole_device);
  return bench;
}

}  // namespace lbm::cases
