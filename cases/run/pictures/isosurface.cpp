// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/isosurface.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace lbm::cases {
namespace {

constexpr std::uint8_t above = 1, below = 2, none = 4;

// Corners of a cube are numbered by their bits: 1 for x, 2 for y, 4 for z. Each tetrahedron goes
// from corner 0 to corner 7 along the three axes, in another order.
constexpr std::array<std::array<std::size_t, 4>, 6> tetrahedra{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

class Cubes {
 public:
  Cubes(const Layer& layer, SurfaceMesh& mesh)
      : layer_(layer), mesh_(mesh), nx_(static_cast<std::size_t>(layer.nx)) {}

  // Adds the triangles of the cubes of row y. `active` is scratch memory.
  void add_row(int y, std::vector<std::uint8_t>& active) {
    const std::size_t row = static_cast<std::size_t>(y) * nx_;
    const std::uint8_t* const low = layer_.planes[1].sides.data() + row;
    const std::uint8_t* const high = layer_.planes[2].sides.data() + row;
    active.resize(nx_);
    for (std::size_t x = 0; x + 1 < nx_; ++x) {
      active[x] =
          static_cast<std::uint8_t>(low[x] | low[x + 1] | low[x + nx_] | low[x + nx_ + 1] |
                                    high[x] | high[x + 1] | high[x + nx_] | high[x + nx_ + 1]);
    }
    for (std::size_t x = 0; x + 1 < nx_; ++x) {
      if (active[x] == (above | below)) add_cube(static_cast<int>(x), y);
    }
  }

 private:
  struct Corner {
    int x, y, up;  // up: 0 on plane z, 1 on the one above
    float number;
    std::size_t index;  // in the plane
    bool has_gradient;
    std::array<float, 3> gradient;
  };

  void add_cube(int x, int y) {
    for (int bits = 0; bits < 8; ++bits) {
      Corner& corner = corners_[static_cast<std::size_t>(bits)];
      corner.x = x + (bits & 1);
      corner.y = y + (bits >> 1 & 1);
      corner.up = bits >> 2;
      corner.index = static_cast<std::size_t>(corner.y) * nx_ + static_cast<std::size_t>(corner.x);
      corner.number = plane(corner.up).numbers[corner.index];
      corner.has_gradient = false;
    }
    points_.fill(no_point);
    for (const auto& tetrahedron : tetrahedra) {
      std::array<std::size_t, 4> inside{}, outside{};
      std::size_t insides = 0, outsides = 0;
      for (const std::size_t i : tetrahedron) {
        if (corners_[i].number >= layer_.isovalue) {
          inside[insides++] = i;
        } else {
          outside[outsides++] = i;
        }
      }
      cut(inside, insides, outside);
    }
  }

  // A tetrahedron with so many corners inside.
  void cut(const std::array<std::size_t, 4>& in, std::size_t insides,
           const std::array<std::size_t, 4>& out) {
    if (insides == 1) {
      add(point(in[0], out[0]), point(in[0], out[1]), point(in[0], out[2]));
    } else if (insides == 3) {
      add(point(in[0], out[0]), point(in[1], out[0]), point(in[2], out[0]));
    } else if (insides == 2) {
      const std::uint32_t a = point(in[0], out[0]), b = point(in[0], out[1]);
      const std::uint32_t c = point(in[1], out[1]), d = point(in[1], out[0]);
      add(a, b, c);
      add(a, c, d);
    }
  }

  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.triangles.push_back({a, b, c});
  }

  // The number of the point on an edge of the cube, which is made once.
  std::uint32_t point(std::size_t in, std::size_t out) {
    std::uint32_t& number = points_[8 * in + out];
    if (number == no_point) {
      number = static_cast<std::uint32_t>(mesh_.points.size());
      mesh_.points.push_back(between(corners_[in], corners_[out]));
    }
    return number;
  }

  // Always from the corner inside: cubes that share an edge get the same bits.
  SurfacePoint between(Corner& in, Corner& out) const {
    const float part = (layer_.isovalue - in.number) / (out.number - in.number);
    const auto mix = [part](float a, float b) { return a + part * (b - a); };
    find_gradient(in);
    find_gradient(out);
    SurfacePoint point;
    point.at = {mix(centre(in.x), centre(out.x)), mix(centre(in.y), centre(out.y)),
                mix(centre(layer_.z + in.up), centre(layer_.z + out.up))};
    for (std::size_t a = 0; a < 3; ++a) point.normal[a] = mix(in.gradient[a], out.gradient[a]);
    if (!plane(0).colours.empty()) {
      point.colour = mix(plane(in.up).colours[in.index], plane(out.up).colours[out.index]);
    }
    return point;
  }

  static float centre(int cell) { return static_cast<float>(cell) + 0.5F; }

  const NumberPlane& plane(int up) const {
    const int from_lowest = 1 + up;
    return layer_.planes[static_cast<std::size_t>(from_lowest)];
  }

  // Not a number beyond the box.
  float number_at(int x, int y, int up) const {
    constexpr float none_there = std::numeric_limits<float>::quiet_NaN();
    if (x < 0 || x >= layer_.nx || y < 0 || y >= layer_.ny) return none_there;
    const auto& numbers = plane(up).numbers;
    if (numbers.empty()) return none_there;
    return numbers[static_cast<std::size_t>(y) * nx_ + static_cast<std::size_t>(x)];
  }

  // Central differences; one-sided beside solid cells and at the border.
  void find_gradient(Corner& at) const {
    if (at.has_gradient) return;
    const auto slope = [&](float before, float after) {
      const bool has_before = !std::isnan(before), has_after = !std::isnan(after);
      if (has_before && has_after) return 0.5F * (after - before);
      if (has_after) return after - at.number;
      return has_before ? at.number - before : 0.0F;
    };
    at.gradient = {slope(number_at(at.x - 1, at.y, at.up), number_at(at.x + 1, at.y, at.up)),
                   slope(number_at(at.x, at.y - 1, at.up), number_at(at.x, at.y + 1, at.up)),
                   slope(number_at(at.x, at.y, at.up - 1), number_at(at.x, at.y, at.up + 1))};
    at.has_gradient = true;
  }

  static constexpr std::uint32_t no_point = std::numeric_limits<std::uint32_t>::max();

  const Layer& layer_;
  SurfaceMesh& mesh_;
  std::size_t nx_;
  std::array<Corner, 8> corners_{};         // of the cube at hand
  std::array<std::uint32_t, 64> points_{};  // its points, by the corners inside and outside
};

}  // namespace

void find_sides(std::span<const float> numbers, float isovalue, std::span<std::uint8_t> sides) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float number = numbers[i];
    sides[i] = number >= isovalue ? above : number < isovalue ? below : none;
  }
}

void add_triangles(const Layer& layer, int from, int to, SurfaceMesh& mesh) {
  Cubes cubes(layer, mesh);
  std::vector<std::uint8_t> active;
  for (int y = from; y < to; ++y) cubes.add_row(y, active);
}

}  // namespace lbm::cases
