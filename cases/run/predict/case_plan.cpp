#include "cases/run/predict/case_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case/limits.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/checkpoint/checkpoint_sizes.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/results/statistics_files.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr double giga = 1e9;

// Link speeds in bytes per second, each way alone and both at once. Assumed from values reached in
// practice; if both ways share the host's memory, that is the limit.
struct Link {
  const char* name;
  double alone, both;
};
constexpr std::array<Link, 4> links = {
    {{"PCIe 4 x16", 25 * giga, 22 * giga},
     {"PCIe 5 x16", 55 * giga, 48 * giga},
     {"NVLink-C2C (Grace Hopper)", 360 * giga, 200 * giga},
     {"NVLink-C2C (GB200, 2 GPUs a host)", 360 * giga, 100 * giga}}};

std::optional<tiling::ScheduleChoice> try_plan(const Lattice& lattice,
                                               const tiling::ScheduleRequest& request,
                                               std::uint64_t budget, std::uint64_t host) {
  try {
    return choose_with_outputs(lattice, Boundaries(), request, budget, staging_limit(host));
  } catch (const ResourceError&) {
    return std::nullopt;
  }
}

std::optional<tiling::Prediction> predict_choice(const Lattice& lattice,
                                                 const tiling::ScheduleRequest& request,
                                                 const std::optional<tiling::ScheduleChoice>& plan,
                                                 const DeviceSpeeds& speeds) {
  if (!plan || !speeds.measured(lattice.storage)) return std::nullopt;
  if (plan->prediction) return plan->prediction;
  if (request.neighbours.any() && lattice.nz < tiling::least_slab_planes(plan->options)) {
    return std::nullopt;
  }
  return tiling::predict(lattice, plan->options, request.run, speeds, request.neighbours);
}

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
  CasePlanBuilder(const Case& lbm_case, Backend& backend, const Processes& processes)
      : case_(lbm_case),
        processes_(processes),
        backend_(backend),
        derived_(derive(lbm_case)),
        free_(backend.free_memory()),
        request_(make_schedule_request(lbm_case, derived_, backend)),
        budget_(device_budget(lbm_case, backend)),
        host_(host_budget(lbm_case) / static_cast<std::uint64_t>(processes.per_host)) {
    request_.neighbours =
        neighbours_of(lbm_case, backend.kind(), processes.count, processes.bytes_per_second);
    own_.host.memory_limit = host_;
  }

  CasePlan make() {
    CasePlan plan(case_);
    plan.derived = derived_;
    plan.lattice = make_case_lattice(case_, derived_);
    plan.processes = processes_;
    plan.slab_planes = slab_planes(case_.grid.cells[2]);
    plan.neighbours = request_.neighbours;
    plan.device = backend_.device_name();
    plan.backend = backend_.kind();
    plan.speeds = request_.speeds();
    plan.device_allowed = budget_;
    plan.device_free = free_;
    plan.host_allowed = host_;
    plan.warnings = warnings(case_);
    const Lattice& lattice = plan.lattice;
    const Lattice part = slab(lattice);
    plan.bytes_per_cell = static_cast<double>(lattice.layout.values_per_cell) *
                          static_cast<double>(bytes_per_value(lattice.storage));
    plan.padded_bytes_per_cell =
        static_cast<double>(lattice.layout.bytes) / static_cast<double>(lattice.layout.cells());
    add_run(plan);
    const auto file = speeds_file(plan.device);
    if (file && std::filesystem::exists(*file)) plan.speeds_file = file->string();
    plan.device_least = tiling::least_device_bytes(part, Boundaries(), request_);
    if (plan.plan) plan.host_needed = host_bytes_of(*plan.plan, backend_.kind());
    plan.prediction = of_all(predict_choice(part, request_, plan.plan, plan.speeds));
    plan.in_core = of_all(in_core_prediction(part, plan.speeds));
    add_largest(plan);
    plan.results = result_sizes(case_, derived_);
    plan.checkpoint_bytes = checkpoint_bytes(case_, derived_, lattice);
    plan.checkpoints_on_disk = checkpoints_to_come(case_, derived_);
    add_what_ifs(plan);
    return plan;
  }

 private:
  int slab_planes(int nz) const { return (nz + processes_.count - 1) / processes_.count; }

  // The lattice of the rank with the thickest slab.
  Lattice slab(const Lattice& lattice) const {
    Lattice part = lattice;
    part.nz = slab_planes(lattice.nz);
    return part;
  }

  // The prediction of one rank, with the speed of all ranks.
  std::optional<tiling::Prediction> of_all(std::optional<tiling::Prediction> p) const {
    if (!p) return p;
    const auto& n = case_.grid.cells;
    const double cells = static_cast<double>(n[0]) * n[1] * n[2];
    p->mlups = 1e-6 * cells * static_cast<double>(derived_.steps) / p->seconds;
    return p;
  }

  // What `lbm run` would do, with its messages.
  void add_run(CasePlan& plan) const {
    try {
      const bool several = processes_.count > 1;
      const Setup setup =
          several ? make_setup(own_, backend_, request_, {0, plan.slab_planes}, plan.slab_planes)
                  : make_setup(case_, backend_, request_);
      plan.neighbours = setup.neighbours;
      plan.plan = setup.plan;
      plan.warnings.insert(plan.warnings.end(), setup.warnings.begin(), setup.warnings.end());
    } catch (const ResourceError& error) {
      plan.refusal = error.what();
      plan.plan = try_plan(slab(plan.lattice), request_, budget_, host_);
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

  std::optional<tiling::Prediction> in_core_prediction(const Lattice& lattice,
                                                       const DeviceSpeeds& speeds) const {
    const tiling::ScheduleRequest request = in_core_request();
    const auto plan = try_plan(lattice, request, ~std::uint64_t{0} >> 1, host_);
    return predict_choice(lattice, request, plan, speeds);
  }

  bool fits(const std::array<int, 3>& cells, bool in_core) const {
    Case other = case_;
    other.grid.cells = cells;
    const auto layout = make_plane_layout(cells[0], cells[1], case_.lattice.storage);
    if (cells[1] > max_rows ||
        layout.bytes / bytes_per_value(case_.lattice.storage) > std::size_t{max_plane_values}) {
      return false;
    }
    tiling::ScheduleRequest request = in_core ? in_core_request() : request_;
    request.speeds = nullptr;  // speeds do not affect what fits
    request.outputs = output_shape(other, derived_);
    request.held_bytes = statistics_bytes(other, derived_);
    const auto plan = try_plan(slab(make_case_lattice(other, derived_)), request, budget_, host_);
    return plan && host_bytes_of(*plan, backend_.kind()) <= host_;
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

  int least_nz() const { return processes_.count > 1 ? 2 * processes_.count : 1; }

  // Longest axis of the smallest grid of the same shape with planes for all ranks.
  int least_longest() const {
    int n = 1;
    while (scaled(n)[2] < least_nz()) ++n;
    return n;
  }

  void add_largest(CasePlan& plan) const {
    for (const bool in_core : {false, true}) {
      const int n = largest(least_longest(), max_cells_per_axis,
                            [&](int m) { return fits(scaled(m), in_core); });
      (in_core ? plan.largest_in_core : plan.largest) = n > 0 ? scaled(n) : std::array<int, 3>{};
    }
    plan.largest_nz = largest(least_nz(), max_cells_per_axis, [&](int nz) {
      return fits({case_.grid.cells[0], case_.grid.cells[1], nz}, false);
    });
  }

  // lattice: of one rank.
  void add_what_if(CasePlan& plan, std::string name, bool assumed, const Lattice& lattice,
                   const DeviceSpeeds& speeds, int processes = 0) const {
    tiling::ScheduleRequest request = request_;
    if (processes > 0) {
      request.neighbours = neighbours_of(case_, backend_.kind(), processes, 0);
    }
    request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
    WhatIf what_if{std::move(name), assumed, try_plan(lattice, request, budget_, host_), {}};
    what_if.prediction = of_all(predict_choice(lattice, request, what_if.plan, speeds));
    plan.what_ifs.push_back(std::move(what_if));
  }

  void add_what_ifs(CasePlan& plan) const {
    if (plan.lattice.storage != StorageType::fp16) {
      Case half = case_;
      half.lattice.storage = StorageType::fp16;
      add_what_if(plan, "fp16 storage", false, slab(make_case_lattice(half, derived_)),
                  plan.speeds);
    }
    if (backend_.kind() == BackendKind::cpu) return;
    for (const Link& link : links) {
      DeviceSpeeds speeds = plan.speeds;
      speeds.link_in = speeds.link_out = link.alone;
      speeds.link_in_both = speeds.link_out_both = link.both;
      add_what_if(plan, link.name, true, slab(plan.lattice), speeds);
    }
    if (processes_.count > 1) return;
    for (const int gpus : {2, 4}) {
      Lattice part = plan.lattice;
      part.nz = (part.nz + gpus - 1) / gpus;
      add_what_if(plan, fmt::format("{} such GPUs, each with such a link", gpus), true, part,
                  plan.speeds, gpus);
    }
  }

  const Case& case_;
  Case own_ = case_;  // with the memory of one rank
  Processes processes_;
  Backend& backend_;
  Derived derived_;
  std::uint64_t free_;
  tiling::ScheduleRequest request_;
  std::uint64_t budget_, host_;
};

}  // namespace

CasePlan plan_case(const Case& lbm_case, Backend& backend, const Processes& processes) {
  return CasePlanBuilder(lbm_case, backend, processes).make();
}

}  // namespace lbm::cases
