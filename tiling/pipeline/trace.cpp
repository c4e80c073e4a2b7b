// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/trace.hpp"

#include <chrono>
#include <limits>
#include <utility>

namespace lbm::tiling {
namespace {

constexpr double longest_measured_seconds = 1;
constexpr int alignment_tries = 5;

double host_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// The host reads its clock a little after the event has happened: the shortest try has the smallest
// error.
Tracer::Tracer(Backend& backend, TraceSink& sink) : backend_(backend), sink_(sink) {
  double alignment = std::numeric_limits<double>::infinity();
  for (int i = 0; i < alignment_tries; ++i) {
    auto event = backend.make_event();
    const double before = host_clock();
    backend.record(Queue::load, *event);
    backend.synchronize(*event);
    const double after = host_clock();
    if (after - before >= alignment) continue;
    alignment = after - before;
    host_zero_ = after;
    from_ = std::move(event);
  }
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  sink.on_start(alignment, now.count() - this->now());
}

double Tracer::now() const { return host_clock() - host_zero_; }

bool Tracer::full() const {
  const std::scoped_lock lock(sink_mutex_);
  return sink_.full();
}

void Tracer::give(const Slice& slice) {
  const std::scoped_lock lock(sink_mutex_);
  sink_.on_slice(slice);
}

double Tracer::seconds_of(Event& event) {
  return from_seconds_ + backend_.seconds_between(*from_, event);
}

void Tracer::report(Slice slice, Event& begin, Event& end) {
  slice.begin = seconds_of(begin);
  slice.end = seconds_of(end);
  give(slice);
}

void Tracer::report_host(Slice slice, double begin) {
  slice.begin = begin;
  slice.end = now();
  give(slice);
}

void Tracer::move_on(std::unique_ptr<Event>& recent) {
  const double seconds = backend_.seconds_between(*from_, *recent);
  if (seconds < longest_measured_seconds) return;
  from_seconds_ += seconds;
  std::swap(from_, recent);
}

void PendingSlices::begin(Queue queue, const Slice& slice) {
  if (!active_) return;
  end();
  if (used_ == entries_.size()) {
    Entry& fresh = entries_.emplace_back();
    fresh.begin = tracer_->backend().make_event();
    fresh.end = tracer_->backend().make_event();
  }
  Entry& entry = entries_[used_++];
  entry.slice = slice;
  entry.queue = queue;
  tracer_->backend().record(queue, *entry.begin);
  open_ = true;
}

bool PendingSlices::continues(const Entry& last, const Slice& slice) const {
  const Slice& s = last.slice;
  return s.activity == slice.activity && s.sweep == slice.sweep &&
         (s.first_plane + s.count) % nz_ == slice.first_plane;
}

void PendingSlices::add(Queue queue, const Slice& slice) {
  if (!active_) return;
  if (!open_ || !continues(entries_[used_ - 1], slice)) return begin(queue, slice);
  entries_[used_ - 1].slice.count += slice.count;
  entries_[used_ - 1].slice.bytes += slice.bytes;
}

void PendingSlices::end() {
  if (!open_) return;
  const Entry& entry = entries_[used_ - 1];
  tracer_->backend().record(entry.queue, *entry.end);
  open_ = false;
}

void PendingSlices::report() {
  for (std::size_t i = 0; i < used_; ++i) {
    tracer_->report(entries_[i].slice, *entries_[i].begin, *entries_[i].end);
  }
  used_ = 0;
}

}  // namespace lbm::tiling
