// SPDX-License-Identifier: Apache-2.0

// Scalars that the flow carries and that diffuse in it: temperature, concentrations. Each is a
// component of the lattice beside the flow, on D3Q7 (solver/update/scalar_cells.hpp).
//
// The stored value is (value - reference) / difference, of order one: fp16 holds values up to 2.
// Lattice units: cells, steps, stored values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lbm {

class TimeFunction;  // solver/lattice/boundary_condition.hpp

inline constexpr int most_scalars = 4;
// Stored values of a scalar in a cell: the scalar, and its flux along x, y and z.
inline constexpr int values_per_scalar = 1 + 3;

// Boundary condition of a scalar at a face of the box.
//   periodic    as the cells on the other side
//   no_flux     nothing passes
//   value       the scalar has that value, half a cell outside the outermost cells
//   flux        `value` enters through each cell of the face: stored values x cells per step
//   convection  coefficient x (value - the scalar at the face) enters in a step
//   open        no gradient at the face: for faces through which fluid leaves
enum class ScalarBoundary : std::uint8_t { periodic, no_flux, value, flux, convection, open };

constexpr auto enum_names(ScalarBoundary) {
  return std::array{"periodic", "no_flux", "value", "flux", "convection", "open"};
}

struct ScalarFace {
  ScalarBoundary kind = ScalarBoundary::periodic;
  double value = 0;        // of `value`, `flux` and `convection`
  double coefficient = 0;  // of `convection`: cells per step
  // Added to `value`: a function of the time; compared by address.
  std::shared_ptr<const TimeFunction> function = nullptr;
  // Added to `value`: that of each cell of the face, from FaceBoundary::scalar_values.
  bool by_place = false;

  bool operator==(const ScalarFace&) const = default;
};

// Conditions of patches of all scalars together (ScalarSpec::patches).
inline constexpr int most_scalar_patches = 32;

// Values over a face that change in time. Any thread may call it; the same arguments give the same
// bits.
class FaceFunction {
 public:
  virtual ~FaceFunction() = default;
  // Writes the values of the cells of a row of the face: all cells along the first of its two axes,
  // the row-th along the second (face_index). step: time in steps. May throw an error.
  virtual void fill(double step, int row, std::span<float> values) const = 0;
};

// Bodies with a condition of the scalar at their surface, or that conduct it, have numbers below
// this.
inline constexpr int most_holding_bodies = 16;

// Condition at the surface of a body that does not conduct the scalar. `value` holds where the
// surface cuts a link. `flux` enters the fluid per area of the surface itself, not of the cell
// faces, and so does what `convection` gives, if BodySpec::slanted.
struct ScalarBody {
  int body = 0;
  double value = 0;                             // as ScalarFace::value
  ScalarBoundary kind = ScalarBoundary::value;  // or flux, or convection
  double coefficient = 0;                       // of `convection`: cells per step; above 0

  bool operator==(const ScalarBody&) const = default;
};

// A body in whose cells the scalar diffuses. The scalar and its flux are continuous at its surface,
// which lies half a cell from the cells beside it.
struct ScalarConductor {
  int body = 0;
  double conductivity = 0;  // diffusivity x capacity, relative to the fluid; above 0
  double capacity = 1;      // per volume, relative to the fluid; above 0
  double source = 0;        // in its cells: stored values per step

  bool operator==(const ScalarConductor&) const = default;
};

struct ScalarSpec {
  double omega = 1;  // 1 / tau; the diffusivity is (tau - 1/2) / 4
  // With CollisionSpec::smagorinsky: a cell diffuses by its eddy viscosity over this, too.
  double turbulent_prandtl = 0.85;
  // Force per volume over the reference density, where the stored scalar is 1 (Boussinesq): cells
  // per step^2.
  std::array<double, 3> buoyancy{};
  double source = 0;  // stored values per step
  std::array<ScalarFace, 6> faces{};
  // The conditions of the parts of a face, one for each of FaceBoundary::patches; empty: all of the
  // face has the same.
  std::array<std::vector<ScalarFace>, 6> patches{};
  // Replace FaceBoundary::scalar_values of the face at each step; null: those stay. Compared by
  // address.
  std::array<std::shared_ptr<const FaceFunction>, 6> face_functions{};
  // Nothing passes the surfaces of bodies that are neither here nor among the conductors. No
  // surface may move.
  std::vector<ScalarBody> bodies;
  std::vector<ScalarConductor> conductors;
  // In stored values per cell, along axes whose faces are periodic. The stored value, and so the
  // buoyant force, is that of the scalar less gradient . place.
  std::array<double, 3> gradient{};
  // The scalar stays between them if faces, bodies and initial values do, and without sources,
  // fluxes at faces and a gradient.
  std::optional<std::array<double, 2>> bounds;

  bool operator==(const ScalarSpec&) const = default;
  bool is_buoyant() const { return buoyancy != std::array<double, 3>{}; }
  // True if `test` holds for the face or a patch of it.
  template <class Test>
  bool any_part(std::size_t face, const Test& test) const {
    return test(faces[face]) || std::any_of(patches[face].begin(), patches[face].end(), test);
  }
  // The face or a patch of it has values by place: Boundaries hold them.
  bool has_values_by_place(std::size_t face) const {
    return any_part(face, [](const ScalarFace& part) { return part.by_place; });
  }
  // The condition of a face changes in time.
  bool changes() const {
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const bool moves = any_part(f, [](const ScalarFace& p) { return p.function != nullptr; });
      if (moves || face_functions[f] != nullptr) return true;
    }
    return false;
  }
  bool has_gradient() const { return gradient != std::array<double, 3>{}; }
  // The least capacity among the fluid and the conductors, relative to the fluid: the capacity of
  // the populations (solver/update/scalar_cells.hpp).
  double reference_capacity() const {
    double least = 1;
    for (const ScalarConductor& body : conductors) least = std::min(least, body.capacity);
    return least;
  }
};

// Relaxation rate of a diffusivity.
constexpr double scalar_omega(double diffusivity) { return 1 / (4 * diffusivity + 0.5); }
// Diffusivity in the fluid.
constexpr double scalar_diffusivity(const ScalarSpec& spec) { return (1 / spec.omega - 0.5) / 4; }

// Beside scalars a turbulence model needs a flow whose tau, without the part of the model, is at
// most this: near 1 the stress that a collision leaves does not tell that part.
inline constexpr double most_turbulent_tau = 0.9;

// Tau of a cell with the velocity u is at least 1/2 + this u^2 (solver/update/scalar_cells.hpp).
inline constexpr double least_tau_of_square = 1.65;

// The force of scalars on the flow, as kernels read it.
struct Buoyancy {
  int scalars = 0;                    // 0: none is buoyant
  float force[most_scalars][3] = {};  // where the scalar is 1
};

inline Buoyancy buoyancy_of(const std::vector<ScalarSpec>& scalars) {
  Buoyancy made;
  for (std::size_t s = 0; s < scalars.size(); ++s) {
    if (!scalars[s].is_buoyant()) continue;
    made.scalars = static_cast<int>(scalars.size());
    for (std::size_t a = 0; a < 3; ++a) {
      made.force[s][a] = static_cast<float>(scalars[s].buoyancy[a]);
    }
  }
  return made;
}

}  // namespace lbm
