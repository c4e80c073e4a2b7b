#include "cases/app/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/app/commands.hpp"
#include "cases/app/limits.hpp"
#include "cases/app/machine.hpp"
#include "cases/app/validate.hpp"
#include "cases/app/yaml_reader.hpp"
#include "io/vtkhdf_writer.hpp"
#include "solver/core/error.hpp"

namespace lbm::app {
namespace {

constexpr double giga = 1e9;

// Bytes per second and direction, alone and both ways at once. Assumed: four fifths of the link's
// data rate; where host memory is shared between the directions, what it gives.
struct Link {
  const char* name;
  double alone, both;
};
constexpr std::array<Link, 4> links = {
    {{"PCIe 4 x16", 25 * giga, 22 * giga},
     {"PCIe 5 x16", 55 * giga, 48 * giga},
     {"NVLink-C2C (Grace Hopper)", 360 * giga, 200 * giga},
     {"NVLink-C2C (GB200, 2 GPUs a host)", 360 * giga, 100 * giga}}};

std::optional<tiling::PlanChoice> try_plan(const Lattice& lattice,
                                           const tiling::PlanRequest& request, std::uint64_t budget,
                                           std::string* refusal = nullptr) {
  try {
    return tiling::choose_plan(lattice, Flags(), request, budget);
  } catch (const ResourceError& error) {
    if (refusal != nullptr) *refusal = error.what();
    return std::nullopt;
  }
}

bool measured(const DeviceSpeeds& speeds, StorageType storage) {
  return speeds.copy > 0 && speeds.link_in > 0 && speeds.update(storage).bytes_per_second > 0;
}

std::optional<tiling::Prediction> predict_choice(const Lattice& lattice,
                                                 const tiling::PlanRequest& request,
                                                 const std::optional<tiling::PlanChoice>& plan,
                                                 const DeviceSpeeds& speeds) {
  if (!plan || !measured(speeds, lattice.storage)) return std::nullopt;
  if (plan->prediction) return plan->prediction;
  return tiling::predict(lattice, plan->options, request.run, speeds);
}

// The largest n in [low, high] for which fits(n); 0 where not even low does. fits must be monotone.
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

class Planner {
 public:
  Planner(const Case& lbm_case, Backend& backend)
      : case_(lbm_case),
        backend_(backend),
        derived_(derive(lbm_case)),
        request_(make_plan_request(lbm_case, derived_, backend)),
        budget_(device_budget(lbm_case, backend)),
        host_(host_budget(lbm_case)) {}

  CasePlan make() {
    CasePlan plan{case_,
                  derived_,
                  make_case_lattice(case_, derived_),
                  backend_.device_name(),
                  backend_.kind(),
                  request_.speeds(),
                  0,
                  0,
                  budget_,
                  backend_.free_memory(),
                  host_,
                  {},
                  {},
                  0,
                  {},
                  {},
                  {},
                  {},
                  0,
                  0,
                  {}};
    const Lattice& lattice = plan.lattice;
    plan.bytes_per_cell = static_cast<double>(lattice.layout.values_per_cell) *
                          static_cast<double>(bytes_per_value(lattice.storage));
    plan.padded_bytes_per_cell =
        static_cast<double>(lattice.layout.bytes) / static_cast<double>(lattice.layout.cells());
    plan.plan = try_plan(lattice, request_, budget_, &plan.refusal);
    if (plan.plan) plan.host_needed = host_bytes_of(*plan.plan, backend_.kind());
    plan.prediction = predict_choice(lattice, request_, plan.plan, plan.speeds);
    plan.in_core = in_core_prediction(lattice, plan.speeds);
    add_largest(plan);
    plan.output_bytes = static_cast<std::uint64_t>(derived_.outputs.count()) *
                        io::predicted_file_bytes(case_.grid.cells);
    add_what_ifs(plan);
    return plan;
  }

 private:
  std::optional<tiling::Prediction> in_core_prediction(const Lattice& lattice,
                                                       const DeviceSpeeds& speeds) const {
    tiling::PlanRequest request = request_;
    request.scheme = tiling::Scheme::in_core;
    request.steps_per_visit.reset();
    request.planes_per_visit.reset();
    const auto plan = try_plan(lattice, request, ~std::uint64_t{0} >> 1);
    return predict_choice(lattice, request, plan, speeds);
  }

  bool fits(const std::array<int, 3>& cells, bool in_core) const {
    Case other = case_;
    other.grid.cells = cells;
    const auto layout = make_plane_layout(cells[0], cells[1], case_.lattice.storage);
    if (layout.bytes / bytes_per_value(case_.lattice.storage) > std::size_t{max_plane_values}) {
      return false;
    }
    tiling::PlanRequest request = request_;
    request.speeds = nullptr;  // what fits does not depend on speed
    if (in_core) request.scheme = tiling::Scheme::in_core;
    const auto plan = try_plan(make_case_lattice(other, derived_), request, budget_);
    return plan && host_bytes_of(*plan, backend_.kind()) <= host_;
  }

  // The case's grid, scaled so that nx is n.
  std::array<int, 3> scaled(int n) const {
    const auto& [nx, ny, nz] = case_.grid.cells;
    const auto other = [&](int m) {
      const double cells = std::round(static_cast<double>(m) * n / nx);
      return static_cast<int>(std::clamp(cells, 1.0, static_cast<double>(max_cells_per_axis)));
    };
    return {n, other(ny), other(nz)};
  }

  void add_largest(CasePlan& plan) const {
    for (const bool in_core : {false, true}) {
      const int n = largest(1, max_cells_per_axis, [&](int m) { return fits(scaled(m), in_core); });
      (in_core ? plan.largest_in_core : plan.largest) = n > 0 ? scaled(n) : std::array<int, 3>{};
    }
    plan.largest_nz = largest(1, max_cells_per_axis, [&](int nz) {
      return fits({case_.grid.cells[0], case_.grid.cells[1], nz}, false);
    });
  }

  void add_what_if(CasePlan& plan, std::string name, bool assumed, const Lattice& lattice,
                   const DeviceSpeeds& speeds, int gpus = 1) const {
    tiling::PlanRequest request = request_;
    request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
    WhatIf what_if{std::move(name), assumed, try_plan(lattice, request, budget_), {}};
    what_if.prediction = predict_choice(lattice, request, what_if.plan, speeds);
    if (what_if.prediction) what_if.prediction->mlups *= gpus;
    plan.what_ifs.push_back(std::move(what_if));
  }

  void add_what_ifs(CasePlan& plan) const {
    if (plan.lattice.storage != StorageType::fp16) {
      Case half = case_;
      half.lattice.storage = StorageType::fp16;
      add_what_if(plan, "fp16 storage", false, make_case_lattice(half, derived_), plan.speeds);
    }
    if (backend_.kind() == BackendKind::cpu) return;
    for (const Link& link : links) {
      DeviceSpeeds speeds = plan.speeds;
      speeds.link_in = speeds.link_out = link.alone;
      speeds.link_in_both = speeds.link_out_both = link.both;
      add_what_if(plan, link.name, true, plan.lattice, speeds);
    }
    for (const int gpus : {2, 4}) {
      Case part = case_;
      part.grid.cells[2] = (part.grid.cells[2] + gpus - 1) / gpus;
      add_what_if(plan, fmt::format("{} such GPUs, no time for exchange", gpus), true,
                  make_case_lattice(part, derived_), plan.speeds, gpus);
    }
  }

  const Case& case_;
  Backend& backend_;
  Derived derived_;
  tiling::PlanRequest request_;
  std::uint64_t budget_, host_;
};

}  // namespace

CasePlan plan_case(const Case& lbm_case, Backend& backend) {
  return Planner(lbm_case, backend).make();
}

int plan_command(const RunOptions& options) {
  const Case lbm_case = read_case(options.case_file, options.overrides);
  validate(lbm_case);
  const auto backend = make_backend(lbm_case);
  const CasePlan plan = plan_case(lbm_case, *backend);
  fmt::print("{}", options.json ? plan_json(plan).dump() : plan_text(plan));
  const bool fits = plan.plan && plan.host_needed <= plan.host_allowed;
  return fits ? exit_ok : exit_resources;
}

}  // namespace lbm::app
