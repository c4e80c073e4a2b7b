// SPDX-License-Identifier: Apache-2.0

// Signs of life between the root and the other ranks, and the signals that stop them.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "cases/run/ranks/rank_messages.hpp"
#include "cases/run/ranks/rank_watch.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// heard() and check() are called by the listening thread.
class RankLives {
 public:
  // Both may be null. warn: a rank has fallen silent, or is back. stop: the signal to this process,
  // 0: none; any thread calls it.
  RankLives(tiling::Ranks& ranks, std::function<void(const std::string&)> warn,
            std::function<int()> stop);

  // Any message of another rank.
  void heard(const tiling::Message& message);
  // The root's own set-up is over. Thread-safe.
  void computing() { computing_ = true; }
  // A signal that is to stop the run, of this rank or of another one; 0: none. Thread-safe.
  int stop_signal() const;
  // Throws ResourceError if a rank is lost, Error if the run is to stop and a rank does not answer.
  // ended: the run has failed already. Then nothing is thrown; where the thread that computes hangs
  // in a call that the lost rank has to answer, this one ends all ranks.
  void check(bool ended);

 private:
  tiling::Ranks& ranks_;
  std::function<void(const std::string&)> warn_;
  std::function<int()> stop_;
  std::atomic<int> signal_of_others_ = 0;
  std::atomic<bool> computing_ = false;
  RankWatch watch_;
  std::optional<RankWatch::Time> lost_since_;
  Heart heart_;
};

}  // namespace lbm::cases
