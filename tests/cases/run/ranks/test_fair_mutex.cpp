// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/mergers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace lbm::cases {
namespace {

TEST(FairMutex, LetsOneThreadInAtATime) {
  FairMutex mutex;
  int inside = 0, total = 0;
  std::atomic<bool> alone = true;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 500; ++j) {
          const std::scoped_lock lock(mutex);
          if (++inside != 1) alone = false;
          ++total;
          --inside;
        }
      });
    }
  }
  EXPECT_TRUE(alone);
  EXPECT_EQ(total, 2000);
}

// The main thread holds the mutex nearly all the time.
TEST(FairMutex, IsNotKeptByAThreadThatAsksAgainAtOnce) {
  FairMutex mutex;
  std::atomic<bool> came = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  mutex.lock();
  std::jthread other([&] {
    const std::scoped_lock lock(mutex);
    came = true;
  });
  while (!came && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    mutex.unlock();
    mutex.lock();
  }
  EXPECT_TRUE(came);
  mutex.unlock();
}

}  // namespace
}  // namespace lbm::cases
