// SPDX-License-Identifier: Apache-2.0

// The kind of host memory changes neither the initial lattice nor the result of a run.
#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/tiling/pipeline/run_lattice.hpp"

namespace lbm {
void PrintTo(StorageType type, std::ostream* out) { *out << to_string(type); }
}  // namespace lbm

namespace lbm::tiling::test {
namespace {

constexpr int nx = 61, ny = 47, nz = 83;

Lattice lattice_of(StorageType storage) {
  std::array<WallFace, 6> faces;
  faces[5].velocity = {0.08, 0.02, 0};
  return make_lattice(nx, ny, nz, storage, 0.55, faces);
}

void expect_initial_planes(Backend& backend, const InitialState& state) {
  const Lattice lattice = lattice_of(StorageType::fp32);
  const auto store =
      make_store(backend, lattice, Scheme::wavefront, initial_planes(lattice, state));
  EXPECT_EQ(store->host_bytes(), lattice.layout.bytes * nz);
  EXPECT_GE(store->pin_seconds(), 0);
  std::vector<std::byte> expected(lattice.layout.bytes);
  for (int z = 0; z < nz; ++z) {
    write_initial_plane(lattice, state, z, expected.data());
    ASSERT_EQ(std::memcmp(store->load_from(z), expected.data(), expected.size()), 0) << z;
  }
}

TEST(HostLattice, HoldsTheInitialState) {
  const auto backend = make_cpu_backend();
  expect_initial_planes(*backend, {});
  expect_initial_planes(*backend, rough_flow(nx, ny, nz, 5));
}

TEST(HostLattice, IsPlainMemoryOnTheCpu) {
  const auto backend = make_cpu_backend();
  for (const HostMemory kind : {HostMemory::managed, HostMemory::system}) {
    EXPECT_THROW(make_store(*backend, lattice_of(StorageType::fp32), Scheme::wavefront, {}, kind),
                 UsageError);
  }
}

class HostLatticeGpu : public testing::TestWithParam<StorageType> {
 protected:
  void SetUp() override {
    if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }
};

// Pieces of 2 MiB: planes lie across them.
TEST_P(HostLatticeGpu, cuda_EveryKindOfMemoryGivesTheSameBits) {
  const auto backend = make_cuda_backend(0, std::size_t{2} << 20);
  const Lattice lattice = lattice_of(GetParam());
  const FaceBoundaries faces;
  const BodySpec bodies[2];
  const Boundaries boundaries = some_solids(nx, ny, nz, faces, bodies);
  for (const InitialState& initial : {InitialState(), InitialState(rough_flow(nx, ny, nz, 7))}) {
    const auto run = [&](const ScheduleOptions& options, HostMemory memory) {
      return run_lattice(*backend, lattice, boundaries, initial, options, 101, nullptr, memory);
    };
    const State expected = run({Scheme::in_core, 1, 1}, HostMemory::pinned);
    for (const HostMemory kind : usable_host_memory(backend->facts())) {
      for (const Scheme scheme : {Scheme::wavefront, Scheme::halo}) {
        EXPECT_TRUE(run({scheme, 7, 4}, kind).same_cells(expected))
            << to_string(kind) << " " << to_string(scheme);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(cuda, HostLatticeGpu,
                         testing::Values(StorageType::fp32, StorageType::fp16, StorageType::fp64),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(HostLattice, cuda_HoldsTheInitialState) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  const auto backend = make_cuda_backend(0, std::size_t{2} << 20);
  expect_initial_planes(*backend, {});
  expect_initial_planes(*backend, rough_flow(nx, ny, nz, 5));
}

TEST(HostLattice, cuda_WhatTheDeviceCannotUseIsRefused) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  const auto backend = make_cuda_backend();
  const DeviceFacts facts = backend->facts();
  for (const HostMemory kind : {HostMemory::managed, HostMemory::system}) {
    if (!refusal_of(kind, facts)) continue;
    EXPECT_THROW(backend->allocate_host(4096, kind, "a test"), UsageError) << to_string(kind);
  }
}

// Refused before it is allocated: more managed memory than the card has can hang the card.
TEST(HostLattice, cuda_ManagedMemoryBeyondTheCardIsRefused) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  const auto backend = make_cuda_backend();
  if (!backend->facts().managed) GTEST_SKIP() << "no managed memory on this GPU";
  const std::size_t free = backend->free_memory();
  try {
    backend->allocate_host(free + (std::size_t{1} << 30), HostMemory::managed, "a test");
    ADD_FAILURE() << "not refused";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("must fit the card"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lbm::tiling::test
