#include "cases/run/ranks/rank_watch.hpp"

#include <fmt/format.h>

namespace lbm::cases {

void RankWatch::heard(int rank, Time now) { ranks_.at(static_cast<std::size_t>(rank)).last = now; }

std::optional<std::string> RankWatch::news(Time now) {
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& rank = ranks_[r];
    const bool silent = rank.last && now - *rank.last >= longest;
    if (silent == rank.told) continue;
    rank.told = silent;
    if (!silent) return fmt::format("process {} answers again", r);
    return fmt::format(
        "process {} has not answered for {} s, and the run waits for it: continue it if it is "
        "stopped "
        "(kill -CONT), or end the run (kill -TERM of process 0) and restart it",
        r, longest.count());
  }
  return std::nullopt;
}

std::optional<int> RankWatch::missing(Time now) const {
  std::optional<int> found;
  Time oldest = now - before_stop;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (!ranks_[r].last || *ranks_[r].last > oldest) continue;
    oldest = *ranks_[r].last;
    found = static_cast<int>(r);
  }
  return found;
}

}  // namespace lbm::cases
