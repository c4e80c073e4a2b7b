// SPDX-License-Identifier: Apache-2.0

// Memory and schedule of a run on an integrated GPU, which a backend of the CPU pretends to be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/setup/setup.hpp"
#include "solver/core/error.hpp"
#include "tests/machines/machines.hpp"
#include "tests/solver/backend/forwarding_backend.hpp"
#include "tests/tiling/model/made_up_speeds.hpp"

namespace lbm::cases {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

class PretendedGpu final : public lbm::test::ForwardingBackend {
 public:
  PretendedGpu(const DeviceFacts& facts, std::uint64_t free) : facts_(facts), free_(free) {}
  BackendKind kind() const override { return BackendKind::cuda; }
  int threads() const override { return 0; }
  std::string device_name() const override { return facts_.name; }
  std::size_t free_memory() const override { return free_; }
  DeviceFacts facts() const override { return facts_; }

 private:
  DeviceFacts facts_;
  std::uint64_t free_;
};

// 64 x 64 x 64 cells: 20 MiB in fp32.
Case box(const std::vector<std::string>& sets) {
  return parse_case(
      "grid: {cells: [64, 64, 64]}\nfluid: {reynolds: 10}\nrun: {steps: 50}\n"
      "lattice: {collision: bgk}\n",
      "c.yaml", sets);
}

Setup setup_on(Backend& backend, const Case& lbm_case) {
  const DeviceSpeeds speeds = tiling::test::large_gpu();
  tiling::ScheduleRequest request =
      make_schedule_request(lbm_case, derive(lbm_case), backend, false);
  request.speeds = [&speeds]() -> const DeviceSpeeds& { return speeds; };
  return make_setup(lbm_case, derive(lbm_case), backend, request);
}

TEST(IntegratedGpu, CountsLatticeAndBuffersInOneMemory) {
  PretendedGpu gpu(testing::gb10_gpu(), 64 * mebibyte);
  const Case lbm_case = box({"host.memory_limit=64MiB"});
  const auto setup = setup_on(gpu, lbm_case);
  EXPECT_EQ(setup.plan.options.scheme, tiling::Scheme::in_core);
  EXPECT_GT(host_bytes_of(setup.plan, testing::gb10_gpu()), 20 * mebibyte);
  EXPECT_LT(host_bytes_of(setup.plan, testing::gh200_gpu()), 20 * mebibyte);
  // The same memory does not serve twice.
  EXPECT_THROW(setup_on(gpu, box({"host.memory_limit=21MiB"})), ResourceError);
}

TEST(IntegratedGpu, GoesNotOutOfCoreIntoTheSameMemory) {
  const Case lbm_case = box({"host.memory_limit=64MiB"});
  PretendedGpu gpu(testing::gb10_gpu(), 12 * mebibyte),
      coherent(testing::gh200_gpu(), 12 * mebibyte);
  EXPECT_THROW(setup_on(gpu, lbm_case), ResourceError);
  EXPECT_EQ(setup_on(coherent, lbm_case).plan.options.scheme, tiling::Scheme::wavefront);
}

TEST(IntegratedGpu, RefusesASchemeOutOfCoreInOneLine) {
  const Case lbm_case = box({"tiling.scheme=wavefront"});
  try {
    check_scheme(lbm_case, testing::gb10_gpu());
    ADD_FAILURE() << "not refused";
  } catch (const UsageError& error) {
    const std::string line = error.what();
    for (const char* part : {"tiling.scheme", "found wavefront", "NVIDIA GB10", "auto"}) {
      EXPECT_NE(line.find(part), std::string::npos) << line;
    }
  }
  EXPECT_NO_THROW(check_scheme(lbm_case, testing::gh200_gpu()));
  EXPECT_NO_THROW(check_scheme(box({"tiling.scheme=in_core"}), testing::gb10_gpu()));
  EXPECT_NO_THROW(check_scheme(box({}), testing::gb10_gpu()));
}

TEST(IntegratedGpu, IsPlannedInOneMemory) {
  PretendedGpu gpu(testing::gb10_gpu(), 12 * mebibyte);
  const Case lbm_case = box({"host.memory_limit=64MiB"});
  const io::Json plan = plan_case(lbm_case, {}, gpu).json;
  const std::string refusal = plan.at("refusal");
  EXPECT_NE(refusal.find("no other memory"), std::string::npos) << refusal;
  EXPECT_EQ(plan.at("largest_cells"), plan.at("largest_cells_in_core"));
  for (const io::Json& what_if : plan.at("what_if")) {
    const std::string name = what_if.at("change");
    EXPECT_EQ(name.find("PCIe"), std::string::npos) << "it has no link";
  }
}

}  // namespace
}  // namespace lbm::cases
