// SPDX-License-Identifier: Apache-2.0

// Executes a schedule on a backend: three queues, events, a bounded number of visits in flight.
//
// The scheduler decides everything; the pipeline only translates. Visits are given to the device
// ahead of time and retired in order. Retiring a visit waits for the device, hands out fields and
// records, and adds up times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/pipeline/lattice_on_device.hpp"
#include "tiling/pipeline/visits_in_flight.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::tiling {

inline constexpr std::uint64_t default_staging_limit = std::uint64_t{4} << 30;

// Plane z of a box; valid during the call.
using TakeFields = std::function<void(int z, const FieldPlane& plane)>;

// Consecutive planes from `first` on, as they are stored; valid during the call.
using TakePlanes = std::function<void(int first, std::span<const std::byte> planes)>;

// Changes plane z, as it is stored, in place.
using ChangePlane = std::function<void(int z, std::byte* plane)>;

// The arguments of a pipeline. It copies them, but references and raw pointers must outlive it.
struct PipelineConfig {
  Backend& backend;
  Lattice lattice;  // the whole grid, also if the process has a slab of it
  const Boundaries& boundaries;
  std::shared_ptr<PlaneStore> store;  // of the slab's planes
  ScheduleOptions options;
  FieldSink* fields = nullptr;    // null: no sweep emits
  RecordSink* records = nullptr;  // null: step records have no taker
  // Bytes that output fields may take on the host; at least eight planes are taken.
  std::uint64_t staging_limit = default_staging_limit;
  std::int64_t first_step = 0;
  SlabShare share = {};
  PlaneExchange* exchange = nullptr;  // with the neighbours of a slab
};

class Pipeline {
 public:
  using OnRetired = std::function<void(const PipelineStats&)>;

  // Allocates the device memory that the schedule promises and, in core, fills it from the store.
  // Throws ResourceError.
  explicit Pipeline(const PipelineConfig& config);

  // Runs sweeps until the source has no more, all are complete and the sink has their fields.
  // on_retired is called after every visit, and when the sink is done. Throws DivergedError when a
  // checked sweep has cells outside Lattice::limits, and what the sinks throw; after an exception
  // only destruction is allowed.
  void run(const SweepSource& source, const OnRetired& on_retired);

  // For sources that wait for other processes: completes the oldest visit in flight, as run()
  // would, since others may wait for its results. False: there is none.
  bool retire_one();

  // Between two runs: gives all planes of this process to `take` in order, some at a time,
  // layout.bytes bytes each: a smaller plane with zeros behind it. So are values of no cell where
  // only fluid cells are stored: every schedule gives the same bytes. Planes in host memory are not
  // copied if they all have the same size; others are fetched from the device with double buffering
  // through up to 128 MiB of host memory (two planes at least). Throws what `take` throws, and
  // ResourceError.
  void read_planes(const TakePlanes& take) const;

  // Between two runs: computes the fields of a box with the kernel that output fields come from,
  // and gives its planes that this process has to `take` in order. step: the current one. Takes
  // memory for one plane of the box on the device and on the host. Throws what `take` throws, and
  // ResourceError.
  void read_fields(std::int64_t step, const FieldBox& box, const TakeFields& take) const;

  // Between two runs: lets `change` change all planes of this process in order. Planes on the
  // device go through host memory of one plane. Throws what `change` throws, and ResourceError.
  void change_planes(const ChangePlane& change);

  const PlaneStore& store() const { return *store_; }
  const PipelineStats& stats() const { return stats_; }
  std::size_t device_bytes() const;
  // The part of device_bytes() for solid cells, links to bodies and conditions of faces.
  std::size_t boundary_bytes() const { return device_.boundary_bytes(); }
  // Memory for fields on their way to the sink.
  std::size_t host_bytes() const { return fields_ ? fields_->host_bytes() : 0; }

 private:
  // In pipeline_planes.cpp. load_planes, store_planes: give copies to Queue::load, Queue::store.
  void copy_in(int slot, const std::byte* from, int plane, VisitInFlight& flight);
  void copy_out(std::byte* to, int slot, int plane, VisitInFlight& flight);
  void load_planes(const Visit& visit, VisitInFlight& flight);
  void store_planes(const Visit& visit, VisitInFlight& flight);
  // True if the halo planes of a visit have arrived and there is room for the halo planes that it
  // sends. Otherwise wait_for_halo waits for one of the two.
  bool can_exchange(const Visit& visit) const;
  void wait_for_halo(const Visit& visit) const;
  void complete_halo(const VisitInFlight& flight) const;
  // For reading; own_plane: the i-th plane of this process.
  int own_plane(int i) const;
  std::byte* place_of(int z) const;
  int slot_of(int z) const;
  void read_host_planes(const TakePlanes& take) const;
  void fetch_planes(const TakePlanes& take) const;
  void zero_padding(int z, std::byte* plane) const;

  void make_room(const Visit& visit);
  void wait_for_neighbours(const Visit& visit);
  std::size_t planes_to_push(const Visit& visit) const;
  void submit(const Visit& visit);
  void begin_sweep(const Sweep& sweep);
  void load(const Visit& visit, VisitInFlight& flight);
  void fetch_boundaries(const Visit& visit, VisitInFlight& flight);
  void update(const Visit& visit, VisitInFlight& flight);
  void launch(const Visit& visit, VisitInFlight& flight);
  void sample(const Visit& visit);
  void sum_boxes(std::span<const PlaneState> planes, std::int64_t* record);
  void push_finished(const Visit& visit, VisitInFlight& flight);
  void push_early(const UpdateLaunch& launch, const Emission& emission, VisitInFlight& flight);
  void push_fields(const PlaneState& plane, std::int64_t step, const std::vector<FieldBox>& boxes,
                   VisitInFlight& flight);
  void store(const Visit& visit, VisitInFlight& flight);
  void fetch_records(VisitInFlight& flight);
  void retire_oldest();
  void hand_out(const SweepRecords& records);
  void report();

  Backend& backend_;
  PlaneGrid grid_;
  std::unique_ptr<Scheduler> scheduler_;
  RecordSink* record_sink_;      // null: nobody wants records
  const ProbeCells* probes_;     // null: none
  std::vector<FieldBox> boxes_;  // RecordSink::boxes()
  const Boundaries& boundaries_;
  RecordRing records_;
  LatticeOnDevice device_;
  std::shared_ptr<PlaneStore> store_;
  PlaneExchange* exchange_;  // null without slabs
  SweepLedger sweeps_;
  bool steps_matter_;                   // launches depend on the number of the step
  std::size_t together_;                // ScheduleOptions::updates_together
  std::unique_ptr<FieldRing> fields_;   // null: no sink
  std::vector<UpdateLaunch> launches_;  // of the visit being submitted
  OnRetired on_retired_;                // of the run under way
  PipelineStats stats_;
  VisitsInFlight visits_;  // last: waits for the device before the memory above goes
};

}  // namespace lbm::tiling
