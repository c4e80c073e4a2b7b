#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cases/run/prepare.hpp"
#include "cases/run/ranks/rank_speeds.hpp"
#include "cases/run/ranks/run_on_all_ranks.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "solver/backend/copy_bandwidth.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"
#include "solver/core/numa.hpp"
#include "tiling/exchange/make_exchange.hpp"

namespace lbm::cases {
namespace {

void read_for_slab(const RunOptions& options, const tiling::Ranks& ranks, Prepared& run) {
  read_and_check(options, run);
  if (options.trace_given) {
    throw UsageError("--trace: found several processes, must be one: leave --trace away");
  }
  planes_of_processes(run.lbm_case, ranks.size());  // refuses too many
}

void take_device(tiling::Ranks& ranks, Prepared& run) {
  agree_on_backends(run.lbm_case, cuda_device_count(), ranks);
  const ProcessDevice device = agree_on_devices(run.lbm_case, cuda_device_names(), ranks);
  run.own = case_of_process(run.lbm_case, device, ranks);
  run.backend = make_backend(run.own);
  share_device(run.own, *run.backend, device);
  if (run.backend->kind() == BackendKind::cuda) {
    stay_on_numa_node(run.backend->facts().numa_node, ranks.local_size());
  }
}

// 0 where it cannot be measured.
double copy_of(Backend& backend) {
  try {
    return backend.kind() == BackendKind::cuda ? measure_copy_bandwidth(backend) : 0;
  } catch (const ResourceError&) {
    return 0;
  }
}

// Of devices that do not share their memory.
void measure_copies(tiling::Ranks& ranks, Prepared& run) {
  for (const double copy : ranks.allgather(copy_of(*run.backend)))
    run.copy_bytes_per_second += copy;
}

void share_grid(tiling::Ranks& ranks, Prepared& run) {
  const std::int64_t speed = speed_beside_others(run.own, *run.backend, ranks);
  run.planes = agree_on_planes(run.lbm_case, speed, ranks);
}

int planes_to_plan(const tiling::Ranks& ranks, const Prepared& run) {
  return planes_to_plan_for(run.planes, ranks.rank());
}

void measure(const RunOptions& options, tiling::Ranks& ranks, Prepared& run) {
  measure_copies(ranks, run);
  const bool wanted =
      options.predict || schedule_needs_speeds(run.own, *run.backend, planes_to_plan(ranks, run));
  const std::vector<int> wishes = ranks.allgather(int{wanted});
  if (std::count(wishes.begin(), wishes.end(), 1) > 0) {
    run.speeds = speeds_together(*run.backend, ranks);
  }
}

void plan_slab(const tiling::Ranks& ranks, Prepared& run) {
  const Case& own = run.own;
  tiling::ScheduleRequest request = make_schedule_request(own, derive(own), *run.backend);
  if (!ranks.leads()) request.held_bytes = 0;  // samples of statistics are the leader's
  request.neighbours = neighbours_of(own, run.backend->kind(), ranks.size());
  if (run.speeds) request.speeds = [&]() -> const DeviceSpeeds& { return *run.speeds; };
  run.setup = make_setup(own, *run.backend, request, slab_of(run.planes, ranks.rank()),
                         planes_to_plan(ranks, run));
  run.setup.planes = run.planes;
  if (run.restart) run.restart->check(run.setup);
}

// Halo planes that were to be on the device may be on the host after all.
void check_exchange_memory(const Prepared& run) {
  const std::uint64_t ring = run.exchange->host_bytes(), budget = host_budget(run.own);
  const bool foreseen = run.setup.neighbours.exchange != tiling::ExchangeKind::device;
  const std::uint64_t needed = run.setup.plan.host_bytes + (foreseen ? 0 : ring);
  if (ring == 0 || needed <= budget) return;
  throw ResourceError(fmt::format(
      "{}: found {} processes, which hand planes on through the host's memory here and need {} "
      "each, but {} are there for each: lower tiling.steps_per_visit, or use a smaller grid",
      run.lbm_case.file, run.setup.neighbours.processes, human_bytes(needed), human_bytes(budget)));
}

void join_slabs(tiling::Ranks& ranks, Prepared& run) {
  Setup& setup = run.setup;
  agree_on_schedule(run.lbm_case, setup, run.planes, ranks);
  const bool room = setup.neighbours.exchange == tiling::ExchangeKind::device;
  tiling::Exchange exchange = tiling::make_exchange(
      ranks, *run.backend,
      {setup.lattice.layout.bytes, setup.plan.options, run.lbm_case.tiling.exchange, room});
  run.exchange = std::move(exchange.ends);
  for (const tiling::ExchangeKind kind : ranks.allgather(exchange.down)) {
    setup.exchange.emplace_back(to_string(kind));
  }
  check_exchange_memory(run);
  setup.neighbours.exchange = exchange.down;
  if (run.speeds) predict_run(*run.speeds, planes_to_plan(ranks, run), run);
}

}  // namespace

int prepare_process(const RunOptions& options, tiling::Ranks& ranks, Prepared& run) {
  // What all do alike comes first in each.
  const std::function<void()> parts[] = {[&] { read_for_slab(options, ranks, run); },
                                         [&] { take_device(ranks, run); },
                                         [&] { share_grid(ranks, run); },
                                         [&] { measure(options, ranks, run); },
                                         [&] { plan_slab(ranks, run); },
                                         [&] { join_slabs(ranks, run); }};
  for (const auto& part : parts) {
    if (const int code = run_on_all_ranks(ranks, part)) return code;
  }
  return exit_ok;
}

}  // namespace lbm::cases
