// Fields handed out by the pipeline: complete, of the right step, and the moments of the state.
#include <gtest/gtest.h>

#include <map>

#include "tests/tiling/run_lattice.hpp"

namespace lbm::tiling::test {
namespace {

constexpr int nx = 19, ny = 13, nz = 37, steps = 23;

class Collector final : public FieldSink {
 public:
  void on_plane(std::int64_t step, int z, std::span<const float> density,
                std::span<const float> velocity) override {
    EXPECT_EQ(step, steps);
    EXPECT_TRUE(planes.try_emplace(z, density.begin(), density.end()).second) << "twice: " << z;
    velocities[z].assign(velocity.begin(), velocity.end());
  }
  std::map<int, std::vector<float>> planes, velocities;
};

struct Variant {
  BackendKind backend;
  Scheme scheme;
};

class Fields : public testing::TestWithParam<Variant> {};

TEST_P(Fields, AreTheMomentsOfTheFinalState) {
  const auto [kind, scheme] = GetParam();
  if (kind == BackendKind::cuda && cuda_device_count() == 0) GTEST_SKIP() << "no GPU here";
  const auto backend = kind == BackendKind::cuda ? make_cuda_backend() : make_cpu_backend();
  std::array<WallFace, 6> faces;
  faces[5].velocity = {0.05, 0, 0};
  const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, faces);
  Collector fields;
  // More planes a visit than the ring has.
  const State state = run_lattice(*backend, lattice, {}, rough_flow(nx, ny, nz, 3),
                                  {scheme, scheme == Scheme::in_core ? 1 : 7, 20}, steps, &fields);
  ASSERT_EQ(fields.planes.size(), static_cast<std::size_t>(nz));
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        double rho = 1, jx = 0, jy = 0, jz = 0;
        for (int q = 0; q < d3q19::directions; ++q) {
          const double g = state.value(q, x, y, z);
          rho += g;
          jx += d3q19::cx(q) * g;
          jy += d3q19::cy(q) * g;
          jz += d3q19::cz(q) * g;
        }
        const std::size_t cell = static_cast<std::size_t>(y) * nx + x;
        ASSERT_NEAR(fields.planes[z][cell], rho, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell], jx / rho, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell + 1], jy / rho, 1e-6);
        ASSERT_NEAR(fields.velocities[z][3 * cell + 2], jz / rho, 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Fields,
                         testing::Values(Variant{BackendKind::cpu, Scheme::in_core},
                                         Variant{BackendKind::cpu, Scheme::wavefront},
                                         Variant{BackendKind::cpu, Scheme::halo},
                                         Variant{BackendKind::cuda, Scheme::in_core},
                                         Variant{BackendKind::cuda, Scheme::wavefront},
                                         Variant{BackendKind::cuda, Scheme::halo}),
                         [](const auto& test) {
                           return std::string(to_string(test.param.backend)) + "_" +
                                  to_string(test.param.scheme);
                         });

// A sink that fails must not leave work behind that writes to freed memory.
TEST(FieldsFailure, AThrowingSinkEndsTheRun) {
  struct Failing final : FieldSink {
    void on_plane(std::int64_t, int z, std::span<const float>, std::span<const float>) override {
      if (z > 4) throw std::runtime_error("disk full");
    }
  } sink;
  const auto backend = make_cpu_backend();
  const Lattice lattice = make_lattice(nx, ny, nz, StorageType::fp32, 0.6, {});
  EXPECT_THROW(run_lattice(*backend, lattice, {}, {}, {Scheme::wavefront, 7, 4}, steps, &sink),
               std::runtime_error);
}

}  // namespace
}  // namespace lbm::tiling::test
