// SPDX-License-Identifier: Apache-2.0

// Checks of a case: each limit from both sides.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "cases/case/limits.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

Case valid() {
  Case c;
  c.grid.cells = {64, 64, 64};
  c.fluid.reynolds = 100;
  c.run.steps = 1000;
  return c;
}

using Change = std::function<void(Case&)>;

Case changed(const Change& change) {
  Case c = valid();
  change(c);
  return c;
}

void expect_refused(const Change& change, const std::string& start, const std::string& part) {
  const std::string line = test::error_of([&] { validate(changed(change)); });
  EXPECT_EQ(line.find(start.starts_with("case: ") ? start : "case." + start), 0u) << line;
  EXPECT_NE(line.find(part), std::string::npos) << line;
}

void expect_accepted(const Change& change) { EXPECT_NO_THROW(validate(changed(change))); }

void use_tau(Case& c, double tau) {
  c.fluid.reynolds.reset();
  c.fluid.tau = tau;
}

TEST(Validate, Mach) {
  expect_accepted([](Case& c) { c.fluid.lattice_velocity = 0.1732; });
  expect_refused([](Case& c) { c.fluid.lattice_velocity = 0.1733; },
                 "fluid.lattice_velocity: found 0.1733", "at most 0.1732");
  expect_accepted([](Case& c) { c.faces[5].velocity = {1.7, 0, 0}; });
  expect_refused(
      [](Case& c) {
        c.faces[5].velocity = {1.3, 1.3, 0};
      },
      "boundaries.z_max.velocity: found a speed of 1.838", "Mach 0.3");
}

TEST(Validate, Tau) {
  expect_accepted([](Case& c) { use_tau(c, 0.501); });
  expect_refused([](Case& c) { use_tau(c, 0.5 + 1e-9); }, "fluid.tau: ", "single arithmetic");
  expect_accepted([](Case& c) {
    use_tau(c, 0.5 + 1e-9);
    c.lattice.storage = StorageType::fp64;
  });
  expect_refused([](Case& c) { c.fluid.reynolds = 1e12; },
                 "fluid.reynolds: ", "lower fluid.reynolds");
  expect_refused([](Case& c) { c.fluid.reynolds = 1e-300, c.fluid.length = 1e300; },
                 "fluid.reynolds: ", "not finite");
}

TEST(Validate, PlaneSize) {
  // Rows of 19 x 10624 values take 201,888: 10,637 of them still fit an int.
  expect_accepted([](Case& c) { c.grid.cells = {10624, 10637, 1}; });
  expect_refused([](Case& c) { c.grid.cells = {10624, 10638, 1}; }, "grid.cells: ", "113025455");
  // 19 x 1713 x 65535 values would fit, but rows are padded to 1728.
  expect_refused([](Case& c) { c.grid.cells = {1713, 65535, 1}; }, "grid.cells: ", "padding");
  expect_refused([](Case& c) { c.grid.cells = {1000000, 65535, 1}; }, "grid.cells: ", "1000000 x");
}

TEST(Validate, Rows) {
  expect_refused([](Case& c) { c.grid.cells = {8, 65536, 8}; }, "grid.cells: ", "at most 65535");
  expect_accepted([](Case& c) { c.grid.cells = {8, 65535, 8}; });
}

TEST(Validate, CasesBuiltInCodeMeetTheKeyTable) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([](Case& c) { c.grid.cells = {8, 0, 8}; }, "grid.cells: ", "from 1");
  expect_refused([](Case& c) { c.grid.cells = {}; }, "case: ", "grid.cells");
  expect_refused([=](Case& c) { c.fluid.reynolds = nan; }, "fluid.reynolds: ", "must be");
  expect_refused([=](Case& c) { c.faces[5].velocity[0] = nan; },
                 "boundaries.z_max.velocity: ", "must");
  expect_refused([](Case& c) { c.fluid.reynolds = -1; }, "fluid.reynolds: ", "> 0");
  expect_refused([](Case& c) { c.tiling.steps_per_visit = 0; },
                 "tiling.steps_per_visit: ", "from 1");
  expect_refused([](Case& c) { c.run.steps = 0; }, "run.steps: ", "from 1");
  expect_refused([](Case& c) { c.name = ""; }, "name: ", "letters");
  expect_refused([](Case& c) { c.name = "../x"; }, "name: ", "letters");
  expect_refused([](Case& c) { c.output.directory = "a\nb"; }, "output.directory: ", "must be");
  expect_refused([](Case& c) { c.output.times = {-1}; }, "output.times: ", "> 0");
}

TEST(Validate, Alternatives) {
  expect_refused([](Case& c) { c.fluid.tau = 1; }, "fluid.tau: ", "conflicts with fluid.reynolds");
  expect_refused([](Case& c) { c.fluid.reynolds.reset(); },
                 "case: ", "missing: one of fluid.reynolds, fluid.tau");
  expect_refused([](Case& c) { c.run.convective_times = 1; },
                 "run.convective_times: ", "conflicts with run.steps");
  expect_refused([](Case& c) { c.run.steps.reset(); }, "case: ", "missing: one of run.steps");
}

TEST(Validate, Faces) {
  expect_refused([](Case& c) { c.faces[3].type = BoundaryKind::periodic; },
                 "boundaries.y_max: ", "y_min, which is a wall");
  expect_accepted([](Case& c) { c.faces[2].type = c.faces[3].type = BoundaryKind::periodic; });
  expect_refused(
      [](Case& c) {
        c.faces[0].velocity = {1, 0, 0};
      },
      "boundaries.x_min.velocity: ", "normal");
  expect_refused(
      [](Case& c) {
        c.faces[2].type = c.faces[3].type = BoundaryKind::periodic;
        c.faces[2].velocity = {1, 0, 0};
      },
      "boundaries.y_min.velocity: ", "periodic");
}

TEST(Validate, Time) {
  const auto times = [](double run, double output) {
    return [=](Case& c) {
      c.run.steps.reset();
      c.run.convective_times = run;
      c.output.times = {output};
    };
  };
  expect_accepted(times(20, 20));
  expect_refused(times(20, 20.01), "output.times: found 20.01", "at most 20,");
  expect_refused(times(1e13, 1), "run.convective_times: found 1", "1000000000000000 steps");
}

TEST(Validate, HostMemoryOfTheCpu) {
  const auto memory = [](std::optional<BackendKind> backend, HostMemory kind) {
    return [=](Case& c) { c.device.backend = backend, c.host.memory = kind; };
  };
  expect_accepted(memory(BackendKind::cpu, HostMemory::pinned));
  expect_accepted(memory(BackendKind::cuda, HostMemory::managed));
  expect_accepted(memory(std::nullopt, HostMemory::system));
  expect_refused(memory(BackendKind::cpu, HostMemory::managed), "host.memory: found managed",
                 "device.backend: cuda");
  expect_refused(memory(BackendKind::cpu, HostMemory::system), "host.memory: found system", "CPU");
}

TEST(Validate, TwoStepsInAPassNeedTwoLevels) {
  const auto passes = [](int steps, std::optional<int> visit,
                         std::optional<tiling::Scheme> scheme) {
    return [=](Case& c) {
      c.tiling.steps_per_pass = steps;
      c.tiling.steps_per_visit = visit;
      c.tiling.scheme = scheme;
    };
  };
  expect_accepted(passes(2, {}, {}));
  expect_accepted(passes(2, 2, tiling::Scheme::wavefront));
  expect_accepted(passes(1, 1, tiling::Scheme::halo));
  expect_refused(passes(2, 1, {}), "tiling.steps_per_pass: found 2", "tiling.steps_per_visit");
  expect_refused(passes(2, 4, tiling::Scheme::halo), "tiling.steps_per_pass: found 2", "halo");
  expect_refused(passes(3, {}, {}), "tiling.steps_per_pass: ", "from 1 to 2");
  const auto pushed = [&](const char* force) {
    return [=](Case& c) {
      passes(2, {}, {})(c);
      c.force.acceleration_formulas = Formulas{force, "0", "0"};
    };
  };
  expect_accepted(pushed("1e-6*t"));
  expect_refused(pushed("1e-6*x"), "tiling.steps_per_pass: found 2", "force.acceleration");
  const auto on_corners = [&](CollisionKind kind, std::optional<VelocitySet> set) {
    return [=](Case& c) {
      passes(2, {}, {})(c);
      c.lattice.collision = kind;
      c.lattice.velocities = set;
    };
  };
  expect_refused(on_corners(CollisionKind::cumulant, {}), "tiling.steps_per_pass: found 2",
                 "lattice.collision: cumulant");
  expect_refused(on_corners(CollisionKind::trt, VelocitySet::D3Q27),
                 "tiling.steps_per_pass: found 2", "lattice.velocities: D3Q27");
}

TEST(Validate, AnyRunAcceptsAnyScheme) {
  for (const auto scheme :
       {tiling::Scheme::in_core, tiling::Scheme::wavefront, tiling::Scheme::halo}) {
    expect_accepted([=](Case& c) {
      c.grid.cells = {1, 1, 1};
      c.fluid.reynolds = 1;
      c.tiling.scheme = scheme;
    });
  }
}

// The keys named by warnings().
std::string warned(const Change& change) {
  std::string keys;
  for (const std::string& line : test::warnings_of(changed(change))) {
    keys += line.substr(0, line.find(':')) + ";";
  }
  return keys;
}

TEST(Warnings, EachHasItsReason) {
  EXPECT_EQ(warned([](Case&) {}), "");
  EXPECT_EQ(warned([](Case& c) { use_tau(c, 0.504); }), "case.fluid.tau;");
  EXPECT_EQ(warned([](Case& c) { use_tau(c, 0.506); }), "");
  EXPECT_EQ(warned([](Case& c) { use_tau(c, 2.1); }), "case.fluid.tau;");
  EXPECT_EQ(warned([](Case& c) { c.fluid.lattice_velocity = 0.12; }),
            "case.fluid.lattice_velocity;");
  EXPECT_EQ(warned([](Case& c) {
              c.grid.cells = {640, 960, 800}, c.fluid.length = 64;
            }),
            "case.grid.cells;");
  // Small grids are not streamed.
  EXPECT_EQ(warned([](Case& c) { c.grid.cells = {64, 96, 80}; }), "");
  EXPECT_EQ(warned([](Case& c) { c.fluid.length = 65; }), "case.fluid.length;");
  EXPECT_EQ(warned([](Case& c) { c.initial.flow = InitialFlow::taylor_green; }),
            "case.initial.flow;");
  EXPECT_EQ(warned([](Case& c) { c.output.every_steps = 1001; }), "case.output.every_steps;");
}

TEST(Warnings, APermeabilityThatDependsOnTheViscosity) {
  const auto with = [](CollisionKind kind) {
    return warned([=](Case& c) {
      c.lattice.collision = kind;
      c.quantities.resize(1);
      c.quantities[0].name = "k";
      c.quantities[0].kind = QuantityKind::permeability;
    });
  };
  EXPECT_EQ(with(CollisionKind::trt), "");
  EXPECT_EQ(with(CollisionKind::bgk), "case.quantities.k;");
  EXPECT_EQ(with(CollisionKind::cumulant), "case.quantities.k;");
}

// At tau 0.56, viscosity 0.02, the layer is 1.5 cells thick at a period of 353 steps.
TEST(Warnings, ALayerThatFollowsAPeriodMustBeResolved) {
  const auto steps = [](const Case& c, double n) { return n / derive(c).steps_per_time; };
  const auto force = [&](double n) {
    return warned([&](Case& c) {
      use_tau(c, 0.56);
      c.force.amplitude = Vec3{1e-3, 0, 0};
      c.force.period = steps(c, n);
    });
  };
  EXPECT_EQ(force(355), "");
  EXPECT_EQ(force(350), "case.force.period;");
  const auto wall = [&](double n) {
    return warned([&](Case& c) {
      use_tau(c, 0.56);
      c.faces[5].type = BoundaryKind::wall;
      c.faces[5].velocity = {0.5, 0, 0};
      c.faces[5].period = steps(c, n);
    });
  };
  EXPECT_EQ(wall(355), "");
  EXPECT_EQ(wall(350), "case.boundaries.z_max.period;");
}

}  // namespace
}  // namespace lbm::cases
