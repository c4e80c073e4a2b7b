#include "cases/app/rank_mail.hpp"

#include <algorithm>
#include <chrono>

namespace lbm::app {

// Longer and longer naps while nothing comes: processes may share cores.
Listener::Listener(tiling::Ranks& ranks, std::function<void(const tiling::Message&)> take)
    : thread_([this, &ranks, take = std::move(take)] {
        constexpr std::chrono::microseconds shortest{10}, longest{500};
        auto nap = shortest;
        while (!stopping_) {
          if (const auto message = ranks.receive()) {
            take(*message);
            nap = shortest;
          } else {
            std::this_thread::sleep_for(nap);
            nap = std::min(2 * nap, longest);
          }
        }
      }) {}

Listener::~Listener() { stopping_ = true; }

}  // namespace lbm::app
