// SPDX-License-Identifier: Apache-2.0

// Notices ranks that have fallen silent (stopped, swapped out, or on a host that has gone), and
// ranks that do not begin to compute.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/error.hpp"

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
  static std::chrono::seconds limit_of_environment() {
    const char* const text = std::getenv("LBM_SILENCE_LIMIT");
    if (text == nullptr || *text == '\0') return std::chrono::seconds(120);
    int seconds = 0;
    const char* const end = text + std::strlen(text);
    const auto [at, error] = std::from_chars(text, end, seconds);
    const bool allowed = seconds == 0 || seconds >= longest.count();
    if (error == std::errc() && at == end && allowed) return std::chrono::seconds(seconds);
    throw UsageError(fmt::format(
        "LBM_SILENCE_LIMIT: found {}, must be a number of seconds from {} on, or 0: wait for ever",
        text, longest.count()));
  }

  // A message of that rank has arrived. A rank is watched from its first message on.
  void heard(int rank, Time now) { ranks_.at(static_cast<std::size_t>(rank)).last = now; }
  // Sets the host name of a rank, for messages.
  void lives_on(int rank, std::string_view host) {
    ranks_.at(static_cast<std::size_t>(rank)).host = host;
  }

  // Call it about once a second. If this process was itself suspended meanwhile, no rank counts as
  // silent for that time.
  void looks(Time now) {
    const Clock::duration since = looked_ ? now - *looked_ : Clock::duration::zero();
    looked_ = now;
    if (since < pause) return;
    if (computing_) *computing_ += since;
    for (Rank& rank : ranks_) {
      if (rank.last) *rank.last = std::min(now, *rank.last + since);
    }
  }

  // This process computes: ranks without a message are watched from the first call on.
  void computing(Time now) {
    if (!computing_) computing_ = now;
  }

  // A line for the user if a rank has just fallen silent or answers again; else empty.
  std::optional<std::string> news(Time now) {
    const std::string until =
        limit_.count() > 0 ? fmt::format(" until {} s have passed", limit_.count()) : "";
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      Rank& rank = ranks_[static_cast<std::size_t>(r)];
      const auto last = last_sign(r);
      const bool silent = last && now - *last >= longest;
      if (silent == rank.told) continue;
      rank.told = silent;
      if (!silent) return name(r) + " answers again";
      if (!rank.last) {
        return fmt::format(
            "{} has not begun to compute {} s after process {}, and the run waits for it{}: {}",
            name(r), longest.count(), own_, until, what_to_do);
      }
      return fmt::format("{} has not answered for {} s, and the run waits for it{}: {}", name(r),
                         longest.count(), until, what_to_do);
    }
    return std::nullopt;
  }

  // The rank that has been silent longest, if for before_stop or longer.
  std::optional<int> missing(Time now) const {
    std::optional<int> found;
    Time oldest = now - before_stop;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      const auto last = last_sign(r);
      if (!last || *last > oldest) continue;
      oldest = *last;
      found = r;
    }
    return found;
  }

  // An error message if a rank has been silent for limit + longer: the run must end. It names up to
  // four silent ranks and counts the others.
  std::optional<std::string> lost(Time now, std::chrono::seconds longer = {}) const {
    const auto last = missing(now);
    if (limit_.count() == 0 || !last || now - *last_sign(*last) < limit_ + longer)
      return std::nullopt;
    constexpr int most_names = 4;
    std::string names;
    int count = 0;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      const auto sign = last_sign(r);
      if (!sign || now - *sign < longest || ++count > most_names) continue;
      names += (names.empty() ? "" : ", ") + name(r);
    }
    if (count > most_names) names += fmt::format(" and {} more", count - most_names);
    return fmt::format(
        "no answer for {} s (LBM_SILENCE_LIMIT) from {}: stopped, or the host or the network has "
        "failed; repair that and continue from the last checkpoint (--restart)",
        limit_.count(), names);
  }

  // "process 2 (host node07)".
  std::string name(int rank) const {
    const std::string& host = ranks_.at(static_cast<std::size_t>(rank)).host;
    return fmt::format("process {}{}", rank, host.empty() ? "" : fmt::format(" (host {})", host));
  }

 private:
  static constexpr const char* what_to_do =
      "continue it if it is stopped (kill -CONT), or end the run (kill -TERM of any other process) "
      "and restart it";

  struct Rank {
    std::optional<Time> last;
    std::string host;
    bool told = false;  // the user knows that it is silent
  };
  // Begin of a rank's silence; empty if it is not watched, as is this process itself.
  std::optional<Time> last_sign(int rank) const {
    if (rank == own_) return std::nullopt;
    const auto& last = ranks_[static_cast<std::size_t>(rank)].last;
    return last ? last : computing_;
  }

  int own_;
  std::chrono::seconds limit_;
  std::optional<Time> computing_, looked_;
  std::vector<Rank> ranks_;
};

}  // namespace lbm::cases
