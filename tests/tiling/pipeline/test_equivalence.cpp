// SPDX-License-Identifier: Apache-2.0

// The main test: any scheme, any k, any B gives the same bits as in-core stepping.
#include <gtest/gtest.h>

#include "solver/backend/cpu/pair_runner.hpp"
#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_lattice.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int steps = 101;

// Sizes that are no multiples. The small grid makes every combination affordable.
constexpr Size small{29, 23, 41}, large{61, 47, 83};

struct Combination {
  Scheme scheme;
  int k, b;
  int updates = 1;   // of planes per visit, at least (in core)
  int together = 1;  // updates that the device may run in one pass
};

std::vector<Combination> all_combinations(const std::vector<int>& steps_per_visit,
                                          const std::vector<int>& planes_per_visit) {
  std::vector<Combination> all;
  for (const int k : steps_per_visit) {
    for (const int b : planes_per_visit) {
      for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
        all.push_back({scheme, k, b});
      }
    }
  }
  return all;
}

std::vector<Combination> some_combinations() {
  return {{Scheme::in_core, 1, 16},      {Scheme::in_core, 1, 64, 83 * 16},
          {Scheme::in_core, 3, 8, 400},  {Scheme::in_core, 2, 12, 1, 2},
          {Scheme::in_core, 5, 7, 1, 2}, {Scheme::in_core, 4, 9, 300, 2},
          {Scheme::wavefront, 7, 4},     {Scheme::wavefront, 33, 16},
          {Scheme::wavefront, 64, 1},    {Scheme::wavefront, 6, 8, 1, 2},
          {Scheme::halo, 7, 16},         {Scheme::halo, 16, 8}};
}

class Equivalence : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    if (GetParam().backend == BackendKind::cuda && cuda_device_count() == 0) {
      GTEST_SKIP() << "no GPU on this machine";
    }
  }
};

// One thread, as tests run side by side; CpuThreads has more.
std::unique_ptr<Backend> make_backend(BackendKind kind) {
  return kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend(1);
}

void expect_same_bits(const Variant& variant, const Size& size,
                      const std::vector<Combination>& combinations) {
  const auto backend = make_backend(variant.backend);
  const auto [nx, ny, nz] = size;
  const Domain domain = variant.box.make(size, variant.storage);
  const auto run = [&](const ScheduleOptions& options, int n, Records& records) {
    return run_lattice(*backend, domain.lattice, domain.boundaries, rough_flow(nx, ny, nz, 7),
                       options, n, nullptr, HostMemory::pinned, default_staging_limit, &records);
  };
  const ScheduleOptions plain{Scheme::in_core, 1, 1};
  Records expected_records, none;
  const State expected = run(plain, steps, expected_records);
  const State start = run(plain, 0, none);
  ASSERT_GT(expected.largest_difference(start), 1e-4) << "the flow must move for this to tell";
  ASSERT_EQ(expected_records.steps.size(),
            domain.boundaries.bodies() > 0 ? static_cast<std::size_t>(steps) : 1U);
  for (const auto& [scheme, k, b, updates, together] : combinations) {
    Records records;
    const State state = run({scheme, k, b, updates, together}, steps, records);
    ASSERT_TRUE(state.same_cells(expected))
        << to_string(scheme) << " k=" << k << " B=" << b << " updates=" << updates << " nx=" << nx
        << ": " << state.differences(expected);
    ASSERT_TRUE(records == expected_records)
        << "forces: " << to_string(scheme) << " k=" << k << " B=" << b << " updates=" << updates;
  }
}

// A GPU launches kernels for a few rows: fewer combinations, and one storage type.
TEST_P(Equivalence, EverySchemeGivesTheSameBits) {
  const auto& [backend, storage, box] = GetParam();
  const bool gpu = backend == BackendKind::cuda;
  if (box.slow || (gpu && storage != StorageType::fp32)) {
    return expect_same_bits(GetParam(), small, some_combinations());
  }
  expect_same_bits(GetParam(), small,
                   gpu ? all_combinations({2, 7, 33}, {1, 8})
                       : all_combinations({1, 2, 3, 7, 16, 33}, {1, 4, 8, 16}));
}

// The larger grid is slow on a CPU: fewer combinations, and one storage type.
TEST_P(Equivalence, AlsoOnALargerGrid) {
  const auto& [backend, storage, box] = GetParam();
  const bool slow = backend == BackendKind::cpu && box.slow;
  if (slow && storage != StorageType::fp32)
    return expect_same_bits(GetParam(), {24, 20, 61}, {{Scheme::wavefront, 64, 1}});
  expect_same_bits(GetParam(), large, some_combinations());
}

// Small grids go to the device many steps at a time. The GPU replays launches whose slots repeat.
TEST_P(Equivalence, AlsoWhereVisitsRepeat) {
  expect_same_bits(GetParam(), {24, 20, 16},
                   {{Scheme::in_core, 1, 16, 16 * 8},
                    {Scheme::in_core, 1, 16, 16 * 25},
                    {Scheme::in_core, 1, 4, 16 * 12}});
}

// A GPU makes two steps in one pass: grids of several tiles, with a last tile of one row, with odd
// rows, and with a wall right above the last row of a tile.
TEST_P(Equivalence, AlsoWherePassesOfTwoStepsHaveManyTiles) {
  std::vector<Size> sizes = {{64, 15, 40}};
  if (GetParam().backend == BackendKind::cuda) {
    sizes.insert(sizes.end(), {{133, 30, 70}, {192, 9, 50}, {129, 34, 27}});
  }
  const std::vector<Combination> passes = {
      {Scheme::in_core, 2, 64, 1, 2},   {Scheme::in_core, 3, 20, 400, 2},
      {Scheme::in_core, 5, 9, 1, 2},    {Scheme::wavefront, 2, 16, 1, 2},
      {Scheme::wavefront, 16, 8, 1, 2}, {Scheme::wavefront, 33, 64, 1, 2}};
  for (const Size& size : sizes) expect_same_bits(GetParam(), size, passes);
}

// No box with bodies has far fields: a body that touches one makes it unstable.
TEST(FarFields, EveryScheduleGivesTheSameBits) {
  for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    expect_same_bits({BackendKind::cpu, storage, {"far_fields", between_far_fields}}, {24, 20, 31},
                     some_combinations());
    const Model moments{CollisionKind::regularised, Representation::moments};
    expect_same_bits({BackendKind::cpu, storage, {"far_fields", between_far_fields, moments}},
                     {24, 20, 31}, some_combinations());
  }
}

// Lattices larger than the caches are written with streaming stores.
class PastTheCaches : public testing::TestWithParam<StorageType> {};

INSTANTIATE_TEST_SUITE_P(Storage, PastTheCaches,
                         testing::Values(StorageType::fp16, StorageType::fp32, StorageType::fp64),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_P(PastTheCaches, StoresGiveTheSameBits) {
  constexpr int nx = 150, ny = 64;
  for (const Box& box : boxes()) {
    int nz = 120;
    Domain domain = box.make({nx, ny, nz}, GetParam());
    if (domain.lattice.representation == Representation::moments) {
      domain = box.make({nx, ny, nz = 230}, GetParam());
    }
    ASSERT_TRUE(cpu::exceeds_caches(domain.lattice));
    const auto run = [&](int threads, const ScheduleOptions& options) {
      return run_lattice(*make_cpu_backend(threads), domain.lattice, domain.boundaries,
                         rough_flow(nx, ny, nz, 7), options, 4);
    };
    const State expected = run(1, {Scheme::in_core, 1, 3});
    for (const int together : {1, 2}) {
      EXPECT_TRUE(run(2, {Scheme::in_core, 4, 8, 1, together}).same_cells(expected))
          << box.name << " " << together;
    }
  }
}

// With two steps in one pass each thread has its own strip of rows, if there are enough rows.
TEST(CpuThreads, AnyNumberGivesTheSameBits) {
  for (const auto& [nx, ny, nz] : {Size{19, 70, 13}, Size{19, 1, 13}, Size{5, 9, 3}}) {
    for (const Box& box : boxes()) {
      const Domain domain = box.make({nx, ny, nz}, StorageType::fp32);
      const auto run = [&](int threads, const ScheduleOptions& options) {
        return run_lattice(*make_cpu_backend(threads), domain.lattice, domain.boundaries,
                           rough_flow(nx, ny, nz, 7), options, 15);
      };
      const State expected = run(1, {Scheme::in_core, 1, 1});
      for (const int threads : {1, 2, 3}) {
        for (const int k : {2, 7}) {
          for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
            ASSERT_TRUE(run(threads, {scheme, k, 4, 1, 2}).same_cells(expected))
                << threads << " threads " << box.name << " ny=" << ny << " " << to_string(scheme)
                << " k=" << k;
          }
        }
      }
    }
  }
}

// The same source compiled for another device or instruction set rounds differently here and there;
// after 50 steps the difference is still near rounding. Compares GPU with CPU, and the widest
// vectors with the narrowest.
TEST_P(Equivalence, DevicesAgreeToRounding) {
  const Variant& variant = GetParam();
  const auto [nx, ny, nz] = small;
  const Domain domain = variant.box.make(small, variant.storage);
  const auto run = [&](BackendKind kind) {
    return run_lattice(*make_backend(kind), domain.lattice, domain.boundaries,
                       rough_flow(nx, ny, nz, 7), {Scheme::wavefront, 10, 4}, 50);
  };
  const State here = run(variant.backend);
  if (variant.backend == BackendKind::cpu) setenv("LBM_CPU_ISA", "baseline", 1);
  const State there = run(BackendKind::cpu);
  unsetenv("LBM_CPU_ISA");
  // Rounding of the density, 1, of stored populations, up to 0.06, and of scalars, up to 1.
  const double half = domain.lattice.scalars.empty() ? 3e-5 : 5e-4;
  const double rounding = variant.storage == StorageType::fp64   ? 2.2e-16
                          : variant.storage == StorageType::fp32 ? 1.2e-7
                                                                 : half;
  // The turbulence of an inlet is computed in float for any storage.
  const bool turbulent = domain.boundaries.view().modes != nullptr;
  // A scalar is the sum of seven populations in each step.
  const int roundings = domain.lattice.scalars.empty() ? 8 : 16;
  EXPECT_LE(here.largest_difference(there),
            roundings * (turbulent ? std::max(rounding, 1e-9) : rounding));
}

// The largest difference of density and momentum of two states of a grid.
double largest_difference(const State& a, const State& b, const Size& size) {
  double largest = 0;
  for (int z = 0; z < size.nz; ++z) {
    for (int y = 0; y < size.ny; ++y) {
      for (int x = 0; x < size.nx; ++x) {
        const Sums<double> m = a.sums(x, y, z), n = b.sums(x, y, z);
        for (const double d : {m.drho - n.drho, m.jx - n.jx, m.jy - n.jy, m.jz - n.jz}) {
          largest = std::max(largest, std::abs(d));
        }
      }
    }
  }
  return largest;
}

// The largest momentum along x.
double fastest(const State& state, const Size& size) {
  double largest = 0;
  for (int z = 0; z < size.nz; ++z) {
    for (int y = 0; y < size.ny; ++y) {
      for (int x = 0; x < size.nx; ++x) {
        largest = std::max(largest, std::abs(state.sums(x, y, z).jx));
      }
    }
  }
  return largest;
}

// Ten moments are all that a regularised collision keeps of a cell.
TEST(Moments, AreTheSameFlowAsPopulationsToRounding) {
  constexpr Size size{17, 11, 15};
  for (const Box& box : boxes()) {
    // A cell of a moving body reflects parts of populations that ten moments do not hold.
    if (box.model || box.domain == with_moving_body) continue;
    for (const CollisionKind kind :
         {CollisionKind::regularised, CollisionKind::regularised_filtered}) {
      const auto run = [&](Representation representation) {
        const Domain domain = box.domain(size, StorageType::fp64, Model{kind, representation});
        return run_lattice(*make_cpu_backend(1), domain.lattice, domain.boundaries,
                           rough_flow(size.nx, size.ny, size.nz, 7), {Scheme::wavefront, 10, 4},
                           1000);
      };
      const State moments = run(Representation::moments),
                  populations = run(Representation::populations);
      const std::string name = std::string(box.name) + " " + std::string(to_string(kind));
      EXPECT_GT(fastest(populations, size), 1e-4) << name;
      // The turbulence of an inlet is computed in float.
      const bool turbulent = box.domain == tunnel || box.domain == tunnel_with_sponge;
      EXPECT_LT(largest_difference(moments, populations, size), turbulent ? 1e-9 : 1e-12) << name;
    }
  }
}

// A CPU does filtered walls in the main update, unless the face has patches. At tau = 1 the shift
// reads neighbours along the wall, too.
TEST(FilteredWalls, AreTheSameInTheMainUpdateAndInTheSecondPass) {
  constexpr Size size{37, 7, 6};
  for (const Representation representation : all_representations) {
    for (const double tau : {0.55, 1.0}) {
      for (const bool periodic_x : {false, true}) {
        const auto run = [&](bool patches) {
          FaceBoundaries faces = walls_with_lid();
          if (periodic_x)
            faces[0].condition.kind = faces[1].condition.kind = BoundaryKind::periodic;
          faces[3].condition.kind = BoundaryKind::velocity;
          for (int f = 0; f < 6; ++f) {
            faces[f].shifted = true;
            if (!patches || faces[f].periodic()) continue;
            faces[f].patches.resize(1);  // of no cell
            faces[f].patch_of.assign(
                static_cast<std::size_t>(face_cells(f, size.nx, size.ny, size.nz)), 0);
          }
          CollisionSpec collision;
          collision.kind = CollisionKind::regularised_filtered;
          collision.omega = 1 / tau;
          collision.force = {{0, 1e-5, 2e-5}, {}, 0, {}};
          const Lattice lattice = make_lattice(size.nx, size.ny, size.nz, StorageType::fp64,
                                               collision, faces, representation);
          const Boundaries boundaries(size.nx, size.ny, size.nz, faces, nullptr, {});
          return run_lattice(*make_cpu_backend(1), lattice, boundaries,
                             rough_flow(size.nx, size.ny, size.nz, 7), {Scheme::in_core, 1, 4}, 60);
        };
        const State main = run(false);
        EXPECT_GT(fastest(main, size), 1e-3);
        EXPECT_LT(largest_difference(main, run(true), size), 1e-14)
            << "tau " << tau << ", periodic " << periodic_x;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Equivalence, testing::ValuesIn(variants()), name_of);

}  // namespace
}  // namespace lbm::tiling::test
