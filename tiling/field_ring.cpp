#include "tiling/field_ring.hpp"

#include <algorithm>
#include <chrono>

namespace lbm::tiling {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t device_planes = 8;
constexpr std::size_t least_host_planes = device_planes;
constexpr std::size_t values_per_cell = 4;  // density, velocity
constexpr std::size_t enough_bytes = std::size_t{1} << 30;
// One visit is written while the device is at the next and has one more to go on with.
constexpr std::size_t enough_visits = 3;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

std::size_t FieldRing::plane_bytes(const Lattice& lattice) {
  return static_cast<std::size_t>(lattice.layout.cells()) * values_per_cell * sizeof(float);
}

std::size_t FieldRing::device_bytes_needed(const Lattice& lattice) {
  return device_planes * plane_bytes(lattice);
}

std::size_t FieldRing::host_planes(const Lattice& lattice, int planes_per_visit,
                                   std::uint64_t limit) {
  const std::size_t bytes = plane_bytes(lattice);
  const std::size_t wanted =
      std::max(enough_bytes / bytes, enough_visits * static_cast<std::size_t>(planes_per_visit));
  const std::size_t all = static_cast<std::size_t>(lattice.nz);
  const auto allowed = static_cast<std::size_t>(limit / bytes);
  return std::max(least_host_planes, std::min({wanted, all, allowed}));
}

FieldRing::FieldRing(Backend& backend, FieldSink& sink, Tracer* tracer, const Lattice& lattice,
                     std::size_t host_planes)
    : backend_(backend),
      sink_(sink),
      tracer_(tracer),
      cells_(static_cast<std::size_t>(lattice.layout.cells())),
      device_(backend.allocate_device(device_bytes_needed(lattice), "output fields")),
      host_(backend.allocate_staging(host_planes * plane_bytes(lattice), "output fields")),
      entries_(host_planes) {
  for (Entry& entry : entries_) {
    entry.computed = backend_.make_event();
    entry.copied = backend_.make_event();
    if (tracer_ == nullptr) continue;
    entry.compute_begin = backend_.make_event();
    entry.copy_begin = backend_.make_event();
  }
}

// Copies may be under way after an exception; memory must not go before they are done.
FieldRing::~FieldRing() {
  for (; delivered_ < pushed_; ++delivered_) {
    try {
      backend_.synchronize(*entry(delivered_).copied);
    } catch (const std::exception&) {  // the device is lost; there is nothing to wait for
    }
  }
}

std::byte* FieldRing::host_plane(std::uint64_t push) const {
  return host_.data() + push % entries_.size() * (host_.size() / entries_.size());
}

void FieldRing::begin(std::int64_t step, int sweep, int visit) {
  last_ticket_ = thread_.add([this, step, sweep, visit, traced = traces()] {
    const double traced_begin = traced ? tracer_->now() : 0;
    const auto begin = Clock::now();
    sink_.on_sweep(step);
    sink_seconds_ = sink_seconds_ + seconds_since(begin);
    if (traced) tracer_->report_host({Activity::open, visit, sweep}, traced_begin);
  });
}

void FieldRing::push(const DeviceLattice& lattice, const PlaneState& plane, std::int64_t step,
                     int sweep, int visit) {
  if (pushed_ - delivered_ == entries_.size()) hand_out_oldest();
  Entry& entry = this->entry(pushed_);
  wait_for_sink(entry.ticket, visit, sweep);
  entry.step = step;
  entry.sweep = sweep;
  entry.plane = plane.z;
  entry.visit = visit;
  entry.traced = traces();
  // The device waits for its own plane to be free, this thread does not.
  if (pushed_ >= delivered_ + device_planes) {
    backend_.wait(Lane::update, *this->entry(pushed_ - device_planes).copied);
  }
  const std::size_t bytes = device_.size() / device_planes;
  std::byte* const device = device_.data() + pushed_ % device_planes * bytes;
  auto* density = reinterpret_cast<float*>(device);
  if (entry.traced) backend_.record(Lane::update, *entry.compute_begin);
  backend_.moments(lattice, plane, density, density + cells_);
  backend_.record(Lane::update, *entry.computed);
  backend_.wait(Lane::store, *entry.computed);
  if (entry.traced) backend_.record(Lane::store, *entry.copy_begin);
  backend_.copy_out(host_plane(pushed_), device, bytes);
  backend_.record(Lane::store, *entry.copied);
  ++pushed_;
}

void FieldRing::deliver(int visit) {
  thread_.rethrow_error();
  while (delivered_ < pushed_ && entry(delivered_).visit <= visit) hand_out_oldest();
}

void FieldRing::finish() {
  const Entry& newest = entry(pushed_ + entries_.size() - 1);
  wait_for_sink(last_ticket_, newest.visit, newest.sweep);
}

Slice FieldRing::slice_of(const Entry& entry, Activity activity) const {
  return {activity, entry.visit, entry.sweep, 0, entry.plane, 1, device_.size() / device_planes};
}

void FieldRing::wait_for_copy(const Entry& entry) {
  const double begin = entry.traced ? tracer_->now() : 0;
  backend_.synchronize(*entry.copied);
  if (!entry.traced) return;
  tracer_->report_host({Activity::wait, entry.visit, entry.sweep}, begin);
  tracer_->report(slice_of(entry, Activity::fields), *entry.compute_begin, *entry.computed);
  tracer_->report(slice_of(entry, Activity::copy_fields), *entry.copy_begin, *entry.copied);
}

void FieldRing::wait_for_sink(std::uint64_t ticket, int visit, int sweep) {
  if (thread_.is_done(ticket)) return;
  const bool traced = traces();
  const double traced_begin = traced ? tracer_->now() : 0;
  const auto begin = Clock::now();
  thread_.wait_for(ticket);
  wait_seconds_ += seconds_since(begin);
  if (traced) tracer_->report_host({Activity::wait_writer, visit, sweep}, traced_begin);
}

void FieldRing::hand_out_oldest() {
  Entry& entry = this->entry(delivered_);
  wait_for_copy(entry);
  const auto* fields = reinterpret_cast<const float*>(host_plane(delivered_));
  // Not under way any more, whatever happens next.
  ++delivered_;
  entry.ticket = last_ticket_ =
      thread_.add([this, slice = slice_of(entry, Activity::write), step = entry.step, fields,
                   traced = entry.traced] { write(slice, step, fields, traced); });
}

void FieldRing::write(const Slice& slice, std::int64_t step, const float* fields, bool traced) {
  const double traced_begin = traced ? tracer_->now() : 0;
  const auto begin = Clock::now();
  sink_.on_plane(step, slice.first_plane, {fields, cells_}, {fields + cells_, 3 * cells_});
  sink_seconds_ = sink_seconds_ + seconds_since(begin);
  if (traced) tracer_->report_host(slice, traced_begin);
}

}  // namespace lbm::tiling
