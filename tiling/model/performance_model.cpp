// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/performance_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <utility>

#include "solver/backend/pass_plan.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t load_queue = 0, update_queue = 1, store_queue = 2;

// To look up the neighbours of a fluid cell, and to read its values out of line, takes as long as
// so many bytes more. Measured with one H100, fp32, fp16 and moments in fp32, and with CPU cores
// (docs/voxels.md). On a GPU half precision waits for instructions, moments for their many loads,
// behind which the look-up hides.
double bytes_of_look_up(const Lattice& lattice, bool gpu) {
  if (!lattice.layout.fluid_only) return 0;
  if (!gpu) return 650;
  const bool moments = lattice.representation == Representation::moments;
  if (moments) return 0;
  return lattice.storage == StorageType::fp16 ? 67 : 36;
}

// Bytes that the update of a plane reads and writes at the measured speed, which is one of all
// cells stored.
double traffic_of_plane(const Lattice& lattice, bool gpu) {
  const double values =
      2.0 * lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage));
  return lattice.stored_cells_of_plane() * (values + bytes_of_look_up(lattice, gpu));
}

// As pair_of() in solver/backend/pass_plan.hpp decides, which knows the slots as well.
bool may_be_one_pass(const Update& first, const Update& second) {
  return first.sweep == second.sweep && first.level + 1 == second.level &&
         2 * static_cast<std::size_t>(std::popcount(first.passing)) >= first.out.size() &&
         first.passing != 0;
}

// first: the number of the visit that counts as number 0.
VisitWork work_of(const Visit& visit, int first) {
  const auto count = [](const auto& planes) { return static_cast<int>(planes.size()); };
  VisitWork work{.loads = count(visit.loads),
                 .stores = count(visit.stores),
                 .halo_in = count(visit.halo_in),
                 .halo_out = count(visit.halo_out),
                 .launches = count(visit.updates),
                 .load_after_update = visit.load_after_update - first,
                 .load_after_store = visit.load_after_store - first,
                 .update_after_store = visit.update_after_store - first,
                 .sweeps_completed = visit.sweeps_completed};
  for (const Update& update : visit.updates) work.planes += static_cast<int>(update.out.size());
  for (std::size_t i = 0; i + 1 < visit.updates.size(); ++i) {
    if (!may_be_one_pass(visit.updates[i], visit.updates[i + 1])) continue;
    work.passing += std::popcount(visit.updates[i].passing);
    work.paired += static_cast<int>(visit.updates[i].out.size() + visit.updates[i + 1].out.size());
    ++work.passes;
    ++i;
  }
  return work;
}

std::vector<VisitWork> visits_of(const PlaneGrid& grid, const ScheduleOptions& options, int steps,
                                 int sweeps) {
  const auto scheduler = make_scheduler(grid, options);
  const int first = scheduler->prologue() ? 1 : 0;
  int left = sweeps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    return left-- > 0 ? std::optional<Sweep>(Sweep{steps}) : std::nullopt;
  };
  std::vector<VisitWork> visits;
  while (const auto visit = scheduler->next(source)) visits.push_back(work_of(*visit, first));
  return visits;
}

// True if the prediction includes the time that halo planes need on the network.
bool waits_for_network(const Neighbours& neighbours) {
  return neighbours.any() && joins_hosts(neighbours.exchange) &&
         (neighbours.bytes_per_second > 0 || neighbours.latency > 0);
}

class QueueTimes {
 public:
  // updates_together: of ScheduleOptions. speeds must outlive it.
  QueueTimes(const Lattice& lattice, const DeviceSpeeds& speeds, const Neighbours& neighbours,
             int updates_together)
      : neighbours_(neighbours),
        plane_bytes_(static_cast<double>(lattice.bytes()) / lattice.nz),
        plane_traffic_(traffic_of_plane(lattice, speeds.queues_overlap)),
        update_(speeds.update(lattice)),
        speeds_(speeds) {
    if (updates_together < 2 || update_.blocked_bytes_per_second <= 0) return;
    if (lattice.layout.fluid_only || !has_pair_pass(lattice)) return;
    const double alone = 1 / update_.bytes_per_second;
    const bool gpu = speeds.queues_overlap;
    const double planes = blocked_planes(gpu);
    if (gpu) {
      const double relative = relative_pass_speed(lattice);
      if (relative <= 0) return;  // not measured
      // The measured passes were of so many planes.
      const double begin = planes_to_begin_pass(lattice.representation);
      const double whole = 1 / (relative * update_.blocked_bytes_per_second);
      const double together = whole * planes / (planes + begin);
      paired_per_byte_ = alone - together;
      pass_seconds_ = blocked_steps * begin * plane_traffic_ * together;
      return;
    }
    // In the measured schedule all planes but two pass from the first step to the second.
    const double passing = (planes - 2) / (blocked_steps * planes);
    const double spared = (alone - 1 / update_.blocked_bytes_per_second) / passing;
    spared_per_byte_ = std::min(spared, 2 * alone);
  }

  void add(const VisitWork& visit) {
    const Copies copies = copies_of(visit);
    work(load_queue, copies.load,
         {arrival(visit.halo_in), end_of(update_queue, visit.load_after_update),
          end_of(store_queue, visit.load_after_store)});
    work(update_queue, update_seconds(visit, copies),
         {free_[load_queue], 0, end_of(store_queue, visit.update_after_store)});
    work(store_queue, copies.store, {0, free_[update_queue], 0});
    if (!speeds_.queues_overlap) free_.fill(finish());
    for (std::size_t queue = 0; queue < 3; ++queue) ends_[queue].push_back(free_[queue]);
    if (waits_for_network(neighbours_)) send(visit.halo_out);
  }

  // The time at which all queues have done the visits so far, in seconds.
  double finish() const { return *std::max_element(free_.begin(), free_.end()); }
  // Seconds that each queue was at work.
  const std::array<double, 3>& busy() const { return busy_; }

 private:
  struct Copies {
    double load, store;  // seconds
    double on_device;    // bytes of device memory that the copies read and write
  };

  // Between devices halo planes do not take the link: they are copied into a ring on a device, and
  // from there, or from a ring of the receiving device, to their slot.
  Copies copies_of(const VisitWork& visit) const {
    const bool direct = stays_on_devices(neighbours_.exchange);
    const double halo_in = plane_bytes_ * visit.halo_in, halo_out = plane_bytes_ * visit.halo_out;
    const double in = plane_bytes_ * visit.loads + (direct ? 0 : halo_in);
    const double out = plane_bytes_ * visit.stores + (direct ? 0 : halo_out);
    const bool both = in > 0 && out > 0;
    double load = in > 0 ? in / (both ? speeds_.link_in_both : speeds_.link_in) : 0;
    double store = out > 0 ? out / (both ? speeds_.link_out_both : speeds_.link_out) : 0;
    if (direct) {
      const double own = speeds_.copy / 2;
      const bool remote =
          neighbours_.exchange == ExchangeKind::device;  // the ring is the neighbour's
      const double given = neighbours_.bytes_per_second;
      load += halo_in / (remote && given > 0 ? given : own);
      store += halo_out / own;
    }
    return {load, store, in + out + (direct ? halo_in + 3 * halo_out : 0)};
  }

  // Copies take device memory's bandwidth away from the kernels that run beside them.
  double update_seconds(const VisitWork& visit, const Copies& copies) const {
    const double seconds = visit.launches * update_.launch_seconds +
                           visit.planes * plane_traffic_ / update_.bytes_per_second -
                           visit.passing * plane_traffic_ * spared_per_byte_ -
                           visit.paired * plane_traffic_ * paired_per_byte_ +
                           visit.passes * pass_seconds_;
    const bool share = visit.planes > 0 && speeds_.queues_overlap;
    return seconds + (share ? copies.on_device / speeds_.copy : 0);
  }

  // All processes do the same work: the neighbour above sends its planes when this one does.
  void send(int halo_planes) {
    const double speed = neighbours_.bytes_per_second;
    const double seconds = speed > 0 ? plane_bytes_ / speed : 0;
    for (int i = 0; i < halo_planes; ++i) {
      network_free_ = std::max(network_free_, free_[store_queue]) + seconds;
      arrivals_.push_back(network_free_ + neighbours_.latency);
    }
  }

  // The time at which the next halo planes have come from the neighbour above.
  double arrival(int halo_planes) {
    double there = 0;
    for (int i = 0; i < halo_planes && !arrivals_.empty(); ++i) {
      there = arrivals_.front();
      arrivals_.pop_front();
    }
    return there;
  }

  double end_of(std::size_t queue, int visit) const {
    return visit < 0 ? 0 : ends_[queue][std::min<std::size_t>(visit, ends_[queue].size() - 1)];
  }

  void work(std::size_t queue, double seconds, const std::array<double, 3>& after) {
    if (!speeds_.queues_overlap) free_[queue] = finish();
    free_[queue] = std::max({free_[queue], after[0], after[1], after[2]}) + seconds;
    busy_[queue] += seconds;
  }

  Neighbours neighbours_;
  double plane_bytes_;
  double plane_traffic_;  // bytes that the update of a plane reads and writes
  // Seconds for each byte of plane_traffic_: saved by each plane that a CPU's cache carries, and by
  // each of a GPU's passes.
  double spared_per_byte_ = 0, paired_per_byte_ = 0;
  double pass_seconds_ = 0;  // to begin and to end a pass of a GPU
  DeviceSpeeds::Update update_;
  const DeviceSpeeds& speeds_;
  double network_free_ = 0;       // time at which the network has sent all planes so far
  std::deque<double> arrivals_;   // of halo planes that no visit has loaded yet
  std::array<double, 3> free_{};  // time at which each queue has done its work so far
  std::array<double, 3> busy_{};
  std::array<std::vector<double>, 3> ends_;  // of each visit's work, by queue
};

// As many planes as fill the pipeline: more planes lengthen a sweep by visits that are all alike.
int enough_planes(const Lattice& lattice, const ScheduleOptions& options, bool is_slab) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  const bool resident = options.scheme == Scheme::in_core;
  const bool wide = lattice.periodic_z() || options.scheme == Scheme::halo || is_slab;
  const int wanted = resident ? (is_slab ? 8 : 4) * b + 2 * k : (wide ? 4 : 2) * k + 8 * b;
  const int whole = (wanted + b - 1) / b * b;
  // Keep the remainder of nz: the last visit of a sweep may be shorter than the others.
  return whole + lattice.nz % b < lattice.nz ? whole + lattice.nz % b : lattice.nz;
}

// The cost of a run with nz planes: seconds of each further sweep, and once of filling and draining
// the pipeline.
struct SweepCost {
  double sweep = 0, once = 0;
  std::array<double, 3> busy{};  // seconds of a sweep, by queue

  void add(const QueueTimes& queues, double weight) {
    sweep += weight * queues.finish();
    for (std::size_t queue = 0; queue < 3; ++queue) busy[queue] += weight * queues.busy()[queue];
  }
};

SweepCost sweep_cost(const Lattice& lattice, int nz, const ScheduleOptions& options, int steps,
                     const DeviceSpeeds& speeds, const Neighbours& neighbours, VisitCache* cache) {
  // The first sweep fills the pipeline and the last ones drain it; those between are alike.
  constexpr int sweeps = 5, first = 1, last = 3;
  // All visits of a slab are alike, with walls at the ends of z, too.
  const PlaneGrid grid =
      neighbours.any() ? PlaneGrid{2 * nz, true, 0, nz} : PlaneGrid{nz, lattice.periodic_z()};
  VisitCache own;
  VisitCache& visits = cache != nullptr ? *cache : own;
  int done = 0;
  QueueTimes queues(lattice, speeds, neighbours, options.updates_together);
  SweepCost cost;
  for (const VisitWork& visit : visits.visits(grid, options, steps, sweeps)) {
    queues.add(visit);
    // A visit may complete several sweeps.
    const int before = done;
    done += visit.sweeps_completed;
    if (before <= first && first < done) cost.add(queues, -1.0 / (last - first));
    if (before <= last && last < done) cost.add(queues, 1.0 / (last - first));
  }
  cost.once = std::max(0.0, queues.finish() - sweeps * cost.sweep);
  return cost;
}

}  // namespace

const std::vector<VisitWork>& VisitCache::visits(const PlaneGrid& grid,
                                                 const ScheduleOptions& options, int steps,
                                                 int sweeps) {
  constexpr std::size_t most_visits = std::size_t{1} << 20;
  const Key key{grid.nz,
                grid.periodic,
                grid.slab_planes,
                options.scheme,
                options.steps_per_visit,
                options.planes_per_visit,
                options.updates_together,
                steps,
                sweeps};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  auto visits = visits_of(grid, options, steps, sweeps);
  held_ += visits.size();
  if (held_ > most_visits) {
    known_.clear();
    held_ = visits.size();
  }
  return known_.emplace(key, std::move(visits)).first->second;
}

Prediction predict(const Lattice& lattice, const ScheduleOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds, const Neighbours& neighbours, VisitCache* cache) {
  const int most =
      static_cast<int>(std::min<std::int64_t>(options.steps_per_visit, shape.most_steps()));
  const int steps = next_sweep_steps(shape.stretch(), most, options.updates_together);
  ScheduleOptions plain = options;
  plain.updates_per_visit = 1;
  const int block = plain.planes_per_visit;
  // The time that halo planes have on their way grows with the number of planes.
  const int nz =
      waits_for_network(neighbours) ? lattice.nz : enough_planes(lattice, plain, neighbours.any());
  SweepCost s = sweep_cost(lattice, nz, plain, steps, speeds, neighbours, cache);
  if (nz < lattice.nz) {
    // Further planes cost what the last visits cost.
    const int more = 4 * block;
    const SweepCost longer =
        sweep_cost(lattice, nz + more, plain, steps, speeds, neighbours, cache);
    const double planes = static_cast<double>(lattice.nz - nz) / more;
    s.sweep += (longer.sweep - s.sweep) * planes;
    for (std::size_t queue = 0; queue < 3; ++queue) {
      s.busy[queue] += (longer.busy[queue] - s.busy[queue]) * planes;
    }
  }
  Prediction p;
  p.fill_seconds = s.once;
  p.seconds = s.once + s.sweep * static_cast<double>(shape.steps) / steps;
  const double cells = static_cast<double>(lattice.layout.cells()) * lattice.nz;
  p.mlups = 1e-6 * cells * static_cast<double>(shape.steps) / p.seconds;
  p.load_share = s.busy[load_queue] / s.sweep;
  p.update_share = s.busy[update_queue] / s.sweep;
  p.store_share = s.busy[store_queue] / s.sweep;
  return p;
}

}  // namespace lbm::tiling
