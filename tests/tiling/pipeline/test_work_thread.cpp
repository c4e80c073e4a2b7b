// SPDX-License-Identifier: Apache-2.0

// Jobs beside the caller: in order, waited for, ended by the first error, never lost at the end.
#include "tiling/pipeline/field_ring.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <vector>

namespace lbm::tiling::test {
namespace {

TEST(WorkThread, DoesJobsInOrderInOneOtherThread) {
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  WorkThread thread;
  std::uint64_t ticket = 0;
  for (int i = 0; i < 100; ++i) {
    ticket = thread.add([&, i] {
      order.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
    EXPECT_EQ(ticket, static_cast<std::uint64_t>(i) + 1);
  }
  thread.wait_for(ticket);
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(threads[static_cast<std::size_t>(i)], threads[0]);
  }
  EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST(WorkThread, WaitsForTheJobAskedForAndNotForLaterOnes) {
  std::promise<void> go;
  WorkThread thread;
  EXPECT_TRUE(thread.is_done(0));
  const auto first = thread.add([] {});
  const auto second = thread.add([future = go.get_future().share()] { future.wait(); });
  thread.wait_for(first);  // would never return if it waited for the second
  EXPECT_TRUE(thread.is_done(first));
  EXPECT_FALSE(thread.is_done(second));
  go.set_value();
  thread.wait_for(second);
  EXPECT_TRUE(thread.is_done(second));
}

TEST(WorkThread, AnErrorDropsTheJobsBehindItAndReachesEveryCall) {
  std::promise<void> go;
  int done = 0;
  WorkThread thread;
  thread.rethrow_error();
  const auto good = thread.add([&, future = go.get_future().share()] {
    future.wait();
    ++done;
  });
  const auto bad = thread.add([] { throw std::runtime_error("disk full"); });
  const auto dropped = thread.add([&] { ++done; });
  go.set_value();
  try {
    thread.wait_for(dropped);
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "disk full");
  }
  EXPECT_EQ(done, 1);
  EXPECT_TRUE(thread.is_done(good));
  EXPECT_FALSE(thread.is_done(bad));
  EXPECT_FALSE(thread.is_done(dropped));
  EXPECT_THROW(thread.rethrow_error(), std::runtime_error);
  EXPECT_THROW(thread.add([] {}), std::runtime_error);
  EXPECT_THROW(thread.wait_for(bad), std::runtime_error);
}

TEST(WorkThread, TheDestructorDoesWhatWasAdded) {
  std::promise<void> go;
  int done = 0;
  {
    WorkThread thread;
    thread.add([future = go.get_future().share()] { future.wait(); });
    for (int i = 0; i < 10; ++i) thread.add([&] { ++done; });
    go.set_value();
  }
  EXPECT_EQ(done, 10);
}

TEST(WorkThread, TheDestructorKeepsAnErrorToItself) {
  int done = 0;
  {
    WorkThread thread;
    thread.add([] { throw std::runtime_error("lost"); });
    try {
      thread.add([&] { ++done; });
    } catch (const std::runtime_error&) {  // the job failed before add() returned
    }
  }
  EXPECT_EQ(done, 0);
}

TEST(WorkThread, WhatAJobHoldsIsGoneWhenItIsDone) {
  auto held = std::make_shared<int>(1);
  WorkThread thread;
  const std::weak_ptr<int> watched = held;
  thread.wait_for(thread.add([held = std::move(held)] { EXPECT_EQ(*held, 1); }));
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace lbm::tiling::test
