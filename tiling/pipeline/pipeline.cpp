#include "tiling/pipeline/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "solver/backend/scoped_range.hpp"
#include "solver/core/error.hpp"
#include "tiling/pipeline/pipeline_turn.hpp"
#include "tiling/schedule/make_scheduler.hpp"

namespace lbm::tiling {
namespace {

const ProbeCells* probes_of(const RecordSink* records) {
  const ProbeCells* probes = records != nullptr ? records->probes() : nullptr;
  return probes != nullptr && probes->size() > 0 ? probes : nullptr;
}

// Visits under way. Waits reach at most store_lag visits back; one more keeps the device fed.
constexpr int turns_in_flight = store_lag + 2;

static_assert(max_planes_per_visit <= max_planes_per_launch, "an update is one launch");

}  // namespace

namespace {

template <class Operation>
PipelineStats combined(const PipelineStats& a, const PipelineStats& b, const Operation& op) {
  return {op(a.visits, b.visits),
          op(a.plane_updates, b.plane_updates),
          op(a.steps_completed, b.steps_completed),
          op(a.bytes_in, b.bytes_in),
          op(a.bytes_out, b.bytes_out),
          op(a.load_seconds, b.load_seconds),
          op(a.update_seconds, b.update_seconds),
          op(a.store_seconds, b.store_seconds),
          op(a.sink_seconds, b.sink_seconds),
          op(a.output_wait_seconds, b.output_wait_seconds)};
}

}  // namespace

PipelineStats operator+(const PipelineStats& a, const PipelineStats& b) {
  return combined(a, b, std::plus<>());
}

PipelineStats operator-(const PipelineStats& a, const PipelineStats& b) {
  return combined(a, b, std::minus<>());
}

Pipeline::Pipeline(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                   PlaneStore& store, const ScheduleOptions& options, FieldSink* sink,
                   TraceSink* trace, std::uint64_t staging_limit, RecordSink* records,
                   std::int64_t first_step, const SlabShare& share)
    : backend_(backend),
      store_(store),
      exchange_(share.exchange),
      grid_{lattice.nz, lattice.periodic_z(), share.first, share.planes},
      scheduler_(make_scheduler(grid_, options)),
      record_sink_(records),
      probes_(probes_of(records)),
      records_(backend, {boundaries.bodies(), probes_ != nullptr ? probes_->size() : 0}, options),
      steps_matter_(boundaries.bodies() > 0 || probes_ != nullptr || boundaries.changes_in_time() ||
                    lattice.collision.force.changes() || lattice.walls_change),
      sweep_begin_(first_step) {
  device_.lattice = lattice;
  if (trace != nullptr) tracer_ = std::make_unique<Tracer>(backend, *trace);
  if (sink != nullptr) {
    const std::int64_t cells = sink->most_plane_cells(lattice);
    fields_ = std::make_unique<FieldRing>(
        backend, *sink, tracer_.get(), cells,
        FieldRing::host_planes(cells, grid_.planes(), options.planes_per_visit, staging_limit));
  }
  slots_ = backend.allocate_device(
      static_cast<std::size_t>(scheduler_->slots()) * lattice.layout.bytes, "lattice planes");
  device_.slots = slots_.data();
  if (!boundaries.none()) {
    const auto bytes = boundaries.bytes();
    boundary_bytes_ = upload(bytes.data(), bytes.size(), "boundaries");
    device_.boundaries = boundaries.view(boundary_bytes_.data());
    device_.host = &boundaries;
  }
  if (probes_ != nullptr) {
    probe_bytes_ = upload(probes_->bytes().data(), probes_->bytes().size(), "probes");
    device_.probes = probes_->view(probe_bytes_.data(), boundaries.bodies());
  }
  if (boundaries.bodies() > 0 || probes_ != nullptr) {
    device_.records = records_.device();
    device_.record_steps = records_.size();
    device_.record_values = records_.values();
  }
  for (int i = 0; i < turns_in_flight; ++i) {
    turns_.push_back(std::make_unique<Turn>(backend, tracer_.get(), lattice.nz));
  }
  if (const auto prologue = scheduler_->prologue()) {
    submit(*prologue);
    retire_oldest({});
    stats_ = {};
  }
}

// Work may be under way after an exception; memory must not go before it is done.
Pipeline::~Pipeline() {
  for (auto& turn : turns_) {
    for (auto& stage : turn->stages) {
      try {
        if (stage.used) backend_.synchronize(*stage.end);
      } catch (const std::exception&) {  // the device is lost; there is nothing to wait for
      }
    }
  }
}

Buffer Pipeline::upload(const void* data, std::size_t bytes, const char* purpose) {
  Buffer device = backend_.allocate_device(bytes, purpose);
  const Buffer staging = backend_.allocate_staging(bytes, purpose);
  std::memcpy(staging.data(), data, bytes);
  backend_.copy_in(device.data(), staging.data(), bytes);
  const auto done = backend_.make_event();
  backend_.record(Queue::load, *done);
  backend_.synchronize(*done);
  return device;
}

std::size_t Pipeline::device_bytes() const {
  return slots_.size() + boundary_bytes_.size() + probe_bytes_.size() + records_.device_bytes() +
         (fields_ ? fields_->device_bytes() : 0);
}

std::size_t Pipeline::device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                          const ScheduleOptions& options, const Watched& watched,
                                          int slab_planes) {
  const int slots = slots_needed({lattice.nz, lattice.periodic_z(), 0, slab_planes}, options);
  const std::size_t probes =
      watched.probes > 0 ? ProbeCells::bytes_needed(watched.probes, lattice.nz) : 0;
  return static_cast<std::size_t>(slots) * lattice.layout.bytes + boundaries.bytes().size() +
         probes + RecordRing::device_bytes_needed({boundaries.bodies(), watched.probes}, options) +
         (watched.field_cells > 0 ? FieldRing::device_bytes_needed(watched.field_cells) : 0);
}

Pipeline::Turn& Pipeline::turn(int visit) { return *turns_[visit % turns_in_flight]; }

void Pipeline::run(const SweepSource& source,
                   const std::function<void(const PipelineStats&)>& on_retired) {
  on_retired_ = &on_retired;
  while (const auto visit = scheduler_->next(source)) {
    make_room(*visit, on_retired);
    wait_for_halo(*visit, on_retired);
    submit(*visit);
  }
  while (retired_ < submitted_) retire_oldest(on_retired);
  if (fields_) finish_fields(on_retired);
}

bool Pipeline::retire_one() {
  if (retired_ == submitted_) return false;
  retire_oldest(*on_retired_);
  return true;
}

// For one more turn, and for the records of the steps that begin with it.
void Pipeline::make_room(const Visit& visit,
                         const std::function<void(const PipelineStats&)>& on_retired) {
  if (submitted_ - retired_ == turns_in_flight) retire_oldest(on_retired);
  std::int64_t starting = 0;
  for (const Sweep& sweep : visit.started) {
    starting += device_.records != nullptr ? sweep.steps : (sweep.check ? 1 : 0);
  }
  while (retired_ < submitted_ && records_under_way() + starting > records_.size()) {
    retire_oldest(on_retired);
  }
  if (records_under_way() + starting > records_.size()) {
    throw std::logic_error("Pipeline: more steps under way than there are records");
  }
}

// What is done must be sent before this process waits: others may wait for that.
void Pipeline::wait_for_halo(const Visit& visit,
                             const std::function<void(const PipelineStats&)>& on_retired) {
  const auto in = static_cast<int>(visit.halo_in.size());
  const auto out = static_cast<int>(visit.halo_out.size());
  while (in > 0 && !exchange_->up->has_arrived(in)) {
    retired_ < submitted_ ? retire_oldest(on_retired) : exchange_->up->wait_to_arrive();
  }
  while (out > 0 && !exchange_->down->can_fill(out)) {
    retired_ < submitted_ ? retire_oldest(on_retired) : exchange_->down->wait_to_fill();
  }
  // The sink may wait for others, too.
  const std::size_t planes = exchange_ != nullptr ? planes_to_push(visit) : 0;
  while (planes > 0 && retired_ < submitted_ && !fields_->has_room(planes)) {
    retire_oldest(on_retired);
  }
}

void Pipeline::submit(const Visit& visit) {
  const ScopedRange range("visit", submitted_);
  for (const Sweep& sweep : visit.started) begin_sweep(sweep);
  Turn& turn = this->turn(submitted_);
  for (Queue queue : {Queue::load, Queue::update, Queue::store}) {
    auto& stage = turn.stage(queue);
    stage.used = false;
    stage.last_used = submitted_ == 0 ? -1 : this->turn(submitted_ - 1).stage(queue).last_used;
  }
  turn.records.clear();
  turn.updates = 0;
  turn.bytes_in = turn.bytes_out = 0;
  turn.halo_in = static_cast<int>(visit.halo_in.size());
  turn.halo_out = static_cast<int>(visit.halo_out.size());
  turn.sweeps_completed = visit.sweeps_completed;
  submit_loads(visit, turn);
  submit_updates(visit, turn);
  submit_stores(visit, turn);
  ++submitted_;
}

// The queue waits for all that the other queue was given up to that visit.
void Pipeline::wait_for(Queue queue, Queue other, int visit) {
  if (visit < retired_) return;
  const int last = turn(visit).stage(other).last_used;
  if (last >= retired_) backend_.wait(queue, *turn(last).stage(other).end);
}

void Pipeline::submit_loads(const Visit& visit, Turn& turn) {
  if (visit.loads.empty() && visit.halo_in.empty()) return;
  const ScopedRange range("loads", submitted_);
  PendingSlices* const slices = traced(turn);
  auto& stage = turn.stage(Queue::load);
  wait_for(Queue::load, Queue::update, visit.load_after_update);
  wait_for(Queue::load, Queue::store, visit.load_after_store);
  backend_.record(Queue::load, *stage.begin);
  const std::size_t bytes = device_.lattice.layout.bytes;
  for (const Transfer& t : visit.loads) {
    if (slices != nullptr) {
      slices->add(Queue::load, {Activity::load, submitted_, newest_sweep(), 0, t.plane, 1, bytes});
    }
    backend_.copy_in(device_.slots + static_cast<std::size_t>(t.slot) * bytes,
                     store_.load_from(t.home), bytes);
    store_.loaded(t.home);
    turn.bytes_in += bytes;
  }
  receive_halo(visit, turn);
  if (slices != nullptr) slices->end();
  backend_.record(Queue::load, *stage.end);
  stage.used = true;
  stage.last_used = submitted_;
}

void Pipeline::receive_halo(const Visit& visit, Turn& turn) {
  PendingSlices* const slices = traced(turn);
  const std::size_t bytes = device_.lattice.layout.bytes;
  for (const HaloPlane& e : visit.halo_in) {
    if (slices != nullptr) {
      slices->add(Queue::load, {Activity::load, submitted_, e.sweep, e.level, e.plane, 1, bytes});
    }
    backend_.copy_in(device_.slots + static_cast<std::size_t>(e.slot) * bytes,
                     exchange_->up->read_next(), bytes);
    turn.bytes_in += bytes;
  }
}

void Pipeline::send_halo(const Visit& visit, Turn& turn) {
  PendingSlices* const slices = traced(turn);
  const std::size_t bytes = device_.lattice.layout.bytes;
  for (const HaloPlane& e : visit.halo_out) {
    if (slices != nullptr) {
      slices->add(Queue::store, {Activity::store, submitted_, e.sweep, e.level, e.plane, 1, bytes});
    }
    backend_.copy_out(exchange_->down->fill_next(),
                      device_.slots + static_cast<std::size_t>(e.slot) * bytes, bytes);
    turn.bytes_out += bytes;
  }
}

void Pipeline::submit_updates(const Visit& visit, Turn& turn) {
  if (visit.updates.empty()) return;
  const ScopedRange range("updates", submitted_);
  auto& stage = turn.stage(Queue::update);
  wait_for(Queue::update, Queue::load, submitted_);
  wait_for(Queue::update, Queue::store, visit.update_after_store);
  backend_.record(Queue::update, *stage.begin);
  launches_.clear();
  for (const Update& update : visit.updates) {
    UpdateLaunch& launch = launches_.emplace_back();
    launch.first_plane = update.first_plane;
    launch.count = static_cast<int>(update.out.size());
    std::copy(update.in.begin(), update.in.end(), launch.in.begin());
    std::copy(update.out.begin(), update.out.end(), launch.out.begin());
    launch.passing = update.passing;
    launch.counted = update.counted;
    launch.step = steps_matter_ ? step_before(update) : 0;
    turn.updates += launch.count;
  }
  if (traced(turn) != nullptr) {
    update_one_by_one(visit, turn);
  } else {
    update_and_probe();
  }
  submit_fields(visit, turn);
  backend_.record(Queue::update, *stage.end);
  stage.used = true;
  stage.last_used = submitted_;
}

bool Pipeline::has_probes(const UpdateLaunch& launch) const {
  if (probes_ == nullptr) return false;
  for (int i = 0; i < launch.count; ++i) {
    if (probes_->in_plane((launch.first_plane + i) % device_.lattice.nz) > 0) return true;
  }
  return false;
}

// What a launch writes may be gone after the next one, so probes look at it in between.
void Pipeline::update_and_probe() {
  const std::span<const UpdateLaunch> all = launches_;
  std::size_t given = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!has_probes(all[i])) continue;
    backend_.update(device_, all.subspan(given, i + 1 - given));
    backend_.probe(device_, all[i]);
    given = i + 1;
  }
  if (given < all.size()) backend_.update(device_, all.subspan(given));
}

void Pipeline::submit_stores(const Visit& visit, Turn& turn) {
  if (visit.stores.empty() && visit.halo_out.empty() && visit.sweeps_completed == 0) return;
  const ScopedRange range("stores", submitted_);
  PendingSlices* const slices = traced(turn);
  auto& stage = turn.stage(Queue::store);
  wait_for(Queue::store, Queue::update, submitted_);
  // Halo planes may be planes as they were loaded, in a visit without updates.
  if (!visit.halo_out.empty()) wait_for(Queue::store, Queue::load, submitted_);
  backend_.record(Queue::store, *stage.begin);
  const std::size_t bytes = device_.lattice.layout.bytes;
  for (const Transfer& t : visit.stores) {
    if (slices != nullptr) {
      slices->add(Queue::store, {Activity::store, submitted_, t.sweep, 0, t.plane, 1, bytes});
    }
    backend_.copy_out(store_.store_to(t.home),
                      device_.slots + static_cast<std::size_t>(t.slot) * bytes, bytes);
    turn.bytes_out += bytes;
  }
  send_halo(visit, turn);
  if (slices != nullptr) slices->end();
  submit_records(visit, turn);
  backend_.record(Queue::store, *stage.end);
  stage.used = true;
  stage.last_used = submitted_;
}

void Pipeline::retire_oldest(const std::function<void(const PipelineStats&)>& on_retired) {
  Turn& turn = this->turn(retired_);
  const ScopedRange range("retire", retired_);
  const double wait_begin = tracer_ ? tracer_->now() : 0;
  double* seconds[3] = {&stats_.load_seconds, &stats_.update_seconds, &stats_.store_seconds};
  for (Queue queue : {Queue::load, Queue::update, Queue::store}) {
    auto& stage = turn.stage(queue);
    if (!stage.used) continue;
    backend_.synchronize(*stage.end);
    *seconds[static_cast<int>(queue)] += backend_.seconds_between(*stage.begin, *stage.end);
  }
  if (tracer_) trace_retired(turn, wait_begin);
  if (turn.halo_out > 0) exchange_->down->send(turn.halo_out);
  if (turn.halo_in > 0) exchange_->up->release(turn.halo_in);
  ++retired_;
  ++stats_.visits;
  stats_.plane_updates += turn.updates;
  stats_.bytes_in += turn.bytes_in;
  stats_.bytes_out += turn.bytes_out;
  hand_out_records(turn);
  if (fields_) {
    fields_->deliver(retired_ - 1);
    add_field_seconds();
  }
  for (int i = 0; i < turn.sweeps_completed; ++i) {
    stats_.steps_completed += sweeps_.front().steps;
    sweep_begin_ += sweeps_.front().steps;
    checked_ += sweeps_.front().check ? 1 : 0;
    ++first_sweep_;
    sweeps_.pop_front();
    boxes_.pop_front();
  }
  if (on_retired) on_retired(stats_);
}

}  // namespace lbm::tiling
