// SPDX-License-Identifier: Apache-2.0

// Notices ranks that have fallen silent (stopped, swapped out, or on a host that has gone), and
// ranks that do not begin to compute.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace lbm::cases {

// Each rank that computes says once a second that it is alive: the root to all others, the others
// to the root. Who listens asks this object now and then. One thread at a time.
class RankWatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  static constexpr std::chrono::seconds beat{1};         // between two signs of life
  static constexpr std::chrono::seconds longest{15};     // without one: there is something to say
  static constexpr std::chrono::seconds before_stop{8};  // without one: a stop does not wait

  // own: the rank of this process.
  RankWatch(int own, int size) : own_(own), ranks_(static_cast<std::size_t>(size)) {}

  // A message of that rank has arrived. A rank is watched from its first message on.
  void heard(int rank, Time now);
  // This process has begun to compute: ranks without a message are watched from now on. The first
  // call counts.
  void computing(Time now);
  // A line for the user when a rank has just fallen silent, or is back; else nothing.
  std::optional<std::string> news(Time now);
  // The rank that has been silent for the longest time, if that is too long to wait for at a stop.
  std::optional<int> missing(Time now) const;

 private:
  struct Rank {
    std::optional<Time> last;
    bool told = false;  // that it is silent
  };
  // Begin of the silence of that rank; nothing for one that is not watched, as this process itself.
  std::optional<Time> last_sign(int rank) const;

  int own_;
  std::optional<Time> computing_;
  std::vector<Rank> ranks_;
};

}  // namespace lbm::cases
