#include "tiling/model/performance_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "tiling/model/blocked_speed.hpp"
#include "tiling/schedule/make_scheduler.hpp"

namespace lbm::tiling {
namespace {

constexpr std::size_t load_lane = 0, update_lane = 1, store_lane = 2;

// Of a visit what takes time, and what it waits for.
struct Work {
  int loads, stores, halo_in, halo_out, launches;
  int planes;   // updates of one plane
  int passing;  // of these, those that caches may carry to the next update
  int load_after_update, load_after_store, update_after_store;
  int sweeps_completed;
};

// first: the number of the first visit that counts.
Work work_of(const Visit& visit, int first) {
  int planes = 0, passing = 0;
  for (const Update& update : visit.updates) {
    planes += static_cast<int>(update.out.size());
    passing += std::popcount(update.passing);
  }
  return {static_cast<int>(visit.loads.size()),
          static_cast<int>(visit.stores.size()),
          static_cast<int>(visit.halo_in.size()),
          static_cast<int>(visit.halo_out.size()),
          static_cast<int>(visit.updates.size()),
          planes,
          passing,
          visit.load_after_update - first,
          visit.load_after_store - first,
          visit.update_after_store - first,
          visit.sweeps_completed};
}

// The visits of `sweeps` sweeps after the prologue. Speeds have no part in them, so they are kept:
// the same schedule is often asked for again, with another link or another storage.
const std::vector<Work>& visits_of(const PlaneGrid& grid, const ScheduleOptions& options, int steps,
                                   int sweeps) {
  using Key = std::tuple<int, bool, int, Scheme, int, int, int, int, int>;
  static thread_local std::map<Key, std::vector<Work>> known;
  const Key key{grid.nz,
                grid.periodic,
                grid.slab_planes,
                options.scheme,
                options.steps_per_visit,
                options.planes_per_visit,
                options.updates_together,
                steps,
                sweeps};
  const auto [entry, is_new] = known.try_emplace(key);
  if (!is_new) return entry->second;
  const auto scheduler = make_scheduler(grid, options);
  const int first = scheduler->prologue() ? 1 : 0;  // before the clock runs
  int left = sweeps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    return left-- > 0 ? std::optional<Sweep>(Sweep{steps}) : std::nullopt;
  };
  while (const auto visit = scheduler->next(source))
    entry->second.push_back(work_of(*visit, first));
  return entry->second;
}

bool waits_for_network(const Neighbours& neighbours) {
  return neighbours.any() && neighbours.exchange == ExchangeKind::mpi &&
         neighbours.bytes_per_second > 0;
}

// Three queues that work off visits in order.
class QueueTimes {
 public:
  // together: ScheduleOptions::updates_together.
  QueueTimes(const Lattice& lattice, const DeviceSpeeds& speeds, const Neighbours& neighbours,
             int together)
      : neighbours_(neighbours),
        plane_bytes_(static_cast<double>(lattice.layout.bytes)),
        plane_traffic_(2.0 * static_cast<double>(lattice.layout.cells()) *
                       lattice.layout.values_per_cell *
                       static_cast<double>(bytes_per_value(lattice.storage))),
        update_(speeds.update(lattice.storage)),
        speeds_(speeds) {
    if (together < 2 || update_.blocked_bytes_per_second <= 0) return;
    // Of the planes that were measured, all but two pass from the first step to the second.
    constexpr double passing = (blocked_planes - 2.0) / (blocked_steps * blocked_planes);
    const double alone = 1 / update_.bytes_per_second;
    const double spared = (alone - 1 / update_.blocked_bytes_per_second) / passing;
    spared_per_byte_ = std::min(spared, 2 * alone);
  }

  void add(const Work& visit) {
    const bool direct = neighbours_.exchange == ExchangeKind::device;
    const double halo_in = plane_bytes_ * visit.halo_in, halo_out = plane_bytes_ * visit.halo_out;
    const double in = plane_bytes_ * visit.loads + (direct ? 0 : halo_in);
    const double out = plane_bytes_ * visit.stores + (direct ? 0 : halo_out);
    const bool both = in > 0 && out > 0;
    double load = in > 0 ? in / (both ? speeds_.link_in_both : speeds_.link_in) : 0;
    double store = out > 0 ? out / (both ? speeds_.link_out_both : speeds_.link_out) : 0;
    if (direct) {  // into a ring on the device, and out of that of the neighbour's
      load += halo_in / peer_speed();
      store += halo_out / (speeds_.copy / 2);
    }
    work(load_lane, load,
         {arrival(visit.halo_in), end(update_lane, visit.load_after_update),
          end(store_lane, visit.load_after_store)});
    // Copies over the link write and read device memory, which the kernels then do not have.
    // Halo planes between devices: written to the ring, read from it, written to their slot.
    const double moved = in + out + (direct ? halo_in + 3 * halo_out : 0);
    const double stolen = speeds_.queues_overlap ? moved / speeds_.copy : 0;
    work(update_lane, updates(visit) + (visit.planes > 0 ? stolen : 0),
         {now(load_lane), 0, end(store_lane, visit.update_after_store)});
    work(store_lane, store, {0, now(update_lane), 0});
    if (!speeds_.queues_overlap) free_.fill(finish());
    for (std::size_t queue = 0; queue < 3; ++queue) ends_[queue].push_back(free_[queue]);
    if (waits_for_network(neighbours_)) send(visit.halo_out);
  }

  double finish() const { return *std::max_element(free_.begin(), free_.end()); }
  const std::array<double, 3>& busy() const { return busy_; }

 private:
  double updates(const Work& visit) const {
    return visit.launches * update_.launch_seconds +
           visit.planes * plane_traffic_ / update_.bytes_per_second -
           visit.passing * plane_traffic_ * spared_per_byte_;
  }
  // All processes do the same: what this one sends now the one above has sent, too.
  void send(int halo_planes) {
    for (int i = 0; i < halo_planes; ++i) {
      network_free_ =
          std::max(network_free_, now(store_lane)) + plane_bytes_ / neighbours_.bytes_per_second;
      arrivals_.push_back(network_free_);
    }
  }
  double arrival(int halo_planes) {
    double there = 0;
    for (int i = 0; i < halo_planes && !arrivals_.empty(); ++i) {
      there = arrivals_.front();
      arrivals_.pop_front();
    }
    return there;
  }
  double peer_speed() const {
    return neighbours_.bytes_per_second > 0 ? neighbours_.bytes_per_second : speeds_.copy / 2;
  }
  double now(std::size_t queue) const { return free_[queue]; }
  double end(std::size_t queue, int visit) const {
    return visit < 0 ? 0 : ends_[queue][std::min<std::size_t>(visit, ends_[queue].size() - 1)];
  }
  void work(std::size_t queue, double seconds, const std::array<double, 3>& after) {
    if (!speeds_.queues_overlap) free_[queue] = finish();
    free_[queue] = std::max({free_[queue], after[0], after[1], after[2]}) + seconds;
    busy_[queue] += seconds;
  }

  Neighbours neighbours_;
  double plane_bytes_, plane_traffic_;
  double spared_per_byte_ = 0;  // seconds, where a cache has it
  DeviceSpeeds::Update update_;
  const DeviceSpeeds& speeds_;
  double network_free_ = 0;
  std::deque<double> arrivals_;  // of halo planes that were not read yet
  std::array<double, 3> free_{}, busy_{};
  std::array<std::vector<double>, 3> ends_;
};

// Planes enough for a full pipeline: beyond them a sweep only gets longer by visits that are all
// alike.
int enough_planes(const Lattice& lattice, const ScheduleOptions& options, bool is_slab) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  const bool resident = options.scheme == Scheme::in_core;
  const bool wide = lattice.periodic_z() || options.scheme == Scheme::halo || is_slab;
  const int wanted = resident ? (is_slab ? 8 : 4) * b + 2 * k : (wide ? 4 : 2) * k + 8 * b;
  const int whole = (wanted + b - 1) / b * b;
  // The last visit of a sweep may be a part of one: keep what nz leaves over.
  return whole + lattice.nz % b < lattice.nz ? whole + lattice.nz % b : lattice.nz;
}

// One more sweep, and what comes on top once, with nz planes.
struct Sweeps {
  double sweep, once;
  std::array<double, 3> busy;  // of a sweep, by queue
};

Sweeps sweeps_of(const Lattice& lattice, int nz, const ScheduleOptions& options, int steps,
                 const DeviceSpeeds& speeds, const Neighbours& neighbours) {
  // The first sweep fills the pipeline and the last ones drain it; between them all are alike.
  constexpr int sweeps = 5, first = 1, last = 3;
  QueueTimes queues(lattice, speeds, neighbours, options.updates_together);
  Sweeps s{0, 0, {}};
  int done = 0;
  // When sweeps `first` and `last` have been completed, which may be in one visit with others.
  const auto add = [&](int sweep, double sign) {
    if (sweep >= done) return;
    s.sweep += sign * queues.finish() / (last - first);
    for (std::size_t queue = 0; queue < 3; ++queue) {
      s.busy[queue] += sign * queues.busy()[queue] / (last - first);
    }
  };
  // Of a slab all visits are alike, wherever the ends of z are.
  const PlaneGrid grid =
      neighbours.any() ? PlaneGrid{2 * nz, true, 0, nz} : PlaneGrid{nz, lattice.periodic_z()};
  for (const Work& visit : visits_of(grid, options, steps, sweeps)) {
    queues.add(visit);
    const int before = done;
    done += visit.sweeps_completed;
    if (before <= first) add(first, -1);
    if (before <= last) add(last, 1);
  }
  s.once = std::max(0.0, queues.finish() - sweeps * s.sweep);
  return s;
}

}  // namespace

Prediction predict(const Lattice& lattice, const ScheduleOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds, const Neighbours& neighbours) {
  const std::int64_t stretch =
      shape.output_interval > 0 ? std::min(shape.output_interval, shape.steps) : shape.steps;
  const int steps = next_sweep_steps(stretch, options.steps_per_visit);
  ScheduleOptions plain = options;
  plain.updates_per_visit = 1;
  const int block = plain.planes_per_visit;
  // How much of their way halo planes have time for depends on all planes.
  const int nz =
      waits_for_network(neighbours) ? lattice.nz : enough_planes(lattice, plain, neighbours.any());
  Sweeps s = sweeps_of(lattice, nz, plain, steps, speeds, neighbours);
  if (nz < lattice.nz) {
    // Further planes cost what the last visits cost.
    const int more = 4 * block;
    const Sweeps longer = sweeps_of(lattice, nz + more, plain, steps, speeds, neighbours);
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
  p.load_share = s.busy[load_lane] / s.sweep;
  p.update_share = s.busy[update_lane] / s.sweep;
  p.store_share = s.busy[store_lane] / s.sweep;
  return p;
}

}  // namespace lbm::tiling
