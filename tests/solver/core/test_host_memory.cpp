// SPDX-License-Identifier: Apache-2.0

// Host memory: nodes and links as the system describes them, which device can use which kind.
#include <gtest/gtest.h>

#include "solver/backend/device_facts.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"
#include "solver/core/numa.hpp"
#include "solver/machine/machine_facts.hpp"
#include "tests/io/scratch.hpp"
#include "tests/machines/machines.hpp"

namespace lbm {
namespace {

using testing::ScratchDirectory;
using testing::write_text;

TEST(Numa, NodesOfAList) {
  EXPECT_EQ(parse_numa_list("0\n"), std::vector<int>{0});
  EXPECT_EQ(parse_numa_list("0,4,8-10\n"), (std::vector<int>{0, 4, 8, 9, 10}));
  for (const char* none : {"", "\n", "a\n", "3-1\n", "0-\n", ",1\n", "-1\n"}) {
    EXPECT_TRUE(parse_numa_list(none).empty()) << none;
  }
}

TEST(Numa, NodeOfAPciDevice) {
  const ScratchDirectory root;
  const auto device = root.path() / "sys/bus/pci/devices/0000:17:00.0";
  std::filesystem::create_directories(device);
  write_text(device / "numa_node", "1\n");
  const SystemFiles files(root.path().string());
  EXPECT_EQ(numa_node_of_pci("0000:17:00.0", files), 1);
  for (const char* none : {"-1\n", "", "node1\n", "1 2\n", "99999999999\n", "1.5\n"}) {
    write_text(device / "numa_node", none);
    EXPECT_EQ(numa_node_of_pci("0000:17:00.0", files), -1) << none;
  }
  EXPECT_EQ(numa_node_of_pci("0000:18:00.0", files), -1);
  EXPECT_EQ(numa_node_of_pci("", files), -1);
}

TEST(Numa, NowhereToPlaceIsNoError) {
  const Buffer memory = map_host_memory(4096, "a test");
  EXPECT_NE(place_near(memory.data(), memory.size(), -1), Placement::bound);
  EXPECT_NE(place_near(memory.data(), memory.size(), 1 << 20), Placement::bound);
  place_near(memory.data(), memory.size(), 0);
  touch_host_memory(memory.data(), memory.size());
  EXPECT_EQ(memory.data()[4095], std::byte{0});
}

TEST(HostMemory, IsAlignedToTheHugePagesOfTheSystem) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const SystemFiles gh200 = testing::machine("gh200"), gb10 = testing::machine("gb10");
  EXPECT_EQ(host_memory_alignment(std::size_t{4} << 30, gh200), 512 * mebibyte);
  EXPECT_EQ(host_memory_alignment((std::size_t{4} << 30) - 1, gh200), 2 * mebibyte);
  EXPECT_EQ(host_memory_alignment(std::size_t{4} << 30, gb10), 2 * mebibyte);
  const ScratchDirectory empty;
  EXPECT_EQ(host_memory_alignment(std::size_t{4} << 30, SystemFiles(empty.path().string())),
            2 * mebibyte);
  const Buffer memory = map_host_memory(5 * mebibyte + 1, "a test");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % (2 * mebibyte), 0U);
}

TEST(PciLink, GenerationOfASpeed) {
  EXPECT_EQ(pcie_generation("2.5 GT/s PCIe"), 1);
  EXPECT_EQ(pcie_generation("16.0 GT/s PCIe"), 4);
  EXPECT_EQ(pcie_generation("32.0 GT/s"), 5);
  for (const char* none : {"", "Unknown", "32.0", "32.0 MT/s", "1.0 GT/s PCIe"}) {
    EXPECT_EQ(pcie_generation(none), 0) << none;
  }
}

TEST(PciLink, SaysWhenTheLinkRunsBelowItsBest) {
  const ScratchDirectory root;
  const auto device = root.path() / "sys/bus/pci/devices/a";
  std::filesystem::create_directories(device);
  const auto link = [&] { return pci_link("a", SystemFiles(root.path().string())); };
  EXPECT_EQ(link(), "");
  write_text(device / "current_link_speed", "2.5 GT/s PCIe\n");
  write_text(device / "current_link_width", "16\n");
  EXPECT_EQ(link(), "PCIe 1 x16");
  write_text(device / "max_link_speed", "32.0 GT/s PCIe\n");
  write_text(device / "max_link_width", "16\n");
  EXPECT_EQ(link(), "PCIe 5 x16, now PCIe 1 x16");
  write_text(device / "current_link_speed", "32.0 GT/s PCIe\n");
  EXPECT_EQ(link(), "PCIe 5 x16");
}

DeviceFacts gpu(PageableAccess pageable, bool managed) {
  DeviceFacts facts;
  facts.backend = BackendKind::cuda;
  facts.name = "Card";
  facts.pageable = pageable;
  facts.managed = managed;
  return facts;
}

using Kinds = std::vector<HostMemory>;

TEST(HostMemoryKinds, FollowFromTheDevice) {
  using enum HostMemory;
  EXPECT_EQ(usable_host_memory({}), (Kinds{pinned}));
  EXPECT_EQ(usable_host_memory(gpu(PageableAccess::none, false)), (Kinds{pinned}));
  EXPECT_EQ(usable_host_memory(gpu(PageableAccess::none, true)), (Kinds{pinned, managed}));
  EXPECT_EQ(usable_host_memory(gpu(PageableAccess::hmm, true)), (Kinds{pinned, managed, system}));
  EXPECT_EQ(usable_host_memory(gpu(PageableAccess::ats, false)), (Kinds{pinned, system}));
}

TEST(HostMemoryKinds, ARefusalNamesTheDeviceAndTheRemedy) {
  const auto line = refusal_of(HostMemory::system, gpu(PageableAccess::none, true)).value_or("");
  for (const char* part : {"found system", "Card", "ATS", "host.memory: pinned"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
  EXPECT_NE(refusal_of(HostMemory::managed, {}).value_or("").find("CPU"), std::string::npos);
}

TEST(HostMemoryKinds, OnlyMigrationIsWarnedOf) {
  EXPECT_TRUE(warning_of(HostMemory::system, gpu(PageableAccess::hmm, true)));
  EXPECT_FALSE(warning_of(HostMemory::system, gpu(PageableAccess::ats, true)));
  EXPECT_FALSE(warning_of(HostMemory::managed, gpu(PageableAccess::hmm, true)));
}

TEST(HostMemoryKinds, ManagedMemoryMustFitBesideThePlan) {
  EXPECT_FALSE(managed_refusal(60, 40, 100, "Card"));
  EXPECT_TRUE(managed_refusal(60, 41, 100, "Card"));
  EXPECT_TRUE(managed_refusal(101, 0, 100, "Card"));
  EXPECT_TRUE(managed_refusal(~std::uint64_t{0}, 2, 100, "Card")) << "the sum overflows";
}

std::string parts(std::size_t begin, std::size_t bytes, std::size_t piece) {
  std::string text;
  for_parts(begin, bytes, piece, [&](std::size_t at, std::size_t part) {
    text += std::to_string(at) + "+" + std::to_string(part) + " ";
  });
  return text;
}

TEST(Pieces, ACopyIsCutWhereTwoMeet) {
  EXPECT_EQ(parts(0, 10, 100), "0+10 ");
  EXPECT_EQ(parts(90, 10, 100), "90+10 ");
  EXPECT_EQ(parts(90, 11, 100), "90+10 100+1 ");
  EXPECT_EQ(parts(150, 200, 100), "150+50 200+100 300+50 ");
  EXPECT_EQ(parts(100, 0, 100), "");
}

}  // namespace
}  // namespace lbm
