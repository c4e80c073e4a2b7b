// SPDX-License-Identifier: Apache-2.0

// Derived fields of flows given by formulas, computed plane by plane as for an output.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "cases/fields/field_maker.hpp"

namespace lbm::fields::test {

inline constexpr int nx = 9, ny = 7, nz = 8;

// Velocity at a cell centre.
using Flow = std::function<Vector(double x, double y, double z)>;

struct Setting {
  GridShape grid{{nx, ny, nz}, {false, false, false}};
  std::array<FaceVelocity, 6> faces{};
  Boundaries boundaries;
  double density_slope = 0;  // density is 1 + this * (x + 2 y + 3 z)
};

// Values of one kind in the wanted cells, by plane; planes arrive in the given order.
inline std::vector<std::vector<float>> fields_of(const Setting& s, const tiling::FieldBox& wanted,
                                                 Kind kind, const Flow& flow,
                                                 const std::vector<int>& order,
                                                 double viscosity = 1) {
  const HaloBox box = with_halo(s.grid, wanted, needs_gradient(kind));
  const WallsAround walls(s.grid, s.boundaries, s.faces);
  FieldMaker maker(s.grid, box, {kind}, {}, viscosity);
  PlaneWindow window(s.grid, box);
  const auto& n = s.grid.cells;
  std::vector<std::vector<float>> result(static_cast<std::size_t>(n[2]));
  for (const int z : order) {
    if (!box.loaded.has_plane(z, n[2])) continue;
    std::vector<float> drho, velocity;  // joined below
    for (int j = 0; j < box.loaded.count[1]; ++j) {
      for (int i = 0; i < box.loaded.count[0]; ++i) {
        const int x = (box.loaded.begin[0] + i * box.loaded.stride) % n[0];
        const int y = (box.loaded.begin[1] + j * box.loaded.stride) % n[1];
        const bool solid = walls.is_solid(x, y, z);
        const Vector u = solid ? Vector{} : flow(x + 0.5, y + 0.5, z + 0.5);
        drho.push_back(static_cast<float>(s.density_slope * (x + 2 * y + 3 * z)));
        for (const double v : u) velocity.push_back(static_cast<float>(v));
      }
    }
    velocity.insert(velocity.end(), drho.begin(), drho.end());
    window.add(z, {velocity}, [&](const PlaneTriple& planes) {
      auto& plane = result[static_cast<std::size_t>(planes.z)];
      EXPECT_TRUE(plane.empty()) << "twice: " << planes.z;
      const auto made = maker.make(planes, walls)[0];
      plane.assign(made.begin(), made.end());
    });
  }
  EXPECT_EQ(window.held(), 0U) << "planes left in the window";
  return result;
}

inline std::vector<int> ascending(int n = nz) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline tiling::FieldBox whole(const GridShape& grid) { return {{}, grid.cells}; }

// Solid below a height.
class Floor final : public SolidGeometry {
 public:
  explicit Floor(double height) : height_(height) {}
  void plane(int z, std::span<std::uint16_t> body) const override {
    std::fill(body.begin(), body.end(), static_cast<std::uint16_t>(z + 0.5 < height_ ? 1 : 0));
  }
  double wall_distance(int, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override {
    return (fluid[2] - height_) / (fluid[2] - solid[2]);
  }
  std::array<int, 2> plane_range() const override { return {0, 1 << 20}; }

 private:
  double height_;
};

// One ball for each body, repeated across the faces of a periodic box.
class Balls final : public SolidGeometry {
 public:
  struct Ball {
    Vector center;
    double radius;
  };
  Balls(const std::array<int, 3>& cells, std::vector<Ball> balls)
      : cells_(cells), balls_(std::move(balls)) {}
  // Shortest vector from the centre of a ball to a place.
  Vector from_center(int ball, const Vector& place) const {
    Vector d{};
    for (std::size_t a = 0; a < 3; ++a) {
      d[a] = std::remainder(place[a] - balls_[static_cast<std::size_t>(ball)].center[a],
                            double{1} * cells_[a]);
    }
    return d;
  }
  void plane(int z, std::span<std::uint16_t> body) const override {
    for (int y = 0; y < cells_[1]; ++y) {
      for (int x = 0; x < cells_[0]; ++x) {
        std::uint16_t& own =
            body[static_cast<std::size_t>(y) * static_cast<std::size_t>(cells_[0]) +
                 static_cast<std::size_t>(x)];
        own = 0;
        for (std::size_t b = 0; b < balls_.size(); ++b) {
          const Vector d = from_center(static_cast<int>(b), {x + 0.5, y + 0.5, z + 0.5});
          if (dot(d, d) < balls_[b].radius * balls_[b].radius) {
            own = static_cast<std::uint16_t>(b + 1);
          }
        }
      }
    }
  }
  // The smaller root of |d + s step| = radius.
  double wall_distance(int body, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override {
    const Vector d = from_center(body, fluid);
    const Vector step{solid[0] - fluid[0], solid[1] - fluid[1], solid[2] - fluid[2]};
    const double radius = balls_[static_cast<std::size_t>(body)].radius;
    const double a = dot(step, step), b = dot(d, step), c = dot(d, d) - radius * radius;
    return (-b - std::sqrt(b * b - a * c)) / a;
  }
  std::array<int, 2> plane_range() const override { return {0, cells_[2]}; }

 private:
  std::array<int, 3> cells_;
  std::vector<Ball> balls_;
};

// Boundaries of a box with periodic faces or plain walls.
inline Boundaries boundaries_of(const GridShape& grid, const SolidGeometry& solids,
                                const std::vector<BodySpec>& bodies) {
  FaceBoundaries faces;
  for (std::size_t f = 0; f < 6; ++f) {
    if (grid.periodic[f / 2]) faces[f].condition.kind = BoundaryKind::periodic;
  }
  return {grid.cells[0], grid.cells[1], grid.cells[2], faces, &solids, bodies};
}

}  // namespace lbm::fields::test
