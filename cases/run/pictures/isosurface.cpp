// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/isosurface.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace lbm::cases {
namespace {

constexpr std::uint8_t above = 1, below = 2, none = 4;

// Corners of a cube are numbered by their bits: 1 for x, 2 for y, 4 for z. Each tetrahedron goes
// from corner 0 to corner 7 along the three axes, in another order.
constexpr std::array<std::array<int, 4>, 6> tetrahedra{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

class Cubes {
 public:
  Cubes(const Layer& layer, std::vector<Triangle>& triangles)
      : layer_(layer), triangles_(triangles), nx_(static_cast<std::size_t>(layer.nx)) {}

  // Of the cubes of row y. `active` is scratch memory.
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
  };

  void add_cube(int x, int y) {
    std::array<Corner, 8> corners;
    for (int bits = 0; bits < 8; ++bits) {
      Corner& corner = corners[static_cast<std::size_t>(bits)];
      corner.x = x + (bits & 1);
      corner.y = y + (bits >> 1 & 1);
      corner.up = bits >> 2;
      corner.index = static_cast<std::size_t>(corner.y) * nx_ + static_cast<std::size_t>(corner.x);
      corner.number = plane(corner.up).numbers[corner.index];
    }
    for (const auto& tetrahedron : tetrahedra) {
      std::array<const Corner*, 4> inside{}, outside{};
      std::size_t insides = 0, outsides = 0;
      for (const int i : tetrahedron) {
        const Corner& corner = corners[static_cast<std::size_t>(i)];
        if (corner.number >= layer_.isovalue) {
          inside[insides++] = &corner;
        } else {
          outside[outsides++] = &corner;
        }
      }
      cut(inside, insides, outside);
    }
  }

  // A tetrahedron with so many corners inside.
  void cut(const std::array<const Corner*, 4>& in, std::size_t insides,
           const std::array<const Corner*, 4>& out) {
    if (insides == 1) {
      add(between(*in[0], *out[0]), between(*in[0], *out[1]), between(*in[0], *out[2]));
    } else if (insides == 3) {
      add(between(*in[0], *out[0]), between(*in[1], *out[0]), between(*in[2], *out[0]));
    } else if (insides == 2) {
      const SurfacePoint a = between(*in[0], *out[0]), b = between(*in[0], *out[1]);
      const SurfacePoint c = between(*in[1], *out[1]), d = between(*in[1], *out[0]);
      add(a, b, c);
      add(a, c, d);
    }
  }

  void add(const SurfacePoint& a, const SurfacePoint& b, const SurfacePoint& c) {
    triangles_.push_back({a, b, c});
  }

  // Always from the corner inside: tetrahedra that share an edge get the same bits.
  SurfacePoint between(const Corner& in, const Corner& out) const {
    const float part = (layer_.isovalue - in.number) / (out.number - in.number);
    const auto mix = [part](float a, float b) { return a + part * (b - a); };
    const auto from = gradient(in), to = gradient(out);
    SurfacePoint point;
    point.at = {mix(centre(in.x), centre(out.x)), mix(centre(in.y), centre(out.y)),
                mix(centre(layer_.z + in.up), centre(layer_.z + out.up))};
    for (std::size_t a = 0; a < 3; ++a) point.normal[a] = mix(from[a], to[a]);
    if (!plane(0).colours.empty()) {
      point.colour = mix(plane(in.up).colours[in.index], plane(out.up).colours[out.index]);
    }
    return point;
  }

  static float centre(int cell) { return static_cast<float>(cell) + 0.5F; }

  const NumberPlane& plane(int up) const { return layer_.planes[static_cast<std::size_t>(1 + up)]; }

  // Not a number beyond the box.
  float number_at(int x, int y, int up) const {
    if (x < 0 || x >= layer_.nx || y < 0 || y >= layer_.ny) return std::nanf("");
    const auto& numbers = plane(up).numbers;
    if (numbers.empty()) return std::nanf("");
    return numbers[static_cast<std::size_t>(y) * nx_ + static_cast<std::size_t>(x)];
  }

  // Central differences; one-sided beside solid cells and at the border.
  std::array<float, 3> gradient(const Corner& at) const {
    const auto slope = [&](float before, float after) {
      const bool has_before = !std::isnan(before), has_after = !std::isnan(after);
      if (has_before && has_after) return 0.5F * (after - before);
      if (has_after) return after - at.number;
      return has_before ? at.number - before : 0.0F;
    };
    return {slope(number_at(at.x - 1, at.y, at.up), number_at(at.x + 1, at.y, at.up)),
            slope(number_at(at.x, at.y - 1, at.up), number_at(at.x, at.y + 1, at.up)),
            slope(number_at(at.x, at.y, at.up - 1), number_at(at.x, at.y, at.up + 1))};
  }

  const Layer& layer_;
  std::vector<Triangle>& triangles_;
  std::size_t nx_;
};

}  // namespace

void find_sides(std::span<const float> numbers, float isovalue, std::span<std::uint8_t> sides) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float number = numbers[i];
    sides[i] = number >= isovalue ? above : number < isovalue ? below : none;
  }
}

void add_triangles(const Layer& layer, int from, int to, std::vector<Triangle>& triangles) {
  Cubes cubes(layer, triangles);
  std::vector<std::uint8_t> active;
  for (int y = from; y < to; ++y) cubes.add_row(y, active);
}

}  // namespace lbm::cases
