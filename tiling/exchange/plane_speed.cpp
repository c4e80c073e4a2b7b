// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/plane_speed.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

namespace lbm::tiling {
namespace {

constexpr std::size_t most_planes = 8, enough_bytes = std::size_t{64} << 20;
constexpr int rounds = 3;  // the first one finds the way

double seconds_of_round(PlaneSender* down, PlaneReceiver* up, int planes) {
  const auto begin = std::chrono::steady_clock::now();
  if (down != nullptr) {
    for (int i = 0; i < planes; ++i) {
      down->wait_to_fill();
      down->fill_next();
    }
    down->send(planes);
  }
  for (int i = 0; up != nullptr && i < planes; ++i) {
    up->wait_to_arrive();
    up->read_next();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (up != nullptr) up->release(planes);
  return seconds.count();
}

}  // namespace

double plane_speed(Ranks& ranks, PlaneSender* down, PlaneReceiver* up, std::size_t plane_bytes,
                   int planes) {
  const auto enough = std::clamp<std::size_t>(enough_bytes / plane_bytes, 1, most_planes);
  const int count = std::min(planes, static_cast<int>(enough));
  double best = 0;
  std::exception_ptr error;
  for (int i = 0; i < rounds; ++i) {
    ranks.barrier();
    if (error) continue;  // the others still come to the barrier
    try {
      const double seconds = seconds_of_round(down, up, count);
      if (i == 0 || up == nullptr) continue;
      best = std::max(best, static_cast<double>(plane_bytes) * count / std::max(seconds, 1e-9));
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return best;
}

}  // namespace lbm::tiling
