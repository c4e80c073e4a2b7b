// SPDX-License-Identifier: Apache-2.0

// A rigid body that moves freely under the force of the fluid, gravity and buoyancy: the equations
// of Newton and Euler, with the state at one step at a time. So its place is known only when the
// steps before are complete.
//
// Lattice units: cells, steps, the reference density of the fluid is 1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/boundary/moving_body.hpp"
#include "solver/core/vector3.hpp"

namespace lbm {

using Matrix3 = std::array<Vector3, 3>;  // rows

// The fluid that a body displaces.
struct DisplacedFluid {
  double mass = 0;
  Vector3 centroid{};     // in the frame of the body
  Matrix3 inertia{};      // about the centroid
  int endless_axis = -1;  // along which the body is as long as the box; -1: none
};
// cells: of the box. Each sample is the mean over a cell; the inertia of that cell is left out.
DisplacedFluid displaced_fluid(const SolidFraction& fraction, const std::array<int, 3>& cells);

struct FreeBodyMotion {
  double density_ratio = 1;                // of the body and the fluid
  Vector3 gravity{};                       // cells per step^2
  Vector3 velocity{}, angular_velocity{};  // at the release; the latter in radians per step
  double release = 0;                      // the step before which the body rests
  bool rotates = true;
  // The surface stays between these along each axis.
  Vector3 low{}, high{};
};

class FreeBody {
 public:
  // A restart needs all of it. rotation: a quaternion, the real part first.
  struct State {
    std::int64_t step = 0;
    Vector3 center{}, velocity{}, angular_velocity{};
    std::array<double, 4> rotation{1, 0, 0, 0};
    Vector3 acceleration{}, angular_acceleration{};  // of the last step; the latter in the frame
  };

  // At the place where the centroid is in the frame. surface: points of the surface, in the frame.
  // The state is that after the first step, on which no fluid has acted.
  FreeBody(const DisplacedFluid& displaced, const FreeBodyMotion& motion,
           std::vector<Vector3> surface);

  // From the state at a step to that at the next one. force, torque about the centroid: of the
  // fluid in the step, with the change of momentum of the fluid inside the body
  // (solver/update/immersed_cells.hpp). That change is estimated by the acceleration of the step
  // before (Feng & Michaelides, Comput. Fluids 38 (2009) 370).
  void advance(const Vector3& force, const Vector3& torque);

  BodyPlace place() const;
  const State& state() const { return state_; }
  void set(const State& state) { state_ = state; }
  const Vector3& centroid() const { return displaced_.centroid; }
  // Points of the surface, in the box.
  std::vector<Vector3> surface() const;
  // Bits of the faces of the box (1 << face) at which the body was stopped in the last step.
  unsigned stopped_at() const { return stopped_; }

 private:
  void stop_at_faces();

  DisplacedFluid displaced_;
  FreeBodyMotion motion_;
  std::vector<Vector3> surface_;
  Matrix3 inverse_inertia_{};  // of the body, in its frame; 0 where it must not turn
  State state_;
  unsigned stopped_ = 0;
};

}  // namespace lbm
