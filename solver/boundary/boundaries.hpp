// SPDX-License-Identifier: Apache-2.0

// The boundary data of a box: boundary conditions of faces beyond plain walls and free slip, solid
// cells, the links that bodies block, and a body force that depends on the place. One piece of
// memory on the host, which a device gets in one copy. Processes of a host may share it.
//
// Its size grows with the surface of the bodies and the faces: a mask of two bits a cell (seven
// where a body conducts a scalar) for planes that hold solids, 16 bytes for each fluid cell at a
// listed body and 4 for each of its blocked links (8 with slants, CellList). Planes with the same
// solid cells share their mask, those with the same links their list. A force that depends on the
// place takes 12 bytes a cell, zones 4, once for neighbouring planes that have the same.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/boundary/boundary_view.hpp"
#include "solver/boundary/moving_body.hpp"
#include "solver/boundary/porous_zone.hpp"
#include "solver/boundary/solid_cells.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm {

// Force per volume (acceleration times the density 1), cells per step^2.
struct ForceField {
  // Writes the force in plane z, without the factor: the x components of all cells, row by row,
  // then the y and the z components; 3 nx ny values. Called for one plane after the other; may
  // throw.
  std::function<void(int z, std::span<float> values)> fill;
  bool same_in_all_planes = false;  // then plane 0 alone is asked for
  TimeFactor factor;
};

// The next multiple of 64 bytes.
constexpr std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  return (bytes + alignment - 1) / alignment * alignment;
}

struct BodySpec {
  BodyMotion motion;
  bool interpolated = true;  // false: the wall is taken half a cell from the fluid cells
  // False: the body rests, its walls lie half a cell from the fluid cells, and its forces are not
  // computed; no list holds its links, as the mask of solid cells tells all. Only where fluid cells
  // alone are stored.
  bool listed = true;
  // True: it conducts a scalar. The masks then hold the numbers of all bodies.
  bool conducts = false;
  // True: a scalar has a flux or convection at its surface, whose links have slants (slant_of()).
  // Only with `listed`.
  bool slanted = false;
  // Where the body is, in cells; may lie beyond periodic faces. Without them a body that turns, or
  // whose torque is asked for, must stay two cells away from periodic faces.
  struct Bounds {
    std::array<double, 3> low, high;
  };
  std::optional<Bounds> bounds = {};
  TimeFactor factor = {};  // of both velocities of `motion`
  // The body moves through the lattice: the geometry has no cell of it, and `motion` rests.
  std::shared_ptr<const MovingBody> moving = {};
  // The body resists the flow through it: the geometry has no cell of it, and `motion` rests. Needs
  // BodyForce::by_place. A cell in two zones belongs to the first one.
  std::shared_ptr<const PorousZone> zone = {};
};

struct NumberedMovingBody {
  int number = 0;          // in records
  std::int64_t first = 0;  // its first value in BoundaryView::fractions
  std::shared_ptr<const MovingBody> body;
};

class Boundaries {
 public:
  Boundaries() = default;  // plain walls and periodic faces only
  // geometry may be null. Throws std::invalid_argument for more than max_boundary_conditions, or
  // tables of the wrong size. stored: fluid needs bodies, and numbers the fluid cells of each plane
  // (2 bits more for each cell of the box). force: null where it is the same everywhere. Neither it
  // nor zones with CellsStored::fluid.
  Boundaries(int nx, int ny, int nz, const FaceBoundaries& faces, const SolidGeometry* geometry,
             std::span<const BodySpec> bodies, CellsStored stored = CellsStored::all,
             const ForceField* force = nullptr, VelocitySet velocities = VelocitySet::D3Q19);

  // Moves bytes() and all that open() needs besides into memory that other processes of this host
  // map. Returns its name for them; it lasts as long as this object or a copy of it. Throws
  // ResourceError, and is unchanged then.
  std::string share();
  // Those of another process, made for the same box, faces, bodies and force: only the data of
  // faces and the factors in time are made here, which are no bytes. Empty where the memory is out
  // of reach.
  static std::optional<Boundaries> open(const std::string& name, int nx, int ny, int nz,
                                        const FaceBoundaries& faces,
                                        std::span<const TimeFactor> body_factors,
                                        const TimeFactor& force_factor = {});

  bool none() const { return bytes().empty(); }
  // Differs between any two boundaries of a program that were made apart; copies keep it. 0: none.
  std::uint64_t identity() const { return identity_; }
  // Those whose forces are computed (BodySpec::listed).
  int bodies() const { return view_.body_count; }
  // Bodies that move through the lattice.
  const std::vector<NumberedMovingBody>& moving() const { return moving_; }
  // True if the second pass depends on the step.
  bool changes_in_time() const { return changes_in_time_; }
  std::span<const std::byte> bytes() const {
    return shared_ ? std::span<const std::byte>(shared_->data(), shared_size_) : bytes_;
  }
  // Calls add(piece) for the bytes of a checksum in checkpoints, in pieces of whole blocks of 64
  // bytes but for the last one. Checkpoints of older versions have the same: images of bodies are
  // left out, and conditions have densities in place of densities less 1.
  void visit_for_checksum(const std::function<void(std::span<const std::byte>)>& add) const;
  // Pointers into bytes(), valid as long as this object, or into a copy of them at `base`.
  BoundaryView view() const { return view(bytes().data()); }
  BoundaryView view(const std::byte* base) const { return placed(view_, at_, base); }
  const BoundaryOffsets& offsets() const { return at_; }

  // The factors of the velocities of boundary conditions, then of bodies whose factor is not
  // constant, at that time; zero beyond the last.
  void factors(double step, double (&factor)[max_boundary_conditions]) const;
  // True if a force that depends on the place acts anywhere, zones included; in plane z.
  bool has_force() const { return at_.forces.has_value(); }
  bool has_force(int z) const;
  // The factor of that force after so many steps; zones have none.
  double force_factor(double step) const { return force_factor_.at(step); }
  // Planes of the grid; 0 where there are neither bodies nor a force.
  int planes() const { return static_cast<int>(linked_cells_.size()); }
  // Number of cells at bodies in plane z.
  int linked_cells(int z) const;
  std::int64_t solid_cells() const { return solid_cells_; }
  // Fluid cells of each plane; empty where all cells are stored.
  const std::vector<std::int64_t>& fluid_cells() const { return fluid_cells_; }
  std::int64_t blocked_links() const { return blocked_links_; }

 private:
  static std::uint64_t next_identity();
  // Offset of an array in bytes_; nothing where the array is empty.
  template <class T>
  std::optional<std::size_t> append(const std::vector<T>& values);
  void prepare_faces(const FaceBoundaries& faces);
  void number_fluid_cells(int nx, int ny, int nz, const std::vector<std::uint32_t>& masks,
                          const std::vector<std::int32_t>& mask_of);
  void add_conditions(int nx, int ny, int nz, const FaceBoundaries& faces);
  void add_scalar_values(int nx, int ny, int nz, const FaceBoundaries& faces);
  void add_condition(const BoundaryCondition& condition, int face, const std::array<int, 3>& cells,
                     double share);
  void add_factor(const TimeFactor& factor);
  // field: or null. Zones need add_zones() before.
  void add_force(const ForceField* field, std::span<const BodySpec> bodies,
                 const FaceBoundaries& faces, const std::array<int, 3>& cells);
  void add_moving(std::span<const BodySpec> bodies);
  void add_zones(std::span<const BodySpec> bodies);
  void set_force_factor(const TimeFactor& factor);

  struct SharedHead;
  std::vector<std::byte> bytes_;                // empty where they are shared
  std::shared_ptr<const SharedMemory> shared_;  // bytes(), then SharedHead and its arrays
  std::size_t shared_size_ = 0;                 // of bytes()
  BoundaryView view_;                           // without pointers
  BoundaryOffsets at_;
  std::vector<BoundaryConditionView> conditions_;
  std::vector<float> profiles_;
  std::vector<TurbulenceMode> modes_;
  std::vector<TimeFactor> factors_;
  std::vector<NumberedMovingBody> moving_;
  TimeFactor force_factor_;
  std::vector<int> linked_cells_;          // by plane; empty: none
  std::vector<std::int64_t> fluid_cells_;  // by plane
  bool changes_in_time_ = false;
  std::int64_t solid_cells_ = 0, blocked_links_ = 0;
  std::uint64_t identity_ = 0;
};

}  // namespace lbm
