#include "cases/app/setup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cases/app/case_location.hpp"
#include "cases/app/machine.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::app {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

// The Taylor-Green vortex (Brachet et al., J. Fluid Mech. 130 (1983) 411), one period per box:
//   u = U sin X cos Y cos Z, v = -U cos X sin Y cos Z, w = 0,
//   p = rho U^2 / 16 (cos 2X + cos 2Y)(cos 2Z + 2), and rho = 1 + 3 p in lattice units.
InitialState taylor_green(const Grid& grid, double velocity) {
  const auto angles = [](int n) {
    std::vector<double> angle(n);
    for (int i = 0; i < n; ++i) angle[i] = 2 * std::numbers::pi * (i + 0.5) / n;
    return angle;
  };
  struct Waves {
    double sin, cos, cos_2;
  };
  std::vector<Waves> along_x;
  for (const double x : angles(grid.cells[0])) {
    along_x.push_back({std::sin(x), std::cos(x), std::cos(2 * x)});
  }
  return [x = std::move(along_x), y = angles(grid.cells[1]), z = angles(grid.cells[2]), velocity](
             int j, int k, const StateRow& row) {
    const double cos_z = std::cos(z[k]);
    const double pressure = velocity * velocity / 16 * (std::cos(2 * z[k]) + 2);
    const double cos_y = std::cos(y[j]), sin_y = std::sin(y[j]), cos_2y = std::cos(2 * y[j]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      row.ux[i] = velocity * x[i].sin * cos_y * cos_z;
      row.uy[i] = -velocity * x[i].cos * sin_y * cos_z;
      row.density[i] = 1 + 3 * pressure * (x[i].cos_2 + cos_2y);
    }
  };
}

// Of free bytes on the device, what a run may count on: context and fragmentation take the rest.
std::uint64_t usable_of(std::uint64_t free) { return free - std::min(gibibyte / 2, free / 16); }

void check_host_memory(const Case& lbm_case, const Setup& setup, const Backend& backend) {
  const std::uint64_t needed = host_bytes_of(setup.plan, backend.kind());
  const std::uint64_t limit = host_budget(lbm_case);
  if (needed <= limit) return;
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  throw ResourceError(fmt::format(
      "{}: found [{}, {}, {}], which needs {} of host memory, but {} {}; use fewer cells or "
      "lattice.storage: fp16{}",
      where(lbm_case, "grid.cells"), nx, ny, nz, human_bytes(needed), human_bytes(limit),
      lbm_case.host.memory_limit ? "are allowed (host.memory_limit)" : "are available",
      lbm_case.host.memory_limit ? "" : ", or set host.memory_limit if the machine has more"));
}

// What the case says of the lattice's memory, for this device and plan.
void set_host_memory(const Case& lbm_case, const Backend& backend, Setup& setup) {
  if (setup.plan.options.scheme == tiling::Scheme::in_core) return;
  const HostMemory kind = lbm_case.host.memory.value_or(HostMemory::pinned);
  const DeviceFacts device = backend.facts();
  if (kind == HostMemory::managed) {
    const auto lattice = setup.lattice.layout.bytes * static_cast<std::size_t>(setup.lattice.nz);
    const auto refusal = managed_refusal(lattice, setup.plan.device_bytes,
                                         usable_of(backend.free_memory()), device.name);
    if (refusal) throw ResourceError(where(lbm_case, "host.memory") + ": " + *refusal);
  }
  if (const auto warning = warning_of(kind, device)) {
    setup.warnings.push_back(where(lbm_case, "host.memory") + ": " + *warning);
  }
  setup.host_memory = kind;
}

std::unique_ptr<Backend> make_device(const Case& lbm_case) {
  const Device& device = lbm_case.device;
  const BackendKind kind =
      device.backend.value_or(cuda_device_count() > 0 ? BackendKind::cuda : BackendKind::cpu);
  if (kind == BackendKind::cpu) return make_cpu_backend(device.threads);
  try {
    return make_cuda_backend(device.index);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", lbm_case.file, error.what()));
  }
}

}  // namespace

std::unique_ptr<Backend> make_backend(const Case& lbm_case) {
  auto backend = make_device(lbm_case);
  const HostMemory memory = lbm_case.host.memory.value_or(HostMemory::pinned);
  if (const auto refusal = refusal_of(memory, backend->facts())) {
    throw UsageError(where(lbm_case, "host.memory") + ": " + *refusal);
  }
  return backend;
}

Lattice make_case_lattice(const Case& lbm_case, const Derived& derived) {
  std::array<WallFace, 6> faces;
  for (int f = 0; f < 6; ++f) {
    faces[f].wall = lbm_case.faces[f].type == FaceType::wall;
    for (int i = 0; i < 3; ++i) {
      faces[f].velocity[i] = lbm_case.faces[f].velocity[i] * derived.velocity;
    }
  }
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  return make_lattice(nx, ny, nz, lbm_case.lattice.storage, derived.tau, faces);
}

std::uint64_t device_budget(const Case& lbm_case, const Backend& backend) {
  const std::uint64_t free = backend.free_memory();
  return std::min(lbm_case.device.memory.value_or(usable_of(free)), free);
}

std::uint64_t measuring_budget(const Backend& backend) { return usable_of(backend.free_memory()); }

std::uint64_t host_budget(const Case& lbm_case) {
  return lbm_case.host.memory_limit.value_or(host_memory_available());
}

// A small share: the lattice needs the rest.
std::uint64_t staging_limit(std::uint64_t host_budget) { return host_budget / 32; }

tiling::PlanChoice choose_with_outputs(const Lattice& lattice, const Boundaries& boundaries,
                                       const tiling::PlanRequest& request,
                                       std::uint64_t device_budget, std::uint64_t staging_limit) {
  tiling::PlanChoice choice = tiling::choose_plan(lattice, boundaries, request, device_budget);
  if (request.emits) {
    choice.host_bytes +=
        tiling::Pipeline::host_bytes_needed(lattice, choice.options, staging_limit);
  }
  return choice;
}

std::uint64_t host_bytes_of(const tiling::PlanChoice& plan, BackendKind kind) {
  return plan.host_bytes + (kind == BackendKind::cpu ? plan.device_bytes : 0);
}

tiling::PlanRequest make_plan_request(const Case& lbm_case, const Derived& derived,
                                      Backend& backend) {
  const std::int64_t outputs = derived.outputs.count();
  tiling::PlanRequest request;
  request.scheme = lbm_case.tiling.scheme;
  request.steps_per_visit = lbm_case.tiling.steps_per_visit;
  request.planes_per_visit = lbm_case.tiling.planes_per_visit;
  request.run.steps = derived.steps;
  request.run.output_interval =
      outputs > 1 ? std::max<std::int64_t>(1, derived.steps / outputs) : 0;
  request.emits = outputs > 0 || lbm_case.output.profiles;
  request.threads = backend.threads();
  request.speeds = [&backend,
                    known = std::optional<DeviceSpeeds>()]() mutable -> const DeviceSpeeds& {
    if (!known) known = speeds_of(backend, measuring_budget(backend));
    return *known;
  };
  return request;
}

Setup make_setup(const Case& lbm_case, Backend& backend) {
  return make_setup(lbm_case, backend, make_plan_request(lbm_case, derive(lbm_case), backend));
}

Setup make_setup(const Case& lbm_case, Backend& backend, const tiling::PlanRequest& request) {
  Setup setup;
  setup.derived = derive(lbm_case);
  setup.lattice = make_case_lattice(lbm_case, setup.derived);
  setup.staging_limit = staging_limit(host_budget(lbm_case));
  if (lbm_case.initial.flow == InitialFlow::taylor_green) {
    setup.initial = taylor_green(lbm_case.grid, setup.derived.velocity);
  }
  try {
    setup.plan = choose_with_outputs(setup.lattice, setup.boundaries, request,
                                     device_budget(lbm_case, backend), setup.staging_limit);
  } catch (const ResourceError& error) {
    const bool capped = lbm_case.device.memory.has_value();
    throw ResourceError(where(lbm_case, capped ? "device.memory" : "grid.cells") + ": " +
                        error.what());
  }
  check_host_memory(lbm_case, setup, backend);
  set_host_memory(lbm_case, backend, setup);
  return setup;
}

}  // namespace lbm::app
