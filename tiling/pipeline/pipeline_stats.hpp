// SPDX-License-Identifier: Apache-2.0

// Sums over the life of a pipeline.
#pragma once

#include <cstdint>
#include <functional>

namespace lbm::tiling {

struct PipelineStats {
  std::int64_t visits = 0;
  std::int64_t plane_updates = 0;             // with the redundant ones of haloed tiles
  std::int64_t steps_completed = 0;           // of whole sweeps
  std::uint64_t bytes_in = 0, bytes_out = 0;  // over the link
  double load_seconds = 0, update_seconds = 0, store_seconds = 0;  // each queue at work
  double sink_seconds = 0;                                         // the sink's thread at work
  double output_wait_seconds = 0;  // the caller of run() waiting for that thread
};

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

inline PipelineStats operator+(const PipelineStats& a, const PipelineStats& b) {
  return combined(a, b, std::plus<>());
}

inline PipelineStats operator-(const PipelineStats& a, const PipelineStats& b) {
  return combined(a, b, std::minus<>());
}

}  // namespace lbm::tiling
