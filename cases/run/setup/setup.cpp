// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/darcy_flow.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/exchange/exchange.hpp"

namespace lbm::cases {

RepresentationChoice choose_representation(const Case& lbm_case) {
  const LatticeKeys& lattice = lbm_case.lattice;
  if (lattice.representation) return {*lattice.representation, ""};
  const Representation taken = stored_values(lattice).representation;
  if (taken == Representation::populations) return {taken, ""};
  return {taken, fmt::format("all that lattice.collision: {} needs", to_string(lattice.collision))};
}

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

// Usable part of the free device memory; the rest is for the context and fragmentation.
std::uint64_t usable_of(std::uint64_t free) { return free - std::min(gibibyte / 2, free / 16); }

[[noreturn]] void refuse_grid(const Case& lbm_case, const Derived& derived, std::uint64_t needed,
                              std::uint64_t limit) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  const std::uint64_t pictures = pictures_bytes(lbm_case, derived);
  if (pictures > needed / 2) {
    throw ResourceError(fmt::format(
        "{}: found {}, which need {} of host memory, but {} {}; show less of the box, or have "
        "fewer",
        where(lbm_case, "pictures"), lbm_case.pictures.size(), human_bytes(pictures),
        human_bytes(limit),
        lbm_case.host.memory_limit ? "are allowed (host.memory_limit)" : "are available"));
  }
  throw ResourceError(fmt::format(
      "{}: found [{}, {}, {}], which needs {} of host memory, but {} {}; use fewer cells or "
      "lattice.storage: fp16{}",
      where(lbm_case, "grid.cells"), nx, ny, nz, human_bytes(needed), human_bytes(limit),
      lbm_case.host.memory_limit ? "are allowed (host.memory_limit)" : "are available",
      lbm_case.host.memory_limit ? "" : ", or set host.memory_limit if the machine has more"));
}

// Before bodies are found cell by cell, which takes hours in a grid that no machine holds. On a GPU
// the lattice may lie in its memory.
void check_lattice_memory(const Case& lbm_case, const Derived& derived, const Backend& backend) {
  if (lbm_case.bodies.empty()) return;
  Lattice lattice = make_case_lattice(lbm_case, derived);
  const std::uint64_t limit = host_budget(lbm_case);
  const std::uint64_t all =
      limit + (shares_host_memory(backend.facts()) ? 0 : backend.free_memory());
  if (lattice.bytes() <= all) return;
  if (may_store_fluid_only(lbm_case)) {
    lattice = with_fluid_share(lattice, fluid_share(lbm_case, facts_of_labels(lbm_case)));
  }
  // Masks and numbers of fluid cells take half a byte a cell, the share of fluid may be unknown.
  const std::uint64_t masks =
      may_store_fluid_only(lbm_case) ? cell_count(lbm_case.grid.cells) / 2 : 0;
  const std::uint64_t needed = lattice.bytes() + masks;
  if (needed > all) refuse_grid(lbm_case, derived, needed, limit);
}

void check_host_memory(const Case& lbm_case, const Setup& setup, const Backend& backend) {
  const std::uint64_t needed = host_bytes_of(setup.plan, backend.facts());
  const std::uint64_t limit = host_budget(lbm_case);
  if (needed > limit) refuse_grid(lbm_case, setup.derived, needed, limit);
}

// The case's kind of host memory, or the fastest. Only coherent links have a choice.
HostMemory host_memory_kind(const Case& lbm_case, const DeviceFacts& device,
                            const tiling::ScheduleRequest& request) {
  if (lbm_case.host.memory) return *lbm_case.host.memory;
  const bool choice = device.pageable == PageableAccess::ats && request.speeds != nullptr;
  return choice ? request.speeds().host_memory : HostMemory::pinned;
}

// Applies it to this device and plan.
void set_host_memory(const Case& lbm_case, const Backend& backend,
                     const tiling::ScheduleRequest& request, Setup& setup) {
  if (setup.plan.options.scheme == tiling::Scheme::in_core) return;
  const DeviceFacts device = backend.facts();
  const HostMemory kind = host_memory_kind(lbm_case, device, request);
  if (kind == HostMemory::managed) {
    const auto refusal = managed_refusal(setup.lattice.bytes(), setup.plan.device_bytes,
                                         usable_of(backend.free_memory()), device.name);
    if (refusal) throw ResourceError(where(lbm_case, "host.memory") + ": " + *refusal);
  }
  if (const auto warning = warning_of(kind, device)) {
    setup.warnings.push_back(where(lbm_case, "host.memory") + ": " + *warning);
  }
  setup.host_memory = kind;
}

// A launch on a GPU has at most max_planes_per_launch planes: small ones leave most of it idle. A
// box that is thin along x or y has small planes, turned over it has few large ones.
void warn_of_small_planes(const Case& lbm_case, const Backend& backend, Setup& setup) {
  if (backend.kind() != BackendKind::cuda) return;
  constexpr std::int64_t enough = std::int64_t{1} << 17;  // cells of a launch
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  const int thin = std::min(nx, ny);
  const std::int64_t all = cell_count(lbm_case.grid.cells);
  const auto of_launch = [&](int planes) {
    return all / planes * std::min(planes, max_planes_per_launch);
  };
  const double gain =
      static_cast<double>(std::min(enough, of_launch(thin))) / static_cast<double>(of_launch(nz));
  if (gain < 3) return;
  setup.warnings.push_back(fmt::format(
      "{}: {} planes of {} cells leave most of a GPU idle: exchange {} and z, so that z is the "
      "shortest axis, which may be {:.0f} times as fast",
      where(lbm_case, "grid.cells"), nz, all / nz, nx < ny ? 'x' : 'y', gain));
}

// Bytes on the host for halo planes in transit.
std::uint64_t exchange_bytes(const Lattice& lattice, const tiling::ScheduleOptions& options,
                             const tiling::Neighbours& neighbours) {
  if (!neighbours.any()) return 0;
  const int planes = tiling::ring_planes_on_host(neighbours.exchange, options, lattice.nz);
  return lattice.layout.bytes * static_cast<std::uint64_t>(planes);
}

std::unique_ptr<Backend> make_device(const Case& lbm_case) {
  const Device& device = lbm_case.device;
  const BackendKind kind =
      device.backend.value_or(cuda_device_count() > 0 ? BackendKind::cuda : BackendKind::cpu);
  if (kind == BackendKind::cpu) {
    return make_cpu_backend(
        device.threads > 0 ? device.threads : cpu_threads_here(1, cell_count(lbm_case.grid.cells)));
  }
  try {
    return make_cuda_backend(device.index);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", name_in_messages(lbm_case), error.what()));
  }
}

}  // namespace

std::unique_ptr<Backend> make_backend(const Case& lbm_case) {
  auto backend = make_device(lbm_case);
  const HostMemory memory = lbm_case.host.memory.value_or(HostMemory::pinned);
  if (const auto refusal = refusal_of(memory, backend->facts())) {
    throw UsageError(where(lbm_case, "host.memory") + ": " + *refusal);
  }
  check_scheme(lbm_case, backend->facts());
  return backend;
}

void check_scheme(const Case& lbm_case, const DeviceFacts& device) {
  const auto& scheme = lbm_case.tiling.scheme;
  if (!device.integrated || !scheme || *scheme == tiling::Scheme::in_core) return;
  throw UsageError(fmt::format(
      "{}: found {}, but {} uses the host's memory itself, so a lattice out of core would be a "
      "copy in the same memory; use tiling.scheme: auto",
      where(lbm_case, "tiling.scheme"), tiling::to_string(*scheme), device.name));
}

std::uint64_t device_budget(const Case& lbm_case, const Backend& backend) {
  const std::uint64_t free = backend.free_memory();
  return std::min(lbm_case.device.memory.value_or(usable_of(free)), free);
}

std::uint64_t measuring_budget(const Backend& backend) { return usable_of(backend.free_memory()); }

std::uint64_t host_budget(const Case& lbm_case) {
  return lbm_case.host.memory_limit.value_or(host_memory_available());
}

// A small share, since the lattice needs the rest.
std::uint64_t staging_limit(std::uint64_t host_budget) { return host_budget / 32; }

tiling::ScheduleChoice choose_with_outputs(const Lattice& lattice, const Boundaries& boundaries,
                                           const tiling::ScheduleRequest& request,
                                           std::uint64_t device_budget,
                                           std::uint64_t staging_limit) {
  tiling::ScheduleChoice choice =
      tiling::choose_schedule(lattice, boundaries, request, device_budget);
  choice.host_bytes +=
      tiling::host_bytes_needed(lattice, choice.options, request.outputs, staging_limit) +
      request.held_bytes;
  return choice;
}

tiling::ScheduleChoice choose_with_halo(const Lattice& lattice, const Boundaries& boundaries,
                                        tiling::ScheduleRequest& request,
                                        std::uint64_t device_budget, std::uint64_t staging_limit) {
  const auto choose = [&] {
    auto plan = choose_with_outputs(lattice, boundaries, request, device_budget, staging_limit);
    plan.host_bytes += exchange_bytes(lattice, plan.options, request.neighbours);
    return plan;
  };
  if (!request.neighbours.any() || request.neighbours.exchange != tiling::ExchangeKind::device) {
    return choose();
  }
  try {
    return choose();
  } catch (const ResourceError&) {
    request.neighbours.exchange = tiling::ExchangeKind::host;
    return choose();
  }
}

std::optional<tiling::Prediction> predict_choice(
    const Lattice& lattice, const tiling::ScheduleRequest& request,
    const std::optional<tiling::ScheduleChoice>& plan) {
  if (!plan || !request.speeds().measured(lattice)) return std::nullopt;
  if (plan->prediction) return plan->prediction;
  if (request.neighbours.any() && lattice.nz < tiling::least_slab_planes(plan->options)) {
    return std::nullopt;
  }
  return tiling::predict(lattice, plan->options, request.run, request.speeds(), request.neighbours);
}

std::uint64_t host_bytes_of(const tiling::ScheduleChoice& plan, const DeviceFacts& device) {
  return plan.host_bytes + (shares_host_memory(device) ? plan.device_bytes : 0);
}

std::uint64_t held_bytes(const Case& lbm_case, const Derived& derived) {
  const bool darcy = lbm_case.initial.flow == InitialFlow::darcy && lbm_case.run.cascade == 1;
  return statistics_bytes(lbm_case, derived) + pictures_bytes(lbm_case, derived) +
         (darcy ? darcy_bytes(lbm_case.grid.cells) : 0);
}

tiling::ScheduleRequest make_schedule_request(const Case& lbm_case, const Derived& derived,
                                              Backend& backend, bool may_measure) {
  tiling::ScheduleRequest request;
  request.scheme = lbm_case.tiling.scheme;
  request.steps_per_visit = lbm_case.tiling.steps_per_visit;
  if (moves_freely(lbm_case)) request.steps_per_visit = 1;
  request.planes_per_visit = lbm_case.tiling.planes_per_visit;
  request.steps_per_pass = lbm_case.tiling.steps_per_pass;
  if (backend.kind() == BackendKind::cuda) {
    request.steps_in_one_pass = [&backend](const Lattice& lattice) {
      return backend.steps_per_pass(lattice);
    };
  }
  request.run.steps = derived.steps;
  limit_sweeps(lbm_case, derived, false, request.run);
  request.outputs = output_shape(lbm_case, derived);
  request.held_bytes = held_bytes(lbm_case, derived);
  request.threads = backend.threads();
  request.integrated = backend.facts().integrated;
  request.speeds = [&backend, may_measure, memory = lbm_case.host.memory,
                    known = std::optional<DeviceSpeeds>()]() mutable -> const DeviceSpeeds& {
    if (!known) {
      const DeviceSpeeds speeds =
          may_measure ? speeds_of(backend, measuring_budget(backend)) : known_speeds_of(backend);
      known = speeds.with_host_memory(memory.value_or(speeds.fastest_host_memory()));
    }
    return *known;
  };
  return request;
}

tiling::Neighbours neighbours_of(const Case& lbm_case, BackendKind backend, int processes,
                                 double network, double latency) {
  using tiling::ExchangeKind;
  const ExchangeKind usual =
      backend == BackendKind::cuda ? ExchangeKind::device : ExchangeKind::host;
  const ExchangeKind kind = lbm_case.tiling.exchange.value_or(usual);
  if (!joins_hosts(kind)) return {processes, kind};
  return {processes, kind, network, latency};
}

Setup make_setup(const Case& lbm_case, const Derived& derived, Backend& backend,
                 const tiling::ScheduleRequest& request, const tiling::SlabShare& share,
                 int thickest, const TimeLimit& limit, std::optional<CaseBodies> bodies) {
  Setup setup;
  if (thickest == 0) check_lattice_memory(lbm_case, derived, backend);  // else the grid is shared
  static_cast<CaseModel&>(setup) = make_case_model(lbm_case, derived, limit, std::move(bodies));
  setup.share = share;
  setup.staging_limit = staging_limit(host_budget(lbm_case));
  try {
    const Lattice part = thickest > 0 ? with_planes(setup.lattice, thickest) : setup.lattice;
    tiling::ScheduleRequest own = request;
    setup.plan = choose_with_halo(part, setup.boundaries, own, device_budget(lbm_case, backend),
                                  setup.staging_limit);
    setup.neighbours = own.neighbours;
  } catch (const ResourceError& error) {
    const bool capped = lbm_case.device.memory.has_value();
    throw ResourceError(where(lbm_case, capped ? "device.memory" : "grid.cells") + ": " +
                        error.what());
  }
  check_host_memory(lbm_case, setup, backend);
  set_host_memory(lbm_case, backend, request, setup);
  warn_of_small_planes(lbm_case, backend, setup);
  const int cores = usable_cpus(SystemFiles()).allowed;  // a batch system may bind it to some
  if (backend.kind() == BackendKind::cpu && lbm_case.device.threads > cores) {
    setup.warnings.push_back(fmt::format(
        "{}: {} threads share {} cores, which is slower than {} threads: use 0 for all cores",
        where(lbm_case, "device.threads"), lbm_case.device.threads, cores, cores));
  }
  return setup;
}

std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least) {
  // The ranks that share `left` planes in proportion to their speeds, and the sum of these.
  std::vector<std::size_t> sharers(speeds.size());
  std::iota(sharers.begin(), sharers.end(), std::size_t{0});
  std::int64_t left = nz, sum = std::accumulate(speeds.begin(), speeds.end(), std::int64_t{0});
  // Ranks that would get fewer than `least` planes get `least`, which leaves fewer for the others.
  const auto is_slow = [&](std::size_t r) { return left * speeds[r] < least * sum; };
  while (true) {
    const auto slow = std::find_if(sharers.begin(), sharers.end(), is_slow);
    if (slow == sharers.end()) break;
    left -= least;
    sum -= speeds[*slow];
    sharers.erase(slow);
  }
  std::vector<int> planes(speeds.size(), least);
  std::int64_t rest = left;
  for (const std::size_t r : sharers) {
    planes[r] = static_cast<int>(left * speeds[r] / sum);
    rest -= planes[r];
  }
  const auto remainder = [&](std::size_t r) { return left * speeds[r] % sum; };
  std::stable_sort(sharers.begin(), sharers.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t i = 0; i < static_cast<std::size_t>(rest); ++i) ++planes[sharers[i]];
  return planes;
}

std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share) {
  using HostDevice = std::pair<std::string, std::string>;  // host, device name
  std::map<HostDevice, int> taken;
  std::vector<HostDevice> devices;  // by process
  std::vector<std::optional<PickedDevice>> picked;
  for (const auto& [host, names] : all) {
    std::optional<int> best;
    const auto takers = [&, &host = host, &names = names](int i) {
      return taken[{host, names[static_cast<std::size_t>(i)]}];
    };
    for (int i = first; i < static_cast<int>(names.size()); ++i) {
      if (!best || takers(i) < takers(*best)) best = i;
    }
    if (best && takers(*best) > 0 && !share) best.reset();
    devices.emplace_back(host, best ? names[static_cast<std::size_t>(*best)] : "");
    if (best) ++taken[devices.back()];
    picked.push_back(best ? std::optional(PickedDevice{*best, 1}) : std::nullopt);
  }
  for (std::size_t r = 0; r < picked.size(); ++r) {
    if (picked[r]) picked[r]->sharers = taken[devices[r]];
  }
  return picked;
}

int cpu_threads(const UsableCpus& cpus, int processes, std::int64_t cells) {
  int threads = cpus.allowed > 0 ? cpus.allowed : cpus.online;
  if (threads == cpus.online) threads /= processes;
  // A control group stops all threads for the rest of a period once its quota is used up.
  if (cpus.quota > 0) {
    threads = std::min(threads, static_cast<int>(std::lround(cpus.quota / processes)));
  }
  const std::int64_t of_cells = cells / least_cells_of_thread;
  return static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(threads, of_cells)));
}

int cpu_threads_here(int processes, std::int64_t cells) {
  const char* const asked = std::getenv("OMP_NUM_THREADS");
  const int threads = asked == nullptr ? 0 : std::atoi(asked);
  return threads > 0 ? threads : cpu_threads(usable_cpus(SystemFiles::here()), processes, cells);
}

}  // namespace lbm::cases
