// SPDX-License-Identifier: Apache-2.0

// Shapes and surfaces for the tests of bodies.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "cases/geometry/mesh.hpp"
#include "cases/geometry/mesh_shape.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"

namespace lbm::geometry {

// Corners of a triangle.
using Facet = std::array<std::array<float, 3>, 3>;

// A mesh whose triangles share no vertices.
inline Mesh mesh_of_facets(const std::vector<Facet>& facets) {
  Mesh mesh;
  for (const Facet& facet : facets) {
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const auto& p : facet) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

inline PreparedMesh prepare_mesh(const std::vector<Facet>& facets, const std::string& name,
                                 const PrepareOptions& options = {}) {
  return prepare_mesh(mesh_of_facets(facets), name, options);
}

}  // namespace lbm::geometry

namespace lbm::geometry::testing {

// Bodies within or across [0, 24]^3: every kind, some with faces on cell centres.
inline std::vector<std::pair<std::string, ShapePtr>> some_shapes() {
  const ShapePtr sphere = make_sphere({12.5, 12.5, 12.5}, 7);
  const ShapePtr box = make_box({10, 12, 11}, {9, 12, 6});
  const ShapePtr tube = make_cylinder({4, 12, 12}, {20, 13, 15}, 3.3);
  const Affine moved = translation({12, 11, 13}) * rotation({1, 2, 3}, 33) *
                       rotation({0, 0, 1}, 90) * scaling({1.5, 0.7, 1});
  return {
      {"sphere", sphere},
      {"box", box},
      {"ellipsoid", make_ellipsoid({12, 11.5, 12.5}, {15, 9, 12})},
      {"tube", tube},
      {"pipe along x", make_cylinder({3.5, 12.5, 12.5}, {20.5, 12.5, 12.5}, 5)},
      {"pipe along z", make_cylinder({12.5, 12.5, 3.5}, {12.5, 12.5, 20.5}, 5)},
      {"capsule", make_capsule({6, 7, 8}, {15, 16, 14}, 4.25)},
      {"capsule along y", make_capsule({11.5, 7.5, 8.5}, {11.5, 16.5, 8.5}, 4)},
      {"elliptic tube", make_elliptic_cylinder({4, 12, 12}, {20, 13, 15}, {5, 2.3}, {0, 1, 1})},
      {"elliptic pipe along z",
       make_elliptic_cylinder({12.5, 12.5, 3.5}, {12.5, 12.5, 20.5}, {7, 4}, {0, 1, 0})},
      {"torus along z", make_torus({12.5, 12.5, 12}, {0, 0, 1}, 6, 2.5)},
      {"torus along x", make_torus({12.5, 12, 12.5}, {2, 0, 0}, 5.2, 3.5)},
      {"tilted torus", make_torus({11, 12, 13}, {1, -2, 3}, 6.5, 2.7)},
      {"corner along x",
       make_prism({{4, 3}, {20, 3}, {20, 9}, {11, 9}, {11, 21}, {4, 21}}, 0, 5, 18)},
      {"corner along y",
       make_prism({{4.5, 3.5}, {20.5, 3.5}, {20.5, 9}, {11, 9}, {11, 20.5}, {4.5, 20.5}}, 1, 5.5,
                  18)},
      {"endless blade",
       transformed(make_prism({{-9, 0}, {-7, 1.5}, {-2, 3}, {9, 0}, {-4, 0.5}, {-7, -1}}, 2,
                              -Box::infinity, Box::infinity),
                   translation({12, 12.5, 0}) * rotation({0, 0, 1}, 25))},
      {"turned blade",
       transformed(make_prism({{-9, 0}, {-7, 1.5}, {-2, 3}, {9, 0}, {-4, 0.5}, {-7, -1}}, 2, -7, 8),
                   translation({12, 11.5, 12}) * rotation({1, 0.2, 0.5}, 50))},
      {"floor", make_half_space({0, 0, 6.5}, {0, 0, 1})},
      {"slope", make_half_space({3, 4, 9}, {0.3, -0.2, 1})},
      {"moved box", transformed(make_box({0, 0, 0}, {8, 9, 10}), moved)},
      {"moved twice",
       transformed(transformed(make_capsule({0, 0, -3}, {0, 0, 3}, 3), scaling({1, 2, 1})),
                   translation({12, 12, 12}))},
      {"union", make_union({box, tube, make_sphere({18, 5, 6}, 3)})},
      {"intersection", make_intersection({sphere, box})},
      {"difference", make_difference(sphere, {tube, box})},
      {"nested", make_difference(make_union({make_intersection({sphere, box}), tube}),
                                 {make_box({12, 12, 12}, {2, 30, 2})})},
  };
}

using Surface = std::function<Vec(double u, double v)>;

inline std::array<float, 3> rounded(const Vec& p) {
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

// Two triangles for each of nu * nv patches of a closed surface over [0, 1]^2; neighbours have the
// same corners bit for bit.
inline std::vector<Facet> tessellated(int nu, int nv, bool closed_v, const Surface& surface) {
  const auto corner = [&](int i, int j) {
    return rounded(surface(double(i % nu) / nu, double(closed_v ? j % nv : j) / nv));
  };
  std::vector<Facet> facets;
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const auto a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                 d = corner(i, j + 1);
      if (a != b) facets.push_back({a, b, c});
      if (c != d) facets.push_back({a, c, d});
    }
  return facets;
}

// From the south pole upwards; each pole is a single point.
inline std::vector<Facet> sphere_facets(const Vec& centre, double radius, int n, double bumps = 0) {
  return tessellated(2 * n, n, false, [=](double u, double v) {
    if (v == 0 || v == 1) return centre + Vec{0, 0, v == 0 ? -radius : radius};
    const double phi = 2 * std::numbers::pi * u, theta = std::numbers::pi * (v - 0.5);
    const double r = radius * (1 + bumps * std::sin(7 * phi) * std::pow(std::cos(theta), 4));
    return centre + r * Vec{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi),
                            std::sin(theta)};
  });
}

inline std::vector<Facet> torus_facets(const Vec& centre, double radius, double tube, int n) {
  return tessellated(2 * n, n, true, [=](double u, double v) {
    const double phi = 2 * std::numbers::pi * u, theta = 2 * std::numbers::pi * v;
    const double r = radius + tube * std::cos(theta);
    return centre + Vec{r * std::cos(phi), r * std::sin(phi), tube * std::sin(theta)};
  });
}

inline std::vector<Facet> box_facets(const Vec& low, const Vec& high) {
  std::vector<Facet> facets;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool top : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto corner = [&](bool at_u, bool at_v) {
        Vec p;
        p[axis] = top ? high[axis] : low[axis];
        p[u] = at_u ? high[u] : low[u];
        p[v] = at_v ? high[v] : low[v];
        return rounded(p);
      };
      const auto a = corner(false, false), b = corner(true, false), c = corner(true, true),
                 d = corner(false, true);
      facets.push_back(top ? Facet{a, b, c} : Facet{a, c, b});
      facets.push_back(top ? Facet{a, c, d} : Facet{a, d, c});
    }
  return facets;
}

inline Mesh weld(const std::vector<Facet>& facets) {
  return geometry::weld(mesh_of_facets(facets));
}

inline Facet turned(const Facet& f) { return {f[0], f[2], f[1]}; }

inline std::shared_ptr<const MeshShape> mesh_of(const std::vector<Facet>& facets) {
  return std::make_shared<MeshShape>(prepare_mesh(facets, "test.stl").mesh);
}

}  // namespace lbm::geometry::testing
