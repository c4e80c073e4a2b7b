// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/case_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case/limits.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/results/consumers.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr double gigabyte = 1e9;

// Link speeds in bytes per second, each way alone and both at once. Assumed from values reached in
// practice; if both ways share the host's memory, that is the limit.
struct Link {
  const char* name;
  double alone, both;
};
constexpr std::array<Link, 4> links = {
    {{"PCIe 4 x16", 25 * gigabyte, 22 * gigabyte},
     {"PCIe 5 x16", 55 * gigabyte, 48 * gigabyte},
     {"NVLink-C2C (Grace Hopper)", 360 * gigabyte, 200 * gigabyte},
     {"NVLink-C2C (GB200, 2 GPUs a host)", 360 * gigabyte, 100 * gigabyte}}};

// The largest n in [low, high] with fits(n), or 0 if there is none. fits must be monotone.
template <class Fits>
int largest(int low, int high, const Fits& fits) {
  if (high < low || !fits(low)) return 0;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

class CasePlanBuilder {
 public:
  // machine: null for the machine at hand.
  CasePlanBuilder(const Case& lbm_case, const Derived& derived, Backend& backend,
                  const Processes& processes, const DescribedMachine* machine)
      : case_(lbm_case), backend_(backend), plan_(lbm_case) {
    if (machine != nullptr) {
      plan_.machine = machine->name;
      plan_.assumptions = machine->assumptions;
      case_.host.memory_limit = std::min(case_.host.memory_limit.value_or(machine->host_available),
                                         machine->host_available);
    }
    plan_.derived = derived;
    plan_.processes = processes;
    plan_.slab_planes = slab_planes(case_.grid.cells[2]);
    plan_.device = backend_.device_name();
    plan_.backend = backend_.kind();
    plan_.shares_memory = shares_host_memory(backend_.facts());
    plan_.device_free = backend.free_memory();
    request_ = make_schedule_request(lbm_case, plan_.derived, backend);
    if (machine != nullptr) {
      request_.speeds = [speeds = machine->speeds]() -> const DeviceSpeeds& { return speeds; };
    }
    request_.neighbours = neighbours_of(lbm_case, backend.kind(), processes.count,
                                        processes.bytes_per_second, processes.latency);
    limit_sweeps(lbm_case, plan_.derived, processes.count > 1, request_.run);
    plan_.neighbours = request_.neighbours;
    plan_.device_allowed = device_budget(lbm_case, backend);
    plan_.host_allowed = host_budget(case_) / static_cast<std::uint64_t>(processes.per_host);
    choose_stored_values();
    plan_.lattice = make_case_lattice(case_, plan_.derived);
  }

  CasePlan make() {
    plan_.speeds = request_.speeds();
    plan_.warnings = warnings(case_, plan_.derived);
    add_run();
    const Lattice& lattice = plan_.lattice;
    const Lattice part = slab(lattice);
    plan_.bytes_per_cell = static_cast<double>(lattice.layout.values_per_cell) *
                           static_cast<double>(bytes_per_value(lattice.storage));
    plan_.padded_bytes_per_cell =
        static_cast<double>(lattice.bytes()) / lattice.stored_cells_of_plane() / lattice.nz;
    const auto file = speeds_file(plan_.device);
    if (plan_.machine.empty() && file && std::filesystem::exists(*file))
      plan_.speeds_file = file->string();
    plan_.device_least = tiling::least_device_bytes(part, Boundaries(), request_);
    if (plan_.plan) plan_.host_needed = host_bytes_of(*plan_.plan, backend_.facts());
    plan_.prediction = of_all(predict_choice(part, request_, plan_.plan));
    plan_.in_core = of_all(in_core_prediction(part));
    add_largest();
    plan_.results = result_sizes(case_, plan_.derived);
    plan_.checkpoint_bytes = checkpoint_bytes(case_, plan_.derived, lattice);
    plan_.checkpoints_on_disk = checkpoints_to_come(case_, plan_.derived);
    add_representations();
    add_what_ifs();
    return std::move(plan_);
  }

 private:
  // The case with the memory of one rank.
  Case case_of_rank() const {
    Case own = case_;
    if (plan_.processes.count > 1) own.host.memory_limit = plan_.host_allowed;
    return own;
  }

  void choose_stored_values() {
    if (case_.lattice.representation) return;
    const RepresentationChoice choice = choose_representation(case_);
    case_.lattice.representation = choice.representation;
    plan_.representation_reason = choice.reason;
  }

  int slab_planes(int nz) const { return (nz + plan_.processes.count - 1) / plan_.processes.count; }

  // The lattice of the rank with the thickest slab.
  Lattice slab(const Lattice& lattice) const {
    return with_planes(lattice, slab_planes(lattice.nz));
  }

  // Lattice of `other`, the case with changed keys. Where only fluid cells are stored, their share
  // is that of the case.
  Lattice lattice_of(const Case& other) const {
    const Lattice all = make_case_lattice(other, plan_.derived);
    const double share = plan_.lattice.stored_share;
    return plan_.lattice.layout.fluid_only ? with_fluid_share(all, share) : all;
  }

  // The prediction of one rank, with the speed of all ranks.
  std::optional<tiling::Prediction> of_all(std::optional<tiling::Prediction> p) const {
    if (!p) return p;
    const auto& n = case_.grid.cells;
    const double cells = static_cast<double>(n[0]) * n[1] * n[2];
    p->mlups = 1e-6 * cells * static_cast<double>(plan_.derived.steps) / p->seconds;
    return p;
  }

  // Adds the schedule that `lbm run` would choose, with its warnings or its error message.
  void add_run() {
    const Case own = case_of_rank();
    try {
      const bool several = plan_.processes.count > 1;
      const Setup setup = several ? make_setup(own, plan_.derived, backend_, request_,
                                               {0, plan_.slab_planes}, plan_.slab_planes)
                                  : make_setup(own, plan_.derived, backend_, request_);
      plan_.lattice = setup.lattice;
      plan_.neighbours = setup.neighbours;
      plan_.plan = setup.plan;
      plan_.warnings.insert(plan_.warnings.end(), setup.warnings.begin(), setup.warnings.end());
    } catch (const ResourceError& error) {
      plan_.refusal = error.what();
      plan_.plan = try_plan(slab(plan_.lattice), request_, plan_.device_allowed);
    }
  }

  // budget: bytes of device memory.
  std::optional<tiling::ScheduleChoice> try_plan(const Lattice& lattice,
                                                 const tiling::ScheduleRequest& request,
                                                 std::uint64_t budget) const {
    try {
      return choose_with_outputs(lattice, Boundaries(), request, budget,
                                 staging_limit(plan_.host_allowed));
    } catch (const ResourceError&) {
      return std::nullopt;
    }
  }

  // The same case in core; k and B are left to it, since those of another scheme do not apply.
  tiling::ScheduleRequest in_core_request() const {
    tiling::ScheduleRequest request = request_;
    if (request.scheme == tiling::Scheme::in_core) return request;
    request.scheme = tiling::Scheme::in_core;
    request.steps_per_visit.reset();
    request.planes_per_visit.reset();
    return request;
  }

  std::optional<tiling::Prediction> in_core_prediction(const Lattice& lattice) const {
    const tiling::ScheduleRequest request = in_core_request();
    const auto plan = try_plan(lattice, request, ~std::uint64_t{0} >> 1);
    return predict_choice(lattice, request, plan);
  }

  // other: the case, maybe with other lattice keys.
  bool fits(Case other, const std::array<int, 3>& cells, bool in_core) const {
    other.grid.cells = cells;
    const LatticeKeys& keys = other.lattice;
    const PlaneLayout layout =
        make_plane_layout(cells[0], cells[1], keys.storage, keys.representation.value());
    if (cells[1] > max_rows || !plane_is_allowed(layout, keys.storage)) return false;
    tiling::ScheduleRequest request = in_core ? in_core_request() : request_;
    request.speeds = nullptr;  // speeds do not affect what fits
    request.outputs = output_shape(other, plan_.derived);
    request.held_bytes =
        statistics_bytes(other, plan_.derived) + pictures_bytes(other, plan_.derived);
    const Lattice part = slab(lattice_of(other));
    const auto plan = try_plan(part, request, plan_.device_allowed);
    return plan && host_bytes_of(*plan, backend_.facts()) <= plan_.host_allowed;
  }

  // The case's grid, scaled to a longest axis of n cells.
  std::array<int, 3> scaled(int n) const {
    const auto& cells = case_.grid.cells;
    const double longest = *std::max_element(cells.begin(), cells.end());
    std::array<int, 3> other{};
    for (int i = 0; i < 3; ++i) {
      other[i] = std::max(1, static_cast<int>(std::lround(cells[i] * (n / longest))));
    }
    return other;
  }

  int least_nz() const { return plan_.processes.count > 1 ? 2 * plan_.processes.count : 1; }

  // Longest axis of the smallest grid of the same shape with planes for all ranks.
  int least_longest() const {
    int n = 1;
    while (scaled(n)[2] < least_nz()) ++n;
    return n;
  }

  // Zeros if none fits.
  std::array<int, 3> largest_cells(const Case& other, bool in_core) const {
    const int n = largest(least_longest(), max_cells_per_axis,
                          [&](int m) { return fits(other, scaled(m), in_core); });
    return n > 0 ? scaled(n) : std::array<int, 3>{};
  }

  void add_largest() {
    plan_.largest = largest_cells(case_, false);
    plan_.largest_in_core = largest_cells(case_, true);
    plan_.largest_nz = largest(least_nz(), max_cells_per_axis, [&](int nz) {
      return fits(case_, {case_.grid.cells[0], case_.grid.cells[1], nz}, false);
    });
  }

  void add_representations() {
    if (!is_regularised(case_.lattice.collision)) return;
    for (const Representation representation : all_representations) {
      RepresentationPlan& row = plan_.representations.emplace_back();
      row.representation = representation;
      row.bytes_per_cell =
          values_of(representation) * static_cast<double>(bytes_per_value(case_.lattice.storage));
      if (representation == plan_.lattice.representation) {
        row.largest = plan_.largest;
        row.plan = plan_.plan;
        row.prediction = plan_.prediction;
        continue;
      }
      Case other = case_;
      other.lattice.representation = representation;
      const Lattice part = slab(lattice_of(other));
      row.largest = largest_cells(other, false);
      row.plan = try_plan(part, request_, plan_.device_allowed);
      row.prediction = of_all(predict_choice(part, request_, row.plan));
    }
  }

  // lattice: of one rank.
  void add_what_if(std::string name, bool assumed, const Lattice& lattice,
                   const DeviceSpeeds& speeds, int processes = 0) {
    tiling::ScheduleRequest request = request_;
    if (processes > 0) {
      request.neighbours = neighbours_of(case_, plan_.backend, processes, 0);
    }
    request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
    WhatIf what_if{std::move(name), assumed, try_plan(lattice, request, plan_.device_allowed), {}};
    what_if.prediction = of_all(predict_choice(lattice, request, what_if.plan));
    plan_.what_ifs.push_back(std::move(what_if));
  }

  void add_what_ifs() {
    if (plan_.lattice.storage != StorageType::fp16) {
      Case half = case_;
      half.lattice.storage = StorageType::fp16;
      add_what_if("fp16 storage", false, slab(lattice_of(half)), plan_.speeds);
    }
    if (plan_.shares_memory) return;
    for (const Link& link : links) {
      DeviceSpeeds speeds = plan_.speeds;
      speeds.link_in = speeds.link_out = link.alone;
      speeds.link_in_both = speeds.link_out_both = link.both;
      add_what_if(link.name, true, slab(plan_.lattice), speeds);
    }
    if (plan_.processes.count > 1) return;
    for (const int gpus : {2, 4}) {
      const Lattice part = with_planes(plan_.lattice, (plan_.lattice.nz + gpus - 1) / gpus);
      add_what_if(fmt::format("{} such GPUs, each with such a link", gpus), true, part,
                  plan_.speeds, gpus);
    }
  }

  Case case_;  // with the representation that was chosen
  Backend& backend_;
  CasePlan plan_;
  tiling::ScheduleRequest request_;
};

}  // namespace

CasePlan plan_case(const Case& lbm_case, const Derived& derived, Backend& backend,
                   const Processes& processes) {
  return CasePlanBuilder(lbm_case, derived, backend, processes, nullptr).make();
}

CasePlan plan_case(const Case& lbm_case, const Derived& derived, const DescribedMachine& machine,
                   const Processes& processes) {
  const auto backend = make_described_backend(machine);
  return CasePlanBuilder(lbm_case, derived, *backend, processes, &machine).make();
}

}  // namespace lbm::cases
