#include "tiling/choose_cpu.hpp"

#include <algorithm>

#include "tiling/blocked_speed.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t cached = std::size_t{64} << 20;  // such lattices fit last-level caches

bool exceeds_caches(const Lattice& lattice) {
  return lattice.layout.bytes * static_cast<std::size_t>(lattice.nz) > cached;
}

// Interleaved visits (solver/backend/cpu/interleave.hpp) take the memory's share of 8 steps at
// once, and instead the caches': which is less depends on the machine. A visit's two older planes
// of each level cost more than they spare in shallow lattices, and threads need rows of their own
// in each of the steps. Short runs do not wait for the measurement.
bool blocking_pays(const Lattice& lattice, const PlanRequest& request) {
  constexpr double long_run = 4e9;  // cell updates
  const int rows = lattice.layout.ny / std::max(request.threads, 1);
  const double updates = static_cast<double>(lattice.layout.cells()) * lattice.nz *
                         static_cast<double>(request.run.steps);
  const auto measured = [&] {
    const auto& speed = request.speeds().update(lattice.storage);
    return speed.blocked_bytes_per_second > speed.bytes_per_second;
  };
  return request.speeds && updates > long_run && exceeds_caches(lattice) &&
         lattice.nz >= 4 * blocked_planes && rows >= 4 * blocked_steps && measured();
}

}  // namespace

int cpu_planes_for_threads(const Lattice& lattice, int threads) {
  constexpr int rows_per_thread = 32;
  const int planes = (rows_per_thread * threads + lattice.layout.ny - 1) / lattice.layout.ny;
  return std::clamp(planes, 1, max_planes_per_visit);
}

std::vector<PlanOptions> cpu_in_core_options(const Lattice& lattice, const PlanRequest& request) {
  std::vector<PlanOptions> all;
  const auto add = [&](int k, int planes) {
    all.push_back({Scheme::in_core, request.steps_per_visit.value_or(k),
                   request.planes_per_visit.value_or(std::min(planes, lattice.nz))});
  };
  const int steps = static_cast<int>(std::min<std::int64_t>(blocked_steps, request.run.steps));
  const bool blocked = request.steps_per_visit ? *request.steps_per_visit > 1
                                               : steps > 1 && blocking_pays(lattice, request);
  if (blocked) add(steps, blocked_planes);
  // From memory with a few planes in turn, so that one's rows are fetched while another's are
  // computed; in the caches with as few as the threads need, whose slots are then written again
  // soon.
  const int least = exceeds_caches(lattice) ? 8 : 1;
  for (int planes = std::max(least, cpu_planes_for_threads(lattice, request.threads)); planes >= 1;
       planes /= 2) {
    add(1, planes);
  }
  return all;
}

}  // namespace lbm::tiling
