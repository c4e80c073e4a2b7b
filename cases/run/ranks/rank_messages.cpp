// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/rank_messages.hpp"

#include "cases/run/ranks/rank_watch.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/patience.hpp"

namespace lbm::cases {

std::vector<std::byte> alive_message(int signal) {
  static const std::string host = host_name();
  return pack(AliveMessage{signal}, {std::as_bytes(std::span(host))});
}

std::string host_of(const tiling::Message& alive) {
  const auto name = rest_of<AliveMessage, char>(alive);
  return {name.begin(), name.end()};
}

Listener::Listener(tiling::Ranks& ranks, std::function<void(tiling::Message)> take,
                   std::function<void()> beat)
    : thread_([this, &ranks, take = std::move(take), beat = std::move(beat)] {
        try {
          listen(ranks, take, beat);
        } catch (const std::exception& error) {
          const auto end = std::chrono::steady_clock::now() + patience_with_others;
          while (!stopping_ && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
          if (!stopping_) ranks.abort(as_error(error).exit_code());
        }
      }) {}

void Listener::listen(tiling::Ranks& ranks, const std::function<void(tiling::Message)>& take,
                      const std::function<void()>& beat) const {
  tiling::Patience patience;
  RankWatch::Time next_beat{};
  while (!stopping_) {
    if (auto message = ranks.receive()) {
      take(std::move(*message));
      patience.something();
      continue;
    }
    // Not while messages wait: they may be the signs of life that would be missed.
    if (const auto now = RankWatch::Clock::now(); now >= next_beat) {
      next_beat = now + RankWatch::beat;
      beat();
    }
    std::this_thread::sleep_for(patience.nap());
    patience.nothing();
  }
}

Listener::~Listener() { stopping_ = true; }

// An error here is not the first one: the listener has it, too.
Heart::Heart(std::function<void()> beat)
    : thread_([beat = std::move(beat)](const std::stop_token& stop) {
        RankWatch::Time next_beat{};
        try {
          while (!stop.stop_requested()) {
            if (const auto now = RankWatch::Clock::now(); now >= next_beat) {
              next_beat = now + RankWatch::beat;
              beat();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        } catch (const std::exception&) {
          return;
        }
      }) {}

void tell_others(tiling::Ranks& ranks, int tag, std::span<const std::byte> bytes) {
  for (int r = 1; r < ranks.size(); ++r) ranks.send(r, tag, bytes);
}

}  // namespace lbm::cases
