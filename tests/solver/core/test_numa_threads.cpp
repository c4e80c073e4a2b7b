// SPDX-License-Identifier: Apache-2.0

// Threads near a device, with a made-up description of the machine.
#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <thread>

#include "solver/core/numa.hpp"
#include "tests/io/scratch.hpp"

namespace lbm {
namespace {

using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;

TEST(NumaList, HasNumbersAndRanges) {
  EXPECT_EQ(parse_numa_list("0-2,8\n"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_EQ(parse_numa_list("5"), std::vector<int>{5});
  for (const char* wrong :
       {"", "\n", "a", "1-", "3-2", "1,,2", "-1", "0-99999999999", "0-2000000"}) {
    EXPECT_TRUE(parse_numa_list(wrong).empty()) << wrong;
  }
}

std::vector<int> cores_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<int> cores;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) cores.push_back(i);
  }
  return cores;
}

// In a thread of its own, whose cores are gone with it.
class NumaThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    cores_ = cores_of_this_thread();
    if (cores_.size() < 2) GTEST_SKIP() << "one core";
    describe("0-1", {std::to_string(cores_[0]), std::to_string(cores_[1])});
  }
  void describe(const std::string& online, const std::vector<std::string>& lists) {
    const auto nodes = scratch_.path() / "sys/devices/system/node";
    std::filesystem::create_directories(nodes);
    write_text(nodes / "online", online + "\n");
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto node = nodes / ("node" + std::to_string(i));
      std::filesystem::create_directories(node);
      write_text(node / "cpulist", lists[i] + "\n");
    }
  }
  // The cores that are left, after what stay_on_numa_node gives.
  std::pair<int, std::vector<int>> stay(int node, int processes = 2) {
    std::pair<int, std::vector<int>> result;
    std::thread([&] {
      result.first = stay_on_numa_node(node, processes, SystemFiles(scratch_.path().string()));
      result.second = cores_of_this_thread();
      threads_ = omp_get_max_threads();
    }).join();
    return result;
  }

  const ScratchDirectory scratch_;
  std::vector<int> cores_;
  int threads_ = 0;
};

TEST_F(NumaThreads, StayOnTheCoresOfTheirNode) {
  EXPECT_EQ(stay(1), (std::pair{1, std::vector<int>{cores_[1]}}));
  EXPECT_EQ(threads_, 1);
  EXPECT_EQ(stay(0), (std::pair{1, std::vector<int>{cores_[0]}}));
}

TEST_F(NumaThreads, ShareTheCoresOfTheirNode) {
  const std::string both = std::to_string(cores_[0]) + "," + std::to_string(cores_[1]);
  describe("0-1", {both, std::to_string(cores_.back() + 1)});
  EXPECT_EQ(stay(0, 2).first, 2);
  EXPECT_EQ(threads_, 2) << "one process on each node";
  EXPECT_EQ(stay(0, 4).first, 2);
  EXPECT_EQ(threads_, 1) << "two of them on each";
}

// As on a coherent machine: the GPU's memory is a node, on which no process can stay.
TEST_F(NumaThreads, NodesWithoutCpusTakeNoProcesses) {
  const std::string both = std::to_string(cores_[0]) + "," + std::to_string(cores_[1]);
  describe("0-2", {both, "", ""});
  EXPECT_EQ(stay(0, 2).first, 2);
  EXPECT_EQ(threads_, 1) << "both processes are on the node with CPUs";
  EXPECT_EQ(stay(1, 1).first, 2) << "the nearest node with CPUs";
}

TEST_F(NumaThreads, StayWhereTheyAre) {
  EXPECT_EQ(stay(-1), (std::pair{0, cores_}));
  EXPECT_EQ(stay(7), (std::pair{0, cores_})) << "no such node";
  describe("0", {std::to_string(cores_[0])});
  EXPECT_EQ(stay(0), (std::pair{0, cores_})) << "one node";
  describe("0-1", {std::to_string(cores_.back() + 1), ""});
  EXPECT_EQ(stay(0), (std::pair{0, cores_})) << "bound elsewhere";
}

}  // namespace
}  // namespace lbm
