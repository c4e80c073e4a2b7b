// SPDX-License-Identifier: Apache-2.0

// The speed of a device that makes two steps in one pass over its memory: the caches of a CPU or
// the chip of a GPU carry planes from step to step.
#include <algorithm>
#include <chrono>
#include <utility>

#include "solver/core/error.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::tiling {
namespace {

bool is_gpu(const Backend& backend) { return backend.threads() == 0; }

ScheduleOptions blocked_options(const Backend& backend) {
  return {Scheme::in_core, blocked_steps, blocked_planes(is_gpu(backend)), 1, 2};
}

// Bytes per second that the updates must read and write, best of a few sweeps.
double blocked_speed(Backend& backend, const Lattice& lattice) {
  constexpr int sweeps = 3;
  const Boundaries plain_walls;
  Pipeline pipeline({.backend = backend,
                     .lattice = lattice,
                     .boundaries = plain_walls,
                     .store = make_store(backend, lattice, Scheme::in_core, {}),
                     .options = blocked_options(backend)});
  double best = 1e30;
  for (int i = 0; i < sweeps; ++i) {
    bool asked = false;
    const auto one = [&]() -> std::optional<Sweep> {
      if (std::exchange(asked, true)) return std::nullopt;
      return Sweep{blocked_steps};
    };
    const auto begin = std::chrono::steady_clock::now();
    pipeline.run(one, nullptr);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (i > 0) best = std::min(best, spent.count());  // the first one finds new pages
  }
  return 2.0 * static_cast<double>(lattice.layout.cells()) * lattice.nz * blocked_steps *
         lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage)) /
         best;
}

}  // namespace

void measure_blocked(Backend& backend, std::size_t budget, DeviceSpeeds& speeds) {
  // Far larger than caches; rows as long as in large grids, where blocking gains the least.
  const bool gpu = is_gpu(backend);
  const int nx = gpu ? 1024 : 512, nz = gpu ? 96 : 32;
  const int ny = gpu ? 1024 : std::max(128, 16 * backend.threads());
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = true;
  for_each_kernel([&](StorageType storage, Representation representation) {
    const Lattice lattice = make_lattice(nx, ny, nz, storage, 0.6, faces, representation);
    if (gpu && backend.steps_per_pass(lattice) < blocked_steps) return;
    if (device_bytes_needed(lattice, Boundaries(), blocked_options(backend), {}) > budget) return;
    try {
      speeds.update(storage, representation).blocked_bytes_per_second =
          blocked_speed(backend, lattice);
    } catch (const ResourceError&) {  // another process took the memory
    }
  });
}

}  // namespace lbm::tiling
