#include "cases/run/ranks/rank_messages.hpp"

#include "tiling/exchange/patience.hpp"

namespace lbm::cases {

Listener::Listener(tiling::Ranks& ranks, std::function<void(tiling::Message)> take)
    : thread_([this, &ranks, take = std::move(take)] {
        tiling::Patience patience;
        while (!stopping_) {
          if (auto message = ranks.receive()) {
            take(std::move(*message));
            patience.something();
          } else {
            std::this_thread::sleep_for(patience.nap());
            patience.nothing();
          }
        }
      }) {}

Listener::~Listener() { stopping_ = true; }

void tell_others(tiling::Ranks& ranks, int tag, std::span<const std::byte> bytes) {
  for (int r = 1; r < ranks.size(); ++r) ranks.send(r, tag, bytes);
}

}  // namespace lbm::cases
