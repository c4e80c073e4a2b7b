// SPDX-License-Identifier: Apache-2.0

// The plan of a case. CasePlanBuilder asks the functions of a run, for the case and for variations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case/limits.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/machines/described_machine.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/results/field_consumer.hpp"
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

std::string grid_text(const std::array<int, 3>& n) {
  if (n[0] == 0) return "none";
  return fmt::format("{} x {} x {} = {:.4g} cells", n[0], n[1], n[2],
                     static_cast<double>(cell_count(n)));
}

class CasePlanBuilder {
 public:
  // machine: null for the machine at hand.
  CasePlanBuilder(const Case& lbm_case, const PlanOptions& options, Backend& backend,
                  const DescribedMachine* machine)
      : case_(lbm_case),
        derived_(validate(lbm_case)),
        backend_(backend),
        machine_(machine),
        processes_(options.processes),
        per_host_(options.per_host > 0 ? std::min(options.per_host, processes_) : processes_),
        slab_planes_(slab_planes(case_.grid.cells[2])) {
    request_ = make_schedule_request(lbm_case, derived_, backend);
    if (machine != nullptr) {
      case_.host.memory_limit = std::min(case_.host.memory_limit.value_or(machine->host_available),
                                         machine->host_available);
      request_.speeds = [machine]() -> const DeviceSpeeds& { return machine->speeds; };
    }
    request_.neighbours = neighbours_of(lbm_case, backend.kind(), processes_, options.network * 1e9,
                                        options.latency * 1e-6);
    limit_sweeps(lbm_case, derived_, processes_ > 1, request_.run);
    neighbours_ = request_.neighbours;
    device_allowed_ = device_budget(lbm_case, backend);
    host_allowed_ = host_budget(case_) / static_cast<std::uint64_t>(per_host_);
    if (!case_.lattice.representation) {
      const RepresentationChoice choice = choose_representation(case_);
      case_.lattice.representation = choice.representation;
      reason_ = choice.reason;
    }
    lattice_ = make_case_lattice(case_, derived_);
    speeds_ = request_.speeds();
    warnings_ = warnings(case_, derived_);
    add_run();
  }

  // lbm_case: as the user wrote it.
  Answer make(const Case& lbm_case) {
    const Lattice part = slab(lattice_);
    const Predicted prediction = of_all(predict_choice(part, request_, plan_));
    const auto in_core_run = in_core_request();
    const Predicted in_core = of_all(
        predict_choice(part, in_core_run, try_plan(part, in_core_run, ~std::uint64_t{0} >> 1)));
    const auto largest = largest_cells(case_, false), in_core_cells = largest_cells(case_, true);
    io::Json json = head(lbm_case), words;
    json["bytes_per_cell"] = stored_bytes(lattice_.representation);
    json["padded_bytes_per_cell"] =
        static_cast<double>(lattice_.bytes()) / lattice_.stored_cells_of_plane() / lattice_.nz;
    json["fits"] = refusal_.empty();
    if (!refusal_.empty()) json["refusal"] = refusal_;
    json["device_bytes_allowed"] = device_allowed_;
    json["device_bytes_free"] = backend_.free_memory();
    json["least_device_bytes"] = tiling::least_device_bytes(part, Boundaries(), request_);
    if (plan_) json["host_bytes_needed"] = host_bytes_of(*plan_, backend_.facts());
    json["host_bytes_allowed"] = host_allowed_;
    json["largest_cells"] = largest;
    json["largest_cells_in_core"] = in_core_cells;
    json["largest_nz"] = lbm::cases::largest(least_nz(), max_cells_per_axis, [&](int nz) {
      return fits(case_, {case_.grid.cells[0], case_.grid.cells[1], nz}, false);
    });
    add_files(case_, derived_, lattice_, json, words);
    add_coarser_grids(case_, derived_, json);
    add_schedule(plan_, prediction, json);
    add_time_to_answer(
        case_, derived_, to_answer_,
        prediction ? std::optional(prediction->seconds / static_cast<double>(derived_.steps))
                   : std::nullopt,
        json);
    if (in_core) json["in_core_mlups"] = in_core->mlups;
    const auto& update = speeds_.update(lattice_);
    json["bytes_per_second"] = {{"device_copy", speeds_.copy},
                                {"update", update.bytes_per_second},
                                {"update_blocked", update.blocked_bytes_per_second},
                                {"link_in", speeds_.link_in},
                                {"link_out", speeds_.link_out},
                                {"link_in_both", speeds_.link_in_both},
                                {"link_out_both", speeds_.link_out_both}};
    json["what_if"] = what_ifs();
    json["representations"] = representations(largest, prediction, words);
    json["warnings"] = warnings_;
    add_words(lbm_case, largest, in_core_cells, words);
    words.update(json);
    return {json, formula::rendered(plan_page(), words)};
  }

 private:
  io::Json head(const Case& lbm_case) const {
    io::Json json = {{"case", case_.name},
                     {"case_file", case_.file},
                     {"device", backend_.device_name()},
                     {"backend", to_string(backend_.kind())},
                     {"storage", to_string(lattice_.storage)},
                     {"representation", to_string(lattice_.representation)},
                     {"representation_reason", reason_},
                     {"processes", processes_}};
    if (machine_ != nullptr) {
      json["machine"] = machine_->name;
      json["assumptions"] = machine_->assumptions;
    }
    if (processes_ > 1) {
      json["processes_per_host"] = per_host_;
      json["slab_planes"] = slab_planes_;
      json["exchange"] = tiling::to_string(neighbours_.exchange);
    }
    json.update({{"reynolds", derived_.reynolds},
                 {"target_reynolds", lbm_case.fluid.target_reynolds},
                 {"cells", case_.grid.cells},
                 {"cell_count", cell_count(case_.grid.cells)},
                 {"steps", derived_.steps},
                 {"stored_cells",
                  to_string(lattice_.layout.fluid_only ? CellsStored::fluid : CellsStored::all)},
                 {"stored_share", lattice_.stored_share}});
    return json;
  }

  // Values of the page besides the JSON.
  void add_words(const Case& lbm_case, const std::array<int, 3>& largest,
                 const std::array<int, 3>& largest_in_core, io::Json& words) const {
    words.update({{"grid", grid_text(case_.grid.cells)},
                  {"reynolds_text", reynolds_text(lbm_case, derived_)},
                  {"values_per_cell", lattice_.layout.values_per_cell},
                  {"scalar_values", values_per_scalar * lattice_.scalar_count()},
                  {"moments", lattice_.representation == Representation::moments},
                  {"fluid_only", lattice_.layout.fluid_only},
                  {"shares_memory", shares_host_memory(backend_.facts())},
                  {"host_limited", lbm_case.host.memory_limit.has_value()},
                  {"largest", grid_text(largest)},
                  {"largest_in_core", grid_text(largest_in_core)},
                  {"cuda", backend_.kind() == BackendKind::cuda},
                  {"out_of_core", plan_ && plan_->options.scheme != tiling::Scheme::in_core},
                  {"measured", speeds_.when},
                  {"load", speeds_.load},
                  {"busy", was_busy(speeds_)}});
    const auto file = speeds_file(backend_.device_name());
    if (machine_ == nullptr && file && std::filesystem::exists(*file))
      words["speeds_file"] = file->string();
  }

  double stored_bytes(Representation representation) const {
    return lbm::values_of({representation, velocity_set(case_.lattice),
                           static_cast<int>(case_.scalars.size())}) *
           static_cast<double>(bytes_per_value(case_.lattice.storage));
  }

  int slab_planes(int nz) const { return (nz + processes_ - 1) / processes_; }

  // The lattice of the rank with the thickest slab.
  Lattice slab(const Lattice& lattice) const {
    return with_planes(lattice, slab_planes(lattice.nz));
  }

  // Lattice of `other`, the case with changed keys. Where only fluid cells are stored, their share
  // is that of the case.
  Lattice lattice_of(const Case& other) const {
    const Lattice all = make_case_lattice(other, derived_);
    const double share = lattice_.stored_share;
    return lattice_.layout.fluid_only ? with_fluid_share(all, share) : all;
  }

  // The prediction of one rank, with the speed of all ranks.
  Predicted of_all(Predicted p) const {
    if (!p) return p;
    const auto& n = case_.grid.cells;
    const double cells = static_cast<double>(n[0]) * n[1] * n[2];
    p->mlups = 1e-6 * cells * static_cast<double>(derived_.steps) / p->seconds;
    return p;
  }

  // Adds the schedule that `lbm run` would choose, with its warnings or its error message.
  void add_run() {
    const bool several = processes_ > 1;
    Case own = case_;
    if (several) own.host.memory_limit = host_allowed_;
    try {
      const Setup setup =
          several ? make_setup(own, derived_, backend_, request_, {0, slab_planes_}, slab_planes_)
                  : make_setup(own, derived_, backend_, request_);
      lattice_ = setup.lattice;
      neighbours_ = setup.neighbours;
      plan_ = setup.plan;
      warnings_.insert(warnings_.end(), setup.warnings.begin(), setup.warnings.end());
      to_answer_ = time_to_answer(case_, derived_, setup.boundaries.view());
    } catch (const ResourceError& error) {
      refusal_ = error.what();
      if (case_.bodies.empty()) to_answer_ = time_to_answer(case_, derived_, {});
      plan_ = try_plan(slab(lattice_), request_, device_allowed_);
    }
  }

  // budget: bytes of device memory.
  Choice try_plan(const Lattice& lattice, const tiling::ScheduleRequest& request,
                  std::uint64_t budget) const {
    try {
      return choose_with_outputs(lattice, Boundaries(), request, budget,
                                 staging_limit(host_allowed_));
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

  // other: the case, maybe with other lattice keys.
  bool fits(Case other, const std::array<int, 3>& cells, bool in_core) const {
    other.grid.cells = cells;
    const LatticeKeys& keys = other.lattice;
    const PlaneLayout layout = make_plane_layout(cells[0], cells[1], keys.storage,
                                                 stored_values(keys, other.scalars.size()));
    if (cells[1] > max_rows || !plane_is_allowed(layout, keys.storage)) return false;
    tiling::ScheduleRequest request = in_core ? in_core_request() : request_;
    request.speeds = nullptr;  // speeds do not affect what fits
    request.outputs = output_shape(other, derived_);
    request.held_bytes = held_bytes(other, derived_);
    const Lattice part = slab(lattice_of(other));
    const auto plan = try_plan(part, request, device_allowed_);
    return plan && host_bytes_of(*plan, backend_.facts()) <= host_allowed_;
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

  int least_nz() const { return processes_ > 1 ? 2 * processes_ : 1; }

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

  // Both representations, for a collision that allows both; else none. `rows` of the page have the
  // largest grid as a text besides.
  io::Json representations(const std::array<int, 3>& largest, const Predicted& prediction,
                           io::Json& words) const {
    io::Json all = io::Json::array();
    if (!is_regularised(case_.lattice.collision)) return all;
    for (const Representation representation : all_representations) {
      const bool chosen = representation == lattice_.representation;
      Case other = case_;
      other.lattice.representation = representation;
      const Lattice part = slab(lattice_of(other));
      const auto cells = chosen ? largest : largest_cells(other, false);
      const Choice plan = chosen ? plan_ : try_plan(part, request_, device_allowed_);
      io::Json row = {{"representation", to_string(representation)},
                      {"bytes_per_cell", stored_bytes(representation)},
                      {"largest_cells", cells}};
      add_schedule(plan, chosen ? prediction : of_all(predict_choice(part, request_, plan)), row);
      all.push_back(row);
      row["largest"] = grid_text(cells);
      words["rows"].push_back(row);
    }
    return all;
  }

  // The case with one variation. assumed: a speed is assumed instead of measured here. lattice: of
  // one rank.
  io::Json what_if(const std::string& name, bool assumed, const Lattice& lattice,
                   const DeviceSpeeds& speeds, int processes = 0) const {
    tiling::ScheduleRequest request = request_;
    if (processes > 0) request.neighbours = neighbours_of(case_, backend_.kind(), processes, 0);
    request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
    const Choice plan = try_plan(lattice, request, device_allowed_);
    io::Json row = {{"change", name}, {"assumed", assumed}};
    add_schedule(plan, of_all(predict_choice(lattice, request, plan)), row);
    return row;
  }

  io::Json what_ifs() const {
    io::Json all = io::Json::array();
    if (lattice_.storage != StorageType::fp16) {
      Case half = case_;
      half.lattice.storage = StorageType::fp16;
      all.push_back(what_if("fp16 storage", false, slab(lattice_of(half)), speeds_));
    }
    if (shares_host_memory(backend_.facts())) return all;
    for (const Link& link : links) {
      DeviceSpeeds speeds = speeds_;
      speeds.link_in = speeds.link_out = link.alone;
      speeds.link_in_both = speeds.link_out_both = link.both;
      all.push_back(what_if(link.name, true, slab(lattice_), speeds));
    }
    for (const int gpus : {2, 4}) {
      if (processes_ > 1) break;
      const Lattice part = with_planes(lattice_, (lattice_.nz + gpus - 1) / gpus);
      all.push_back(what_if(fmt::format("{} such GPUs, each with such a link", gpus), true, part,
                            speeds_, gpus));
    }
    return all;
  }

  Case case_;  // with the representation that was chosen
  Derived derived_;
  Backend& backend_;
  const DescribedMachine* machine_;
  int processes_, per_host_;  // ranks; those on one host, which share its memory
  int slab_planes_;           // of the thickest slab
  tiling::ScheduleRequest request_;
  tiling::Neighbours neighbours_;
  std::uint64_t device_allowed_ = 0, host_allowed_ = 0;  // of one rank
  std::string reason_;  // why this representation; empty: the case says it
  Lattice lattice_;     // the whole grid
  DeviceSpeeds speeds_;
  std::vector<std::string> warnings_;  // of `lbm run`
  std::string refusal_;                // error of `lbm run` for too little memory
  Choice plan_;
  std::optional<TimeToAnswer> to_answer_;
};

}  // namespace

Answer plan_case(const Case& lbm_case, const PlanOptions& options, Backend& backend,
                 const DescribedMachine* machine) {
  return CasePlanBuilder(lbm_case, options, backend, machine).make(lbm_case);
}

}  // namespace lbm::cases
