// SPDX-License-Identifier: Apache-2.0

// Derived fields next to walls: of the box, of moving and rotating bodies, across periodic faces.
#include "tests/cases/fields/fields_support.hpp"

namespace lbm::fields::test {
namespace {

// A parabola across the box along each axis, between walls of different velocity, so that every
// face has its own values.
TEST(FieldsAtFaces, KnowTheirWalls) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Setting s;
    s.grid.periodic = {axis != 0, axis != 1, axis != 2};
    s.density_slope = 0.01;
    const int n = s.grid.cells[axis];
    const std::size_t along = (axis + 1) % 3;
    const auto value = [](double d) { return 0.3 + 0.2 * d - 0.05 * d * d; };
    const auto slope = [](double d) { return 0.2 - 0.1 * d; };
    for (const bool upper : {false, true}) {
      Vector wall{};
      wall[along] = value(upper ? n : 0);
      s.faces[2 * axis + (upper ? 1 : 0)] = {wall, true};
    }
    const auto flow = [&](double x, double y, double z) {
      Vector u{};
      u[along] = value(Vector{x, y, z}[axis]);
      return u;
    };
    const auto curl = fields_of(s, whole(s.grid), Kind::vorticity, flow, ascending());
    const auto stress =
        fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending(), 0.25);
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          const int at = std::array{x, y, z}[axis];
          const auto cell = 3 * static_cast<std::size_t>(y * nx + x);
          // The component of curl u_(a+1)(x_a) along a + 2 is its slope.
          EXPECT_NEAR(curl[z][cell + (axis + 2) % 3], slope(at + 0.5), 1e-5) << axis << " " << at;
          EXPECT_NEAR(curl[z][cell + axis], 0, 1e-6);
          const double shear = at == 0 ? slope(0) : (at == n - 1 ? -slope(n) : 0);
          const double density = 1 + 0.01 * (x + 2 * y + 3 * z);
          EXPECT_NEAR(stress[z][cell + along], 0.25 * density * shear, 2e-6) << axis << " " << at;
          EXPECT_NEAR(stress[z][cell + axis], 0, 1e-6);
        }
      }
    }
  }
}

// Differences use the velocity of inlets, which have no shear stress.
TEST(FieldsAtFaces, OfInletsHaveNoShearStress) {
  Setting s;
  s.grid.periodic = {true, true, false};
  s.faces[4] = {Vector{0.5, 0, 0}, false};
  const auto flow = [](double, double, double z) { return Vector{0.5 + z * z, 0, 0}; };
  const auto curl = fields_of(s, whole(s.grid), Kind::vorticity, flow, ascending());
  EXPECT_NEAR(curl[0][1], 1, 1e-5);
  for (const auto& plane :
       fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending())) {
    for (const float v : plane) EXPECT_EQ(v, 0);
  }
}

// Fluid in rigid motion with a body has the vorticity of that motion and neither strain nor shear,
// up to the surface; two bodies with different motions, anywhere in a periodic box.
TEST(FieldsAtBodies, OfWhatTurnsWithABodyAreThoseOfIt) {
  constexpr int n = 20;
  for (const double shift : {0.0, 4.37, 9.5, 14.63, 19.5}) {
    Setting s;
    s.grid = {{n, n - 1, n + 1}, {true, true, true}};
    const double radius = shift == 9.5 || shift == 19.5 ? 0.9 : 2.3;  // one cell; many cells
    const Vector first{shift, shift / n * (n - 1), shift == 19.5 ? n + 0.5 : shift};
    const Vector second{first[0], first[1], first[2] + 0.5 * (n + 1)};
    const Balls balls(s.grid.cells, {{first, radius}, {second, radius}});
    std::vector<BodySpec> bodies(2);
    bodies[0].motion = {{0.01, -0.02, 0.03}, {0.02, 0.05, -0.03}, {}};
    bodies[1].motion = {{-0.05, 0.04, 0.02}, {-0.04, 0.01, 0.06}, {}};
    // Walls are located in the box, and so must be the centre of the motion.
    for (std::size_t a = 0; a < 3; ++a) {
      bodies[0].motion.center[a] = first[a];
      bodies[1].motion.center[a] = second[a];
    }
    s.boundaries = boundaries_of(s.grid, balls, bodies);
    const auto nearest = [&](const Vector& place) {
      return std::abs(balls.from_center(0, place)[2]) < std::abs(balls.from_center(1, place)[2])
                 ? 0
                 : 1;
    };
    const auto flow = [&](double x, double y, double z) {
      const int b = nearest({x, y, z});
      const BodyMotion& m = bodies[static_cast<std::size_t>(b)].motion;
      Vector u = cross({m.angular_velocity[0], m.angular_velocity[1], m.angular_velocity[2]},
                       balls.from_center(b, {x, y, z}));
      for (std::size_t a = 0; a < 3; ++a) u[a] += m.velocity[a];
      return u;
    };
    const auto all = [&](Kind kind) {
      return fields_of(s, whole(s.grid), kind, flow, ascending(n + 1));
    };
    const auto curl = all(Kind::vorticity), strain = all(Kind::strain_rate),
               stress = all(Kind::wall_shear_stress), solid = all(Kind::solid);
    const WallsAround walls(s.grid, s.boundaries, s.faces);
    int at_walls = 0;
    for (int z = 0; z < n + 1; ++z) {
      for (int y = 0; y < n - 1; ++y) {
        for (int x = 0; x < n; ++x) {
          const Vector place{x + 0.5, y + 0.5, z + 0.5};
          const int b = nearest(place);
          const Vector d = balls.from_center(b, place);
          const auto cell = static_cast<std::size_t>(y) * n + static_cast<std::size_t>(x);
          const bool inside = dot(d, d) < radius * radius;
          ASSERT_EQ(solid[z][cell], inside ? 1 : 0);
          if (std::abs(d[0]) > 4 || std::abs(d[1]) > 4 || std::abs(d[2]) > 4) continue;
          const double* turn = bodies[static_cast<std::size_t>(b)].motion.angular_velocity;
          const auto points = walls.wall_points(x, y, z);
          at_walls += points.empty() ? 0 : 1;
          // The surface is moved into the first twentieth of a link.
          const bool close = std::any_of(points.begin(), points.end(),
                                         [](const WallPoint& p) { return p.share < 0.05; });
          // Bodies that reach across a face rotate about the image in the box only.
          const bool here = std::abs(place[0] - d[0] - (b == 0 ? first : second)[0]) < 1 &&
                            std::abs(place[1] - d[1] - (b == 0 ? first : second)[1]) < 1 &&
                            std::abs(place[2] - d[2] - (b == 0 ? first : second)[2]) < 1;
          if (close || !here) continue;
          for (std::size_t a = 0; a < 3; ++a) {
            ASSERT_NEAR(curl[z][3 * cell + a], inside ? 0 : 2 * turn[a], 1e-5) << x << y << z;
            ASSERT_NEAR(stress[z][3 * cell + a], 0, 1e-5) << x << y << z;
          }
          for (std::size_t a = 0; a < 6; ++a) ASSERT_NEAR(strain[z][6 * cell + a], 0, 1e-5);
        }
      }
    }
    EXPECT_GT(at_walls, 30);
  }
}

// Rows at walls continue across a periodic face.
TEST(FieldsAtFaces, GoOnAcrossPeriodicOnes) {
  Setting s;
  s.grid.periodic = {true, false, true};
  const auto wave = [](double x) { return std::sin(2 * M_PI * x / nx); };
  const auto flow = [&](double x, double, double) { return Vector{0, wave(x), 0}; };
  const auto curl = fields_of(s, whole(s.grid), Kind::vorticity, flow, ascending());
  for (int x = 0; x < nx; ++x) {
    for (const int y : {0, 3, ny - 1}) {
      EXPECT_NEAR(curl[2][3 * static_cast<std::size_t>(y * nx + x) + 2],
                  (wave(x + 1.5) - wave(x - 0.5)) / 2, 1e-5);
    }
  }
}

// Balls that move with the fluid have no shear stress: across periodic faces, with one cell between
// them, and with one cell between a ball and the end of the box.
TEST(FieldsAtBodies, OfWhatMovesWithThemAreNone) {
  struct Place {
    bool periodic;
    Vector first, second;
  };
  for (const Place& place : {Place{true, {2.5, 0.5, 0.5}, {4.6, 3.5, 4.4}},
                             Place{false, {2.5, 3.5, 4.5}, {6.3, 3.5, 4.5}},
                             Place{false, {2.3, 3.5, 4.5}, {6.6, 3.5, 4.5}}}) {
    const bool periodic = place.periodic;
    Setting s;
    s.grid.periodic = {periodic, periodic, periodic};
    const Balls balls(s.grid.cells, {{place.first, 1.3}, {place.second, 1.3}});
    std::vector<BodySpec> bodies(2);
    for (BodySpec& body : bodies) body.motion.velocity[1] = 0.05;
    s.boundaries = boundaries_of(s.grid, balls, bodies);
    // Sheared beyond the layer around the balls, so that cells of other rows differ.
    const auto flow = [&](double x, double y, double z) {
      const double far = std::max(0.0, x - 8);
      return Vector{0, 0.05 + far, 0 * (y + z)};
    };
    const auto stress = fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending());
    const auto curl = fields_of(s, whole(s.grid), Kind::vorticity, flow, ascending());
    const WallsAround walls(s.grid, s.boundaries, s.faces);
    int cells = 0;
    for (int z = 0; z < nz; ++z) {
      walls.for_each_linked(z, [&](const LinkedCell& cell) {
        if (cell.x > 6 || (periodic && cell.x == 0)) return;  // next to the sheared fluid
        ++cells;
        const auto at = 3 * (std::size_t{cell.y} * nx + cell.x);
        for (std::size_t a = 0; a < 3; ++a) {
          EXPECT_NEAR(stress[z][at + a], 0, 1e-6) << cell.x << cell.y << z;
          EXPECT_NEAR(curl[z][at + a], 0, 1e-6) << cell.x << cell.y << z;
        }
      });
    }
    EXPECT_GT(cells, 30);
  }
}

}  // namespace
}  // namespace lbm::fields::test
