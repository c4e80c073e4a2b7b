// SPDX-License-Identifier: Apache-2.0

// Forecast of a Grace Hopper for docs/lab/performance.md, by the program's own planner and model.
// Copy, kernel and launch are those that `lbm bench` measured on GPUs with PCIe
// (docs/figures/data); the link is made up. Nothing that this prints was measured. Built with the
// tests:
//
//     ninja -C build forecast && build/tests/forecast
#include <cstdio>
#include <optional>

#include "solver/lattice/lattice.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace {

using namespace lbm;

constexpr std::uint64_t device_budget = 90'000'000'000;  // of a card of 96 GB
constexpr tiling::RunShape run{1000, 0};

struct Gpu {
  const char* name;
  double copy, update, launch_seconds;  // fp32
};
struct Link {
  const char* name;
  double alone, both;  // bytes per second and direction
};

constexpr Gpu gpus[] = {{"H100", 3000.5e9, 2883.2e9, 2.865e-6},
                        {"H200", 4218.0e9, 4097.7e9, 3.250e-6}};
constexpr Link links[] = {{"C2C as lbm plan assumes", 360e9, 200e9},
                          {"half of that", 180e9, 100e9},
                          {"PCIe 5 x16 as lbm plan assumes", 55e9, 48e9}};

Lattice cavity(int nx, int ny, int nz) {
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = true;
  return make_lattice(nx, ny, nz, StorageType::fp32, 0.6, faces);
}

DeviceSpeeds speeds_of(const Gpu& gpu, const Link& link) {
  DeviceSpeeds speeds;
  speeds.copy = gpu.copy;
  speeds.fp32 = {gpu.update, gpu.launch_seconds, 0};
  speeds.link_in = speeds.link_out = link.alone;
  speeds.link_in_both = speeds.link_out_both = link.both;
  return speeds;
}

void print_row(const Gpu& gpu, const Link& link, std::optional<int> k, std::optional<int> planes) {
  const Lattice small = cavity(1024, 1024, 1048), large = cavity(1792, 1792, 1808);
  const DeviceSpeeds speeds = speeds_of(gpu, link);
  const double in_core =
      tiling::predict(small, {tiling::Scheme::in_core, 1, 64}, run, speeds).mlups;
  tiling::ScheduleRequest request;
  request.scheme = tiling::Scheme::wavefront;
  request.steps_per_visit = k;
  request.planes_per_visit = planes;
  request.run = run;
  request.speeds = [&]() -> const DeviceSpeeds& { return speeds; };
  const auto plan = tiling::choose_schedule(large, Boundaries(), request, device_budget);
  const double mlups = tiling::predict(large, plan.options, run, speeds).mlups;
  std::printf("| %s | %s | %d%s | %d | %.0f | %.0f | %.1f %% | %.1f GB | %.0f GB |\n", gpu.name,
              link.name, plan.options.steps_per_visit, k ? "" : " (auto)",
              plan.options.planes_per_visit, in_core, mlups, 100 * (1 - mlups / in_core),
              1e-9 * static_cast<double>(plan.device_bytes),
              1e-9 * static_cast<double>(plan.host_bytes));
}

}  // namespace

int main() {
  for (const Gpu& gpu : gpus) {
    for (const Link& link : links) {
      for (const int k : {8, 16, 32}) print_row(gpu, link, k, 8);
      print_row(gpu, link, {}, {});
    }
  }
}
