// SPDX-License-Identifier: Apache-2.0

// Triangles of isosurfaces beside spheres and planes that are known, and what a picture of them
// shows.
#include "cases/run/pictures/isosurface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

#include "cases/run/pictures/surface_page.hpp"
#include "cases/run/pictures/surface_window.hpp"

namespace lbm::cases {
namespace {

using Triangle = std::array<SurfacePoint, 3>;

constexpr std::array<int, 3> cells{24, 22, 20};
constexpr std::array<float, 3> middle{11.3F, 11.1F, 9.7F};
constexpr float radius = 7.2F;
constexpr std::size_t plane_cells = 24 * 22;

// Planes of a box of numbers that a function of the place gives.
class Box {
 public:
  template <class Function>
  explicit Box(const Function& number) {
    for (int z = 0; z < cells[2]; ++z) {
      for (int y = 0; y < cells[1]; ++y) {
        for (int x = 0; x < cells[0]; ++x) {
          const auto centre = [](int i) { return static_cast<float>(i) + 0.5F; };
          numbers_.push_back(number(centre(x), centre(y), centre(z)));
        }
      }
    }
  }
  std::span<const float> plane(int z) const {
    return std::span(numbers_).subspan(static_cast<std::size_t>(z) * plane_cells, plane_cells);
  }

 private:
  std::vector<float> numbers_;
};

float from_middle(float x, float y, float z) {
  return std::hypot(x - middle[0], y - middle[1], z - middle[2]);
}

std::vector<Triangle> triangles_of(const Box& box, float isovalue) {
  std::vector<std::vector<std::uint8_t>> sides(static_cast<std::size_t>(cells[2]));
  for (int z = 0; z < cells[2]; ++z) {
    sides[static_cast<std::size_t>(z)].resize(plane_cells);
    find_sides(box.plane(z), isovalue, sides[static_cast<std::size_t>(z)]);
  }
  SurfaceMesh mesh;
  for (int z = 0; z + 1 < cells[2]; ++z) {
    Layer layer{cells[0], cells[1], z, isovalue, {}};
    for (int i = 0; i < 4; ++i) {
      const int at = z - 1 + i;
      if (at < 0 || at >= cells[2]) continue;
      layer.planes[static_cast<std::size_t>(i)] = {
          box.plane(at), sides[static_cast<std::size_t>(at)], {}};
    }
    add_triangles(layer, 0, cells[1] - 1, mesh);
  }
  std::vector<Triangle> triangles;
  for (const auto& [a, b, c] : mesh.triangles) {
    triangles.push_back({mesh.points[a], mesh.points[b], mesh.points[c]});
  }
  return triangles;
}

double area_of(const Triangle& t) {
  std::array<double, 3> a{}, b{};
  for (std::size_t i = 0; i < 3; ++i) {
    a[i] = t[1].at[i] - t[0].at[i], b[i] = t[2].at[i] - t[0].at[i];
  }
  return 0.5 * std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0]);
}

TEST(Isosurface, OfDistancesIsASphere) {
  const auto triangles = triangles_of(Box(from_middle), radius);
  double area = 0;
  for (const Triangle& triangle : triangles) {
    area += area_of(triangle);
    for (const SurfacePoint& point : triangle) {
      const auto [x, y, z] = point.at;
      EXPECT_NEAR(from_middle(x, y, z), radius, 0.055) << "3 / (8 r) on a diagonal";
      const auto [nx, ny, nz] = point.normal;
      const double along = nx * (x - middle[0]) + ny * (y - middle[1]) + nz * (z - middle[2]);
      EXPECT_NEAR(along / radius / std::hypot(nx, ny, nz), 1, 0.01) << "radial";
    }
  }
  EXPECT_NEAR(area, 4 * std::numbers::pi * radius * radius, 0.01 * area);
}

// Each edge of a closed surface belongs to two triangles, also between cubes and layers.
TEST(Isosurface, HasNoGaps) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> number(0, 1);
  const Box box([&](float x, float y, float z) {
    const bool border = std::min({x, y, z, cells[0] - x, cells[1] - y, cells[2] - z}) < 1;
    return border ? 0.0F : number(random);
  });
  std::map<std::array<std::array<float, 3>, 2>, int> edges;
  for (const Triangle& triangle : triangles_of(box, 0.8F)) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::array ends{triangle[i].at, triangle[(i + 1) % 3].at};
      std::sort(ends.begin(), ends.end());
      if (ends[0] != ends[1]) ++edges[ends];
    }
  }
  EXPECT_GT(edges.size(), 10000U);
  for (const auto& [ends, count] : edges) EXPECT_EQ(count % 2, 0);
}

TEST(Isosurface, LeavesOutCubesWithoutANumber) {
  const Box box([](float x, float y, float z) {
    return x < middle[0] ? std::nanf("") : from_middle(x, y, z);
  });
  const auto triangles = triangles_of(box, radius);
  ASSERT_FALSE(triangles.empty());
  for (const Triangle& triangle : triangles) EXPECT_GT(triangle[0].at[0], middle[0]);
}

// A picture of the sphere, whose colour is the place along x.
struct Sphere {
  View view{-60, 25, 2};
  PageSize size{400, 360};
  int threads = 2;
  Box distance{from_middle};
  Box colour{[](float x, float, float) { return x; }};
  std::vector<float> fluid = std::vector<float>(plane_cells, 0);

  DepthBuffer buffer(const std::vector<int>& order) {
    SurfaceWindow window(cells, radius, true, make_depth_buffer(view, cells, size));
    for (const int z : order) {
      EXPECT_FALSE(window.is_complete());
      window.add_plane(z, {distance.plane(z), colour.plane(z), fluid}, threads);
    }
    EXPECT_TRUE(window.is_complete());
    return window.buffer();
  }
};

std::vector<int> in_order() {
  std::vector<int> order(static_cast<std::size_t>(cells[2]));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(SurfaceWindow, ShowsTheSphereWhereItIs) {
  Sphere sphere;
  const DepthBuffer buffer = sphere.buffer(in_order());
  const Outline outline = outline_of(sphere.view, cells);
  const double scale = DepthBuffer::samples * buffer.width() / outline.width;
  const auto row = static_cast<std::size_t>(DepthBuffer::samples * buffer.width());
  const Projected centre = sphere.view.of({middle[0], middle[1], middle[2]});
  std::size_t inside = 0, wrong = 0;
  for (std::size_t i = 0; i < buffer.seen().size(); ++i) {
    const double right = outline.left + (static_cast<double>(i % row) + 0.5) / scale;
    const double up = outline.low + outline.height - (static_cast<double>(i / row) + 0.5) / scale;
    const double away = std::hypot(right - centre.right, up - centre.up);
    const Seen& seen = buffer.seen()[i];
    inside += away < radius;
    if (std::abs(away - radius) < 0.05) continue;
    wrong += seen.is_anything() != (away < radius);
    if (!seen.is_anything() || away > 0.8 * radius) continue;
    const double near = centre.near + std::sqrt(radius * radius - away * away);
    EXPECT_NEAR(seen.near, near, 0.12) << "the front, not the back";
    const Vec3& r = sphere.view.right();
    const Vec3& u = sphere.view.upward();
    const Vec3& t = sphere.view.toward();
    const double x = right * r[0] + up * u[0] + near * t[0];
    EXPECT_NEAR(seen.colour, x, 0.12);
  }
  EXPECT_GT(inside, 1000U);
  EXPECT_EQ(wrong, 0U) << "of " << inside << ": holes, or triangles outside";
}

TEST(SurfaceWindow, IsTheSameForEveryOrderOfPlanes) {
  Sphere sphere;
  const DepthBuffer buffer = sphere.buffer(in_order());
  const std::vector<Seen> first(buffer.seen().begin(), buffer.seen().end());
  const auto same = [](const Seen& a, const Seen& b) {
    return a.near == b.near && a.colour == b.colour && a.light == b.light;
  };
  std::vector<int> order = in_order();
  const auto expect_same = [&](const char* how) {
    const DepthBuffer other = sphere.buffer(order);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), other.seen().begin(), same)) << how;
  };
  std::rotate(order.begin(), order.begin() + 7, order.end());
  expect_same("beginning with plane 7");
  std::reverse(order.begin(), order.end());
  expect_same("backwards");
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  expect_same("in disorder");
}

// Bodies of every thickness are seen: a plate, a rod and a single cell.
TEST(SurfaceWindow, ShowsBodiesOfOneCell) {
  const auto area_of_body = [](const std::array<int, 3>& from, const std::array<int, 3>& to,
                               bool bodies) {
    Sphere sphere;
    const View front(0, 0, 2);  // along x
    SurfaceWindow window(cells, 1e9F, bodies, make_depth_buffer(front, cells, {900, 900}));
    for (int z = 0; z < cells[2]; ++z) {
      std::vector<float> solid(plane_cells, 0);
      for (int y = from[1]; y < to[1] && z >= from[2] && z < to[2]; ++y) {
        for (int x = from[0]; x < to[0]; ++x) {
          solid[static_cast<std::size_t>(y * cells[0] + x)] = 1;
        }
      }
      window.add_plane(z, {sphere.distance.plane(z), sphere.colour.plane(z), solid},
                       sphere.threads);
    }
    const DepthBuffer& buffer = window.buffer();
    double samples = 0;
    for (const Seen& seen : buffer.seen()) {
      samples += seen.is_anything();
      EXPECT_TRUE(!seen.is_anything() || std::isnan(seen.colour)) << "grey";
    }
    const double scale = DepthBuffer::samples * buffer.width() / outline_of(front, cells).width;
    return samples / (scale * scale);
  };
  EXPECT_NEAR(area_of_body({9, 5, 5}, {10, 15, 15}, true), 100, 9) << "a plate";
  EXPECT_NEAR(area_of_body({9, 5, 5}, {10, 6, 15}, true), 10, 6) << "a rod";
  EXPECT_GT(area_of_body({9, 5, 5}, {10, 6, 6}, true), 0.01) << "a cell";
  EXPECT_NEAR(area_of_body({5, 5, 5}, {15, 15, 15}, true), 100, 4) << "a cube";
  EXPECT_EQ(area_of_body({5, 5, 5}, {15, 15, 15}, false), 0) << "bodies: false";
}

// Triangles across x, with their places along x and their colours, seen from the end of x.
DepthBuffer buffer_of(const std::vector<std::array<float, 2>>& x_and_colour) {
  const View view(0, 0, 2);  // y to the right, z upwards
  const auto make = [&](int from, int to, SurfaceMesh& mesh) {
    for (int i = from; i < to; ++i) {
      const auto [x, colour] = x_and_colour[static_cast<std::size_t>(i)];
      const auto first = static_cast<std::uint32_t>(mesh.points.size());
      for (const auto& [y, z] : {std::array{0.0F, 0.0F}, {10.0F, 0.0F}, {0.0F, 10.0F}}) {
        mesh.points.push_back({{x, y, z}, {1, 0, 0}, colour});
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
  };
  DepthBuffer buffer(view, outline_of(view, {10, 10, 10}), 100, 100);
  buffer.draw(static_cast<int>(x_and_colour.size()), false, 2, make);
  return buffer;
}

const Seen& seen_from_corner(const DepthBuffer& buffer, std::size_t right, std::size_t up) {
  const auto samples = static_cast<std::size_t>(buffer.width() * DepthBuffer::samples);
  return buffer.seen()[(samples - up) * samples + right];
}

TEST(DepthBuffer, ShowsTheNearestTriangle) {
  const DepthBuffer buffer = buffer_of({{3, 1}, {8, 2}, {5, 3}});
  EXPECT_EQ(seen_from_corner(buffer, 20, 20).colour, 2);
  EXPECT_FLOAT_EQ(seen_from_corner(buffer, 20, 20).near, 8);
  EXPECT_FALSE(seen_from_corner(buffer, 180, 180).is_anything()) << "beyond the triangle";
}

TEST(DepthBuffer, ShowsTheSameOfTwoThatAreEquallyNear) {
  EXPECT_EQ(seen_from_corner(buffer_of({{8, 2}, {8, 4}}), 20, 20).colour, 4);
  EXPECT_EQ(seen_from_corner(buffer_of({{8, 4}, {8, 2}}), 20, 20).colour, 4);
}

TEST(View, HasTheAxesWhereTheAnglesSay) {
  const auto expect_point = [](const Vec3& found, const Vec3& wanted) {
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(found[a], wanted[a], 1e-12);
  };
  const View from_x(0, 0, 2), from_above(0, 90, 2), with_y_up(0, 0, 1);
  expect_point(from_x.toward(), {1, 0, 0});
  expect_point(from_x.right(), {0, 1, 0});
  expect_point(from_x.upward(), {0, 0, 1});
  expect_point(from_above.toward(), {0, 0, 1});
  expect_point(with_y_up.toward(), {0, 0, 1});
  expect_point(with_y_up.right(), {1, 0, 0});
  expect_point(with_y_up.upward(), {0, 1, 0});
  const Outline outline = outline_of(View(-60, 25, 2), {40, 1, 1});
  EXPECT_NEAR(outline.width, 40 * std::sin(std::numbers::pi / 3) + 0.5, 1e-9);
  EXPECT_EQ(far_edges(View(-60, 25, 2), {4, 4, 4}).size(), 9U) << "of twelve";
}

TEST(SurfacePage, ShadesBodiesAndColoursSurfaces) {
  Sphere sphere;
  const DepthBuffer buffer = sphere.buffer(in_order());
  PageStyle style;
  style.size = sphere.size;
  style.limits = {middle[0] - radius, middle[0] + radius};
  const auto numbers = seen_numbers(buffer, 2);
  EXPECT_NEAR(*std::max_element(numbers.begin(), numbers.end()), 2 * (middle[0] + radius), 0.5);
  const io::Canvas canvas = draw_surface_page(buffer, cells, 1, style, {}, FileUnits{});
  int coloured = 0;
  const FlowArea area = flow_area(
      style.size, {outline_of(sphere.view, cells).width, outline_of(sphere.view, cells).height});
  for (int y = 0; y < area.box.height; ++y) {
    for (int x = 0; x < area.box.width; ++x) {
      const io::Colour c = canvas.at(area.box.left + x, area.box.top + y);
      coloured += std::abs(c.red - c.blue) > 8;
    }
  }
  const double disc = std::numbers::pi * radius * radius * area.cell * area.cell;
  EXPECT_NEAR(coloured, disc, 0.06 * disc) << "viridis has few greys";
}

}  // namespace
}  // namespace lbm::cases
