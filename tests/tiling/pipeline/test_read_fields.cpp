// SPDX-License-Identifier: Apache-2.0

// Fields read between runs are those that a sink gets after the same step, and reading them changes
// nothing.
#include <gtest/gtest.h>

#include <map>

#include "tests/tiling/pipeline/run_lattice.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int nx = 19, ny = 13, nz = 37;
using Values = std::vector<float>;

// Density and velocity of the planes of each step.
class Collector final : public FieldSink {
 public:
  void on_plane(std::int64_t step, int, int z, const FieldPlane& plane) override {
    steps[step][z].assign(plane.values.begin(), plane.values.end());
  }
  std::map<std::int64_t, std::map<int, Values>> steps;
};

struct Variant {
  BackendKind backend;
  Scheme scheme;
  StorageType storage;
};

class ReadFields : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    const auto [kind, scheme, storage] = GetParam();
    if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
    backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
    FaceBoundaries faces;
    faces[4].condition.kind = faces[5].condition.kind = BoundaryKind::periodic;
    CollisionSpec collision;
    collision.omega = 1.6;
    collision.force.amplitude[0] = 1e-4;  // the velocity shows the step
    collision.force.period = 17;
    lattice = make_lattice(nx, ny, nz, storage, collision, faces);
    const BodySpec bodies[2];
    boundaries = some_solids(nx, ny, nz, faces, bodies);
    const InitialState initial = rough_flow(nx, ny, nz, 3);
    auto store = make_store(*backend, lattice, scheme, initial_planes(lattice, initial));
    options.scheme = scheme;
    options.steps_per_visit = scheme == Scheme::in_core ? 1 : 5;
    options.planes_per_visit = 4;
    pipeline = std::make_unique<Pipeline>(PipelineConfig{.backend = *backend,
                                                         .lattice = lattice,
                                                         .boundaries = boundaries,
                                                         .store = std::move(store),
                                                         .options = options,
                                                         .fields = &sink});
  }

  void advance(std::int64_t to) {
    pipeline->run(
        [&]() -> std::optional<Sweep> {
          const int steps = next_sweep_steps(to - at, options.steps_per_visit);
          at += steps;
          if (steps == 0) return std::nullopt;
          return Sweep{steps, at == to, at == to};
        },
        {});
  }
  std::map<int, Values> read(const FieldBox& box) {
    std::map<int, Values> planes;
    pipeline->read_fields(at, box, [&](int z, const FieldPlane& fields) {
      Values& plane = planes[z];
      EXPECT_TRUE(plane.empty()) << "twice: " << z;
      plane.assign(fields.values.begin(), fields.values.end());
    });
    return planes;
  }

  std::unique_ptr<Backend> backend;
  Lattice lattice;
  Boundaries boundaries;
  ScheduleOptions options;
  Collector sink;
  std::unique_ptr<Pipeline> pipeline;
  std::int64_t at = 0;
};

TEST_P(ReadFields, AreThoseOfASink) {
  EXPECT_EQ(read(whole_box(lattice)).size(), static_cast<std::size_t>(nz)) << "before any step";
  for (const std::int64_t step : {12, 17, 18}) {
    advance(step);
    EXPECT_EQ(read(whole_box(lattice)), sink.steps.at(step)) << "step " << step;
  }
  EXPECT_NE(sink.steps.at(17), sink.steps.at(18));
}

TEST_P(ReadFields, OfABoxAreItsCells) {
  advance(12);
  // Over the ends of x and z.
  const FieldBox box{{16, 2, 30}, {3, 4, 5}, 3};
  const std::map<int, Values> planes = read(box);
  ASSERT_EQ(planes.size(), 5U);
  for (int k = 0; k < 5; ++k) {
    const int z = (30 + 3 * k) % nz;
    const Values& all = sink.steps.at(12).at(z);
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 3; ++i) {
        const auto cell = static_cast<std::size_t>((2 + 3 * j) * nx + (16 + 3 * i) % nx);
        const auto own = static_cast<std::size_t>(j * 3 + i);
        ASSERT_EQ(FieldPlane{planes.at(z)}.at(own), FieldPlane{all}.at(cell));
      }
    }
  }
}

TEST_P(ReadFields, WhatTakesThemMayThrow) {
  advance(12);
  EXPECT_THROW(pipeline->read_fields(at, whole_box(lattice),
                                     [](int z, const FieldPlane&) {
                                       if (z == 3) throw std::runtime_error("enough");
                                     }),
               std::runtime_error);
  advance(17);
  EXPECT_EQ(read(whole_box(lattice)), sink.steps.at(17));
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const BackendKind backend : {BackendKind::cpu, BackendKind::cuda}) {
    for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
      for (const StorageType storage : {StorageType::fp32, StorageType::fp16, StorageType::fp64}) {
        all.push_back({backend, scheme, storage});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, ReadFields, testing::ValuesIn(variants()), [](const auto& test) {
  return std::string(to_string(test.param.backend)) + "_" + to_string(test.param.scheme) + "_" +
         to_string(test.param.storage);
});

}  // namespace
}  // namespace lbm::tiling::test
