// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/choose_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "solver/backend/cpu/pair_runner.hpp"
#include "solver/core/error.hpp"
#include "solver/lattice/step_record.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/lattice_on_device.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

std::size_t device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                const ScheduleOptions& options, const OutputShape& outputs,
                                int slab_planes) {
  const PlaneGrid grid{lattice.nz, lattice.periodic_z(), 0, slab_planes};
  const int slots = slots_needed(grid, options);
  const std::size_t probes =
      outputs.probes > 0 ? ProbeCells::bytes_needed(outputs.probes, lattice.nz) : 0;
  const std::size_t fields =
      outputs.field_cells > 0
          ? FieldRing::device_bytes_needed(outputs.field_cells, lattice.layout.bytes,
                                           lattice.scalar_count())
          : 0;
  PlaneGrid whole = grid;
  whole.nz = std::max(grid.nz, boundaries.planes());  // of all slabs
  return static_cast<std::size_t>(slots) * lattice.layout.bytes +
         LatticeOnDevice::boundary_bytes_needed(boundaries, planes_in_use(whole, options)) +
         probes +
         RecordRing::device_bytes_needed(
             {boundaries.bodies(), outputs.probes, outputs.boxes, lattice.scalar_count()},
             options) +
         fields;
}

std::size_t host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                              const OutputShape& outputs, std::uint64_t staging_limit) {
  if (outputs.field_cells == 0) return 0;
  return FieldRing::host_planes(outputs.field_cells, lattice.nz, options.planes_per_visit,
                                staging_limit, lattice.scalar_count()) *
         FieldRing::plane_bytes(outputs.field_cells, lattice.scalar_count());
}

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
  return !lattice.layout.fluid_only && has_pair_pass(lattice) && request.speeds &&
         updates > long_run && cpu::exceeds_caches(lattice) &&
         lattice.nz >= 4 * cpu::planes_in_cache(lattice) && rows >= 16 && measured();
}

// Planes per visit for one step a visit: as few as give every thread some rows. A launch then
// writes to slots that it has just read, and the cache saves a third of the memory traffic.
int cpu_planes_for_threads(const Lattice& lattice, int threads) {
  constexpr int rows_per_thread = 32;
  const int planes = (rows_per_thread * threads + lattice.layout.ny - 1) / lattice.layout.ny;
  return std::clamp(planes, 1, max_planes_per_visit);
}

// Schedules that suit a CPU, best first. Members that the request fixes are kept.
std::vector<ScheduleOptions> cpu_in_core_options(const Lattice& lattice,
                                                 const ScheduleRequest& request) {
  std::vector<ScheduleOptions> all;
  const int pass = has_pair_pass(lattice) ? 2 : 1;
  const auto add = [&](int k, int planes) {
    all.push_back(
        {Scheme::in_core, request.steps_per_visit.value_or(k),
         request.planes_per_visit.value_or(std::min(planes, lattice.nz)), 1,
         request.steps_per_visit.value_or(k) > 1 ? request.steps_per_pass.value_or(pass) : 1});
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

std::uint64_t device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                           const ScheduleRequest& request, const ScheduleOptions& options) {
  if (!request.neighbours.any()) {
    return device_bytes_needed(lattice, boundaries, options, request.outputs);
  }
  // Slabs that are too thin for the schedule are refused later, with advice.
  const int planes = std::max(lattice.nz, least_slab_planes(options));
  const Lattice grid = with_planes(lattice, 2 * planes);  // other slabs have the rest
  const int rings = ring_planes_on_device(request.neighbours.exchange, options, lattice.nz);
  return device_bytes_needed(grid, boundaries, options, request.outputs, planes) +
         lattice.layout.bytes * static_cast<std::uint64_t>(rings);
}

// In core a visit gives a GPU a few milliseconds of work, but at most some dozens of steps.
int joined_updates(const Lattice& lattice) {
  constexpr std::int64_t cells = std::int64_t{1} << 25, most_steps = 64;
  return static_cast<int>(std::min(cells / lattice.layout.cells() + 1, most_steps * lattice.nz));
}

// A process may be ahead of its neighbours by a few visits. Visits of few planes keep that short.
int most_planes(const Lattice& lattice, const ScheduleRequest& request) {
  return request.neighbours.any() ? std::max(1, lattice.nz / 8) : lattice.nz;
}

// On a GPU large launches waste less on their last wave of thread blocks.
std::vector<ScheduleOptions> in_core_options(const Lattice& lattice,
                                             const ScheduleRequest& request) {
  if (request.threads > 0) return cpu_in_core_options(lattice, request);
  std::vector<ScheduleOptions> all;
  const bool explicit_scheme = request.scheme.has_value();
  const int k = explicit_scheme ? request.steps_per_visit.value_or(1) : 1;
  constexpr int least_planes = 8;  // of a pass: two planes of each step between go to memory
  if (gpu_steps_per_pass(lattice, request) > 1) {
    const int steps = explicit_scheme ? request.steps_per_visit.value_or(2) : 2;
    for (int planes = max_planes_per_visit; planes >= least_planes; planes /= 2) {
      const int most = most_planes(lattice, request);
      const int b = request.planes_per_visit.value_or(std::min(planes, most));
      if (steps > 1) all.push_back({Scheme::in_core, steps, b, joined_updates(lattice), 2});
    }
  }
  for (int planes = max_planes_per_visit; planes >= 1; planes /= 2) {
    all.push_back(
        {Scheme::in_core, k,
         request.planes_per_visit.value_or(std::min(planes, most_planes(lattice, request))),
         joined_updates(lattice)});
  }
  return all;
}

// For devices without measured speeds, best first: many steps hide the link, and launches of 4 or 8
// planes fill a GPU.
std::vector<ScheduleOptions> out_of_core_options(const Lattice& lattice,
                                                 const ScheduleRequest& request) {
  struct Group {
    int planes, least_steps;
  };
  std::vector<ScheduleOptions> all;
  const int most = static_cast<int>(std::min<std::int64_t>({64, lattice.nz, request.run.steps}));
  std::vector<Group> groups = {{8, 16}, {4, 8}, {2, 4}, {1, 1}, {8, 1}};
  if (request.threads > 0) groups = {{cpu_planes_for_threads(lattice, request.threads), 1}, {1, 1}};
  for (const auto& [planes, least_steps] : groups) {
    for (int k = std::max(most, 1); k >= std::min(least_steps, most); k -= k > 8 ? 4 : 1) {
      all.push_back({request.scheme.value_or(Scheme::wavefront),
                     request.steps_per_visit.value_or(k),
                     request.planes_per_visit.value_or(std::min(planes, lattice.nz))});
      if (request.steps_per_visit) break;
    }
  }
  return all;
}

ScheduleChoice choice_of(const Lattice& lattice, const ScheduleOptions& options,
                         std::uint64_t bytes, std::string reason) {
  const std::uint64_t host = options.scheme == Scheme::in_core
                                 ? lattice.layout.bytes * std::min(lattice.nz, 8)
                                 : lattice.bytes();
  return {options, bytes, host, std::move(reason), {}};
}

const char* why_so_many(const ScheduleOptions& in_core) {
  return in_core.steps_per_visit > 1 ? "several steps a visit spare its memory"
                                     : "one step a visit, as there are no copies to hide";
}

bool may_be_in_core(const ScheduleRequest& request) {
  return !request.scheme || *request.scheme == Scheme::in_core;
}

bool may_be_out_of_core(const ScheduleRequest& request) {
  if (request.integrated) return false;
  return !request.scheme || *request.scheme != Scheme::in_core;
}

}  // namespace

std::uint64_t least_device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                                 const ScheduleRequest& request) {
  std::uint64_t least = ~std::uint64_t{0};
  const auto sample_flow = [&](const std::vector<ScheduleOptions>& all) {
    for (const ScheduleOptions& options : all) {
      least = std::min(least, device_bytes(lattice, boundaries, request, options));
    }
  };
  if (may_be_in_core(request)) sample_flow(in_core_options(lattice, request));
  if (may_be_out_of_core(request)) sample_flow(out_of_core_options(lattice, request));
  return least;
}

ScheduleChoice choose_schedule(const Lattice& lattice, const Boundaries& boundaries,
                               const ScheduleRequest& request, std::uint64_t device_budget) {
  const bool in_core = may_be_in_core(request), out_of_core = may_be_out_of_core(request);
  const auto device_bytes_of = [&](const ScheduleOptions& options) {
    return device_bytes(lattice, boundaries, request, options);
  };
  const std::string budget = human_bytes(device_budget);
  const auto first_that_fits = [&](const std::vector<ScheduleOptions>& all, const auto& why) {
    std::optional<ScheduleChoice> choice;
    for (const ScheduleOptions& options : all) {
      const std::uint64_t bytes = device_bytes_of(options);
      if (bytes > device_budget) continue;
      choice = choice_of(lattice, options, bytes,
                         request.scheme ? "the case asks for it" : why(options, bytes));
      break;
    }
    return choice;
  };
  if (in_core) {
    const auto choice =
        first_that_fits(in_core_options(lattice, request), [&](const auto& options, auto bytes) {
          return fmt::format("the lattice ({}) fits the device's {}; {}", human_bytes(bytes),
                             budget, why_so_many(options));
        });
    if (choice) return *choice;
  }
  if (out_of_core && request.speeds && request.threads == 0) {
    if (auto choice = fastest_choice(lattice, request, device_budget, device_bytes_of))
      return *choice;
  }
  if (out_of_core) {
    const auto choice = first_that_fits(out_of_core_options(lattice, request), [&](const auto&,
                                                                                   auto) {
      return fmt::format("the lattice does not fit the device's {}; {}", budget,
                         request.steps_per_visit ? "k as the case says"
                                                 : "the most steps a visit, up to 64, that fit");
    });
    if (choice) return *choice;
  }
  if (request.integrated && !in_core) {
    throw ResourceError(fmt::format(
        "found tiling.scheme: {}, but an integrated GPU has no other memory than the host's: use "
        "tiling.scheme: auto",
        to_string(*request.scheme)));
  }
  if (request.integrated) {
    throw ResourceError(fmt::format(
        "at least {} of memory needed, {} allowed, and an integrated GPU has no other memory than "
        "the host's: use lattice.storage: fp16, a smaller grid, or end what uses the memory",
        human_bytes(least_device_bytes(lattice, boundaries, request)), budget));
  }
  throw ResourceError(fmt::format(
      "at least {} of device memory needed, {} allowed; raise device.memory, use lattice.storage: "
      "fp16, or take smaller tiling.steps_per_visit and tiling.planes_per_visit{}",
      human_bytes(least_device_bytes(lattice, boundaries, request)), budget,
      out_of_core ? "" : ", or tiling.scheme: wavefront"));
}

}  // namespace lbm::tiling
