// The signature test: any scheme, any k, any B gives bit for bit what in-core stepping gives.
#include <gtest/gtest.h>

#include "solver/backend/cpu/caches.hpp"
#include "tests/tiling/run_lattice.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int steps = 101;

struct Size {
  int nx, ny, nz;
};
// Multiples of nothing. The small one pays for every combination on a CPU.
constexpr Size small{29, 23, 41}, large{61, 47, 83};

struct Combination {
  Scheme scheme;
  int k, b;
  int updates = 1;   // of planes per visit, at least (in core)
  int together = 1;  // updates that the device may run in one pass
};

std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  for (const int k : {1, 2, 3, 7, 16, 33}) {
    for (const int b : {1, 4, 8, 16}) {
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

std::array<WallFace, 6> walls_with_lid() {
  std::array<WallFace, 6> faces;
  faces[5].velocity = {0.08, 0.02, 0};
  faces[0].velocity = {0, 0.03, 0};
  return faces;
}

std::array<WallFace, 6> all_periodic() {
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = false;
  return faces;
}

struct Box {
  const char* name;
  std::array<WallFace, 6> faces;
  bool solids;
};

std::vector<Box> boxes() {
  auto mixed = walls_with_lid();
  mixed[2].wall = mixed[3].wall = false;
  return {{"walls", walls_with_lid(), false},
          {"periodic", all_periodic(), false},
          {"mixed_with_solids", mixed, true}};
}

struct Variant {
  BackendKind backend;
  StorageType storage;
  Box box;

  friend void PrintTo(const Variant& v, std::ostream* out) { *out << v.box.name; }
};

class Equivalence : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    if (GetParam().backend == BackendKind::cuda && cuda_device_count() == 0) {
      GTEST_SKIP() << "no GPU on this machine";
    }
  }
};

std::unique_ptr<Backend> make_backend(BackendKind kind) {
  return kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
}

void expect_same_bits(const Variant& variant, const Size& size,
                      const std::vector<Combination>& combinations) {
  const auto backend = make_backend(variant.backend);
  const auto [nx, ny, nz] = size;
  const Lattice lattice = make_lattice(nx, ny, nz, variant.storage, 0.55, variant.box.faces);
  const Flags flags = variant.box.solids ? some_solids(nx, ny, nz, lattice) : Flags();
  const InitialState initial = rough_flow(nx, ny, nz, 7);
  const PlanOptions plain{Scheme::in_core, 1, 1};
  const State expected = run_lattice(*backend, lattice, flags, initial, plain, steps);
  const State start = run_lattice(*backend, lattice, flags, initial, plain, 0);
  ASSERT_GT(expected.largest_difference(start), 1e-4) << "the flow must move for this to tell";
  for (const auto& [scheme, k, b, updates, together] : combinations) {
    const State state =
        run_lattice(*backend, lattice, flags, initial, {scheme, k, b, updates, together}, steps);
    ASSERT_TRUE(state.same_cells(expected))
        << to_string(scheme) << " k=" << k << " B=" << b << " updates=" << updates;
  }
}

TEST_P(Equivalence, EverySchemeGivesTheSameBits) {
  const bool gpu = GetParam().backend == BackendKind::cuda;
  expect_same_bits(GetParam(), gpu ? large : small, all_combinations());
}

TEST_P(Equivalence, AlsoOnALargerGrid) { expect_same_bits(GetParam(), large, some_combinations()); }

// Small grids go to the device many steps at a time, and where the slots repeat the GPU replays
// them.
TEST_P(Equivalence, AlsoWhereVisitsRepeat) {
  expect_same_bits(GetParam(), {24, 20, 16},
                   {{Scheme::in_core, 1, 16, 16 * 8},
                    {Scheme::in_core, 1, 16, 16 * 25},
                    {Scheme::in_core, 1, 4, 16 * 12}});
}

// Lattices beyond the caches are stored past them.
TEST(CpuThreads, StoresPastTheCachesGiveTheSameBits) {
  constexpr int nx = 150, ny = 64, nz = 120;
  for (const Box& box : boxes()) {
    for (const StorageType storage : {StorageType::fp32, StorageType::fp16, StorageType::fp64}) {
      const Lattice lattice = make_lattice(nx, ny, nz, storage, 0.55, box.faces);
      ASSERT_TRUE(cpu::exceeds_caches(lattice));
      const Flags flags = box.solids ? some_solids(nx, ny, nz, lattice) : Flags();
      const auto run = [&](int threads, const PlanOptions& options) {
        return run_lattice(*make_cpu_backend(threads), lattice, flags, rough_flow(nx, ny, nz, 7),
                           options, 4);
      };
      const State expected = run(1, {Scheme::in_core, 1, 3});
      for (const int together : {1, 2}) {
        EXPECT_TRUE(run(2, {Scheme::in_core, 4, 8, 1, together}).same_cells(expected))
            << box.name << " " << to_string(storage) << " " << together;
      }
    }
  }
}

// With two steps in one pass threads get strips of rows of their own, where there are enough rows.
TEST(CpuThreads, AnyNumberGivesTheSameBits) {
  for (const auto& [nx, ny, nz] : {Size{19, 70, 13}, Size{19, 1, 13}, Size{5, 9, 3}}) {
    for (const Box& box : boxes()) {
      const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.55, box.faces);
      const Flags flags = box.solids ? some_solids(nx, ny, nz, lattice) : Flags();
      const auto run = [&](int threads, const PlanOptions& options) {
        return run_lattice(*make_cpu_backend(threads), lattice, flags, rough_flow(nx, ny, nz, 7),
                           options, 15);
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
// what 50 steps make of that stays near rounding. GPU against CPU, widest vectors against plain
// ones.
TEST_P(Equivalence, DevicesAgreeToRounding) {
  const Variant& variant = GetParam();
  const auto [nx, ny, nz] = small;
  const Lattice lattice = make_lattice(nx, ny, nz, variant.storage, 0.55, variant.box.faces);
  const Flags flags = variant.box.solids ? some_solids(nx, ny, nz, lattice) : Flags();
  const auto run = [&](BackendKind kind) {
    return run_lattice(*make_backend(kind), lattice, flags, rough_flow(nx, ny, nz, 7),
                       {Scheme::wavefront, 10, 4}, 50);
  };
  const State here = run(variant.backend);
  if (variant.backend == BackendKind::cpu) setenv("LBM_CPU_ISA", "baseline", 1);
  const State there = run(BackendKind::cpu);
  unsetenv("LBM_CPU_ISA");
  // Rounding of the density, 1, and of stored populations, up to 0.06.
  const double rounding = variant.storage == StorageType::fp64   ? 2.2e-16
                          : variant.storage == StorageType::fp32 ? 1.2e-7
                                                                 : 3e-5;
  EXPECT_LE(here.largest_difference(there), 8 * rounding);
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda}) {
    for (const StorageType storage : {StorageType::fp32, StorageType::fp16, StorageType::fp64}) {
      for (const Box& box : boxes()) all.push_back({kind, storage, box});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Equivalence, testing::ValuesIn(variants()), [](const auto& test) {
  return std::string(to_string(test.param.backend)) + "_" + to_string(test.param.storage) + "_" +
         test.param.box.name;
});

}  // namespace
}  // namespace lbm::tiling::test
