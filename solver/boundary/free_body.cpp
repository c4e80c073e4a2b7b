// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/free_body.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {
namespace {

Vector3 product(const Matrix3& m, const Vector3& v) {
  Vector3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i] += m[i][j] * v[j];
  }
  return result;
}

Matrix3 transposed(const Matrix3& m) {
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = m[j][i];
  }
  return result;
}

// m: symmetric.
Matrix3 inverse(const Matrix3& m) {
  const Matrix3 minors{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  double determinant = 0;
  for (std::size_t i = 0; i < 3; ++i) determinant += m[0][i] * minors[0][i];
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = minors[i][j] / determinant;
  }
  return result;
}

Matrix3 matrix_of(const std::array<double, 4>& q) {
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// q after a further rotation by a vector in the box, whose length is the angle.
std::array<double, 4> turned(const std::array<double, 4>& q, const Vector3& by) {
  const double angle = std::hypot(by[0], by[1], by[2]);
  const double share = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  const double w = std::cos(angle / 2);
  const Vector3 v{share * by[0], share * by[1], share * by[2]}, u{q[1], q[2], q[3]};
  const Vector3 across = cross(v, u);
  std::array<double, 4> result{w * q[0] - (v[0] * u[0] + v[1] * u[1] + v[2] * u[2])};
  double square = result[0] * result[0];
  for (std::size_t i = 0; i < 3; ++i) {
    result[i + 1] = w * u[i] + q[0] * v[i] + across[i];
    square += result[i + 1] * result[i + 1];
  }
  for (double& part : result) part /= std::sqrt(square);
  return result;
}

}  // namespace

DisplacedFluid displaced_fluid(const SolidFraction& fraction, const std::array<int, 3>& cells) {
  DisplacedFluid made;
  double unit = 1.0 / 255;
  for (std::size_t a = 0; a < 3; ++a) {
    const bool endless = fraction.samples[a] == 1;
    unit *= endless ? cells[a] : fraction.spacing;
    if (endless) made.endless_axis = static_cast<int>(a);
  }
  const auto for_each_sample = [&](const auto& visit) {
    std::size_t i = 0;
    for (int z = 0; z < fraction.samples[2]; ++z) {
      for (int y = 0; y < fraction.samples[1]; ++y) {
        for (int x = 0; x < fraction.samples[0]; ++x, ++i) {
          if (fraction.values[i] == 0) continue;
          visit(unit * fraction.values[i], Vector3{fraction.first[0] + fraction.spacing * x,
                                                   fraction.first[1] + fraction.spacing * y,
                                                   fraction.first[2] + fraction.spacing * z});
        }
      }
    }
  };
  for_each_sample([&](double mass, const Vector3& at) {
    made.mass += mass;
    for (std::size_t a = 0; a < 3; ++a) made.centroid[a] += mass * at[a];
  });
  for (double& place : made.centroid) place /= made.mass;
  for_each_sample([&](double mass, const Vector3& at) {
    Vector3 arm{};
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      arm[a] = at[a] - made.centroid[a];
      square += arm[a] * arm[a];
    }
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        made.inertia[a][b] += mass * ((a == b ? square : 0) - arm[a] * arm[b]);
      }
    }
  });
  for (std::size_t a = 0; a < 3; ++a) made.inertia[a][a] -= made.mass / 6;
  return made;
}

FreeBody::FreeBody(const DisplacedFluid& displaced, const FreeBodyMotion& motion,
                   std::vector<Vector3> surface)
    : displaced_(displaced), motion_(motion), surface_(std::move(surface)) {
  if (motion.rotates) {
    const int axis = displaced.endless_axis;
    if (axis < 0) {
      inverse_inertia_ = inverse(displaced.inertia);
    } else {  // about that axis alone
      const auto a = static_cast<std::size_t>(axis);
      inverse_inertia_[a][a] = 1 / displaced.inertia[a][a];
    }
    for (Vector3& row : inverse_inertia_) {
      for (double& value : row) value /= motion.density_ratio;
    }
  }
  state_.center = displaced.centroid;
  advance({}, {});
}

BodyPlace FreeBody::place() const {
  return {matrix_of(state_.rotation), state_.center, state_.velocity, state_.angular_velocity};
}

void FreeBody::advance(const Vector3& force, const Vector3& torque) {
  State& s = state_;
  const auto step = static_cast<double>(s.step++);
  stopped_ = 0;
  if (step < motion_.release) return;
  if (step < motion_.release + 1) {
    s.velocity = motion_.velocity;
    s.angular_velocity = motion_.angular_velocity;
  }
  const Matrix3 rotation = matrix_of(s.rotation), to_frame = transposed(rotation);
  // Euler's equation in the frame; the part of the fluid inside is added to the torque.
  const Vector3 spin = product(to_frame, s.angular_velocity);
  Vector3 rest = product(displaced_.inertia, spin);
  for (double& value : rest) value *= motion_.density_ratio - 1;
  const Vector3 gyroscopic = cross(spin, rest);
  Vector3 moment = product(to_frame, torque);
  const Vector3 inside = product(displaced_.inertia, s.angular_acceleration);
  for (std::size_t a = 0; a < 3; ++a) moment[a] += inside[a] - gyroscopic[a];
  s.angular_acceleration = product(inverse_inertia_, moment);
  const Vector3 change = product(rotation, s.angular_acceleration);
  const double mass = motion_.density_ratio * displaced_.mass;
  Vector3 turn{};
  for (std::size_t a = 0; a < 3; ++a) {
    const bool endless = static_cast<int>(a) == displaced_.endless_axis;
    const double weight = (mass - displaced_.mass) * motion_.gravity[a];
    s.acceleration[a] =
        endless ? 0 : (force[a] + displaced_.mass * s.acceleration[a] + weight) / mass;
    s.center[a] += s.velocity[a] + 0.5 * s.acceleration[a];
    s.velocity[a] += s.acceleration[a];
    turn[a] = s.angular_velocity[a] + 0.5 * change[a];
    s.angular_velocity[a] += change[a];
  }
  s.rotation = turned(s.rotation, turn);
  stop_at_faces();
}

std::vector<Vector3> FreeBody::surface() const {
  const Matrix3 rotation = matrix_of(state_.rotation);
  std::vector<Vector3> points = surface_;
  for (Vector3& point : points) {
    for (std::size_t a = 0; a < 3; ++a) point[a] -= displaced_.centroid[a];
    point = product(rotation, point);
    for (std::size_t a = 0; a < 3; ++a) point[a] += state_.center[a];
  }
  return points;
}

void FreeBody::stop_at_faces() {
  State& s = state_;
  const std::vector<Vector3> points = surface();
  for (std::size_t a = 0; a < 3 && !points.empty(); ++a) {
    if (static_cast<int>(a) == displaced_.endless_axis) continue;
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(),
                            [a](const Vector3& p, const Vector3& q) { return p[a] < q[a]; });
    const double below = motion_.low[a] - (*low)[a], above = (*high)[a] - motion_.high[a];
    if (!(below > 0) && !(above > 0)) continue;
    s.center[a] += below > 0 ? below : -above;
    const bool onwards = below > 0 ? s.velocity[a] < 0 : s.velocity[a] > 0;
    if (onwards) s.velocity[a] = s.acceleration[a] = 0;
    stopped_ |= 1U << (2 * a + (below > 0 ? 0 : 1));
  }
}

}  // namespace lbm
