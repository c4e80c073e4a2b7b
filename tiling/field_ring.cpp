#include "tiling/field_ring.hpp"

#include <chrono>

namespace lbm::tiling {
namespace {

constexpr std::size_t ring_planes = 8;
constexpr std::size_t values_per_cell = 4;  // density, velocity

}  // namespace

std::size_t FieldRing::plane_bytes(const Lattice& lattice) {
  return static_cast<std::size_t>(lattice.layout.cells()) * values_per_cell * sizeof(float);
}

std::size_t FieldRing::device_bytes_needed(const Lattice& lattice) {
  return ring_planes * plane_bytes(lattice);
}

std::size_t FieldRing::device_bytes() const {
  std::size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.device.size();
  return bytes;
}

// Copies may be under way after an exception; memory must not go before they are done.
FieldRing::~FieldRing() {
  for (std::size_t i = 0; i < used_; ++i) {
    try {
      backend_.synchronize(*entries_[(first_ + i) % ring_planes].copied);
    } catch (const std::exception&) {  // the device is lost; there is nothing to wait for
    }
  }
}

void FieldRing::allocate(const Lattice& lattice) {
  for (std::size_t i = 0; i < ring_planes; ++i) {
    Entry entry;
    entry.device = backend_.allocate_device(plane_bytes(lattice), "output fields");
    entry.host = backend_.allocate_staging(plane_bytes(lattice), "output fields");
    entry.computed = backend_.make_event();
    entry.copied = backend_.make_event();
    if (tracer_ != nullptr) {
      entry.compute_begin = backend_.make_event();
      entry.copy_begin = backend_.make_event();
    }
    entry.cells = static_cast<std::size_t>(lattice.layout.cells());
    entries_.push_back(std::move(entry));
  }
}

void FieldRing::push(const DeviceLattice& lattice, int slot, std::int64_t step, int sweep,
                     int plane, int visit) {
  if (entries_.empty()) allocate(lattice.lattice);
  if (used_ == ring_planes) hand_out_oldest();
  Entry& entry = entries_[(first_ + used_) % ring_planes];
  entry.step = step;
  entry.sweep = sweep;
  entry.plane = plane;
  entry.visit = visit;
  entry.traced = tracer_ != nullptr && !tracer_->full();
  auto* density = reinterpret_cast<float*>(entry.device.data());
  if (entry.traced) backend_.record(Lane::update, *entry.compute_begin);
  backend_.moments(lattice, slot, density, density + entry.cells);
  backend_.record(Lane::update, *entry.computed);
  backend_.wait(Lane::store, *entry.computed);
  if (entry.traced) backend_.record(Lane::store, *entry.copy_begin);
  backend_.copy_out(entry.host.data(), entry.device.data(), entry.device.size());
  backend_.record(Lane::store, *entry.copied);
  ++used_;
}

void FieldRing::deliver(int visit) {
  while (used_ > 0 && entries_[first_].visit <= visit) hand_out_oldest();
}

Slice FieldRing::slice_of(const Entry& entry, Activity activity) {
  return {activity, entry.visit, entry.sweep, 0, entry.plane, 1, entry.host.size()};
}

void FieldRing::wait_for_copy(const Entry& entry) {
  const double begin = entry.traced ? tracer_->now() : 0;
  backend_.synchronize(*entry.copied);
  if (!entry.traced) return;
  tracer_->report_host({Activity::wait, entry.visit, entry.sweep}, begin);
  tracer_->report(slice_of(entry, Activity::fields), *entry.compute_begin, *entry.computed);
  tracer_->report(slice_of(entry, Activity::copy_fields), *entry.copy_begin, *entry.copied);
}

void FieldRing::hand_out_oldest() {
  const Entry& entry = entries_[first_];
  wait_for_copy(entry);
  const double traced_begin = entry.traced ? tracer_->now() : 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto* fields = reinterpret_cast<const float*>(entry.host.data());
  // Free again whatever the sink does.
  first_ = (first_ + 1) % ring_planes;
  --used_;
  sink_.on_plane(entry.step, entry.plane, {fields, entry.cells},
                 {fields + entry.cells, 3 * entry.cells});
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  sink_seconds_ += spent.count();
  if (entry.traced) tracer_->report_host(slice_of(entry, Activity::write), traced_begin);
}

}  // namespace lbm::tiling
