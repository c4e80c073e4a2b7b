// SPDX-License-Identifier: Apache-2.0

// Assignment of GPUs to ranks for any set of GPUs shown by the launcher.
#include "cases/run/setup/setup.hpp"

#include <gtest/gtest.h>

namespace lbm::cases {
namespace {

using Names = std::vector<std::string>;

// "0 1 -": index of each rank's GPU, or none; with the number of ranks on it if several.
std::string picked(const std::vector<VisibleDevices>& all, int first = 0, bool share = false) {
  std::string text;
  for (const auto& device : pick_devices(all, first, share)) {
    text += text.empty() ? "" : " ";
    text += device ? std::to_string(device->index) : "-";
    if (device && device->sharers > 1) text += "/" + std::to_string(device->sharers);
  }
  return text;
}

TEST(PickDevices, OneForEachWhereAllSeeAll) {
  const VisibleDevices a{"a", {"x", "y", "z"}}, b{"b", {"x", "y", "z"}};
  EXPECT_EQ(picked({a, a, a}), "0 1 2");
  EXPECT_EQ(picked({a, b, a, b}), "0 0 1 1") << "hosts have GPUs of their own";
  EXPECT_EQ(picked({a, a}, 1), "1 2");
}

TEST(PickDevices, TheOneThatAProcessSees) {
  EXPECT_EQ(picked({{"a", {"x"}}, {"a", {"y"}}, {"a", {"z"}}}), "0 0 0");
  EXPECT_EQ(picked({{"a", {"x", "y"}}, {"a", {"y", "x"}}}), "0 0") << "another order";
  EXPECT_EQ(picked({{"a", {"x", "y"}}, {"a", {"x", "z"}}}), "0 1");
}

TEST(PickDevices, NoneWhereAllAreTaken) {
  const VisibleDevices a{"a", {"x", "y"}};
  EXPECT_EQ(picked({a, a, a}), "0 1 -");
  EXPECT_EQ(picked({a, a}, 1), "1 -");
  EXPECT_EQ(picked({a}, 2), "-");
  EXPECT_EQ(picked({{"a", {}}}, 0, true), "-");
}

TEST(PickDevices, SharedEvenlyWhereThatIsAllowed) {
  const VisibleDevices a{"a", {"x", "y"}};
  EXPECT_EQ(picked({a, a}, 0, true), "0 1");
  EXPECT_EQ(picked({a, a, a}, 0, true), "0/2 1 0/2");
  EXPECT_EQ(picked({a, a, a, a}, 0, true), "0/2 1/2 0/2 1/2");
}

}  // namespace
}  // namespace lbm::cases
