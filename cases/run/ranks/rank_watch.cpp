// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/rank_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr const char* what_to_do =
    "continue it if it is stopped (kill -CONT), or end the run (kill -TERM of any other process) "
    "and restart it";

constexpr std::chrono::seconds usual_limit{120};

}  // namespace

std::chrono::seconds RankWatch::limit_of_environment() {
  const char* const text = std::getenv("LBM_SILENCE_LIMIT");
  if (text == nullptr || *text == '\0') return usual_limit;
  int seconds = 0;
  const char* const end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, seconds);
  const bool allowed = seconds == 0 || seconds >= longest.count();
  if (error == std::errc() && at == end && allowed) return std::chrono::seconds(seconds);
  throw UsageError(fmt::format(
      "LBM_SILENCE_LIMIT: found {}, must be a number of seconds from {} on, or 0: wait for ever",
      text, longest.count()));
}

void RankWatch::heard(int rank, Time now) { ranks_.at(static_cast<std::size_t>(rank)).last = now; }

void RankWatch::lives_on(int rank, std::string_view host) {
  ranks_.at(static_cast<std::size_t>(rank)).host = host;
}

void RankWatch::looks(Time now) {
  const Clock::duration since = looked_ ? now - *looked_ : Clock::duration::zero();
  looked_ = now;
  if (since < pause) return;
  if (computing_) *computing_ += since;
  for (Rank& rank : ranks_) {
    if (rank.last) *rank.last = std::min(now, *rank.last + since);
  }
}

std::string RankWatch::name(int rank) const {
  const std::string& host = ranks_.at(static_cast<std::size_t>(rank)).host;
  return fmt::format("process {}{}", rank, host.empty() ? "" : fmt::format(" (host {})", host));
}

void RankWatch::computing(Time now) {
  if (!computing_) computing_ = now;
}

std::optional<RankWatch::Time> RankWatch::last_sign(int rank) const {
  if (rank == own_) return std::nullopt;
  const auto& last = ranks_[static_cast<std::size_t>(rank)].last;
  return last ? last : computing_;
}

std::optional<std::string> RankWatch::news(Time now) {
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

std::optional<int> RankWatch::missing(Time now) const {
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

std::optional<std::string> RankWatch::lost(Time now, std::chrono::seconds longer) const {
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

}  // namespace lbm::cases
