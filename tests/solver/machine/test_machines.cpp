// SPDX-License-Identifier: Apache-2.0

// Facts read from the files of a described machine: nodes, memory, pages, limits.
#include <gtest/gtest.h>

#include "solver/backend/device_facts.hpp"
#include "solver/machine/machine_facts.hpp"
#include "solver/machine/numa_nodes.hpp"
#include "tests/io/scratch.hpp"
#include "tests/machines/machines.hpp"

namespace lbm {
namespace {

using testing::kibibyte;
using testing::machine;
using testing::ScratchDirectory;

std::vector<int> numbers(const std::vector<NumaNode>& nodes) {
  std::vector<int> all;
  for (const NumaNode& node : nodes) all.push_back(node.number);
  return all;
}

TEST(Gh200, ItsHbmIsNotTheHosts) {
  const auto nodes = numa_nodes(machine("gh200"));
  ASSERT_EQ(nodes.size(), 9U);
  EXPECT_EQ(numbers(host_nodes(nodes)), std::vector<int>{0});
  EXPECT_EQ(numbers(nodes_without_cpus(nodes)), std::vector<int>{1}) << "the others have no memory";
  EXPECT_EQ(nodes[0].cpus.size(), 72U);
  EXPECT_EQ(nodes[1].total, 99614720 * kibibyte);
}

// MemAvailable, 574,000,000 kB, counts 95,000,000 kB of HBM.
TEST(Gh200, AvailableMemoryIsThatOfTheCpuNode) {
  const MachineMemory memory = machine_memory(machine("gh200"));
  EXPECT_EQ(memory.total, 502071296 * kibibyte);
  EXPECT_EQ(memory.available, (400000000 + 40000000 + 40000000 + 2000000 - 3000000) * kibibyte);
  EXPECT_EQ(memory.without_cpus, 99614720 * kibibyte);
  EXPECT_EQ(memory.not_allowed, 0U);
  EXPECT_FALSE(memory.limited());
}

TEST(Gh200, PagesAreLarge) {
  EXPECT_EQ(transparent_pages(machine("gh200")).mode, "madvise");
  EXPECT_EQ(transparent_pages(machine("gh200")).bytes, std::uint64_t{512} << 20);
}

TEST(Gh200, LimitsAreThoseOfTheDescription) {
  EXPECT_EQ(usable_cpus(machine("gh200")).online, 72);
  EXPECT_EQ(usable_cpus(machine("gh200")).allowed, 72);
  EXPECT_EQ(nvidia_pci_ids(machine("gh200")), std::vector<std::string>{"0009:01:00.0"});
  EXPECT_EQ(numa_node_of_pci("0009:01:00.0", machine("gh200")), 0);
}

TEST(Gb200, HasTwoHostNodesAndFourOfItsGpus) {
  const auto nodes = numa_nodes(machine("gb200"));
  EXPECT_EQ(numbers(host_nodes(nodes)), (std::vector<int>{0, 1}));
  EXPECT_EQ(numbers(nodes_without_cpus(nodes)), (std::vector<int>{2, 10, 18, 26}));
  EXPECT_EQ(machine_memory(machine("gb200")).available,
            (487000000ULL + 217000000ULL - 6000000ULL) * kibibyte);
}

TEST(Gb200, TheNearestHostNodeOfAGpuIsThatOfItsSocket) {
  const auto nodes = numa_nodes(machine("gb200"));
  EXPECT_EQ(nearest_host_node(nodes, 0), 0);
  EXPECT_EQ(nearest_host_node(nodes, 2), 0);
  EXPECT_EQ(nearest_host_node(nodes, 18), 1);
  EXPECT_EQ(nearest_host_node(nodes, 26), 1);
  EXPECT_EQ(nearest_host_node(nodes, 99), -1);
  EXPECT_EQ(nearest_host_node(nodes, -1), -1);
}

TEST(Gb10, FreeMemoryComesFromTheSystem) {
  const MachineMemory memory = machine_memory(machine("gb10"));
  EXPECT_EQ(memory.available, 104000000 * kibibyte);
  EXPECT_EQ(memory.without_cpus, 0U);
  // Its driver counts the file cache as used.
  const std::uint64_t driver = 20000000 * kibibyte;
  EXPECT_EQ(free_device_memory(testing::gb10_gpu(), driver, memory.available), memory.available);
  EXPECT_EQ(free_device_memory(testing::gh200_gpu(), driver, memory.available), driver);
  EXPECT_TRUE(shares_host_memory(testing::gb10_gpu()));
  EXPECT_FALSE(shares_host_memory(testing::gh200_gpu()));
}

// A machine in a scratch directory, file by file.
class DescribedMachine : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    const auto file = root_.path() / path.substr(1);
    std::filesystem::create_directories(file.parent_path());
    testing::write_text(file, text);
  }
  MachineMemory memory() const { return machine_memory(files()); }
  SystemFiles files() const { return SystemFiles(root_.path().string()); }

  ScratchDirectory root_;
};

TEST_F(DescribedMachine, WithoutFilesNothingIsKnown) {
  EXPECT_TRUE(numa_nodes(files()).empty());
  EXPECT_EQ(memory().total, 0U);
  EXPECT_FALSE(memory().limited());
  EXPECT_EQ(transparent_pages(files()).mode, "");
  EXPECT_TRUE(nvidia_pci_ids(files()).empty());
  EXPECT_EQ(nearest_host_node({}, 0), -1);
}

TEST_F(DescribedMachine, HalfAFileIsNoFile) {
  put("/proc/meminfo", "MemTotal:\nMemAvailable: much kB\n");
  put("/sys/devices/system/node/online", "0-\n");
  put("/proc/self/cgroup", "nonsense\n::\n0:\n");
  put("/sys/kernel/mm/transparent_hugepage/enabled", "always ]madvise[ never\n");
  EXPECT_EQ(memory().total, 0U);
  EXPECT_TRUE(numa_nodes(files()).empty());
  EXPECT_EQ(transparent_pages(files()).mode, "");
}

TEST_F(DescribedMachine, AControlGroupLimitsAllBelowIt) {
  put("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 800 kB\n");
  put("/proc/self/cgroup", "0::/batch/job/step\n");
  put("/sys/fs/cgroup/batch/job/step/memory.max", "max\n");
  put("/sys/fs/cgroup/batch/job/memory.max", "409600\n");
  put("/sys/fs/cgroup/batch/job/memory.current", "307200\n");
  EXPECT_EQ(memory().usable_total(), 409600U);
  EXPECT_EQ(memory().usable_available(), 102400U);
  put("/sys/fs/cgroup/batch/job/memory.stat", "anon 1\ninactive_file 204800\n");
  EXPECT_EQ(memory().usable_available(), 307200U) << "the kernel gives up file cache";
}

TEST_F(DescribedMachine, ControlGroupsOfTheFirstVersion) {
  put("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 800 kB\n");
  put("/proc/self/cgroup", "5:cpu,memory:/job\n0::/\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(memory().limited());
  put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "204800\n");
  put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "102400\n");
  EXPECT_EQ(memory().usable_available(), 102400U);
}

TEST_F(DescribedMachine, MemoryOfForbiddenNodesIsNotCounted) {
  put("/proc/meminfo", "MemTotal: 2000 kB\nMemAvailable: 1500 kB\n");
  put("/sys/devices/system/node/online", "0-1\n");
  for (const std::string node : {"0", "1"}) {
    put("/sys/devices/system/node/node" + node + "/cpulist", node + "\n");
    put("/sys/devices/system/node/node" + node + "/meminfo",
        "Node " + node + " MemTotal: 1000 kB\nNode " + node + " MemFree: 750 kB\n");
  }
  EXPECT_EQ(memory().available, 1500 * kibibyte);
  put("/proc/self/status", "Mems_allowed_list:\t1\n");
  EXPECT_EQ(memory().available, 750 * kibibyte);
  EXPECT_EQ(memory().not_allowed, 1000 * kibibyte);
  EXPECT_EQ(numbers(host_nodes(numa_nodes(files()))), std::vector<int>{1});
}

TEST_F(DescribedMachine, TimeOfTheControlGroup) {
  EXPECT_EQ(usable_cpus(files()).quota, 0);
  put("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(usable_cpus(files()).quota, 0);
  put("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(usable_cpus(files()).quota, 1.5);
}

}  // namespace
}  // namespace lbm
