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

// Each computing rank sends tag_alive once a second: the root to all others, the others to the
// root. The listening thread reports messages here and asks for news. One thread at a time.
class RankWatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  static constexpr std::chrono::seconds beat{1};         // between two signs of life
  static constexpr std::chrono::seconds longest{15};     // of silence before a warning
  static constexpr std::chrono::seconds before_stop{8};  // of silence: a stop does not wait
  static constexpr std::chrono::seconds pause{5};  // between looks(): this process was suspended

  // own: the rank of this process. limit: silence after which a rank is lost; 0: never.
  RankWatch(int own, int size, std::chrono::seconds limit = limit_of_environment())
      : own_(own), limit_(limit), ranks_(static_cast<std::size_t>(size)) {}
  // LBM_SILENCE_LIMIT in seconds, or two minutes. Throws UsageError.
  static std::chrono::seconds limit_of_environment();

  // A message of that rank has arrived. A rank is watched from its first message on.
  void heard(int rank, Time now);
  // Sets the host name of a rank, for messages.
  void lives_on(int rank, std::string_view host);
  // Call it about once a second. If this process was itself suspended meanwhile, no rank counts as
  // silent for that time.
  void looks(Time now);
  // This process computes: ranks without a message are watched from the first call on.
  void computing(Time now);
  // A line for the user if a rank has just fallen silent or answers again; else empty.
  std::optional<std::string> news(Time now);
  // The rank that has been silent longest, if for before_stop or longer.
  std::optional<int> missing(Time now) const;
  // An error message if a rank has been silent for limit + longer: the run must end. It names up to
  // four silent ranks and counts the others.
  std::optional<std::string> lost(Time now, std::chrono::seconds longer = {}) const;
  // "process 2 (host node07)".
  std::string name(int rank) const;

 private:
  struct Rank {
    std::optional<Time> last;
    std::string host;
    bool told = false;  // the user knows that it is silent
  };
  // Begin of a rank's silence; empty if it is not watched, as is this process itself.
  std::optional<Time> last_sign(int rank) const;

  int own_;
  std::chrono::seconds limit_;
  std::optional<Time> computing_, looked_;
  std::vector<Rank> ranks_;
};

}  // namespace lbm::cases
