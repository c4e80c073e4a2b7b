// A grid in slabs, each with a pipeline and a thread of its own, gives the same bits as one
// pipeline, also for forces and flow sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "tests/tiling/exchange/local_exchange.hpp"
#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_lattice.hpp"
#include "tiling/pipeline/merge_records.hpp"

namespace lbm::tiling::test {
namespace {

// Merges the records of all slabs, step by step.
Records merged(const std::vector<Records>& parts, const RecordShape& shape) {
  Records sum = parts[0];
  const auto values = static_cast<std::size_t>(shape.values() - flow_values);
  for (std::size_t r = 1; r < parts.size(); ++r) {
    EXPECT_EQ(parts[r].steps, sum.steps);
    for (std::size_t i = 0; i < sum.all.size(); ++i) sum.all[i] += parts[r].all[i];
    merge_flow_values(sum.last_sample, parts[r].last_sample);
  }
  EXPECT_EQ(sum.all.size(), sum.steps.size() * values);
  return sum;
}

State run_slabs(BackendKind kind, const Domain& domain, const InitialState& initial,
                const ScheduleOptions& options, int steps, const std::vector<int>& slabs,
                Records& records) {
  const Lattice& lattice = domain.lattice;
  const std::size_t ranks = slabs.size(), bytes = lattice.layout.bytes;
  State state{lattice, std::vector<std::byte>(bytes * static_cast<std::size_t>(lattice.nz))};
  std::vector<std::unique_ptr<PlaneQueue>> queues;  // into each slab from above
  for (std::size_t r = 0; r < ranks; ++r) {
    queues.push_back(std::make_unique<PlaneQueue>(planes_in_ring(options), bytes));
  }
  std::vector<Records> parts(ranks);
  std::vector<std::string> errors(ranks);
  const auto run = [&](std::size_t r, int first) {
    PlaneExchange exchange = local_exchange(*queues[r], *queues[(r + ranks - 1) % ranks]);
    const SlabShare share{first, slabs[r]};
    const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend(1);
    ScheduleOptions own = options;
    own.planes_per_visit = std::min(own.planes_per_visit, slabs[r]);
    const Lattice part = lattice_of(lattice, share);
    const InitialState flow = state_of(initial, lattice, share);
    auto store = options.scheme == Scheme::in_core ? make_initial_planes(*backend, part, flow)
                                                   : make_host_lattice(*backend, part, flow);
    Pipeline pipeline({.backend = *backend,
                       .lattice = lattice,
                       .boundaries = domain.boundaries,
                       .store = std::move(store),
                       .options = own,
                       .records = &parts[r],
                       .share = share,
                       .exchange = &exchange});
    // With a pause in the middle.
    for (const int stop : {steps / 3, steps}) {
      std::int64_t left = stop - (stop == steps ? steps / 3 : 0);
      pipeline.run(
          [&]() -> std::optional<Sweep> {
            const int next = next_sweep_steps(left, options.steps_per_visit);
            left -= next;
            if (next == 0) return std::nullopt;
            return Sweep{next, false, left == 0 && stop == steps};
          },
          {});
    }
    pipeline.state().read_planes([&](int z, std::span<const std::byte> planes) {
      std::copy(planes.begin(), planes.end(),
                state.planes.begin() + static_cast<std::ptrdiff_t>(bytes) * z);
    });
  };
  {
    std::vector<std::jthread> threads;
    int first = 0;
    for (std::size_t r = 0; r < ranks; first += slabs[r], ++r) {
      threads.emplace_back([&, r, first] {
        try {
          run(r, first);
        } catch (const std::exception& error) {
          errors[r] = error.what();
        }
      });
    }
  }
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  records = merged(parts, {domain.boundaries.bodies(), 0});
  return state;
}

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
  constexpr int nx = 19, ny = 15, nz = 46, steps = 41;
  const auto& [kind, storage, box] = GetParam();
  const Domain domain = box.make({nx, ny, nz}, storage);
  const InitialState initial = rough_flow(nx, ny, nz, 7);
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend(1);
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
        const State state = run_slabs(kind, domain, initial, options, steps, slabs, records);
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
