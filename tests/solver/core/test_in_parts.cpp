// SPDX-License-Identifier: Apache-2.0

// Loops shared among threads: each number comes once, whatever the threads.
#include "solver/core/in_parts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace lbm {
namespace {

TEST(InParts, GiveEachNumberOnce) {
  for (const int threads : {0, 1, 2, 5, 16}) {
    for (const int count : {0, 1, 2, 63, 64, 65, 1000}) {
      std::vector<int> times(static_cast<std::size_t>(count), 0);  // parts do not overlap
      in_parts(threads, count, [&](int from, int to) {
        EXPECT_LT(from, to);
        for (int i = from; i < to; ++i) ++times[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(times, std::vector<int>(times.size(), 1)) << threads << " threads, " << count;
    }
  }
}

TEST(InParts, UseSoManyThreads) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const auto note_thread = [&](std::size_t, std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  };
  in_parts(3, std::size_t{100}, note_thread);
  EXPECT_LE(seen.size(), 3U);
  EXPECT_GE(seen.size(), 2U) << "twelve parts of 5 ms";
  seen.clear();
  in_parts(1, std::size_t{100}, note_thread);
  EXPECT_EQ(seen, (std::set{std::this_thread::get_id()}));
}

}  // namespace
}  // namespace lbm
