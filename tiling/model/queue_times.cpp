// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/queue_times.hpp"

#include <algorithm>
#include <bit>

#include "solver/backend/pass_plan.hpp"
#include "solver/lattice/d3q19.hpp"
#include "tiling/model/blocked_speed.hpp"

namespace lbm::tiling {

namespace {

// To look up the neighbours of a fluid cell, and to read its values out of line, takes as long as
// so many bytes more. Measured with one H100, fp32 and fp16, and with CPU cores (docs/voxels.md).
double bytes_of_look_up(const PlaneLayout& layout, double values, bool gpu) {
  if (!layout.fluid_only) return 0;
  if (!gpu) return 650;
  const bool moments = layout.values_per_cell < d3q19::directions;
  return moments ? values / 2 : 140;
}

// Bytes that the update of a plane reads and writes at the measured speed, which is one of all
// cells stored.
double traffic_of_plane(const Lattice& lattice, bool gpu) {
  const double values =
      2.0 * lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage));
  return lattice.stored_cells_of_plane() * (values + bytes_of_look_up(lattice.layout, values, gpu));
}

// As pair_of() in solver/backend/pass_plan.hpp decides, which knows the slots as well.
bool may_be_one_pass(const Update& first, const Update& second) {
  return first.sweep == second.sweep && first.level + 1 == second.level &&
         2 * static_cast<std::size_t>(std::popcount(first.passing)) >= first.out.size() &&
         first.passing != 0;
}

}  // namespace

VisitWork work_of(const Visit& visit, int first) {
  VisitWork work{static_cast<int>(visit.loads.size()),
                 static_cast<int>(visit.stores.size()),
                 static_cast<int>(visit.halo_in.size()),
                 static_cast<int>(visit.halo_out.size()),
                 static_cast<int>(visit.updates.size()),
                 0,
                 0,
                 0,
                 0,
                 visit.load_after_update - first,
                 visit.load_after_store - first,
                 visit.update_after_store - first,
                 visit.sweeps_completed};
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

bool waits_for_network(const Neighbours& neighbours) {
  return neighbours.any() && joins_hosts(neighbours.exchange) &&
         (neighbours.bytes_per_second > 0 || neighbours.latency > 0);
}

QueueTimes::QueueTimes(const Lattice& lattice, const DeviceSpeeds& speeds,
                       const Neighbours& neighbours, int updates_together)
    : neighbours_(neighbours),
      plane_bytes_(static_cast<double>(lattice.bytes()) / lattice.nz),
      plane_traffic_(traffic_of_plane(lattice, speeds.queues_overlap)),
      update_(speeds.update(lattice)),
      speeds_(speeds) {
  if (updates_together < 2 || update_.blocked_bytes_per_second <= 0) return;
  if (lattice.layout.fluid_only) return;
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

void QueueTimes::add(const VisitWork& visit) {
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

double QueueTimes::finish() const { return *std::max_element(free_.begin(), free_.end()); }

// Between devices halo planes do not take the link: they are copied into a ring on a device, and
// from there, or from a ring of the receiving device, to their slot.
QueueTimes::Copies QueueTimes::copies_of(const VisitWork& visit) const {
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
double QueueTimes::update_seconds(const VisitWork& visit, const Copies& copies) const {
  const double seconds = visit.launches * update_.launch_seconds +
                         visit.planes * plane_traffic_ / update_.bytes_per_second -
                         visit.passing * plane_traffic_ * spared_per_byte_ -
                         visit.paired * plane_traffic_ * paired_per_byte_ +
                         visit.passes * pass_seconds_;
  const bool share = visit.planes > 0 && speeds_.queues_overlap;
  return seconds + (share ? copies.on_device / speeds_.copy : 0);
}

// All processes do the same work: the neighbour above sends its planes when this one does.
void QueueTimes::send(int halo_planes) {
  const double speed = neighbours_.bytes_per_second;
  const double seconds = speed > 0 ? plane_bytes_ / speed : 0;
  for (int i = 0; i < halo_planes; ++i) {
    network_free_ = std::max(network_free_, free_[store_queue]) + seconds;
    arrivals_.push_back(network_free_ + neighbours_.latency);
  }
}

// The time at which the next halo planes have come from the neighbour above.
double QueueTimes::arrival(int halo_planes) {
  double there = 0;
  for (int i = 0; i < halo_planes && !arrivals_.empty(); ++i) {
    there = arrivals_.front();
    arrivals_.pop_front();
  }
  return there;
}

double QueueTimes::end_of(std::size_t queue, int visit) const {
  return visit < 0 ? 0 : ends_[queue][std::min<std::size_t>(visit, ends_[queue].size() - 1)];
}

void QueueTimes::work(std::size_t queue, double seconds, const std::array<double, 3>& after) {
  if (!speeds_.queues_overlap) free_[queue] = finish();
  free_[queue] = std::max({free_[queue], after[0], after[1], after[2]}) + seconds;
  busy_[queue] += seconds;
}

}  // namespace lbm::tiling
