// SPDX-License-Identifier: Apache-2.0

// Walls: Couette flow, which halfway bounce-back gets exactly right; flow that moves with its
// walls; and no mass made by a lid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double speed = 0.05;
const char axis_names[] = "xyz";

double component(const Cell& cell, int axis) {
  return axis == 0 ? cell.ux : (axis == 1 ? cell.uy : cell.uz);
}

// One of the twelve ways to lay a Couette flow into the box.
struct Couette {
  int normal;       // axis that the two walls are normal to
  int direction;    // axis that one of them moves along
  bool upper;       // which one
  double velocity;  // of the moving wall

  std::string name() const {
    return std::string("u") + axis_names[direction] + "_between_" + axis_names[normal] +
           (upper ? "_max_moves" : "_min_moves") + (velocity < 0 ? "_backwards" : "");
  }
  // Exact velocity in the middle of layer i of `height`: linear from wall to wall.
  double exact(int i, int height) const {
    const double share = (i + 0.5) / height;
    return velocity * (upper ? share : 1 - share);
  }
};

std::vector<Couette> all_couettes() {
  std::vector<Couette> all;
  for (int normal = 0; normal < 3; ++normal) {
    for (int direction = 0; direction < 3; ++direction) {
      if (direction == normal) continue;
      for (const bool upper : {false, true}) {
        all.push_back({normal, direction, upper, upper ? speed : -speed});
      }
    }
  }
  return all;
}

constexpr int height = 12, width = 4;

// From rest until the slowest transient, exp(-nu (pi / height)^2 t), is below rounding.
Flow steady_couette(const Couette& couette, double tau, const tiling::ScheduleOptions& options) {
  int cells[3] = {width, width, width};
  cells[couette.normal] = height;
  Faces faces = periodic_box();
  faces[2 * couette.normal].wall = faces[2 * couette.normal + 1].wall = true;
  faces[2 * couette.normal + (couette.upper ? 1 : 0)].velocity[couette.direction] =
      couette.velocity;
  const Lattice lattice = make_lattice(cells[0], cells[1], cells[2], StorageType::fp64, tau, faces);
  Flow flow(lattice, {}, options);
  const double rate = viscosity_of(tau) * std::pow(std::numbers::pi / height, 2);
  flow.advance(std::llround(38 / rate));
  return flow;
}

// Largest deviation of all three components from the exact profile, in wall velocities.
double largest_error(Flow& flow, const Couette& couette) {
  double largest = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& cell) {
    const int at[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis) {
      const double exact =
          axis == couette.direction ? couette.exact(at[couette.normal], height) : 0;
      largest = larger(largest, std::abs(component(cell, axis) - exact));
    }
    largest = larger(largest, std::abs(cell.drho));
  });
  return largest / speed;
}

class CouetteFlow : public testing::TestWithParam<Couette> {};

TEST_P(CouetteFlow, IsLinearToRounding) {
  Evidence evidence("Couette flow between a sliding and a resting wall", "linear profile");
  evidence.on("12 cells");
  for (const double tau : {0.7, 1.0}) {
    Flow flow = steady_couette(GetParam(), tau, in_core);
    const double error = largest_error(flow, GetParam());
    evidence.below("largest deviation in wall velocities, tau 0.7 and 1", error, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CouetteFlow, testing::ValuesIn(all_couettes()),
                         [](const auto& test) { return test.param.name(); });

TEST(CouetteFlow, OutOfCoreIsTheSame) {
  const Couette couette{2, 0, true, speed};
  Evidence evidence("Couette flow out of core", "the run in core");
  evidence.on("4 x 4 x 12")
      .holds("the same populations, bit for bit",
             steady_couette(couette, 1, wavefront(9, 2)).planes() ==
                 steady_couette(couette, 1, in_core).planes());
}

// A duct whose four walls move along it with the fluid: nothing may happen.
TEST(MovingDuct, StaysAtEquilibrium) {
  Evidence evidence("duct whose walls move along it with the fluid", "nothing happens");
  evidence.on("6 x 5 x 7");
  for (int axis = 0; axis < 3; ++axis) {
    for (const StorageType storage : {StorageType::fp64, StorageType::fp32}) {
      Faces faces;
      for (WallFace& face : faces) face.velocity[axis] = speed;
      faces[2 * axis] = faces[2 * axis + 1] = {false, {}};
      const Lattice lattice = make_lattice(6, 5, 7, storage, 0.6, faces);
      Flow flow(
          lattice,
          [=](int, int, const StateRow& row) {
            for (double& u : axis == 0 ? row.ux : (axis == 1 ? row.uy : row.uz)) u = speed;
          },
          in_core);
      flow.advance(300);
      double largest = 0;
      flow.for_each_cell([&](int, int, int, const Cell& cell) {
        for (int i = 0; i < 3; ++i) {
          largest = larger(largest, std::abs(component(cell, i) - (i == axis ? speed : 0)));
        }
        largest = larger(largest, std::abs(cell.drho));
      });
      const bool fp64 = storage == StorageType::fp64;
      evidence.headline().below(fp64 ? "largest deviation, fp64" : "largest deviation, fp32",
                                largest, fp64 ? 1e-14 : 3e-6);
    }
  }
}

// A cube of fluid of which one face slides.
struct Lid {
  int face, direction;  // 0 ... 5; axis
  double velocity;

  bool upper() const { return face % 2 == 1; }
};

std::vector<Lid> all_lids() {
  std::vector<Lid> all;
  for (int face = 0; face < 6; ++face) {
    for (int direction = 0; direction < 3; ++direction) {
      if (direction == face / 2) continue;
      all.push_back({face, direction, speed});
      all.push_back({face, direction, -speed});
    }
  }
  return all;
}

constexpr int edge = 9;  // cells

Flow cavity(const Lid& lid, double tau) {
  Faces faces;
  faces[lid.face].velocity[lid.direction] = lid.velocity;
  return Flow(make_lattice(edge, edge, edge, StorageType::fp64, tau, faces), {}, in_core);
}

// In the first step only the lid acts: it takes from every cell what it gives to it, except at its
// two ends, where the side walls decide; there a source and a sink cancel.
TEST(Cavity, LidMakesNoMass) {
  Evidence evidence("24 cavities, one for each face and sliding direction", "no change of mass");
  evidence.on("9^3");
  double first = 0, later = 0;
  for (const Lid& lid : all_lids()) {
    Flow flow = cavity(lid, 0.6);
    flow.advance(1);
    flow.for_each_cell([&](int x, int y, int z, const Cell& cell) {
      const int along = std::array{x, y, z}[lid.direction];
      if (along == 0 || along == edge - 1) return;
      EXPECT_LT(std::abs(cell.drho), 1e-15) << "at " << x << " " << y << " " << z;
    });
    first = larger(first, std::abs(flow.mass()));
    flow.advance(299);
    later = larger(later, std::abs(flow.mass()));
    EXPECT_GT(flow.kinetic_energy(), 0.01) << "the flow must move for this to tell";
  }
  evidence.below("change of the mass in the first step", first, 1e-13);
  evidence.headline().below("change of the mass in 300 steps", later, 1e-11);
}

// Where the cell of the cavity with the lid z_max that slides to +x comes to lie.
std::array<int, 3> placed(const Lid& lid, int x, int y, int z) {
  const int normal = lid.face / 2, span = 3 - normal - lid.direction;
  std::array<int, 3> at{};
  at[lid.direction] = lid.velocity > 0 ? x : edge - 1 - x;
  at[span] = y;
  at[normal] = lid.upper() ? z : edge - 1 - z;
  return at;
}

TEST(Cavity, IsTheSameWhicheverFaceSlides) {
  Evidence evidence("24 cavities, turned and mirrored", "each other");
  Flow expected = cavity({5, 0, speed}, 0.6);
  expected.advance(300);
  double largest = 0;
  for (const Lid& lid : all_lids()) {
    Flow flow = cavity(lid, 0.6);
    flow.advance(300);
    const int normal = lid.face / 2, span = 3 - normal - lid.direction;
    const double along = lid.velocity > 0 ? 1 : -1, up = lid.upper() ? 1 : -1;
    expected.for_each_cell([&](int x, int y, int z, const Cell& want) {
      const auto at = placed(lid, x, y, z);
      const Cell cell = flow.cell(at[0], at[1], at[2]);
      largest = larger(largest, std::abs(along * component(cell, lid.direction) - want.ux));
      largest = larger(largest, std::abs(component(cell, span) - want.uy));
      largest = larger(largest, std::abs(up * component(cell, normal) - want.uz));
      largest = larger(largest, std::abs(cell.drho - want.drho));
    });
  }
  evidence.on("9^3").below("largest difference after 300 steps", largest, 1e-13);
}

}  // namespace
}  // namespace lbm::verification
