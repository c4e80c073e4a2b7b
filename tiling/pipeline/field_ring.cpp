// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/field_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "solver/backend/scoped_range.hpp"
#include "solver/core/error.hpp"

namespace lbm::tiling {
namespace {

// " at z_max and x_min": the faces that such a cell touches; periodic ones are none.
std::string faces_at(const Lattice& lattice, const std::array<std::int64_t, 3>& cell) {
  const std::array<std::int64_t, 3> cells{lattice.layout.nx, lattice.layout.ny, lattice.nz};
  std::string names;
  for (std::size_t face = 0; face < 6; ++face) {
    const std::size_t axis = face / 2;
    if (cell[axis] != (face % 2 == 0 ? 0 : cells[axis] - 1)) continue;
    if ((lattice.walls.faces & (1u << face)) == 0) continue;
    names += (names.empty() ? " at " : " and ") + std::string(1, "xyz"[axis]) +
             (face % 2 == 0 ? "_min" : "_max");
  }
  return names;
}

}  // namespace

void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from) {
  for (std::size_t i = 0; i < std::min(to.size(), from.size()); ++i) {
    const bool sum = join_of(static_cast<int>(i)) == Join::sum;
    to[i] = sum ? to[i] + from[i] : std::max(to[i], from[i]);
  }
}

void refuse_bad_cells(const Lattice& lattice, std::int64_t step,
                      std::span<const std::int64_t> record) {
  if (record[first_bad_cell] == 0) return;
  const std::int64_t cell = cell_limit - record[first_bad_cell];
  const std::int64_t nx = lattice.layout.nx, plane = lattice.layout.cells();
  const std::array<std::int64_t, 3> at{cell % nx, cell % plane / nx, cell / plane};
  const FlowLimits& limits = lattice.limits;
  throw DivergedError(fmt::format(
      "the flow diverged before step {}: {} cells are not finite, or outside density {} to {} or "
      "Mach {}{}, the first one [{}, {}, {}]{}",
      step, record[bad_cells], limits.density_min, limits.density_max, limits.mach_max,
      lattice.scalars.empty()
          ? ""
          : fmt::format(", or have a scalar beyond {} times its difference", limits.scalar_max),
      at[0], at[1], at[2], faces_at(lattice, at)));
}

namespace {

using Clock = std::chrono::steady_clock;

// On the device: planes of the largest box. Where they are small, as slices are, so many that their
// copies may wait for the planes of the lattice of two visits; but no more bytes than one of these.
constexpr std::size_t least_device_planes = 8, enough_device_planes = 128;
constexpr std::size_t least_host_planes = 8;
constexpr std::size_t enough_bytes = std::size_t{1} << 30;
// The sink writes one visit, the device works on the next one and has a third one to go on with.
constexpr std::size_t enough_visits = 3;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

std::size_t FieldRing::plane_bytes(std::int64_t cells, int scalars) {
  const auto values = static_cast<std::size_t>(macro_values_with(scalars));
  return static_cast<std::size_t>(cells) * values * sizeof(float);
}

std::size_t FieldRing::device_bytes_needed(std::int64_t cells, std::size_t lattice_plane,
                                           int scalars) {
  const std::size_t bytes = plane_bytes(cells, scalars);
  return std::max(least_device_planes * bytes,
                  std::min(enough_device_planes * bytes, lattice_plane));
}

std::size_t FieldRing::host_planes(std::int64_t cells, int nz, int planes_per_visit,
                                   std::uint64_t limit, int scalars) {
  const std::size_t bytes = plane_bytes(cells, scalars);
  const std::size_t wanted =
      std::max(enough_bytes / bytes, enough_visits * static_cast<std::size_t>(planes_per_visit));
  const auto all = static_cast<std::size_t>(nz);
  const auto allowed = static_cast<std::size_t>(limit / bytes);
  return std::max(least_host_planes, std::min({wanted, all, allowed}));
}

FieldRing::FieldRing(Backend& backend, FieldSink& sink, std::int64_t cells,
                     std::size_t lattice_plane, std::size_t host_planes, int scalars)
    : backend_(backend),
      sink_(sink),
      scalars_(scalars),
      device_(backend.allocate_device(device_bytes_needed(cells, lattice_plane, scalars),
                                      "output fields")),
      host_(backend.allocate_staging(host_planes * plane_bytes(cells, scalars), "output fields")),
      entries_(host_planes) {
  for (Entry& entry : entries_) {
    entry.computed = backend_.make_event();
    entry.copied = backend_.make_event();
  }
}

// After an exception copies may still be under way: their memory must not go before they end.
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

void FieldRing::begin(std::int64_t step) {
  last_ticket_ = thread_.add([this, step] {
    const ScopedRange range("open", step);
    const auto begin = Clock::now();
    sink_.on_sweep(step);
    sink_seconds_ = sink_seconds_ + seconds_since(begin);
  });
}

bool FieldRing::has_room(std::size_t planes) {
  if (planes == 0) return true;
  const std::uint64_t last = pushed_ + planes - 1;
  if (planes > entries_.size()) return false;
  if (last < entries_.size()) return true;
  // The plane whose place the last one takes: if it is handed out, all older planes are, too.
  const std::uint64_t before = last - entries_.size();
  return before < delivered_ && thread_.is_done(entry(before).ticket);
}

// Planes take their bytes one after the other, around the memory. The device waits until those in
// the way are copied; this thread does not.
std::byte* FieldRing::make_room_on_device(Entry& entry) {
  const std::size_t bytes = plane_bytes(static_cast<std::int64_t>(entry.cells), scalars_);
  // The entry itself has been that of a plane before, which is copied.
  if (pushed_ >= entries_.size()) {
    oldest_on_device_ = std::max(oldest_on_device_, pushed_ + 1 - entries_.size());
  }
  const std::uint64_t before = oldest_on_device_;
  const auto pass_while = [&](const auto& in_the_way) {
    while (oldest_on_device_ < pushed_ && in_the_way(this->entry(oldest_on_device_))) {
      ++oldest_on_device_;
    }
  };
  if (next_on_device_ + bytes > device_.size()) {
    pass_while([&](const Entry& other) { return other.begin >= next_on_device_; });
    next_on_device_ = 0;
  }
  entry.begin = next_on_device_;
  entry.end = next_on_device_ += bytes;
  pass_while(
      [&](const Entry& other) { return other.begin < entry.end && other.end > entry.begin; });
  const std::uint64_t last = oldest_on_device_ - 1;
  if (oldest_on_device_ > before && last >= delivered_) {
    backend_.wait(Queue::update, *this->entry(last).copied);
  }
  return device_.data() + entry.begin;
}

void FieldRing::push(const DeviceLattice& lattice, const PlaneState& plane, const FieldBox& box,
                     int box_number, std::int64_t step, int visit) {
  if (pushed_ - delivered_ == entries_.size()) hand_out_oldest();
  Entry& entry = this->entry(pushed_);
  wait_for_sink(entry.ticket);
  entry.step = step;
  entry.box = box_number;
  entry.cells = static_cast<std::size_t>(box.plane_cells());
  entry.plane = plane.z;
  entry.visit = visit;
  std::byte* const device = make_room_on_device(entry);
  backend_.moments(lattice, plane, box.rectangle(), reinterpret_cast<float*>(device));
  backend_.record(Queue::update, *entry.computed);
  backend_.wait(Queue::store, *entry.computed);
  backend_.copy_out(host_plane(pushed_), device, plane_bytes(box.plane_cells(), scalars_));
  backend_.record(Queue::store, *entry.copied);
  ++pushed_;
}

void FieldRing::deliver(int visit) {
  thread_.rethrow_error();
  while (delivered_ < pushed_ && entry(delivered_).visit <= visit) hand_out_oldest();
}

void FieldRing::finish() { wait_for_sink(last_ticket_); }

void FieldRing::wait_for_sink(std::uint64_t ticket) {
  if (thread_.is_done(ticket)) return;
  const ScopedRange range("wait for writer", static_cast<std::int64_t>(delivered_));
  const auto begin = Clock::now();
  thread_.wait_for(ticket);
  wait_seconds_ += seconds_since(begin);
}

void FieldRing::hand_out_oldest() {
  Entry& entry = this->entry(delivered_);
  backend_.synchronize(*entry.copied);
  const auto* fields = reinterpret_cast<const float*>(host_plane(delivered_));
  // Counted as delivered also if the next line throws: the destructor need not wait for it.
  ++delivered_;
  // The entry does not change before this job is done.
  entry.ticket = last_ticket_ = thread_.add([this, &entry, fields] { write(entry, fields); });
}

void FieldRing::write(const Entry& entry, const float* fields) {
  const ScopedRange range("write", entry.plane);
  const auto begin = Clock::now();
  const auto values = static_cast<std::size_t>(macro_values_with(scalars_));
  sink_.on_plane(entry.step, entry.box, entry.plane, {{fields, entry.cells * values}, scalars_});
  sink_seconds_ = sink_seconds_ + seconds_since(begin);
}

}  // namespace lbm::tiling
