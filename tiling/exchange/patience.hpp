// SPDX-License-Identifier: Apache-2.0

// Times between polls, for conditions that wake no thread.
#pragma once

#include <algorithm>
#include <chrono>

namespace lbm::tiling {

// The nap between two polls doubles while nothing happens: ranks may share cores.
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
