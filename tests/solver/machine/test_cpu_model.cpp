// SPDX-License-Identifier: Apache-2.0

// The processor's name, on which the file of measured speeds depends.
#include <gtest/gtest.h>

#include "solver/machine/machine_facts.hpp"
#include "tests/io/scratch.hpp"

namespace lbm {
namespace {

std::string model(const std::string& cpuinfo) {
  const testing::ScratchDirectory root;
  std::filesystem::create_directories(root.path() / "proc");
  testing::write_text(root.path() / "proc/cpuinfo", cpuinfo);
  return cpu_model(SystemFiles(root.path().string()));
}

TEST(CpuModel, IsTheNameOfTheFirstCore) {
  EXPECT_EQ(model("processor\t: 0\nvendor_id\t: X\nmodel\t\t: 17\nmodel name\t: AMD EPYC 7763: 2\n"
                  "\nprocessor\t: 1\nmodel name\t: another\n"),
            "AMD EPYC 7763: 2");
}

TEST(CpuModel, IsTwoNumbersOnArm) {
  EXPECT_EQ(model("processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n"
                  "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
                  "CPU part\t: 0xd4f\nCPU revision\t: 0\n"),
            "ARM 0x41, part 0xd4f");
}

TEST(CpuModel, IsCpuWhereNothingIsSaid) {
  EXPECT_EQ(model(""), "CPU");
  EXPECT_EQ(model("CPU implementer\t: 0x41\n"), "CPU");
  EXPECT_EQ(cpu_model(SystemFiles("/nowhere")), "CPU");
}

}  // namespace
}  // namespace lbm
