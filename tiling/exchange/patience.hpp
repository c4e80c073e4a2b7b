// How threads wait for what only asking again and again can tell.
#pragma once

#include <algorithm>
#include <chrono>

namespace lbm::tiling {

// Longer and longer naps while nothing happens: processes may share cores.
class Patience {
 public:
  void nothing() { nap_ = std::min(2 * nap_, longest); }
  void something() { nap_ = shortest; }
  std::chrono::microseconds nap() const { return nap_; }

 private:
  static constexpr std::chrono::microseconds shortest{10}, longest{500};
  std::chrono::microseconds nap_ = shortest;
};

}  // namespace lbm::tiling
