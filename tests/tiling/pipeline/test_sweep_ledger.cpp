// SPDX-License-Identifier: Apache-2.0

// The ledger of sweeps: steps, record numbers and records under way, while sweeps overlap.
#include <gtest/gtest.h>

#include "tiling/pipeline/visits_in_flight.hpp"

namespace lbm::tiling::test {
namespace {

TEST(SweepLedger, StepsCountFromTheBeginningOfTheRun) {
  SweepLedger ledger(100, true);
  EXPECT_EQ(ledger.newest(), -1);
  ledger.begin({5});
  ledger.begin({3});
  EXPECT_EQ(ledger.step_after(0), 105);
  EXPECT_EQ(ledger.step_after(1), 108);
  Update update{};
  update.sweep = 1;
  update.level = 2;
  EXPECT_EQ(ledger.step_before(update), 106);
  EXPECT_EQ(ledger.complete_oldest(), 5);
  EXPECT_EQ(ledger.step_after(1), 108) << "numbers and steps stay";
  EXPECT_FALSE(ledger.has(2));
  EXPECT_TRUE(ledger.has(1));
}

TEST(SweepLedger, EveryStepHasARecordUnderItsNumber) {
  SweepLedger ledger(10, true);
  ledger.begin({4, false, true});
  ledger.begin({2});
  EXPECT_EQ(ledger.records_under_way(), 6);
  const SweepRecords first = ledger.next_records(), second = ledger.next_records();
  EXPECT_EQ(first.last, 14);
  EXPECT_EQ(first.count, 4);
  EXPECT_TRUE(first.sampled);
  EXPECT_EQ(second.last, 16);
  EXPECT_FALSE(second.sampled);
  ledger.complete_oldest();
  EXPECT_EQ(ledger.records_under_way(), 2);
}

TEST(SweepLedger, OtherwiseCheckedSweepsHaveOneRecordEach) {
  SweepLedger ledger(10, false);
  ledger.begin({4, false, true});
  ledger.begin({4});
  ledger.begin({4, false, true});
  EXPECT_EQ(ledger.records_under_way(), 2);
  EXPECT_EQ(ledger.record(0), 0);
  EXPECT_EQ(ledger.record(2), 1);
  EXPECT_EQ(ledger.next_records().count, 1);
  EXPECT_EQ(ledger.next_records().count, 0);
  EXPECT_EQ(ledger.next_records().step, 22);
  ledger.complete_oldest();
  ledger.complete_oldest();
  EXPECT_EQ(ledger.records_under_way(), 1);
  ledger.begin({4, false, true});
  EXPECT_EQ(ledger.record(3), 2) << "numbers go on";
}

}  // namespace
}  // namespace lbm::tiling::test
