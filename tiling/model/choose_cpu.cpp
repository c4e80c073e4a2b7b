// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/choose_cpu.hpp"

#include <algorithm>

#include "solver/backend/cpu/pair_runner.hpp"
#include "tiling/model/blocked_speed.hpp"

namespace lbm::tiling {
namespace {

// Two steps in one pass (solver/backend/cpu/rows/row_pairs.hpp) need less memory bandwidth and more
// cache: the scarcer one depends on the machine. Each thread computes two rows more than its own,
// so it needs many. Short runs do not wait for the measurement.
bool blocking_pays(const Lattice& lattice, const ScheduleRequest& request) {
  constexpr double long_run = 4e9;  // cell updates
  const int rows = lattice.layout.ny / std::max(request.threads, 1);
  const double updates = static_cast<double>(lattice.layout.cells()) * lattice.nz *
                         static_cast<double>(request.run.steps);
  const auto measured = [&] {
    const auto& speed = request.speeds().update(lattice);
    return speed.blocked_bytes_per_second > speed.bytes_per_second;
  };
  return !lattice.layout.fluid_only && request.speeds && updates > long_run &&
         cpu::exceeds_caches(lattice) && lattice.nz >= 4 * cpu::planes_in_cache(lattice) &&
         rows >= 16 && measured();
}

}  // namespace

int cpu_planes_for_threads(const Lattice& lattice, int threads) {
  constexpr int rows_per_thread = 32;
  const int planes = (rows_per_thread * threads + lattice.layout.ny - 1) / lattice.layout.ny;
  return std::clamp(planes, 1, max_planes_per_visit);
}

std::vector<ScheduleOptions> cpu_in_core_options(const Lattice& lattice,
                                                 const ScheduleRequest& request) {
  std::vector<ScheduleOptions> all;
  const auto add = [&](int k, int planes) {
    all.push_back(
        {Scheme::in_core, request.steps_per_visit.value_or(k),
         request.planes_per_visit.value_or(std::min(planes, lattice.nz)), 1,
         request.steps_per_visit.value_or(k) > 1 ? request.steps_per_pass.value_or(2) : 1});
  };
  const int steps = static_cast<int>(std::min<std::int64_t>(blocked_steps, request.run.steps));
  const auto blocking = [&] {
    if (request.steps_per_pass) return *request.steps_per_pass > 1;
    return request.steps_per_visit.has_value() || blocking_pays(lattice, request);
  };
  const bool blocked = request.steps_per_visit.value_or(steps) > 1 && blocking();
  if (blocked) add(steps, cpu::planes_in_cache(lattice));
  // From memory: a few planes in turn, so that rows of one plane are fetched while rows of another
  // are computed. In the caches: as few planes as the threads need, so that slots are soon reused.
  const int least = cpu::exceeds_caches(lattice) ? 8 : 1;
  for (int planes = std::max(least, cpu_planes_for_threads(lattice, request.threads)); planes >= 1;
       planes /= 2) {
    add(1, planes);
  }
  return all;
}

}  // namespace lbm::tiling
