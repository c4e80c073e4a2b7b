// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/copy_bandwidth.hpp"

#include <algorithm>

#include "solver/core/error.hpp"

namespace lbm {
namespace {

double best_of_copies(Backend& backend, std::size_t bytes) {
  const Buffer from = backend.allocate_device(bytes, "the copy bandwidth");
  const Buffer to = backend.allocate_device(bytes, "the copy bandwidth");
  const auto begin = backend.make_event(), end = backend.make_event();
  // On a CPU, pages that were never written are not in memory.
  backend.clear(Queue::update, from.data(), bytes);
  backend.clear(Queue::update, to.data(), bytes);
  double best = 0;
  for (int i = 0; i < 6; ++i) {
    backend.record(Queue::update, *begin);
    backend.copy_on_device(to.data(), from.data(), bytes);
    backend.copy_on_device(from.data(), to.data(), bytes);
    backend.record(Queue::update, *end);
    backend.synchronize(*end);
    best = std::max(best, 4 * static_cast<double>(bytes) / backend.seconds_between(*begin, *end));
  }
  return best;
}

}  // namespace

double measure_copy_bandwidth(Backend& backend) {
  // On a GPU far larger than any cache. On a CPU larger than the caches of its cores, and small
  // beside the memory that is free: the measurement must not be what a small machine runs out of.
  const bool gpu = backend.kind() == BackendKind::cuda;
  const std::size_t bytes = std::size_t{gpu ? 1024U : 64U} << 20;
  if (backend.free_memory() < (gpu ? 4 : 8) * bytes) return 0;
  try {
    return best_of_copies(backend, bytes);
  } catch (const ResourceError&) {  // a limit (ulimit -v), or another process has taken the memory
    return 0;
  }
}

}  // namespace lbm
