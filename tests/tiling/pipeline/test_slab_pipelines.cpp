// SPDX-License-Identifier: Apache-2.0

// A grid in slabs, each with a pipeline and a thread of its own, gives the same bits as one
// pipeline, also for forces and flow sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_slabs.hpp"

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
  const auto backends = [&] {
    return of_slabs == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend(1);
  };
  Records expected_records;
  const State expected = run_lattice(*backend, domain.lattice, domain.boundaries, initial,
                                     {Scheme::in_core, 1, 1}, steps, nullptr, HostMemory::pinned,
                                     nullptr, default_staging_limit, &expected_records);
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
  // All combinations with one storage type only: on a CPU they take a while.
  const bool few = kind == BackendKind::cpu && storage != StorageType::fp32;
  for (const ScheduleOptions& options : all) {
    for (const int ranks : few ? std::vector{3} : std::vector{2, 3, 7}) {
      const int least =
          std::max(2, options.scheme == Scheme::halo ? least_slab_planes(options) : 2);
      if (least * ranks > nz) continue;
      for (const auto& slabs : ways_to_share(nz, ranks, least)) {
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

INSTANTIATE_TEST_SUITE_P(All, SlabRuns, testing::ValuesIn(variants()), name_of);

}  // namespace
}  // namespace lbm::tiling::test
