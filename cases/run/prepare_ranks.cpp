// SPDX-License-Identifier: Apache-2.0

// PreparedRun of one of several ranks: all of them agree on devices, slabs and the schedule.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "cases/run/prepared_run.hpp"
#include "cases/run/ranks/rank_speeds.hpp"
#include "cases/run/ranks/run_on_all_ranks.hpp"
#include "cases/run/ranks/same_run.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/setup/program_file.hpp"
#include "solver/backend/link_speed.hpp"
#include "solver/core/error.hpp"
#include "solver/core/numa.hpp"
#include "tiling/exchange/make_exchange.hpp"

namespace lbm::cases {
namespace {

// 0 where it cannot be measured.
double copy_of(Backend& backend) {
  try {
    return backend.kind() == BackendKind::cuda ? measure_copy_bandwidth(backend) : 0;
  } catch (const ResourceError&) {
    return 0;
  }
}

// The steps of preparing, in their order. In each, all that ranks do together comes before anything
// that may throw in one of them alone.
class Agreement {
 public:
  Agreement(PreparedRun& run, bool predict)
      : run_(run), ranks_(*run.ranks), setup_(run.setup), predict_(predict) {}

  void take_device() {
    agree_on_backends(run_.lbm_case, cuda_device_count(), ranks_);
    const auto device = agree_on_devices(run_.lbm_case, cuda_device_names(), ranks_);
    own_ = case_of_process(run_.restart ? without_initial_flow(run_.lbm_case) : run_.lbm_case,
                           device, ranks_);
    run_.backend = make_backend(own_);
    share_device(own_, *run_.backend, device);
    if (run_.backend->kind() == BackendKind::cuda) {
      stay_on_numa_node(run_.backend->facts().numa_node, ranks_.local_size());
    }
  }

  void choose_representation() {
    if (run_.lbm_case.lattice.representation) return;
    const RepresentationChoice choice = cases::choose_representation(run_.lbm_case);
    run_.take(choice);
    own_.lattice.representation = choice.representation;
  }

  void share_grid() {
    const std::int64_t speed = speed_beside_others(own_, *run_.backend, ranks_);
    planes_ = agree_on_planes(run_.lbm_case, speed, ranks_);
  }

  void measure() {
    measure_copies();
    const bool wanted = predict_ || schedule_needs_speeds(own_, *run_.backend, planes_to_plan());
    const std::vector<int> wishes = ranks_.allgather(int{wanted});
    if (std::count(wishes.begin(), wishes.end(), 1) == 0) return;
    speeds_ = speeds_together(*run_.backend, ranks_);
  }

  // One rank of each host finds the cells of the bodies, for all ranks of its host.
  void find_bodies() {
    if (own_.bodies.empty() || ranks_.local_size() < 2 || ranks_.local_rank() != 0) return;
    bodies_ = make_case_bodies(own_, run_.derived);
  }

  // Ranks that reach no memory of another one, or have other files, find them for themselves, when
  // they plan.
  void share_bodies() {
    const std::vector<std::string> names = ranks_.allgather(bodies_ ? name_of(*bodies_) : "");
    const std::string own = files_behind(own_);
    const std::vector<std::string> files = ranks_.allgather(own);
    // The first rank of a host has the lowest number there, mostly the next one below.
    for (auto rank = static_cast<std::size_t>(ranks_.rank()); rank-- > 0 && !bodies_;) {
      if (names[rank].empty() || files[rank] != own) continue;
      bodies_ = open_case_bodies(own_, run_.derived, names[rank]);
    }
  }

  void plan_slab() {
    tiling::ScheduleRequest request = request_of_slab();
    if (speeds_) request.speeds = [this]() -> const DeviceSpeeds& { return *speeds_; };
    setup_ = make_setup(own_, run_.derived, *run_.backend, request, slab_of(planes_, ranks_.rank()),
                        planes_to_plan(), {}, std::exchange(bodies_, std::nullopt));
    setup_.planes = planes_;
    if (run_.restart) run_.restart->check(setup_);
  }

  void join_slabs() {
    share_numa_node(ranks_near_node(run_.backend->facts().numa_node, ranks_));
    agree_on_boundaries(run_.lbm_case, setup_.boundaries, ranks_);
    const std::string bound = binding_warning(ranks_);
    if (!bound.empty()) setup_.warnings.push_back(bound);
    agree_on_schedule(run_.lbm_case, setup_, planes_, ranks_);
    const bool room = stays_on_devices(setup_.neighbours.exchange);
    tiling::Exchange exchange = tiling::make_exchange(
        ranks_, *run_.backend,
        {setup_.lattice.layout.bytes, setup_.plan.options,
         *std::max_element(planes_.begin(), planes_.end()), run_.lbm_case.tiling.exchange, room});
    run_.exchange = std::move(exchange.ends);
    check_exchange_memory();
    note_exchange(exchange);
    if (speeds_) predict_speed(*speeds_, planes_to_plan(), run_);
  }

 private:
  // Empty where the system has no memory to share.
  static std::string name_of(CaseBodies& bodies) {
    try {
      return bodies.boundaries.share();
    } catch (const ResourceError&) {
      return "";
    }
  }

  int planes_to_plan() const { return planes_to_plan_for(planes_, ranks_.rank()); }

  tiling::ScheduleRequest request_of_slab() const {
    tiling::ScheduleRequest request = make_schedule_request(own_, run_.derived, *run_.backend);
    if (!ranks_.is_root()) request.held_bytes = 0;  // samples of statistics are the root's
    request.neighbours = neighbours_of(own_, run_.backend->kind(), ranks_.size());
    limit_sweeps(own_, run_.derived, ranks_.size() > 1, request.run);
    return request;
  }

  // Sums the copy bandwidth of all GPUs. CPU backends of a host share its memory and count as 0.
  void measure_copies() {
    for (const double copy : ranks_.allgather(copy_of(*run_.backend))) {
      run_.copy_bytes_per_second += copy;
    }
  }

  // All ranks go at the pace of the slowest exchange, which is one between hosts.
  void note_exchange(const tiling::Exchange& exchange) {
    tiling::Neighbours& neighbours = setup_.neighbours;
    neighbours.exchange = exchange.down;
    for (const tiling::ExchangeKind kind : ranks_.allgather(exchange.down)) {
      setup_.exchange.emplace_back(to_string(kind));
      if (joins_hosts(kind)) neighbours.exchange = kind;
    }
    for (const double speed : ranks_.allgather(exchange.bytes_per_second)) {
      double& slowest = neighbours.bytes_per_second;
      if (speed > 0 && (slowest == 0 || speed < slowest)) slowest = speed;
    }
  }

  // Halo planes that were to be on the device may be on the host after all.
  void check_exchange_memory() const {
    const std::uint64_t ring = run_.exchange->host_bytes(), budget = host_budget(own_);
    const bool foreseen = !stays_on_devices(setup_.neighbours.exchange);
    const std::uint64_t needed = setup_.plan.host_bytes + (foreseen ? 0 : ring);
    if (ring == 0 || needed <= budget) return;
    throw ResourceError(fmt::format(
        "{}: found {} processes, which hand planes on through the host's memory here and need {} "
        "each, but {} are there for each: lower tiling.steps_per_visit, or use a smaller grid",
        run_.lbm_case.file, setup_.neighbours.processes, human_bytes(needed), human_bytes(budget)));
  }

  PreparedRun& run_;
  tiling::Ranks& ranks_;
  Setup& setup_;
  bool predict_;
  Case own_;                            // the case with this rank's device and memory
  std::vector<int> planes_;             // of each rank
  std::optional<CaseBodies> bodies_;    // until the slab is planned
  std::optional<DeviceSpeeds> speeds_;  // measured while the other ranks measured theirs
};

}  // namespace

void PreparedRun::prepare_as_rank(const RunOptions& options) {
  Agreement agreement(*this, options.predict);
  const std::function<void()> steps[] = {
      [&] { agree_on_program(program_checksum(), *ranks); },
      [&] {
        check(options);
        planes_of_processes(lbm_case, ranks->size());  // refuses too many
      },
      [&] {
        agree_on_case(lbm_case, *ranks);
        agree_on_checkpoint(checkpoint(), *ranks);
      },
      [&] { agreement.take_device(); },
      [&] {
        agreement.choose_representation();
        agreement.share_grid();
      },
      [&] { agreement.measure(); },
      [&] { agreement.find_bodies(); },
      [&] { agreement.share_bodies(); },
      [&] { agreement.plan_slab(); },
      [&] { set_initial_arrays(options); },
      [&] { agreement.join_slabs(); },
  };
  for (const auto& step : steps) run_on_all_ranks(*ranks, step);
}

}  // namespace lbm::cases
