// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/pipeline.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>

#include "solver/backend/scoped_range.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {
namespace {

static_assert(max_planes_per_visit <= max_planes_per_launch, "an update is one launch");

const ProbeCells* probes_of(const RecordSink* records) {
  const ProbeCells* probes = records != nullptr ? records->probes() : nullptr;
  return probes != nullptr && probes->size() > 0 ? probes : nullptr;
}

std::vector<FieldBox> boxes_of(const RecordSink* records) {
  return records != nullptr ? records->boxes() : std::vector<FieldBox>();
}

RecordShape record_shape(const Boundaries& boundaries, const ProbeCells* probes,
                         const std::vector<FieldBox>& boxes, const Lattice& lattice) {
  return {boundaries.bodies(), probes != nullptr ? probes->size() : 0,
          static_cast<int>(boxes.size()), lattice.scalar_count()};
}

// True if launches of the same planes differ from step to step. In fp16 the rounding differs.
bool changes_with_steps(const Lattice& lattice, const Boundaries& boundaries) {
  const bool scalars_change =
      std::any_of(lattice.scalars.begin(), lattice.scalars.end(),
                  [](const ScalarSpec& scalar) { return scalar.changes(); });
  return scalars_change || boundaries.changes_in_time() || lattice.collision.force.changes() ||
         lattice.walls_change || lattice.sponge.changes() || lattice.storage == StorageType::fp16;
}

std::unique_ptr<FieldRing> make_fields(const PipelineConfig& config, int planes) {
  if (config.fields == nullptr) return nullptr;
  const std::int64_t cells = config.fields->most_plane_cells(config.lattice);
  const int scalars = config.lattice.scalar_count();
  return std::make_unique<FieldRing>(
      config.backend, *config.fields, cells, config.lattice.layout.bytes,
      FieldRing::host_planes(cells, planes, config.options.planes_per_visit, config.staging_limit,
                             scalars),
      scalars);
}

UpdateLaunch launch_of(const Update& update) {
  UpdateLaunch launch{};
  launch.first_plane = update.first_plane;
  launch.count = static_cast<int>(update.out.size());
  std::copy(update.in.begin(), update.in.end(), launch.in.begin());
  std::copy(update.out.begin(), update.out.end(), launch.out.begin());
  launch.passing = update.passing;
  launch.counted = update.counted;
  return launch;
}

bool has_probes(const ProbeCells* probes, const UpdateLaunch& launch, int nz) {
  if (probes == nullptr) return false;
  for (int i = 0; i < launch.count; ++i) {
    if (probes->in_plane((launch.first_plane + i) % nz) > 0) return true;
  }
  return false;
}

}  // namespace

Pipeline::Pipeline(const PipelineConfig& c)
    : backend_(c.backend),
      grid_{c.lattice.nz, c.lattice.periodic_z(), c.share.first, c.share.planes},
      scheduler_(make_scheduler(grid_, c.options)),
      record_sink_(c.records),
      probes_(probes_of(c.records)),
      boxes_(boxes_of(c.records)),
      boundaries_(c.boundaries),
      records_(c.backend, record_shape(c.boundaries, probes_, boxes_, c.lattice), c.options),
      device_(c.backend, c.lattice, c.boundaries, probes_, records_, scheduler_->slots(),
              planes_in_use(grid_, c.options), c.options.steps_per_visit),
      store_(c.store),
      exchange_(c.exchange),
      sweeps_(c.first_step, records_.shape().every_step()),
      steps_matter_(records_.shape().every_step() || changes_with_steps(c.lattice, c.boundaries)),
      together_(static_cast<std::size_t>(c.options.updates_together)),
      fields_(make_fields(c, grid_.planes())),
      visits_(c.backend) {
  if (together_ > 1) backend_.prepare_passes(device_.view());
  if (const auto prologue = scheduler_->prologue()) {
    submit(*prologue);
    retire_oldest();
    stats_ = {};
  }
}

std::size_t Pipeline::device_bytes() const {
  return device_.bytes() + records_.device_bytes() + (fields_ ? fields_->device_bytes() : 0);
}

void Pipeline::run(const SweepSource& source, const OnRetired& on_retired) {
  on_retired_ = on_retired;
  while (const auto visit = scheduler_->next(source)) {
    make_room(*visit);
    wait_for_neighbours(*visit);
    submit(*visit);
  }
  while (retire_one()) {
  }
  if (!fields_) return;
  fields_->finish();
  report();
}

bool Pipeline::retire_one() {
  if (visits_.empty()) return false;
  retire_oldest();
  return true;
}

// Makes room for one more visit, and for the records of the steps that begin with it.
void Pipeline::make_room(const Visit& visit) {
  if (visits_.full()) retire_oldest();
  std::int64_t starting = 0;
  for (const Sweep& sweep : visit.started) starting += sweeps_.records_of(sweep);
  while (sweeps_.records_under_way() + starting > records_.size()) {
    if (!retire_one()) {
      throw std::logic_error("Pipeline: more steps under way than there are records");
    }
  }
}

// Visits that are done are retired first: the neighbours may be waiting for their halo planes.
void Pipeline::wait_for_neighbours(const Visit& visit) {
  while (!can_exchange(visit)) {
    if (!retire_one()) wait_for_halo(visit);
  }
  // The field sink may wait for other processes, too.
  const std::size_t planes = exchange_ != nullptr ? planes_to_push(visit) : 0;
  while (planes > 0 && !fields_->has_room(planes)) {
    if (!retire_one()) return;
  }
}

// A lower bound of the field planes that the visit produces; max() if a sweep starts with it, since
// the boxes of that sweep are not known yet.
std::size_t Pipeline::planes_to_push(const Visit& visit) const {
  if (!fields_) return 0;
  std::size_t planes = 0;
  for (const Finished& finished : visit.finished) {
    if (!sweeps_.has(finished.sweep)) return std::numeric_limits<std::size_t>::max();
    if (sweeps_.sweep(finished.sweep).emit) planes += sweeps_.boxes(finished.sweep).size();
  }
  return planes;
}

void Pipeline::submit(const Visit& visit) {
  VisitInFlight& flight = visits_.begin(visit);
  const ScopedRange range("visit", flight.number);
  for (const Sweep& sweep : visit.started) begin_sweep(sweep);
  if (!visit.loads.empty() || !visit.halo_in.empty() || device_.fetches_boundaries()) {
    load(visit, flight);
  }
  if (!visit.updates.empty()) update(visit, flight);
  if (!visit.stores.empty() || !visit.halo_out.empty() || visit.sweeps_completed > 0) {
    store(visit, flight);
  }
  visits_.end();
}

void Pipeline::begin_sweep(const Sweep& sweep) {
  sweeps_.begin(sweep);
  if (!fields_) return;
  const int number = sweeps_.newest();
  const auto begin_fields = [&](std::int64_t step) {
    auto boxes = fields_->boxes(step);
    if (boxes.empty()) boxes.push_back(whole_box(device_.lattice()));
    fields_->begin(step);
    return boxes;
  };
  const std::int64_t last = sweeps_.step_after(number), first = last - sweep.steps;
  for (const int level : sweep.early) {
    sweeps_.add_early({first + level, begin_fields(first + level)});
  }
  if (sweep.emit) sweeps_.set_boxes(begin_fields(last));
}

void Pipeline::load(const Visit& visit, VisitInFlight& flight) {
  const ScopedRange range("loads", flight.number);
  visits_.wait_for(Queue::load, Queue::update, visit.load_after_update);
  visits_.wait_for(Queue::load, Queue::store, visit.load_after_store);
  visits_.begin_stage(Queue::load);
  load_planes(visit, flight);
  if (device_.fetches_boundaries()) fetch_boundaries(visit, flight);
  visits_.end_stage(Queue::load);
}

// Fetches the boundaries of the planes that the updates read.
void Pipeline::fetch_boundaries(const Visit& visit, VisitInFlight& flight) {
  for (const Update& update : visit.updates) {
    flight.bytes_in +=
        device_.fetch_boundaries(update.first_plane - 1, static_cast<int>(update.in.size()),
                                 flight.number, visit.load_after_update);
  }
}

void Pipeline::update(const Visit& visit, VisitInFlight& flight) {
  const ScopedRange range("updates", flight.number);
  visits_.wait_for(Queue::update, Queue::load, flight.number);
  visits_.wait_for(Queue::update, Queue::store, visit.update_after_store);
  visits_.begin_stage(Queue::update);
  launches_.clear();
  for (const Update& update : visit.updates) {
    launches_.push_back(launch_of(update));
    launches_.back().together = together_ > 1;
    if (steps_matter_) launches_.back().step = sweeps_.step_before(update);
  }
  launch(visit, flight);
  sample(visit);
  if (fields_) push_finished(visit, flight);
  visits_.end_stage(Queue::update);
}

// The backend gets as many launches in one call as possible. Probes and early fields end a call,
// since the next launch may overwrite the planes that they read. So does a launch before one of a
// step whose values at faces may take the place of others. The schedule has planned every
// together_ launches as one pass: a call that begins within one ends with it.
void Pipeline::launch(const Visit& visit, VisitInFlight& flight) {
  const std::span<const UpdateLaunch> all = launches_;
  const Lattice& lattice = device_.lattice();
  FaceValueRing* const face_values = device_.face_values();
  std::size_t given = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    flight.plane_updates += all[i].count;
    const Update& update = visit.updates[i];
    const bool probed = has_probes(probes_, all[i], lattice.nz);
    const Emission* const emission = fields_ ? sweeps_.early(update) : nullptr;
    const bool ends_pass = (i + 1) % together_ == 0;
    const bool ends_begun_pass = ends_pass && given % together_ != 0;
    if (face_values != nullptr) face_values->prepare(all[i].step);
    const bool more =
        i + 1 < all.size() && (face_values == nullptr || face_values->has(all[i + 1].step));
    if (!probed && emission == nullptr && !ends_begun_pass && more) continue;
    const auto launches = all.subspan(given, i + 1 - given);
    backend_.update(device_.view(), launches);
    if (face_values != nullptr) face_values->given(launches);
    if (probed) backend_.probe(device_.view(), all[i]);
    if (emission != nullptr) push_early(all[i], *emission, flight);
    given = i + 1;
  }
}

// Planes that are finished are sampled for the records: as many of a sweep at a time as a launch
// takes.
void Pipeline::sample(const Visit& visit) {
  std::vector<PlaneState> planes;
  planes.reserve(visit.finished.size());
  for (std::size_t i = 0; i < visit.finished.size(); ++i) {
    const Finished& finished = visit.finished[i];
    const Sweep& sweep = sweeps_.sweep(finished.sweep);
    if (!sweep.check) continue;
    planes.push_back(plane_state(device_.view(), finished.slot, finished.plane,
                                 sweeps_.step_after(finished.sweep)));
    const bool more =
        i + 1 < visit.finished.size() && visit.finished[i + 1].sweep == finished.sweep;
    if (more && planes.size() < max_planes_per_launch) continue;
    std::int64_t* const record = records_.record(sweeps_.record(finished.sweep));
    backend_.sample_flow(device_.view(), planes, record);
    if (sweep.sums) sum_boxes(planes, record);
    planes.clear();
  }
}

void Pipeline::sum_boxes(std::span<const PlaneState> planes, std::int64_t* record) {
  const RecordShape& shape = records_.shape();
  std::int64_t* sums = record + first_box_value(shape.bodies, shape.probes, shape.scalars);
  std::vector<PlaneState> inside;
  for (const FieldBox& box : boxes_) {
    inside.clear();
    std::copy_if(planes.begin(), planes.end(), std::back_inserter(inside),
                 [&](const PlaneState& plane) { return box.has_plane(plane.z, grid_.nz); });
    if (!inside.empty()) {
      backend_.sum_box(device_.view(), inside, box.rectangle(), scale_of(box), sums);
    }
    sums += box_values_with(shape.scalars);
  }
}

// The fields of planes that are finished are computed.
void Pipeline::push_finished(const Visit& visit, VisitInFlight& flight) {
  for (const Finished& finished : visit.finished) {
    if (!sweeps_.sweep(finished.sweep).emit) continue;
    const std::int64_t step = sweeps_.step_after(finished.sweep);
    push_fields(plane_state(device_.view(), finished.slot, finished.plane, step), step,
                sweeps_.boxes(finished.sweep), flight);
  }
}

// Planes that haloed tiles compute twice are handed out once.
void Pipeline::push_early(const UpdateLaunch& launch, const Emission& emission,
                          VisitInFlight& flight) {
  for (int i = 0; i < launch.count; ++i) {
    if ((launch.counted >> i & 1U) == 0) continue;
    const int z = (launch.first_plane + i) % grid_.nz;
    const PlaneState plane = plane_state(device_.view(), launch.out[i], z, emission.step);
    push_fields(plane, emission.step, emission.boxes, flight);
  }
}

// Each box of the step takes its part of the plane.
void Pipeline::push_fields(const PlaneState& plane, std::int64_t step,
                           const std::vector<FieldBox>& boxes, VisitInFlight& flight) {
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (!boxes[b].has_plane(plane.z, grid_.nz)) continue;
    fields_->push(device_.view(), plane, boxes[b], static_cast<int>(b), step, flight.number);
    flight.bytes_out +=
        FieldRing::plane_bytes(boxes[b].plane_cells(), device_.lattice().scalar_count());
  }
}

void Pipeline::store(const Visit& visit, VisitInFlight& flight) {
  const ScopedRange range("stores", flight.number);
  visits_.wait_for(Queue::store, Queue::update, flight.number);
  // A visit without updates may send halo planes as they were loaded.
  if (!visit.halo_out.empty()) visits_.wait_for(Queue::store, Queue::load, flight.number);
  visits_.begin_stage(Queue::store);
  store_planes(visit, flight);
  fetch_records(flight);
  visits_.end_stage(Queue::store);
}

// The records of the sweeps that the visit completes go to the host.
void Pipeline::fetch_records(VisitInFlight& flight) {
  for (int i = 0; i < flight.sweeps_completed; ++i) {
    const SweepRecords records = sweeps_.next_records();
    if (records.count == 0) continue;
    records_.fetch(records.last - records.count + 1, records.last);
    flight.records.push_back(records);
  }
}

void Pipeline::retire_oldest() {
  const ScopedRange range("retire", visits_.oldest());
  VisitInFlight& flight = visits_.complete_oldest(stats_);
  complete_halo(flight);
  visits_.retire();
  ++stats_.visits;
  stats_.plane_updates += flight.plane_updates;
  stats_.bytes_in += flight.bytes_in;
  stats_.bytes_out += flight.bytes_out;
  for (const SweepRecords& records : flight.records) hand_out(records);
  if (fields_) fields_->deliver(flight.number);
  for (int i = 0; i < flight.sweeps_completed; ++i) {
    stats_.steps_completed += sweeps_.complete_oldest();
  }
  report();
}

void Pipeline::hand_out(const SweepRecords& records) {
  // Cells of other slabs count, too: there the records are merged first.
  if (records.sampled && exchange_ == nullptr) {
    refuse_bad_cells(device_.lattice(), records.step, records_.fetched(records.last));
  }
  if (record_sink_ == nullptr) return;
  for (int back = records.count - 1; back >= 0; --back) {
    record_sink_->on_step(records.step - back, records_.fetched(records.last - back),
                          records.sampled && back == 0);
  }
}

void Pipeline::report() {
  if (fields_) {
    stats_.sink_seconds = fields_->sink_seconds();
    stats_.output_wait_seconds = fields_->wait_seconds();
  }
  if (on_retired_) on_retired_(stats_);
}

}  // namespace lbm::tiling
