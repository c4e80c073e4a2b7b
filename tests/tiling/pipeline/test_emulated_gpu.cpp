// SPDX-License-Identifier: Apache-2.0

// The CUDA kernels of the update on a CPU (tests/solver/backend/emulation): the same flow as the
// CPU backend's kernels, and the same bits with one step and with two steps in a pass.
#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <numeric>

#include "tests/solver/backend/emulation/emulated_backend.hpp"
#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_slabs.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int steps = 5;

struct Emulated {
  StorageType storage;
  Box box;

  friend void PrintTo(const Emulated& e, std::ostream* out) { *out << e.box.name; }
};

// All boxes here but these have passes of two steps.
bool may_pass(const Lattice& lattice) {
  return lattice.scalars.empty() && !lattice.sponge.any() && !lattice.has_moving_bodies &&
         !lattice.collision.force.by_place &&
         lattice.collision.kind != CollisionKind::central_moments &&
         lattice.velocities == VelocitySet::D3Q19;
}

class EmulatedGpu : public testing::TestWithParam<Emulated> {
 protected:
  static State run(Backend& backend, const Size& n, const ScheduleOptions& options,
                   Records& records) {
    const Domain domain = GetParam().box.make(n, GetParam().storage);
    records.scalars = domain.lattice.scalar_count();
    return run_lattice(backend, domain.lattice, domain.boundaries, rough_flow(n.nx, n.ny, n.nz, 7),
                       options, steps, nullptr, HostMemory::pinned, default_staging_limit,
                       &records);
  }
};

TEST_P(EmulatedGpu, IsTheSameFlowAsTheCpuBackend) {
  const Size n{35, 9, 11};
  Records of_cpu, of_gpu;
  const ScheduleOptions options{Scheme::in_core, 1, 4};
  const State expected = run(*make_cpu_backend(1), n, options, of_cpu);
  const State state = run(*lbm::test::make_emulated_backend(), n, options, of_gpu);
  // Scalars are of order one: a value of fp16 may be the next one.
  const double half = of_gpu.scalars > 0 ? 5e-4 : 2e-5;
  const double rounding = GetParam().storage == StorageType::fp16 ? half : 1e-6;
  EXPECT_LT(state.largest_difference(expected), rounding);
  EXPECT_EQ(of_gpu.steps, of_cpu.steps);
  const auto boxes = of_gpu.boxes();
  const auto values = static_cast<std::size_t>(box_values_with(of_gpu.scalars));
  ASSERT_EQ(of_gpu.last_sums.size(), values * boxes.size());
  for (std::size_t i = 0; i < of_gpu.last_sums.size(); ++i) {
    const FieldBox& box = boxes[i / values];
    const double cells = static_cast<double>(box.plane_cells()) * box.count[2];
    EXPECT_NEAR(fixed::to(of_gpu.last_sums[i], scale_of(box)) / cells,
                fixed::to(of_cpu.last_sums[i], scale_of(box)) / cells, rounding);
    EXPECT_NE(of_cpu.last_sums[i], 0);
  }
  // Bodies have forces and give scalars through some hundred links; the first step.
  const int bodies = GetParam().box.make(n, GetParam().storage).boundaries.bodies();
  for (int i = 0; i < 6 * bodies; ++i) {
    if (i % 6 >= 3) continue;  // a torque
    EXPECT_NEAR(fixed::to(of_gpu.all.at(i), fixed::force),
                fixed::to(of_cpu.all.at(i), fixed::force), 100 * rounding);
  }
  for (int i = 6 * bodies; i < (6 + of_gpu.scalars) * bodies; ++i) {
    const double given = fixed::to(of_gpu.all.at(i), fixed::heat);
    EXPECT_NEAR(given, fixed::to(of_cpu.all.at(i), fixed::heat), 100 * rounding);
    EXPECT_NE(given, 0) << i;
  }
}

TEST_P(EmulatedGpu, GivesTheSameBitsWithTwoStepsInAPass) {
  const std::vector<ScheduleOptions> all{{Scheme::in_core, 2, 64, 1, 2},
                                         {Scheme::wavefront, 4, 6, 1, 2}};
  // Two tiles in x, the last of an odd row; a wall right above the last row of a tile of moments.
  for (const Size& n : {Size{67, 23, 19}, Size{64, 12, 31}}) {
    Records expected_records;
    const State expected =
        run(*lbm::test::make_emulated_backend(), n, {Scheme::in_core, 1, 5}, expected_records);
    int passes = 0;
    for (const ScheduleOptions& options : all) {
      Records records;
      const State state = run(*lbm::test::make_emulated_backend(&passes), n, options, records);
      EXPECT_TRUE(state.same_cells(expected))
          << to_string(options.scheme) << " k=" << options.steps_per_visit
          << " B=" << options.planes_per_visit << " nx=" << n.nx;
      EXPECT_TRUE(records == expected_records) << "forces";
    }
    const bool possible = may_pass(GetParam().box.make(n, GetParam().storage).lattice);
    EXPECT_EQ(passes > 0, possible) << "nx=" << n.nx;
  }
}

TEST_P(EmulatedGpu, GivesTheSameBitsInSlabs) {
  const Size n{66, 13, 23};
  const Domain domain = GetParam().box.make(n, GetParam().storage);
  Records expected_records;
  const State expected =
      run(*lbm::test::make_emulated_backend(), n, {Scheme::in_core, 1, 5}, expected_records);
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront}) {
    Records records;
    const State state =
        run_slabs([] { return lbm::test::make_emulated_backend(); }, domain,
                  rough_flow(n.nx, n.ny, n.nz, 7), {scheme, 4, 5, 1, 2}, steps, {9, 14}, records);
    EXPECT_TRUE(state.same_cells(expected)) << to_string(scheme);
    EXPECT_TRUE(records == expected_records) << "forces";
  }
}

// Slabs so thin that the device has the boundaries of a part of the planes only, and the lists of
// special cells, too.
TEST_P(EmulatedGpu, GivesTheSameBitsInThinSlabs) {
  const Size n{66, 13, 45};
  const Domain domain = GetParam().box.make(n, GetParam().storage);
  Records expected_records, records;
  const State expected =
      run(*lbm::test::make_emulated_backend(), n, {Scheme::in_core, 1, 5}, expected_records);
  std::mutex mutex;
  std::deque<int> passes;  // of each slab
  const auto make_backend = [&] {
    const std::scoped_lock lock(mutex);
    return lbm::test::make_emulated_backend(&passes.emplace_back(0));
  };
  // One scheme for each storage type: the tests of slabs on the CPU have all of them.
  const Scheme scheme =
      GetParam().storage == StorageType::fp32 ? Scheme::in_core : Scheme::wavefront;
  const State state = run_slabs(make_backend, domain, rough_flow(n.nx, n.ny, n.nz, 7),
                                {scheme, 2, 4, 1, 2}, steps, {9, 9, 9, 9, 9}, records);
  EXPECT_TRUE(state.same_cells(expected));
  EXPECT_TRUE(records == expected_records) << "forces";
  // Some slabs may have too many special cells.
  const int all = std::accumulate(passes.begin(), passes.end(), 0);
  EXPECT_EQ(all > 0, may_pass(domain.lattice));
}

std::vector<Emulated> emulated() {
  std::vector<Emulated> all;
  for (const Box& box : gpu_boxes()) {
    all.push_back({StorageType::fp32, box});
    if (box.model) all.push_back({StorageType::fp16, box});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedGpu, testing::ValuesIn(emulated()), [](const auto& test) {
  return std::string(to_string(test.param.storage)) + "_" + test.param.box.name;
});

}  // namespace
}  // namespace lbm::tiling::test
