// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/rank_watch.hpp"

#include <fmt/format.h>

namespace lbm::cases {
namespace {

constexpr const char* what_to_do =
    "continue it if it is stopped (kill -CONT), or end the run (kill -TERM of any other process) "
    "and restart it";

}  // namespace

void RankWatch::heard(int rank, Time now) { ranks_.at(static_cast<std::size_t>(rank)).last = now; }

void RankWatch::computing(Time now) {
  if (!computing_) computing_ = now;
}

std::optional<RankWatch::Time> RankWatch::last_sign(int rank) const {
  if (rank == own_) return std::nullopt;
  const auto& last = ranks_[static_cast<std::size_t>(rank)].last;
  return last ? last : computing_;
}

std::optional<std::string> RankWatch::news(Time now) {
  for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
    Rank& rank = ranks_[static_cast<std::size_t>(r)];
    const auto last = last_sign(r);
    const bool silent = last && now - *last >= longest;
    if (silent == rank.told) continue;
    rank.told = silent;
    if (!silent) return fmt::format("process {} answers again", r);
    if (!rank.last) {
      return fmt::format(
          "process {} has not begun to compute {} s after process {}, and the run "
          "waits for it: {}",
          r, longest.count(), own_, what_to_do);
    }
    return fmt::format("process {} has not answered for {} s, and the run waits for it: {}", r,
                       longest.count(), what_to_do);
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

}  // namespace lbm::cases
