// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/record_ring.hpp"

#include <algorithm>

namespace lbm::tiling {
namespace {

// Room for several overlapping sweeps of k steps, and for in-core visits of many steps. The
// pipeline waits where the ring is full.
int ring_size(const RecordShape& shape, const ScheduleOptions& options) {
  return shape.every_step() ? 8 * options.steps_per_visit + 1024 : 16;
}

}  // namespace

std::size_t RecordRing::device_bytes_needed(const RecordShape& shape,
                                            const ScheduleOptions& options) {
  return static_cast<std::size_t>(ring_size(shape, options)) *
         static_cast<std::size_t>(shape.values()) * sizeof(std::int64_t);
}

RecordRing::RecordRing(Backend& backend, const RecordShape& shape, const ScheduleOptions& options)
    : backend_(backend),
      shape_(shape),
      size_(ring_size(shape, options)),
      device_(backend.allocate_device(device_bytes_needed(shape, options), "forces and sums")),
      host_(backend.allocate_staging(device_.size(), "forces and sums")) {
  backend.clear(Queue::update, device_.data(), device_.size());
}

void RecordRing::fetch(std::int64_t first, std::int64_t last) {
  while (first <= last) {
    const std::int64_t run = std::min(last - first + 1, size_ - first % size_);
    const std::size_t begin = at(first) * sizeof(std::int64_t);
    const std::size_t bytes =
        static_cast<std::size_t>(run) * static_cast<std::size_t>(values()) * sizeof(std::int64_t);
    backend_.copy_out(host_.data() + begin, device_.data() + begin, bytes);
    backend_.clear(Queue::store, device_.data() + begin, bytes);
    first += run;
  }
}

std::span<const std::int64_t> RecordRing::fetched(std::int64_t number) const {
  return {reinterpret_cast<const std::int64_t*>(host_.data()) + at(number),
          static_cast<std::size_t>(values())};
}

}  // namespace lbm::tiling
