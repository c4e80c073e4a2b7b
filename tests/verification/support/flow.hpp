// SPDX-License-Identifier: Apache-2.0

// A flow that a verification test advances and measures: lattice, backend and pipeline in one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/lattice/moments.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::verification {

using Faces = std::array<WallFace, 6>;  // x_min, x_max, y_min, y_max, z_min, z_max

inline constexpr tiling::ScheduleOptions in_core{tiling::Scheme::in_core, 1,
                                                 tiling::max_planes_per_visit};

// Out of core: `steps` levels a visit, `planes` planes a visit.
constexpr tiling::ScheduleOptions wavefront(int steps, int planes) {
  return {tiling::Scheme::wavefront, steps, planes};
}

// The same for grids of a few planes: many steps a visit, which costs less between them.
inline constexpr tiling::ScheduleOptions in_core_joined{tiling::Scheme::in_core, 1,
                                                        tiling::max_planes_per_visit, 64};

// All six faces periodic.
Faces periodic_box();
FaceBoundaries periodic_faces();
void set_faces(FaceBoundaries& faces, int axis, BoundaryKind kind);  // both of that axis

// Viscosity, cells^2 per step, and its inverse function.
constexpr double viscosity_of(double tau) { return (tau - 0.5) / 3; }
constexpr double tau_of(double viscosity) { return 3 * viscosity + 0.5; }

// The macroscopic fields of one cell: from its stored populations, in double precision.
using Cell = Moments<double>;

// A flow with everything that plain walls cannot say. geometry is asked once, by the constructor of
// Flow; null: no bodies.
struct Problem {
  std::array<int, 3> cells{};
  FaceBoundaries faces = periodic_faces();
  CollisionSpec collision;
  const SolidGeometry* geometry = nullptr;
  std::vector<BodySpec> bodies;
  InitialState initial;
  Sponge sponge;
  std::vector<ScalarSpec> scalars;
  StorageType storage = StorageType::fp64;
  Representation representation = Representation::populations;

  // Cumulants need D3Q27.
  VelocitySet velocities() const {
    return collision.kind == CollisionKind::cumulant ? VelocitySet::D3Q27 : VelocitySet::D3Q19;
  }
};

// Force and torque on a body in the last step, lattice units.
struct Load {
  std::array<double, 3> force{}, torque{};
};

class Flow {
 public:
  // Runs on one thread of the CPU: the grids are too small for more, and ctest runs tests side by
  // side. initial: see solver/lattice/initial_state.hpp.
  Flow(const Lattice& lattice, const InitialState& initial, const tiling::ScheduleOptions& options);
  explicit Flow(const Problem& problem, const tiling::ScheduleOptions& options = in_core_joined);
  ~Flow();
  Flow(Flow&&) noexcept;
  Flow& operator=(Flow&&) = delete;

  void advance(std::int64_t steps);
  // Until no velocity has changed by more than `tolerance` times the largest in `interval` steps,
  // or for `most` steps: then false. The interval is made even: in periodic boxes of an even number
  // of cells LBM keeps modes that alternate from step to step.
  bool advance_until_steady(std::int64_t interval, double tolerance, std::int64_t most);

  // The state now; the copy is made at the first question after an advance().
  Cell cell(int x, int y, int z);
  double population(int q, int x, int y, int z);   // shifted by its weight
  double scalar(int number, int x, int y, int z);  // as stored
  const std::vector<std::byte>& planes();          // all, layout.bytes each

  void for_each_cell(const std::function<void(int x, int y, int z, const Cell&)>& visit);
  double kinetic_energy();  // sum of rho u^2 / 2
  double mass();            // sum of rho - 1
  double largest_speed();

  Load load(int body) const;                // of the last step
  double heat(int body, int scalar) const;  // that the body gave to the fluid in the last step
  bool solid(int x, int y, int z) const;
  std::int64_t fluid_cells() const;

  const Lattice& lattice() const { return lattice_; }
  std::int64_t step() const { return step_; }

 private:
  class LastRecord;
  Flow(const Lattice& lattice, Boundaries boundaries, const InitialState& initial,
       const tiling::ScheduleOptions& options);

  Lattice lattice_;
  tiling::ScheduleOptions options_;
  std::unique_ptr<Boundaries> boundaries_;  // where the pipeline looks, wherever this object goes
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<LastRecord> record_;
  std::unique_ptr<tiling::Pipeline> pipeline_;
  std::vector<std::byte> planes_;
  std::int64_t step_ = 0, copied_step_ = -1;
};

// The larger one; NAN where one is, unlike std::fmax: a flow that diverged must not look still.
double larger(double a, double b);

// Order of convergence: the error falls from `coarse` to `fine` on a grid `refinement` times finer.
double order_of(double coarse, double fine, double refinement = 2);

}  // namespace lbm::verification
