// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/field_maker.hpp"

#include <algorithm>
#include <cmath>

#include "solver/core/in_parts.hpp"

namespace lbm::fields {
namespace {

// Walls nearer than this share of a link are treated as lying in the cell: a parabola would magnify
// rounding.
constexpr double least_share = 0.05;

// Derivative at 0, where a function is v, of the parabola through its values low at -l and high at
// h, or of a line if one of them is missing (l, h: 0).
double slope_of(double v, double low, double l, double high, double h) {
  if (l > 0 && h > 0) return (h / l * (v - low) + l / h * (high - v)) / (l + h);
  if (l > 0) return (v - low) / l;
  return h > 0 ? (high - v) / h : 0;
}

// Calls derive(gradient, result) for each cell of a row.
template <class Derive>
void of_gradients(std::span<const float> gradient, int components, std::span<float> row,
                  const Derive& derive) {
  float* result = row.data();
  for (std::size_t at = 0; at < gradient.size(); at += 9, result += components) {
    derive(gradient.data() + at, result);
  }
}

void vorticity_of(const float* g, float* w) {
  w[0] = g[7] - g[5];
  w[1] = g[2] - g[6];
  w[2] = g[3] - g[1];
}

// Equals -(du_i/dx_j du_j/dx_i) / 2.
void q_criterion_of(const float* g, float* q) {
  *q = -0.5F * (g[0] * g[0] + g[4] * g[4] + g[8] * g[8]) - g[1] * g[3] - g[2] * g[6] - g[5] * g[7];
}

void strain_rate_of(const float* g, float* s) {
  s[0] = g[0];
  s[1] = g[4];
  s[2] = g[8];
  s[3] = 0.5F * (g[1] + g[3]);
  s[4] = 0.5F * (g[5] + g[7]);
  s[5] = 0.5F * (g[2] + g[6]);
}

}  // namespace

void magnitude(std::span<const float> vectors, std::span<float> result) {
  for (std::size_t c = 0; c < result.size(); ++c) {
    const float* v = vectors.data() + 3 * c;
    result[c] = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
}

Gradients::LoadedCell Gradients::near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy,
                                      int dz) const {
  const FieldPlane* plane = dz == 0 ? planes.here : (dz < 0 ? planes.below : planes.above);
  const int nx = box_.loaded.count[0], ny = box_.loaded.count[1];
  const auto i = static_cast<int>(cell % nx) + dx, j = static_cast<int>(cell / nx) + dy;
  if (i < 0 || i >= nx || j < 0 || j >= ny) return {};
  return {plane, static_cast<std::int64_t>(j) * nx + i};
}

const float* Gradients::velocity_near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy,
                                      int dz) const {
  const LoadedCell at = near(planes, cell, dx, dy, dz);
  return at.plane == nullptr ? nullptr : (*at.plane)[Macro::velocity].data() + 3 * at.cell;
}

bool Gradients::inside(int n, std::size_t axis) const {
  return grid_.periodic[axis] || (n > 0 && n < grid_.cells[axis] - 1);
}

bool Gradients::is_open(const PlaneTriple& planes, const WallsAround& walls, int y) const {
  return planes.below != nullptr && planes.above != nullptr && walls.is_open(planes.z) &&
         inside(y, 1);
}

bool Gradients::is_fluid(const WallsAround& walls, const std::array<int, 3>& at, int dx, int dy,
                         int dz) const {
  std::array<int, 3> n{at[0] + dx, at[1] + dy, at[2] + dz};
  for (std::size_t a = 0; a < 3; ++a) n[a] = (n[a] + grid_.cells[a]) % grid_.cells[a];
  return !walls.is_solid(n[0], n[1], n[2]);
}

Gradients::Side Gradients::side(const PlaneTriple& planes, const WallsAround& walls,
                                std::int64_t cell, const std::array<int, 3>& at, int axis,
                                bool upper) const {
  const auto a = static_cast<std::size_t>(axis);
  const int d = upper ? 1 : -1;
  const bool outside = !grid_.periodic[a] && (upper ? at[a] == grid_.cells[a] - 1 : at[a] == 0);
  if (outside) {
    const FaceVelocity& face = walls.face(axis, upper);
    return face.velocity ? Side{0.5, *face.velocity} : Side{};
  }
  const int dx = axis == 0 ? d : 0, dy = axis == 1 ? d : 0, dz = axis == 2 ? d : 0;
  if (!is_fluid(walls, at, dx, dy, dz)) {
    const WallPoint wall = walls.body_wall(at[0], at[1], at[2], (upper ? 2 : 1) + 2 * axis);
    return {std::max(wall.share, least_share), wall.velocity};
  }
  const float* v = velocity_near(planes, cell, dx, dy, dz);
  if (v == nullptr) return {};
  return {1, {double{v[0]}, double{v[1]}, double{v[2]}}};
}

void Gradients::cell_gradient(const PlaneTriple& planes, const WallsAround& walls,
                              std::int64_t cell, const std::array<int, 3>& at, float* g) const {
  const float* own = (*planes.here)[Macro::velocity].data() + 3 * cell;
  for (int axis = 0; axis < 3; ++axis) {
    const Side low = side(planes, walls, cell, at, axis, false);
    const Side high = side(planes, walls, cell, at, axis, true);
    for (std::size_t i = 0; i < 3; ++i) {
      const double slope =
          slope_of(double{own[i]}, low.velocity[i], low.distance, high.velocity[i], high.distance);
      g[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(slope);
    }
  }
}

void Gradients::compute(const PlaneTriple& planes, const WallsAround& walls, int j,
                        std::span<float> gradient) const {
  const std::int64_t row = box_.loaded.count[0];
  const int y = box_.y(j, grid_.cells[1]);
  const bool open = is_open(planes, walls, y);
  float* g = gradient.data();
  for (int i = 0; i < box_.wanted.count[0]; ++i, g += 9) {
    const int x = box_.x(i, grid_.cells[0]);
    const std::int64_t cell = box_.loaded_cell(i, j);
    if (open && inside(x, 0)) {
      const float* v = (*planes.here)[Macro::velocity].data() + 3 * cell;
      const float *b = (*planes.below)[Macro::velocity].data() + 3 * cell,
                  *a = (*planes.above)[Macro::velocity].data() + 3 * cell;
      for (int c = 0; c < 3; ++c) {
        g[3 * c] = 0.5F * (v[c + 3] - v[c - 3]);
        g[3 * c + 1] = 0.5F * (v[c + 3 * row] - v[c - 3 * row]);
        g[3 * c + 2] = 0.5F * (a[c] - b[c]);
      }
    } else if (!walls.is_solid(x, y, planes.z)) {
      cell_gradient(planes, walls, cell, {x, y, planes.z}, g);
    } else {
      std::fill_n(g, 9, 0.0F);
    }
  }
}

void Gradients::of_scalar(const PlaneTriple& planes, int scalar, const ScalarSpec& spec, int j,
                          std::span<float> gradient) const {
  float* g = gradient.data();
  for (int i = 0; i < box_.wanted.count[0]; ++i) {
    const std::array<int, 3> at{box_.x(i, grid_.cells[0]), box_.y(j, grid_.cells[1]), planes.z};
    const std::int64_t cell = box_.loaded_cell(i, j);
    const auto value_at = [&](const LoadedCell& from) {
      return double{from.plane->scalar(scalar)[static_cast<std::size_t>(from.cell)]};
    };
    const double own = value_at({planes.here, cell});
    for (std::size_t a = 0; a < 3; ++a, ++g) {
      std::array<double, 2> value{own, own}, distance{1, 1};  // below and above, along the axis
      for (std::size_t side = 0; side < 2; ++side) {
        if (!grid_.periodic[a] && at[a] == (side == 0 ? 0 : grid_.cells[a] - 1)) {
          const ScalarFace& face = spec.faces[2 * a + side];
          if (face.kind == ScalarBoundary::value) {
            value[side] = face.value;
            distance[side] = 0.5;
          } else if (face.kind == ScalarBoundary::flux || face.kind == ScalarBoundary::convection) {
            distance[side] = 0;
          }  // else the scalar is the same on both sides
          continue;
        }
        std::array<int, 3> d{};
        d[a] = side == 0 ? -1 : 1;
        value[side] = value_at(near(planes, cell, d[0], d[1], d[2]));
      }
      *g = static_cast<float>(slope_of(own, value[0], distance[0], value[1], distance[1]));
    }
  }
}

Vector Gradients::shear_at(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                           const std::array<int, 3>& at,
                           const std::vector<WallPoint>& points) const {
  const Vector n = walls.normal(at[0], at[1], at[2], points);
  const float* own = (*planes.here)[Macro::velocity].data() + 3 * cell;
  Vector slope{};
  double weights = 0;
  for (const WallPoint& point : points) {
    const Vector c = component_of(point.q);
    const double length = std::sqrt(dot(c, c)), cosine = dot(n, c) / length;
    const int dx = cx(point.q), dy = cy(point.q), dz = cz(point.q);
    const float* next =
        is_fluid(walls, at, dx, dy, dz) ? velocity_near(planes, cell, dx, dy, dz) : nullptr;
    const double s = point.share * length, t = s + length;
    // Rotation with the body is no shear. It changes the velocity along a link by this much.
    const Vector turn = cross(point.angular_velocity, c);
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = double{own[i]} - point.velocity[i] - point.share * turn[i];
      double derivative = v / std::max(s, least_share);
      if (next != nullptr) {
        const double w = double{next[i]} - point.velocity[i] - (point.share + 1) * turn[i];
        derivative = point.share < least_share ? w / t : (v * t / s - w * s / t) / (t - s);
      }
      slope[i] += cosine * derivative;
    }
    weights += cosine * cosine;
  }
  for (double& v : slope) v = weights > 0 ? v / weights : 0;
  const double along = dot(slope, n);
  for (std::size_t i = 0; i < 3; ++i) slope[i] -= along * n[i];
  return slope;
}

void Gradients::wall_shear_stress(const PlaneTriple& planes, const WallsAround& walls,
                                  double viscosity, int j, std::span<float> stress) const {
  std::fill(stress.begin(), stress.end(), 0.0F);
  const int y = box_.y(j, grid_.cells[1]);
  const bool open = is_open(planes, walls, y);
  for (int i = 0; i < box_.wanted.count[0]; ++i) {
    const int x = box_.x(i, grid_.cells[0]);
    if ((open && inside(x, 0)) || walls.is_solid(x, y, planes.z)) continue;
    const auto points = walls.wall_points(x, y, planes.z);
    if (points.empty()) continue;
    const std::int64_t cell = box_.loaded_cell(i, j);
    const Vector slope = shear_at(planes, walls, cell, {x, y, planes.z}, points);
    const double factor =
        viscosity * (1 + double{(*planes.here)[Macro::density][static_cast<std::size_t>(cell)]});
    for (std::size_t a = 0; a < 3; ++a) {
      stress[3 * static_cast<std::size_t>(i) + a] = static_cast<float>(factor * slope[a]);
    }
  }
}

double Scales::of(Kind kind) const {
  if (const auto scalar = scalar_of(kind)) return scalars.at(*scalar).difference;
  const double rate = velocity / length;
  // In the order of Dimension.
  return std::array{1.0, velocity, density, pressure, rate, rate * rate}.at(
      static_cast<std::size_t>(facts_of(kind).dimension));
}

double Scales::added_to(Kind kind) const {
  const auto scalar = scalar_of(kind);
  return scalar ? scalars.at(*scalar).reference : 0;
}

FieldMaker::FieldMaker(const GridShape& grid, const HaloBox& box, std::vector<Kind> kinds,
                       const Scales& scales, double viscosity, int threads)
    : grid_(grid),
      box_(box),
      kinds_(std::move(kinds)),
      scales_(scales),
      viscosity_(viscosity),
      gradients_(grid, box),
      threads_(threads),
      arrays_(kinds_.size()),
      made_(kinds_.size()) {}

void FieldMaker::pick(std::span<const float> loaded, int components, int j,
                      std::span<float> row) const {
  const float* from = loaded.data() + box_.loaded_cell(0, j) * components;
  if (box_.step == 1) {
    std::copy_n(from, row.size(), row.data());
    return;
  }
  const auto step = std::ptrdiff_t{box_.step} * components;
  for (std::size_t to = 0; to < row.size(); to += components, from += step) {
    std::copy_n(from, components, row.data() + to);
  }
}

void FieldMaker::make_row(Kind kind, const PlaneTriple& planes, const WallsAround& walls, int j,
                          std::span<const float> gradient, std::span<float> row) const {
  const KindFacts& facts = facts_of(kind);
  if (facts.source) pick((*planes.here)[*facts.source], facts.components, j, row);
  if (const auto scalar = scalar_of(kind)) {
    pick(planes.here->scalar(static_cast<int>(*scalar)), 1, j, row);
  }
  if (facts.added != 0) {
    for (float& value : row) value += static_cast<float>(facts.added);
  }
  if (facts.divisor != 1) {
    for (float& value : row) value /= static_cast<float>(facts.divisor);
  }
  switch (kind) {
    case Kind::vorticity:
      of_gradients(gradient, 3, row, vorticity_of);
      break;
    case Kind::q_criterion:
      of_gradients(gradient, 1, row, q_criterion_of);
      break;
    case Kind::strain_rate:
      of_gradients(gradient, 6, row, strain_rate_of);
      break;
    case Kind::wall_shear_stress:
      gradients_.wall_shear_stress(planes, walls, viscosity_, j, row);
      break;
    case Kind::solid_fraction:
    case Kind::solid:
      for (int i = 0; i < box_.wanted.count[0]; ++i) {
        const int x = box_.x(i, grid_.cells[0]), y = box_.y(j, grid_.cells[1]);
        const float share = walls.solid_fraction(x, y, planes.z);
        const bool is_solid = share >= 0.5F;
        row[static_cast<std::size_t>(i)] =
            kind == Kind::solid_fraction ? share : static_cast<float>(is_solid);
      }
      break;
    default:
      break;
  }
  const auto scale = static_cast<float>(scales_.of(kind));
  const auto added = static_cast<float>(scales_.added_to(kind));
  if (scale != 1) {
    for (float& value : row) value *= scale;
  }
  if (added != 0) {
    for (float& value : row) value += added;
  }
}

std::span<const std::span<const float>> FieldMaker::make(const PlaneTriple& planes,
                                                         const WallsAround& walls) {
  const bool gradients = std::any_of(kinds_.begin(), kinds_.end(), needs_gradient);
  const auto nx = static_cast<std::size_t>(box_.wanted.count[0]);
  const auto row_of = [&](std::size_t k) {
    return nx * static_cast<std::size_t>(components_of(kinds_[k]));
  };
  const int rows = box_.wanted.count[1];
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    arrays_[k].resize(row_of(k) * static_cast<std::size_t>(rows));
    made_[k] = arrays_[k];
  }
  in_parts(threads_, rows, [&](int first, int last) {
    // Row by row, so that gradients stay in the cache.
    std::vector<float> gradient(gradients ? 9 * nx : 0);
    for (int j = first; j < last; ++j) {
      if (gradients) gradients_.compute(planes, walls, j, gradient);
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const std::span<float> array = arrays_[k];
        make_row(kinds_[k], planes, walls, j, gradient,
                 array.subspan(row_of(k) * static_cast<std::size_t>(j), row_of(k)));
      }
    }
  });
  return made_;
}

}  // namespace lbm::fields
