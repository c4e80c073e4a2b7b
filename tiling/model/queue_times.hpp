// SPDX-License-Identifier: Apache-2.0

// A model of a device: three queues with measured speeds that work off visits in order, each visit
// after those that it waits for.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "solver/backend/speeds.hpp"
#include "tiling/model/run_shape.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

inline constexpr std::size_t load_queue = 0, update_queue = 1, store_queue = 2;

// The part of a visit that costs time: amounts of work, and the visits that the work waits for.
struct VisitWork {
  int loads, stores, halo_in, halo_out;  // planes
  int launches;
  int planes;   // updates of one plane
  int passing;  // those whose result the next update of a pass reads, so that it is never stored
  int paired;   // those in passes of two updates
  int passes;
  int load_after_update, load_after_store, update_after_store;
  int sweeps_completed;
};

// first: the number of the visit that counts as number 0.
VisitWork work_of(const Visit& visit, int first);

class QueueTimes {
 public:
  // updates_together: of ScheduleOptions. speeds must outlive it.
  QueueTimes(const Lattice& lattice, const DeviceSpeeds& speeds, const Neighbours& neighbours,
             int updates_together);

  void add(const VisitWork& visit);

  // The time at which all queues have done the visits so far, in seconds.
  double finish() const;
  // Seconds that each queue was at work.
  const std::array<double, 3>& busy() const { return busy_; }

 private:
  struct Copies {
    double load, store;  // seconds
    double on_device;    // bytes of device memory that the copies read and write
  };

  Copies copies_of(const VisitWork& visit) const;
  double update_seconds(const VisitWork& visit, const Copies& copies) const;
  void send(int halo_planes);
  double arrival(int halo_planes);
  double end_of(std::size_t queue, int visit) const;
  void work(std::size_t queue, double seconds, const std::array<double, 3>& after);

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

// True if the prediction includes the time that halo planes need on the network.
bool waits_for_network(const Neighbours& neighbours);

}  // namespace lbm::tiling
