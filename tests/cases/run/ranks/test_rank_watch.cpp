// SPDX-License-Identifier: Apache-2.0

// Ranks that fall silent.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/run/ranks/rank_messages.hpp"
#include "tests/tiling/exchange/thread_ranks.hpp"

namespace lbm::cases {
namespace {

using std::chrono::seconds;

const RankWatch::Time begin = RankWatch::Clock::now();

TEST(RankWatch, SaysOnceThatARankIsSilentAndOnceThatItIsBack) {
  RankWatch watch(0, 3);
  watch.heard(1, begin);
  watch.heard(2, begin);
  EXPECT_FALSE(watch.news(begin + seconds(10)));
  watch.heard(2, begin + seconds(10));
  const auto silent = watch.news(begin + seconds(16));
  ASSERT_TRUE(silent);
  EXPECT_TRUE(silent->starts_with("process 1 has not answered for 15 s")) << *silent;
  EXPECT_FALSE(watch.news(begin + seconds(17)));
  watch.heard(1, begin + seconds(18));
  EXPECT_EQ(watch.news(begin + seconds(18)), "process 1 answers again");
  EXPECT_FALSE(watch.news(begin + seconds(19)));
}

// The root hears nothing while the others fill their lattices.
TEST(RankWatch, WaitsAsLongAsItsOwnSetUpTakes) {
  RankWatch watch(0, 3);
  EXPECT_FALSE(watch.news(begin + seconds(1000)));
  EXPECT_FALSE(watch.missing(begin + seconds(1000)));
}

TEST(RankWatch, NamesARankThatDoesNotBeginToCompute) {
  RankWatch watch(0, 3);
  watch.computing(begin);
  watch.computing(begin + seconds(14));  // only the first one counts
  watch.heard(1, begin + seconds(14));
  EXPECT_FALSE(watch.missing(begin + seconds(7)));
  EXPECT_EQ(watch.missing(begin + seconds(9)), 2);
  EXPECT_FALSE(watch.news(begin + seconds(14)));
  const auto silent = watch.news(begin + seconds(16));
  ASSERT_TRUE(silent);
  EXPECT_TRUE(silent->starts_with("process 2 has not begun to compute 15 s after process 0"))
      << *silent;
}

// Rank 2 listens to the root alone.
TEST(RankWatch, NamesARootThatIsSilent) {
  RankWatch watch(2, 1);
  EXPECT_FALSE(watch.missing(begin));
  watch.heard(0, begin);
  EXPECT_EQ(watch.missing(begin + seconds(9)), 0);
  const auto silent = watch.news(begin + seconds(16));
  ASSERT_TRUE(silent);
  EXPECT_TRUE(silent->starts_with("process 0 has not answered for 15 s")) << *silent;
}

TEST(RankWatch, NamesTheRankThatAStopWouldWaitFor) {
  RankWatch watch(0, 3);
  watch.heard(1, begin + seconds(2));
  watch.heard(2, begin);
  EXPECT_FALSE(watch.missing(begin + seconds(7)));
  EXPECT_EQ(watch.missing(begin + seconds(9)), 2);
  EXPECT_EQ(watch.missing(begin + seconds(60)), 2);
}

TEST(RankWatch, GivesUpAtTheLimitAndNamesAllSilentRanks) {
  RankWatch watch(0, 4, seconds(60));
  for (const int rank : {1, 2, 3}) watch.heard(rank, begin);
  watch.lives_on(2, "node07");
  watch.heard(1, begin + seconds(50));
  EXPECT_FALSE(watch.lost(begin + seconds(59)));
  EXPECT_FALSE(watch.lost(begin + seconds(61), seconds(5)));
  const auto lost = watch.lost(begin + seconds(61));
  ASSERT_TRUE(lost);
  EXPECT_TRUE(
      lost->starts_with("no answer for 60 s (LBM_SILENCE_LIMIT) from process 2 (host "
                        "node07), process 3: "))
      << *lost;
}

TEST(RankWatch, WaitsForEverWithoutALimit) {
  RankWatch watch(0, 2, seconds(0));
  watch.heard(1, begin);
  EXPECT_TRUE(watch.news(begin + seconds(16)));
  EXPECT_FALSE(watch.lost(begin + seconds(1000000)));
}

// All ranks of a suspended job wake up and find the others silent.
TEST(RankWatch, DoesNotCountTheTimeInWhichItWasStoppedItself) {
  RankWatch watch(0, 2, seconds(60));
  watch.heard(1, begin);
  watch.looks(begin + seconds(1));
  watch.looks(begin + seconds(1000));
  EXPECT_FALSE(watch.news(begin + seconds(1000)));
  EXPECT_FALSE(watch.lost(begin + seconds(1000)));
  for (int s = 1001; s < 1070; ++s) watch.looks(begin + seconds(s));
  EXPECT_TRUE(watch.lost(begin + seconds(1070)));
}

TEST(RankWatch, TakesItsLimitFromTheEnvironment) {
  const auto limit = [](const char* text) {
    setenv("LBM_SILENCE_LIMIT", text, 1);
    return RankWatch::limit_of_environment().count();
  };
  EXPECT_EQ(limit("300"), 300);
  EXPECT_EQ(limit("0"), 0);
  EXPECT_EQ(limit(""), 120);
  for (const char* wrong : {"14", "-1", "20s", "soon"}) EXPECT_THROW(limit(wrong), UsageError);
  unsetenv("LBM_SILENCE_LIMIT");
}

// The connection to a rank that ends all others is lost before this process is ended.
class Disconnected final : public tiling::test::ThreadRanks {
 public:
  using ThreadRanks::ThreadRanks;
  std::optional<tiling::Message> receive() override { throw ResourceError("MPI: gone"); }
};

TEST(Listener, WhoseMessagesFailLeavesTheEndToOthers) {
  tiling::test::Meeting meeting(1);
  Disconnected ranks(meeting, 0, 1);
  const Listener listener(
      ranks, [](const tiling::Message&) {}, [] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace
}  // namespace lbm::cases
