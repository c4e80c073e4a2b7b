// SPDX-License-Identifier: Apache-2.0

// Notices ranks that have fallen silent (stopped, swapped out, or on a host that has gone), and
// ranks that do not begin to compute.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
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
  static constexpr std::chrono::seconds pause{5};  // between two looks: this process was stopped

  // own: the rank of this process. limit: after such a silence a rank is lost; 0: never.
  RankWatch(int own, int size, std::chrono::seconds limit = limit_of_environment())
      : own_(own), limit_(limit), ranks_(static_cast<std::size_t>(size)) {}
  // LBM_SILENCE_LIMIT in seconds, or two minutes. Throws UsageError.
  static std::chrono::seconds limit_of_environment();

  // A message of that rank has arrived. A rank is watched from its first message on.
  void heard(int rank, Time now);
  // The name of its host, for messages.
  void lives_on(int rank, std::string_view host);
  // To be called about once a second. If this process was itself stopped meanwhile (a suspended
  // job), no rank counts as silent for that time.
  void looks(Time now);
  // This process has begun to compute: ranks without a message are watched from now on. The first
  // call counts.
  void computing(Time now);
  // A line for the user when a rank has just fallen silent, or is back; else nothing.
  std::optional<std::string> news(Time now);
  // The rank that has been silent for the longest time, if that is too long to wait for at a stop.
  std::optional<int> missing(Time now) const;
  // An error message if a rank has been silent for the limit and so much longer: the run cannot go
  // on. It names all silent ranks.
  std::optional<std::string> lost(Time now, std::chrono::seconds longer = {}) const;
  // "process 2 (host node07)".
  std::string name(int rank) const;

 private:
  struct Rank {
    std::optional<Time> last;
    std::string host;
    bool told = false;  // that it is silent
  };
  // Begin of the silence of that rank; nothing for one that is not watched, as this process itself.
  std::optional<Time> last_sign(int rank) const;

  int own_;
  std::chrono::seconds limit_;
  std::optional<Time> computing_, looked_;
  std::vector<Rank> ranks_;
};

}  // namespace lbm::cases
