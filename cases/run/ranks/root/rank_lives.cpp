// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/root/rank_lives.hpp"

#include <fmt/format.h>

#include <utility>

#include "solver/core/error.hpp"

namespace lbm::cases {

RankLives::RankLives(tiling::Ranks& ranks, std::function<void(const std::string&)> warn,
                     std::function<int()> stop)
    : ranks_(ranks),
      warn_(std::move(warn)),
      stop_(std::move(stop)),
      watch_(root_rank, ranks.size()),
      heart_([&ranks] { tell_others(ranks, tag_alive, alive_message(0)); }) {}

void RankLives::heard(const tiling::Message& message) {
  watch_.heard(message.from, RankWatch::Clock::now());
  if (message.tag != tag_alive) return;
  watch_.lives_on(message.from, host_of(message));
  const auto signal = static_cast<int>(head_of<AliveMessage>(message).signal);
  if (signal != 0) signal_of_others_ = signal;
}

int RankLives::stop_signal() const {
  const int own = stop_ ? stop_() : 0;
  return own != 0 ? own : signal_of_others_.load();
}

void RankLives::check(bool ended) {
  const auto now = RankWatch::Clock::now();
  watch_.looks(now);
  if (computing_) watch_.computing(now);
  if (const auto news = watch_.news(now); news && warn_) warn_(*news);
  if (lost_since_ && now - *lost_since_ > patience_with_others) ranks_.abort(exit_resources);
  if (ended) return;
  if (const auto lost = watch_.lost(now)) {
    lost_since_ = now;
    throw ResourceError(*lost);
  }
  const auto missing = watch_.missing(now);
  const int signal = missing ? stop_signal() : 0;
  if (signal == 0) return;
  throw Error(
      static_cast<ExitCode>(128 + signal),
      fmt::format("stopped by {} without a checkpoint: {} does not answer, and its part of the "
                  "flow is missing; go on from the last checkpoint",
                  signal_name(signal), watch_.name(*missing)));
}

}  // namespace lbm::cases
