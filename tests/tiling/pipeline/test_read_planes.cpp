// SPDX-License-Identifier: Apache-2.0

// A lattice that is read between runs and continued in another pipeline ends with the same bits as
// an uninterrupted run.
#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/tiling/pipeline/run_lattice.hpp"

namespace lbm::tiling::test {
namespace {

struct Box {
  int nx = 37, ny = 21, nz = 30;
};

// A wall and a force that change in time, a body with its forces at every step.
struct Flow {
  Box box;
  Lattice lattice;
  Boundaries boundaries;

  Flow(const Box& b, StorageType storage, bool periodic) : box(b) {
    FaceBoundaries faces;
    faces[0].condition.velocity = {0, 0.05, 0.02};
    faces[0].condition.factor = {TimeFactor::Kind::wave, 13};
    if (periodic) faces[4].condition.kind = faces[5].condition.kind = BoundaryKind::periodic;
    CollisionSpec collision;
    collision.omega = 1.6;
    collision.force.amplitude[0] = 1e-4;
    collision.force.period = 17;
    lattice = make_lattice(b.nx, b.ny, b.nz, storage, collision, faces);
    const BodySpec bodies[2];
    boundaries = some_solids(b.nx, b.ny, b.nz, faces, bodies);
  }
};

constexpr std::int64_t last_step = 40;  // of the whole runs; sums of boxes are taken there alone

// Runs from step `first` to step `last` in sweeps of at most k steps; returns all planes.
std::vector<std::byte> advance(Backend& backend, const Flow& flow, const ScheduleOptions& options,
                               const PlaneFill& fill, std::int64_t first, std::int64_t last,
                               Records& records) {
  Pipeline pipeline({.backend = backend,
                     .lattice = flow.lattice,
                     .boundaries = flow.boundaries,
                     .store = make_store(backend, flow.lattice, options.scheme, {fill}),
                     .options = options,
                     .records = &records,
                     .first_step = first});
  std::int64_t at = first;
  pipeline.run(
      [&]() -> std::optional<Sweep> {
        const int steps = next_sweep_steps(last - at, options.steps_per_visit);
        at += steps;
        if (steps == 0) return std::nullopt;
        return Sweep{steps, false, at == last, {}, at == last_step};
      },
      {});
  std::vector<std::byte> planes;
  pipeline.read_planes([&](int z, std::span<const std::byte> some) {
    EXPECT_EQ(planes.size(), static_cast<std::size_t>(z) * flow.lattice.layout.bytes) << "in order";
    planes.insert(planes.end(), some.begin(), some.end());
  });
  return planes;
}

PlaneFill planes_of(const std::vector<std::byte>& planes, std::size_t bytes) {
  return [&planes, bytes](int z, std::byte* to) {
    std::memcpy(to, planes.data() + static_cast<std::size_t>(z) * bytes, bytes);
  };
}

ScheduleOptions options_of(Scheme scheme, int k, int b) {
  ScheduleOptions options;
  options.scheme = scheme;
  options.steps_per_visit = k;
  options.planes_per_visit = b;
  return options;
}

void expect_the_same_after_a_restart(Backend& backend, const Flow& flow) {
  const std::size_t bytes = flow.lattice.layout.bytes;
  const InitialState rough = rough_flow(flow.box.nx, flow.box.ny, flow.box.nz, 3);
  const PlaneFill initial = [&](int z, std::byte* to) {
    write_initial_plane(flow.lattice, rough, z, to);
  };
  const auto in_core = options_of(Scheme::in_core, 1, 4);
  const auto wave = options_of(Scheme::wavefront, 5, 3), halo = options_of(Scheme::halo, 3, 6);
  Records right;
  const State whole{flow.lattice, advance(backend, flow, in_core, initial, 0, last_step, right)};
  for (const auto& [before, after] :
       {std::pair{in_core, in_core}, {in_core, wave}, {wave, in_core}, {wave, halo}}) {
    Records records;
    const auto half = advance(backend, flow, before, initial, 0, 23, records);
    const State end{flow.lattice,
                    advance(backend, flow, after, planes_of(half, bytes), 23, last_step, records)};
    EXPECT_TRUE(whole.same_cells(end));
    EXPECT_EQ(records.steps, right.steps);
    EXPECT_TRUE(records.all == right.all) << "forces";
  }
}

class Restart : public testing::TestWithParam<StorageType> {};

TEST_P(Restart, GivesTheSameBits) {
  const auto backend = make_cpu_backend(2);
  for (const bool periodic : {false, true}) {
    expect_the_same_after_a_restart(*backend, Flow({}, GetParam(), periodic));
  }
}

// Planes are fetched in three groups.
TEST_P(Restart, cuda_GivesTheSameBits) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  const auto backend = make_cuda_backend();
  const int nz = GetParam() == StorageType::fp16 ? 120 : 60;
  expect_the_same_after_a_restart(*backend, Flow({200, 190, nz}, GetParam(), true));
}

INSTANTIATE_TEST_SUITE_P(Storages, Restart,
                         testing::Values(StorageType::fp32, StorageType::fp16, StorageType::fp64),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(RestartFill, ThrowsWhatTheFillThrows) {
  const auto backend = make_cpu_backend(2);
  const Flow flow({}, StorageType::fp32, false);
  const PlaneFill fill = [](int z, std::byte*) {
    if (z == 17) throw UsageError("plane 17");
  };
  EXPECT_THROW(make_store(*backend, flow.lattice, Scheme::wavefront, {fill}), UsageError);
  const PipelineConfig config{.backend = *backend,
                              .lattice = flow.lattice,
                              .boundaries = flow.boundaries,
                              .store = make_store(*backend, flow.lattice, Scheme::in_core, {fill}),
                              .options = options_of(Scheme::in_core, 1, 4)};
  EXPECT_THROW(Pipeline{config}, UsageError);
}

}  // namespace
}  // namespace lbm::tiling::test
