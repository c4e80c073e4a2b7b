#include "solver/backend/copy_bandwidth.hpp"

#include <algorithm>

#include "solver/core/error.hpp"

namespace lbm {

double measure_copy_bandwidth(Backend& backend) {
  // Far larger than any cache.
  const std::size_t bytes = std::size_t{backend.kind() == BackendKind::cuda ? 1024U : 256U} << 20;
  if (backend.free_memory() < 4 * bytes) return 0;
  const Buffer from = backend.allocate_device(bytes, "the copy bandwidth");
  const Buffer to = backend.allocate_device(bytes, "the copy bandwidth");
  const auto begin = backend.make_event(), end = backend.make_event();
  double best = 0;
  for (int i = 0; i < 6; ++i) {
    backend.record(Queue::update, *begin);
    // Copies both ways: on a CPU, pages that were never written are not in memory.
    backend.copy_on_device(to.data(), from.data(), bytes);
    backend.copy_on_device(from.data(), to.data(), bytes);
    backend.record(Queue::update, *end);
    backend.synchronize(*end);
    best = std::max(best, 4 * static_cast<double>(bytes) / backend.seconds_between(*begin, *end));
  }
  return best;
}

}  // namespace lbm
