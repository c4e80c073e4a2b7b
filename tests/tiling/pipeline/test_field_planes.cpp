// SPDX-License-Identifier: Apache-2.0

// Fields handed out by the pipeline: complete, of the right step, and the moments of the state.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "tests/tiling/pipeline/run_lattice.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int nx = 19, ny = 13, nz = 37, steps = 23;

class Collector final : public FieldSink {
 public:
  explicit Collector(std::chrono::microseconds a_pause = {}) : pause(a_pause) {}
  void on_sweep(std::int64_t step) override {
    EXPECT_EQ(step, steps);
    ++sweeps;
    thread = std::this_thread::get_id();
  }
  void on_plane(std::int64_t step, int /*box*/, int z, const FieldPlane& plane) override {
    const auto drho = plane[Macro::density], velocity = plane[Macro::velocity];
    EXPECT_EQ(step, steps);
    EXPECT_EQ(sweeps, 1) << "told of before its planes";
    EXPECT_EQ(std::this_thread::get_id(), thread);
    std::this_thread::sleep_for(pause);
    EXPECT_TRUE(planes.try_emplace(z, drho.begin(), drho.end()).second) << "twice: " << z;
    velocities[z].assign(velocity.begin(), velocity.end());
  }
  std::map<int, std::vector<float>> planes, velocities;
  std::chrono::microseconds pause;
  std::thread::id thread;
  int sweeps = 0;
};

struct Variant {
  BackendKind backend;
  Scheme scheme;
  // Fields: the sink keeps the pipeline waiting, with the fewest planes on the host. EarlyFields:
  // two steps in one pass.
  bool varied = false;
};

class Fields : public testing::TestWithParam<Variant> {};

TEST_P(Fields, AreTheMomentsOfTheFinalState) {
  const auto [kind, scheme, slow] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  std::array<WallFace, 6> faces;
  faces[5].velocity = {0.05, 0, 0};
  const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, faces);
  Collector fields(std::chrono::microseconds(slow ? 500 : 0));
  // A visit has more planes than the ring has on the device; if slow, also more than on the host.
  const State state = run_lattice(*backend, lattice, {}, rough_flow(nx, ny, nz, 3),
                                  {scheme, scheme == Scheme::in_core ? 1 : 7, 20}, steps, &fields,
                                  HostMemory::pinned, slow ? 0 : default_staging_limit);
  EXPECT_NE(fields.thread, std::this_thread::get_id());
  ASSERT_EQ(fields.planes.size(), static_cast<std::size_t>(nz));
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        double rho = 1, jx = 0, jy = 0, jz = 0;
        for (int q = 0; q < D3Q19::directions; ++q) {
          const double g = state.value(q, x, y, z);
          rho += g;
          jx += cx(q) * g;
          jy += cy(q) * g;
          jz += cz(q) * g;
        }
        const std::size_t cell = static_cast<std::size_t>(y) * nx + x;
        ASSERT_NEAR(fields.planes[z][cell], rho - 1, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell], jx / rho, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell + 1], jy / rho, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell + 2], jz / rho, 1e-6);
      }
    }
  }
}

const auto variants = testing::Values(
    Variant{BackendKind::cpu, Scheme::in_core}, Variant{BackendKind::cpu, Scheme::wavefront},
    Variant{BackendKind::cpu, Scheme::halo}, Variant{BackendKind::cpu, Scheme::in_core, true},
    Variant{BackendKind::cpu, Scheme::wavefront, true}, Variant{BackendKind::cuda, Scheme::in_core},
    Variant{BackendKind::cuda, Scheme::wavefront}, Variant{BackendKind::cuda, Scheme::halo},
    Variant{BackendKind::cuda, Scheme::in_core, true},
    Variant{BackendKind::cuda, Scheme::wavefront, true});

std::string name_of(const Variant& variant, const char* varied) {
  return std::string(to_string(variant.backend)) + "_" + to_string(variant.scheme) +
         (variant.varied ? varied : "");
}

INSTANTIATE_TEST_SUITE_P(All, Fields, variants,
                         [](const auto& test) { return name_of(test.param, "_slow"); });

// Fields by step and plane.
struct BySteps final : FieldSink {
  void on_sweep(std::int64_t step) override { EXPECT_TRUE(planes.try_emplace(step).second); }
  void on_plane(std::int64_t step, int /*box*/, int z, const FieldPlane& fields) override {
    std::vector<float>& plane = planes.at(step)[z];
    EXPECT_TRUE(plane.empty()) << "twice: plane " << z << " of step " << step;
    plane.assign(fields.values.begin(), fields.values.end());
  }
  std::map<std::int64_t, std::map<int, std::vector<float>>> planes;
};

// Sweeps that emit in their middle, and others that end there: odd and even steps, none or several
// in a sweep. With passes of two steps, steps at their end and within them.
class EarlyFields : public testing::TestWithParam<Variant> {
 protected:
  static BySteps fields(Backend& backend, const ScheduleOptions& options, StorageType storage,
                        const std::vector<Sweep>& sweeps) {
    std::array<WallFace, 6> faces;
    faces[5].velocity = {0.05, 0, 0};
    const Lattice lattice = make_lattice(nx, ny, nz, storage, 0.6, faces);
    const Boundaries walls;
    BySteps sink;
    Pipeline pipeline({.backend = backend,
                       .lattice = lattice,
                       .boundaries = walls,
                       .store = make_store(backend, lattice, options.scheme,
                                           initial_planes(lattice, rough_flow(nx, ny, nz, 3))),
                       .options = options,
                       .fields = &sink});
    std::size_t given = 0;
    pipeline.run(
        [&]() -> std::optional<Sweep> {
          return given < sweeps.size() ? std::optional(sweeps[given++]) : std::nullopt;
        },
        {});
    return sink;
  }
};

TEST_P(EarlyFields, AreThoseAtTheEndOfShorterSweeps) {
  const auto [kind, scheme, passes] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  const ScheduleOptions options{scheme, 8, 5, 1, passes ? 2 : 1};
  for (const StorageType storage : {StorageType::fp32, StorageType::fp16}) {
    const auto middle =
        fields(*backend, options, storage, {{8, true, true, {2, 5}}, {8, false, true, {1, 2, 3}}});
    const auto ends = fields(*backend, options, storage,
                             {{2, true, true},
                              {3, true, true},
                              {3, true, true},
                              {1, true, true},
                              {1, true, true},
                              {1, true, true},
                              {5, false, true}});
    ASSERT_EQ(middle.planes.size(), 6U);
    EXPECT_EQ(middle.planes, ends.planes) << to_string(storage);
    EXPECT_NE(middle.planes.at(2), middle.planes.at(5));
    for (const auto& [step, planes] : middle.planes) EXPECT_EQ(planes.size(), nz) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EarlyFields, variants,
                         [](const auto& test) { return name_of(test.param, "_passes"); });

struct Counting : FieldSink {
  void on_sweep(std::int64_t step) override { sweeps.push_back(step); }
  void on_plane(std::int64_t step, int, int, const FieldPlane&) override {
    std::this_thread::sleep_for(pause);
    ++planes[step];
  }
  std::chrono::microseconds pause{0};
  std::vector<std::int64_t> sweeps;
  std::map<std::int64_t, int> planes;
};

// Sweeps of 7 steps, all of which emit; they overlap in the pipeline.
class ManySweeps : public testing::Test {
 protected:
  void SetUp() override {
    backend = make_cpu_backend();
    lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, {});
    store = make_store(*backend, lattice, Scheme::wavefront, {});
  }
  std::unique_ptr<Pipeline> pipeline(FieldSink& sink, std::uint64_t staging_limit) {
    return std::make_unique<Pipeline>(PipelineConfig{.backend = *backend,
                                                     .lattice = lattice,
                                                     .boundaries = plain_walls,
                                                     .store = store,
                                                     .options = options,
                                                     .fields = &sink,
                                                     .staging_limit = staging_limit});
  }
  std::optional<Sweep> next() {
    if (given == 5) return std::nullopt;
    ++given;
    return Sweep{7, true, true};
  }

  ScheduleOptions options{Scheme::wavefront, 7, 4};
  std::unique_ptr<Backend> backend;
  Lattice lattice;
  Boundaries plain_walls;
  std::shared_ptr<PlaneStore> store;
  int given = 0;
};

TEST_F(ManySweeps, AllComeAndEachIsToldOf) {
  Counting sink;
  pipeline(sink, default_staging_limit)->run([&] { return next(); }, {});
  EXPECT_EQ(sink.sweeps, (std::vector<std::int64_t>{7, 14, 21, 28, 35}));
  ASSERT_EQ(sink.planes.size(), 5U);
  for (const auto& [step, planes] : sink.planes) EXPECT_EQ(planes, nz) << step;
}

TEST_F(ManySweeps, ASlowSinkIsWaitedForAndTheWaitIsTold) {
  Counting sink;
  sink.pause = std::chrono::milliseconds(1);
  const auto slow = pipeline(sink, 0);
  EXPECT_EQ(slow->host_bytes(), 8 * FieldRing::plane_bytes(lattice.layout.cells()));
  PipelineStats last;
  const auto began = std::chrono::steady_clock::now();
  slow->run([&] { return next(); }, [&](const PipelineStats& stats) { last = stats; });
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
  EXPECT_GE(last.sink_seconds, 5 * nz * 1e-3);
  EXPECT_GT(last.output_wait_seconds, 0);  // how long depends on what else the machine does
  EXPECT_LT(last.output_wait_seconds, whole.count());
}

// Outputs that are complete before a run fails are not lost.
TEST_F(ManySweeps, WhatWasDeliveredBeforeAnErrorIsHandedOut) {
  Counting sink;
  sink.pause = std::chrono::milliseconds(1);
  const auto failing = [&]() -> std::optional<Sweep> {
    if (given == 3) throw std::runtime_error("the device is lost");
    return next();
  };
  EXPECT_THROW(pipeline(sink, default_staging_limit)->run(failing, {}), std::runtime_error);
  EXPECT_EQ(sink.planes[7], nz);
}

TEST_F(ManySweeps, HostPlanesAreBoundedByBytesAndTheField) {
  const auto planes = [&](int n, int deep, std::uint64_t limit) {
    return FieldRing::host_planes(std::int64_t{n} * n, deep, 16, limit);
  };
  constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
  EXPECT_EQ(planes(1024, 384, 4 * gibibyte), 64U);   // 1 GiB
  EXPECT_EQ(planes(1024, 384, gibibyte / 2), 32U);   // the limit
  EXPECT_EQ(planes(1024, 384, 0), 8U);               // the minimum
  EXPECT_EQ(planes(1024, 20, 4 * gibibyte), 20U);    // the whole field
  EXPECT_EQ(planes(4096, 384, 64 * gibibyte), 48U);  // three visits
  const std::int64_t cells = lattice.layout.cells();
  EXPECT_EQ(host_bytes_needed(lattice, options, {cells}, 0), 8 * FieldRing::plane_bytes(cells));
}

// A sink that fails must not leave work behind that writes to freed memory.
TEST(FieldsFailure, AThrowingSinkEndsTheRun) {
  struct Failing final : FieldSink {
    void on_plane(std::int64_t, int, int z, const FieldPlane&) override {
      if (z > 4) throw std::runtime_error("disk full");
    }
  } sink;
  const auto backend = make_cpu_backend();
  const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, {});
  EXPECT_THROW(run_lattice(*backend, lattice, {}, {}, {Scheme::wavefront, 7, 4}, steps, &sink),
               std::runtime_error);
}

TEST(FieldsFailure, OpeningAndTheLastPlaneMayFailToo) {
  struct Failing final : FieldSink {
    void on_sweep(std::int64_t) override {
      if (at_once) throw std::runtime_error("disk full");
    }
    void on_plane(std::int64_t, int, int, const FieldPlane&) override {
      if (++planes == nz) throw std::runtime_error("disk full");
    }
    bool at_once = false;
    int planes = 0;
  };
  const auto backend = make_cpu_backend();
  const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, {});
  for (const bool at_once : {true, false}) {
    Failing sink;
    sink.at_once = at_once;
    EXPECT_THROW(run_lattice(*backend, lattice, {}, {}, {Scheme::wavefront, 7, 4}, steps, &sink),
                 std::runtime_error);
    EXPECT_EQ(sink.planes, at_once ? 0 : nz);
  }
}

}  // namespace
}  // namespace lbm::tiling::test
