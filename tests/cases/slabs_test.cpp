// How processes, here threads, come to their devices and planes.
#include "cases/app/slabs.hpp"

#include <gtest/gtest.h>

#include "tests/tiling/thread_ranks.hpp"

namespace lbm::app {
namespace {

using tiling::test::in_threads;
using tiling::test::ThreadRanks;
using Texts = std::vector<std::string>;

// What each throws, where each finds so many GPUs and its case says which kind of device.
Texts agree(const std::vector<int>& gpus, const std::vector<std::optional<BackendKind>>& kinds) {
  return in_threads(static_cast<int>(gpus.size()), [&](ThreadRanks& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    Case lbm_case;
    lbm_case.file = "case.yaml";
    lbm_case.device.backend = kinds[r];
    agree_on_backends(lbm_case, gpus[r], ranks);
  });
}

TEST(BackendsOfProcesses, AreGpusForAllOrForNone) {
  const std::vector<std::optional<BackendKind>> open(3);
  EXPECT_EQ(agree({1, 1, 1}, open), Texts(3));
  EXPECT_EQ(agree({4, 2, 1}, open), Texts(3));
  EXPECT_EQ(agree({0, 0, 0}, open), Texts(3));
}

TEST(BackendsOfProcesses, AreRefusedWhereOneFindsNoGpu) {
  const std::vector<std::optional<BackendKind>> open(3);
  const Texts errors = agree({2, 2, 0}, open);
  EXPECT_EQ(errors, Texts(3, errors[0]));
  EXPECT_TRUE(errors[0].starts_with("case.yaml: process 2 (host ")) << errors[0];
  EXPECT_NE(errors[0].find("finds no GPU, while process 0 (host "), std::string::npos);
  EXPECT_TRUE(agree({0, 1, 1}, open)[2].starts_with("case.yaml: process 0 (host "));
}

TEST(BackendsOfProcesses, MayDifferWhereTheCaseSaysSo) {
  const auto cpu = BackendKind::cpu, cuda = BackendKind::cuda;
  EXPECT_EQ(agree({2, 0, 0}, {std::nullopt, cpu, cpu}), Texts(3));
  EXPECT_EQ(agree({2, 2, 2}, {cpu, cpu, cpu}), Texts(3));
  // What has no GPU then is refused as with one process.
  EXPECT_EQ(agree({2, 0, 2}, {cuda, cuda, cuda}), Texts(3));
  EXPECT_NE(agree({2, 0, 2}, {cuda, std::nullopt, cuda}), Texts(3));
}

}  // namespace
}  // namespace lbm::app
