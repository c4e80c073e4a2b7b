#include "tiling/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lbm::tiling {
namespace {

constexpr std::size_t load_lane = 0, update_lane = 1, store_lane = 2;

// Three lanes that work off visits in order.
class Lanes {
 public:
  Lanes(const Lattice& lattice, const DeviceSpeeds& speeds)
      : plane_bytes_(static_cast<double>(lattice.layout.bytes)),
        plane_traffic_(2.0 * static_cast<double>(lattice.layout.cells()) *
                       lattice.layout.values_per_cell *
                       static_cast<double>(bytes_per_value(lattice.storage))),
        update_(speeds.update(lattice.storage)),
        speeds_(speeds) {}

  void add(const Visit& visit) {
    const double in = plane_bytes_ * static_cast<double>(visit.loads.size());
    const double out = plane_bytes_ * static_cast<double>(visit.stores.size());
    const bool both = in > 0 && out > 0;
    const double load = in > 0 ? in / (both ? speeds_.link_in_both : speeds_.link_in) : 0;
    const double store = out > 0 ? out / (both ? speeds_.link_out_both : speeds_.link_out) : 0;
    work(load_lane, load,
         {0, end(update_lane, visit.load_after_update), end(store_lane, visit.load_after_store)});
    // Copies over the link write and read device memory, which the kernels then do not have.
    const double stolen = speeds_.lanes_overlap ? (in + out) / speeds_.copy : 0;
    work(update_lane, updates(visit) + (visit.updates.empty() ? 0 : stolen),
         {now(load_lane), 0, end(store_lane, visit.update_after_store)});
    work(store_lane, store, {0, now(update_lane), 0});
    if (!speeds_.lanes_overlap) free_.fill(*std::max_element(free_.begin(), free_.end()));
    for (std::size_t lane = 0; lane < 3; ++lane) ends_[lane].push_back(free_[lane]);
  }

  double finish() const { return *std::max_element(free_.begin(), free_.end()); }
  double busy(std::size_t lane) const { return busy_[lane]; }

 private:
  double updates(const Visit& visit) const {
    double seconds = 0;
    for (const Update& update : visit.updates) {
      seconds += update_.launch_seconds +
                 static_cast<double>(update.out.size()) * plane_traffic_ / update_.bytes_per_second;
    }
    return seconds;
  }
  double now(std::size_t lane) const { return free_[lane]; }
  double end(std::size_t lane, int visit) const {
    return visit < 0 ? 0 : ends_[lane][std::min<std::size_t>(visit, ends_[lane].size() - 1)];
  }
  void work(std::size_t lane, double seconds, const std::array<double, 3>& after) {
    if (!speeds_.lanes_overlap) {
      free_[lane] = *std::max_element(free_.begin(), free_.end());
    }
    free_[lane] = std::max({free_[lane], after[0], after[1], after[2]}) + seconds;
    busy_[lane] += seconds;
  }

  double plane_bytes_, plane_traffic_;
  DeviceSpeeds::Update update_;
  const DeviceSpeeds& speeds_;
  std::array<double, 3> free_{}, busy_{};
  std::array<std::vector<double>, 3> ends_;
};

struct Simulated {
  double seconds;
  std::array<double, 3> busy;
};

Simulated simulate(const Lattice& lattice, int nz, const PlanOptions& options, int steps,
                   int sweeps, const DeviceSpeeds& speeds) {
  const auto planner = make_planner({nz, lattice.periodic_z()}, options);
  planner->prologue();  // before the clock runs
  Lanes lanes(lattice, speeds);
  int left = sweeps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    return left-- > 0 ? std::optional<Sweep>(Sweep{steps}) : std::nullopt;
  };
  while (const auto visit = planner->next(source)) lanes.add(*visit);
  return {lanes.finish(), {lanes.busy(0), lanes.busy(1), lanes.busy(2)}};
}

// Planes enough for a full pipeline: beyond them a sweep only gets longer by visits that are all
// alike.
int enough_planes(const Lattice& lattice, const PlanOptions& options) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  const bool resident = options.scheme == Scheme::in_core;
  const bool wide = lattice.periodic_z() || options.scheme == Scheme::halo;
  const int wanted = resident ? 4 * b + 2 * k : (wide ? 4 : 2) * k + 8 * b;
  const int whole = (wanted + b - 1) / b * b;
  // The last visit of a sweep may be a part of one: keep what nz leaves over.
  return whole + lattice.nz % b < lattice.nz ? whole + lattice.nz % b : lattice.nz;
}

// One more sweep, and what comes on top once, with nz planes.
struct Sweeps {
  double sweep, once;
  std::array<double, 3> busy;  // of a sweep, by lane
};

Sweeps sweeps_of(const Lattice& lattice, int nz, const PlanOptions& options, int steps,
                 const DeviceSpeeds& speeds) {
  const int unit = options.scheme == Scheme::in_core ? 8 : 2;
  const Simulated few = simulate(lattice, nz, options, steps, unit, speeds);
  const Simulated many = simulate(lattice, nz, options, steps, 2 * unit, speeds);
  Sweeps s{(many.seconds - few.seconds) / unit, 0, {}};
  s.once = std::max(0.0, few.seconds - unit * s.sweep);
  for (std::size_t lane = 0; lane < 3; ++lane) {
    s.busy[lane] = (many.busy[lane] - few.busy[lane]) / unit;
  }
  return s;
}

}  // namespace

Prediction predict(const Lattice& lattice, const PlanOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds) {
  const std::int64_t stretch =
      shape.output_interval > 0 ? std::min(shape.output_interval, shape.steps) : shape.steps;
  const int steps = next_sweep_steps(stretch, options.steps_per_visit);
  PlanOptions plain = options;
  plain.updates_per_visit = 1;
  const int nz = enough_planes(lattice, plain), block = plain.planes_per_visit;
  Sweeps s = sweeps_of(lattice, nz, plain, steps, speeds);
  if (nz < lattice.nz) {
    // Further planes cost what the last visits cost.
    const int more = 4 * block;
    const Sweeps longer = sweeps_of(lattice, nz + more, plain, steps, speeds);
    const double planes = static_cast<double>(lattice.nz - nz) / more;
    s.sweep += (longer.sweep - s.sweep) * planes;
    for (std::size_t lane = 0; lane < 3; ++lane) {
      s.busy[lane] += (longer.busy[lane] - s.busy[lane]) * planes;
    }
  }
  Prediction p;
  p.fill_seconds = s.once;
  p.seconds = s.once + s.sweep * static_cast<double>(shape.steps) / steps;
  const double cells = static_cast<double>(lattice.layout.cells()) * lattice.nz;
  p.mlups = 1e-6 * cells * static_cast<double>(shape.steps) / p.seconds;
  p.load_share = s.busy[load_lane] / s.sweep;
  p.update_share = s.busy[update_lane] / s.sweep;
  p.store_share = s.busy[store_lane] / s.sweep;
  return p;
}

}  // namespace lbm::tiling
