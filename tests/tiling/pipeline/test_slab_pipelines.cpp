// SPDX-License-Identifier: Apache-2.0

// A grid in slabs, each with a pipeline and a thread of its own, gives the same bits as one
// pipeline, also for forces and flow sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tiling/pipeline/copying_backend.hpp"
#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_slabs.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace lbm::tiling::test {
namespace {

// Divisions of nz planes into so many slabs: even, and as uneven as possible.
std::vector<std::vector<int>> ways_to_share(int nz, int ranks, int least) {
  std::vector<int> even(static_cast<std::size_t>(ranks), nz / ranks), uneven(even.size(), least);
  for (int r = 0; r < nz % ranks; ++r) ++even[static_cast<std::size_t>(r)];
  uneven.back() = nz - least * (ranks - 1);
  return {even, uneven};
}

class SlabRuns : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    if (GetParam().backend == BackendKind::cuda && cuda_device_count() == 0) {
      GTEST_SKIP() << "no GPU on this machine";
    }
  }
};

TEST_P(SlabRuns, GiveTheSameBits) {
  constexpr int ny = 15, nz = 46, steps = 41;
  const auto& [kind, storage, box] = GetParam();
  const int nx = kind == BackendKind::cuda ? 70 : 19;  // wide enough for a GPU's passes
  const Domain domain = box.make({nx, ny, nz}, storage);
  const InitialState initial = rough_flow(nx, ny, nz, 7);
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend(1);
  const BackendKind of_slabs = kind;
  bool in_place = false;  // boundaries
  const auto backends = [&]() -> std::unique_ptr<Backend> {
    if (of_slabs == BackendKind::cuda) return make_cuda_backend();
    return in_place ? make_cpu_backend(1) : std::make_unique<CopyingBackend>();
  };
  Records expected_records;
  const State expected =
      run_lattice(*backend, domain.lattice, domain.boundaries, initial, {Scheme::in_core, 1, 1},
                  steps, nullptr, HostMemory::pinned, default_staging_limit, &expected_records);
  const std::vector<ScheduleOptions> all{{Scheme::in_core, 1, 4},
                                         {Scheme::in_core, 3, 8},
                                         {Scheme::in_core, 2, 6, 1, 2},
                                         {Scheme::wavefront, 1, 1},
                                         {Scheme::wavefront, 7, 4},
                                         {Scheme::wavefront, 20, 16},
                                         {Scheme::wavefront, 6, 5, 1, 2},
                                         {Scheme::halo, 2, 2},
                                         {Scheme::halo, 5, 3},
                                         {Scheme::halo, 9, 1}};
  // All combinations with one storage type only: they take a while.
  const bool few = storage != StorageType::fp32;
  for (const ScheduleOptions& options : all) {
    for (const int ranks : few ? std::vector{3} : std::vector{2, 3, 7}) {
      const int least =
          std::max(2, options.scheme == Scheme::halo ? least_slab_planes(options) : 2);
      if (least * ranks > nz) continue;
      for (const auto& slabs : ways_to_share(nz, ranks, least)) {
        in_place = !in_place;
        Records records;
        const State state = run_slabs(backends, domain, initial, options, steps, slabs, records);
        ASSERT_TRUE(state.same_cells(expected))
            << to_string(options.scheme) << " k=" << options.steps_per_visit
            << " B=" << options.planes_per_visit << " slabs=" << ranks << " of " << slabs[0];
        ASSERT_TRUE(records == expected_records) << "records";
      }
    }
  }
}

// A GPU has the solid cells and links of its slab and of the planes next to it, not of the grid.
TEST(SlabMemory, OfOneRankOfEightHasLittleMoreThanAnEighthOfTheBoundaries) {
  constexpr int nx = 64, ny = 16, nz = 400;
  const lbm::test::CellSolids rock(nx, ny, nz, [](int x, int y, int z) {
    return (x * 7 + y * 13 + z * 29 + x * y * z) % 11 == 0 ? 1 : 0;
  });
  const std::vector<BodySpec> bodies(1);
  FaceBoundaries faces;
  Domain domain{make_lattice(nx, ny, nz, StorageType::fp32, bgk(), faces),
                Boundaries(nx, ny, nz, faces, &rock, bodies)};
  const auto whole = static_cast<double>(domain.boundaries.bytes().size());
  for (const ScheduleOptions& options : {ScheduleOptions{Scheme::in_core, 1, 8},
                                         {Scheme::in_core, 8, 8},
                                         {Scheme::wavefront, 8, 4},
                                         {Scheme::halo, 7, 4}}) {
    CopyingBackend backend;
    const SlabShare share{350, 50};
    auto store = make_store(backend, domain.lattice, options.scheme,
                            initial_planes(domain.lattice, rough_flow(nx, ny, nz, 7)),
                            HostMemory::pinned, share);
    const Pipeline pipeline({.backend = backend,
                             .lattice = domain.lattice,
                             .boundaries = domain.boundaries,
                             .store = std::move(store),
                             .options = options,
                             .share = share});
    EXPECT_EQ(pipeline.device_bytes(),
              device_bytes_needed(domain.lattice, domain.boundaries, options, {}, share.planes));
    EXPECT_LE(static_cast<double>(pipeline.boundary_bytes()), (0.125 + 0.05) * whole)
        << to_string(options.scheme) << options.steps_per_visit;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SlabRuns, testing::ValuesIn(variants()), name_of);

}  // namespace
}  // namespace lbm::tiling::test
