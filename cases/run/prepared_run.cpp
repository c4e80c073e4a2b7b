// SPDX-License-Identifier: Apache-2.0
#include "cases/run/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/initial/flow_rows.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/ranks/agreement.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/backend/speeds.hpp"
#include "solver/core/error.hpp"
#include "solver/core/numa.hpp"

namespace lbm::cases {
namespace {

bool asks_for_files(const Case& lbm_case) {
  const Output& output = lbm_case.output;
  const CheckpointKeys& checkpoint = lbm_case.checkpoint;
  return !lbm_case.outputs.empty() || !lbm_case.pictures.empty() || !lbm_case.statistics.empty() ||
         !lbm_case.probes.empty() || !output.times.empty() || output.every_steps ||
         checkpoint.every_steps || checkpoint.every_minutes || checkpoint.at_end;
}

// 0 where it cannot be measured.
double copy_of(Backend& backend) {
  try {
    return backend.kind() == BackendKind::cuda ? measure_copy_bandwidth(backend) : 0;
  } catch (const ResourceError&) {
    return 0;
  }
}

// Empty where the system has no memory to share.
std::string name_of(CaseBodies& bodies) {
  try {
    return bodies.boundaries.share();
  } catch (const ResourceError&) {
    return "";
  }
}

// Opens the cells of bodies that another rank of this host has found. Ranks that reach no memory of
// another one, or have other files, find them for themselves, when they plan.
void share_bodies(const Case& own, const Derived& derived, tiling::Ranks& ranks,
                  std::optional<CaseBodies>& bodies) {
  const std::vector<std::string> names = ranks.allgather(bodies ? name_of(*bodies) : "");
  const std::string own_files = files_behind(own);
  const std::vector<std::string> files = ranks.allgather(own_files);
  // The first rank of a host has the lowest number there, mostly the next one below.
  for (auto rank = static_cast<std::size_t>(ranks.rank()); rank-- > 0 && !bodies;) {
    if (names[rank].empty() || files[rank] != own_files) continue;
    bodies = open_case_bodies(own, derived, names[rank]);
  }
}

// All ranks go at the pace of the slowest exchange, which is one between hosts.
void note_exchange(const tiling::Exchange& exchange, tiling::Ranks& ranks, Setup& setup) {
  tiling::Neighbours& neighbours = setup.neighbours;
  neighbours.exchange = exchange.down;
  for (const tiling::ExchangeKind kind : ranks.allgather(exchange.down)) {
    setup.exchange.emplace_back(to_string(kind));
    if (joins_hosts(kind)) neighbours.exchange = kind;
  }
  for (const double speed : ranks.allgather(exchange.bytes_per_second)) {
    double& slowest = neighbours.bytes_per_second;
    if (speed > 0 && (slowest == 0 || speed < slowest)) slowest = speed;
  }
}

// Halo planes that were to be on the device may be on the host after all. ring: their bytes there;
// foreseen: the plan has them.
void check_exchange_memory(const Case& own, const Setup& setup, std::uint64_t ring, bool foreseen) {
  const std::uint64_t budget = host_budget(own);
  const std::uint64_t needed = setup.plan.host_bytes + (foreseen ? 0 : ring);
  if (ring == 0 || needed <= budget) return;
  throw ResourceError(fmt::format(
      "{}: found {} processes, which hand planes on through the host's memory here and need {} "
      "each, but {} are there for each: lower tiling.steps_per_visit, or use a smaller grid",
      own.file, setup.neighbours.processes, human_bytes(needed), human_bytes(budget)));
}

}  // namespace

Case without_initial_flow(Case lbm_case) {
  lbm_case.initial = Initial{};
  for (ScalarKeys& scalar : lbm_case.scalars) scalar.initial.clear();
  return lbm_case;
}

PreparedRun::PreparedRun(Case given, const RunOptions& options, tiling::Ranks* with,
                         Notices& notices)
    : ranks(with), lbm_case(std::move(given)) {
  const bool loses_files = !options.writes_files && asks_for_files(lbm_case);
  ranks == nullptr ? prepare_alone(options) : prepare_as_rank(options);
  setup.representation_reason = representation_reason_;
  if (loses_files) notices.warn(no_directory_warning);
  for (const std::string& text : warnings(lbm_case, setup.derived)) notices.warn(text);
  for (const std::string& text : setup.warnings) notices.warn(text);
}

void PreparedRun::check(const RunOptions& options) {
  setup.derived = validate(lbm_case);
  if (!options.writes_files) remove_files(lbm_case);
  if (options.restart && ended_on_a_coarser_grid(lbm_case, *options.restart)) {
    resumed = *options.restart;
  }
  if (!options.restart || !resumed.empty()) return check_arrays(options);
  restart.emplace(*options.restart, lbm_case, setup.derived.steps, options.change);
  if (!lbm_case.lattice.representation) take({restart->representation(), "as in the checkpoint"});
}

void PreparedRun::check_arrays(const RunOptions& options) const {
  if (options.change) {
    throw UsageError(
        "--change: missing: --restart, whose physics it changes: give both or neither");
  }
  const bool wanted = lbm_case.initial.flow == InitialFlow::arrays;
  if (wanted == options.initial.has_value()) return;
  throw UsageError(
      where(lbm_case, "initial.flow") +
      (wanted ? ": found arrays, which only Python gives: lbm.Simulation(case, initial={...}), or "
                "continue a run with --restart"
              : ": must be arrays for a run that is given arrays"));
}

// The flows that make_setup() leaves out.
void PreparedRun::set_initial_flow(const RunOptions& options) {
  if (restart) return;
  if (options.start) {
    setup.initial = resampled_state(lbm_case, options.start);
  } else if (lbm_case.initial.flow == InitialFlow::darcy && lbm_case.run.cascade == 1) {
    setup.initial = darcy_flow(lbm_case, setup);
  }
  if (!options.initial) return;
  setup.initial = with_initial_scalars(
      lbm_case, setup.derived,
      resampled_state(lbm_case, make_flow_of_arrays(lbm_case, setup.derived, *options.initial)));
  (void)check_planes(setup.initial, lbm_case.grid.cells, {});
}

void PreparedRun::take(const RepresentationChoice& choice) {
  lbm_case.lattice.representation = choice.representation;
  representation_reason_ = choice.reason;
}

void PreparedRun::prepare_alone(const RunOptions& options) {
  check(options);
  backend = make_backend(lbm_case);
  const auto request = make_schedule_request(lbm_case, setup.derived, *backend);
  if (!lbm_case.lattice.representation) take(choose_representation(lbm_case));
  setup = make_setup(restart ? without_initial_flow(lbm_case) : lbm_case, setup.derived, *backend,
                     request);
  if (restart) restart->check(setup);
  set_initial_flow(options);
  predict_speed(options.predict ? request.speeds() : known_speeds_of(*backend), 0, *this);
}

// In each step, all that ranks do together comes before anything that may throw in one of them
// alone.
void PreparedRun::prepare_as_rank(const RunOptions& options) {
  tiling::Ranks& all = *ranks;
  Case own;                            // the case with this rank's device and memory
  std::vector<int> planes;             // of each rank
  std::optional<CaseBodies> bodies;    // until the slab is planned
  std::optional<DeviceSpeeds> speeds;  // measured while the other ranks measured theirs
  const auto together = [&](const std::function<void()>& step) { run_on_all_ranks(all, step); };
  const auto planes_to_plan = [&] { return planes_to_plan_for(planes, all.rank()); };
  together([&] { agree_on_program(program_checksum(), all); });
  together([&] {
    check(options);
    planes_of_processes(lbm_case, all.size());  // refuses too many
    if (all.size() > 1 && moves_freely(lbm_case)) {
      throw UsageError(
          fmt::format("{}: found {} processes, must be one: a body that moves freely "
                      "needs the forces of all planes at each step",
                      where(lbm_case, "bodies"), all.size()));
    }
  });
  together([&] {
    agree_on_case(lbm_case, all);
    agree_on_checkpoint(checkpoint(), all);
  });
  together([&] {
    agree_on_backends(lbm_case, cuda_device_count(), all);
    const auto device = agree_on_devices(lbm_case, cuda_device_names(), all);
    own = case_of_process(restart ? without_initial_flow(lbm_case) : lbm_case, device, all);
    backend = make_backend(own);
    share_device(own, *backend, device);
    if (backend->kind() == BackendKind::cuda) {
      stay_on_numa_node(backend->facts().numa_node, all.local_size());
    }
  });
  together([&] {
    if (!lbm_case.lattice.representation) take(choose_representation(lbm_case));
    own.lattice.representation = lbm_case.lattice.representation;
    planes = agree_on_planes(lbm_case, speed_beside_others(own, *backend, all), all);
  });
  together([&] {
    // The copy bandwidth of all GPUs. CPU backends of a host share its memory and count as 0.
    for (const double copy : all.allgather(copy_of(*backend))) copy_bytes_per_second += copy;
    const bool wanted = options.predict || schedule_needs_speeds(own, *backend, planes_to_plan());
    const std::vector<int> wishes = all.allgather(int{wanted});
    if (std::count(wishes.begin(), wishes.end(), 1) > 0) speeds = speeds_together(*backend, all);
  });
  // One rank of each host finds the cells of the bodies, for all ranks of its host.
  together([&] {
    if (own.bodies.empty() || all.local_size() < 2 || all.local_rank() != 0) return;
    bodies = make_case_bodies(own, setup.derived);
  });
  together([&] { share_bodies(own, setup.derived, all, bodies); });
  together([&] {
    tiling::ScheduleRequest request = make_schedule_request(own, setup.derived, *backend);
    if (!all.is_root()) request.held_bytes = 0;  // samples of statistics are the root's
    request.neighbours = neighbours_of(own, backend->kind(), all.size());
    limit_sweeps(own, setup.derived, true, request.run);
    if (speeds) request.speeds = [&]() -> const DeviceSpeeds& { return *speeds; };
    setup = make_setup(own, setup.derived, *backend, request, slab_of(planes, all.rank()),
                       planes_to_plan(), {}, std::exchange(bodies, std::nullopt));
    setup.planes = planes;
    if (restart) restart->check(setup);
  });
  together([&] { set_initial_flow(options); });
  together([&] {
    share_numa_node(ranks_near_node(backend->facts().numa_node, all));
    agree_on_boundaries(lbm_case, setup.boundaries, all);
    const std::string bound = binding_warning(all);
    if (!bound.empty()) setup.warnings.push_back(bound);
    agree_on_schedule(lbm_case, setup, planes, all);
    const bool on_devices = stays_on_devices(setup.neighbours.exchange);
    tiling::Exchange joined = tiling::make_exchange(
        all, *backend,
        {setup.lattice.layout.bytes, setup.plan.options,
         *std::max_element(planes.begin(), planes.end()), lbm_case.tiling.exchange, on_devices});
    exchange = std::move(joined.ends);
    note_exchange(joined, all, setup);
    check_exchange_memory(own, setup, exchange->host_bytes(), !on_devices);
    if (speeds) predict_speed(*speeds, planes_to_plan(), *this);
  });
}

tiling::PipelineConfig PreparedRun::pipeline_config(tiling::FieldSink* fields,
                                                    tiling::RecordSink* records) {
  const tiling::FirstPlanes planes =
      restart ? tiling::FirstPlanes{restart->fill()}
              : tiling::initial_planes(setup.lattice, setup.initial, &setup.boundaries);
  auto store = tiling::make_store(*backend, setup.lattice, setup.plan.options.scheme, planes,
                                  setup.host_memory.value_or(HostMemory::pinned), setup.share);
  setup.initial = {};  // may hold planes of a file or arrays
  return {.backend = *backend,
          .lattice = setup.lattice,
          .boundaries = setup.boundaries,
          .store = std::move(store),
          .options = setup.plan.options,
          .fields = fields,
          .records = records,
          .staging_limit = setup.staging_limit,
          .first_step = first_step(),
          .share = setup.share,
          .exchange = exchange ? &*exchange : nullptr};
}

void predict_speed(const DeviceSpeeds& speeds, int planes, PreparedRun& run) {
  Setup& setup = run.setup;
  const Lattice part = planes > 0 ? with_planes(setup.lattice, planes) : setup.lattice;
  if (!speeds.measured(part)) return;
  const tiling::RunShape shape =
      make_schedule_request(run.lbm_case, setup.derived, *run.backend).run;
  const double seconds =
      tiling::predict(part, setup.plan.options, shape, speeds, setup.neighbours).seconds;
  const double cells = static_cast<double>(setup.lattice.layout.cells()) * setup.lattice.nz;
  setup.predicted_mlups = 1e-6 * cells * static_cast<double>(shape.steps) / seconds;
}

}  // namespace lbm::cases
