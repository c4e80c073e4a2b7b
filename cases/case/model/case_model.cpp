// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/darcy_flow.hpp"
#include "cases/case/initial/flow_rows.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/model/porous_zones.hpp"
#include "cases/case/model/regions.hpp"

namespace lbm::cases {
namespace {

// From here on all cells are stored: the update of a fluid cell that is looked up takes longer. In
// images whose pores are a dozen voxels wide it pays beyond (docs/voxels.md); but the forces on a
// body in a stream are mostly wanted.
constexpr double most_fluid = 0.75;

bool has_images(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(), [](const Body& body) {
    return body.solid && body.shape == BodyShape::voxels;
  });
}

bool has_moving_bodies(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                     [](const Body& body) { return body.moves(); });
}

bool wants_wall_stress(const Case& lbm_case) {
  constexpr FieldKind stress = FieldKind::wall_shear_stress;
  return std::any_of(lbm_case.outputs.begin(), lbm_case.outputs.end(), [&](const FieldOutput& o) {
    return std::count(o.fields.begin(), o.fields.end(), stress) > 0 || o.isosurface == stress;
  });
}

// Memory of the boundaries if there is a time limit.
constexpr std::int64_t most_bytes = std::int64_t{32} << 20;

// Profiles of faces, forces that depend on the place, and the masks of the planes of bodies;
// without the links of bodies.
std::int64_t estimated_bytes(const Case& lbm_case, const Derived& derived,
                             const CaseShapes& shapes) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  std::int64_t bytes = 0;
  const auto add_profile = [&](const FaceCondition& condition, std::int64_t cells) {
    if (condition.velocity_formulas ||
        condition.profile.value_or(InletProfile::uniform) != InletProfile::uniform) {
      bytes += 3 * static_cast<std::int64_t>(sizeof(float)) * cells;
    }
  };
  for (int f = 0; f < 6; ++f) {
    const std::int64_t cells = face_cells(f, nx, ny, nz);
    const Face& face = lbm_case.faces[static_cast<std::size_t>(f)];
    add_profile(face, cells);
    for (const Patch& patch : face.patches) add_profile(patch, cells);
    if (!face.patches.empty()) bytes += cells;
    for (const ScalarKeys& scalar : lbm_case.scalars) {
      const auto parts = parts_of_face(scalar, lbm_case, static_cast<std::size_t>(f));
      if (std::any_of(parts.begin(), parts.end(), [](const auto& p) { return !p.formula.empty(); }))
        bytes += static_cast<std::int64_t>(sizeof(float)) * cells;
    }
  }
  const TimeLimit no_limit;
  if (const auto force = force_field(lbm_case, derived, no_limit)) {
    const int planes = force->same_in_all_planes ? 1 : nz;
    bytes += 3 * static_cast<std::int64_t>(sizeof(float)) * nx * ny * planes;
  }
  if (shapes.set) {
    const auto [first, last] = shapes.set->plane_range();
    const bool numbered = std::any_of(shapes.specs.begin(), shapes.specs.end(),
                                      [](const BodySpec& body) { return body.conducts; });
    bytes += std::int64_t{nx} * ny * (last - first) * (numbered ? 2 + body_bits : 2) / 8;
  }
  return bytes;
}

// A pass over all planes with bodies; nothing where no quantity asks for it.
std::vector<std::int64_t> cells_of_bodies(const Case& lbm_case, const CaseShapes& shapes) {
  const auto& asked = lbm_case.quantities;
  const bool is_asked =
      std::any_of(asked.begin(), asked.end(), [](const auto& q) { return q.pressure_gradient; });
  if (!is_asked || shapes.set == nullptr) return {};
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  std::vector<std::int64_t> of_all(shapes.names.size()), cells;
  std::vector<std::uint16_t> owner(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
  const auto [first, last] = shapes.set->plane_range();
  for (int z = std::max(first, 0); z < std::min(last, nz); ++z) {
    shapes.set->plane(z, owner);
    for (const std::uint16_t body : owner) {
      if (body > 0) ++of_all[body - 1U];
    }
  }
  for (std::size_t i = 0; i < of_all.size(); ++i) {
    if (shapes.specs[i].listed) cells.push_back(of_all[i]);
  }
  return cells;
}

Boundaries boundaries_within(const Case& lbm_case, const Derived& derived, CaseBodies& model,
                             const TimeLimit& limit) {
  try {
    CaseShapes shapes = make_shapes(lbm_case, derived, limit);
    model.voxels = std::move(shapes.voxels);  // worth having even where the rest takes too long
    model.stored = shapes.stored;
    if (limit.is_set() && estimated_bytes(lbm_case, derived, shapes) > most_bytes)
      throw TimeLimitReached();
    Boundaries boundaries = make_case_boundaries(lbm_case, derived, shapes, limit);
    model.body_cells = cells_of_bodies(lbm_case, shapes);
    model.bodies = std::move(shapes.listed);
    model.surfaces = std::move(shapes.surfaces);
    model.warnings = join_alike(std::move(shapes.warnings));
    return boundaries;
  } catch (const TimeLimitReached&) {
    model.complete = false;
    return {};
  }
}

// Where a run would fail after it has made its directory. Planes are looked at again as they are
// made.
void check_initial_cells(const Case& lbm_case, const TimeLimit& limit, CaseModel& model) {
  std::string key;
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    if (!scalar.initial.empty()) key = "scalars." + scalar.name + ".initial";
  }
  if (lbm_case.initial.flow == InitialFlow::formula) key = "initial.velocity";
  const bool file = lbm_case.initial.flow == InitialFlow::file;
  if (file) key = "initial.file";
  if (key.empty() || check_planes(model.initial, lbm_case.grid.cells, limit)) return;
  model.warnings.push_back(
      fmt::format("{}: {} not looked at cell by cell, which takes more than a second: lbm check "
                  "--full looks at them",
                  where(lbm_case, key), file ? "its values were" : "its formulas were"));
}

using std::numbers::pi;

// The Taylor-Green vortex (Brachet et al., J. Fluid Mech. 130 (1983) 411), one period per box:
//   u = U sin X cos Y cos Z, v = -U cos X sin Y cos Z, w = 0,
//   p = rho U^2 / 16 (cos 2X + cos 2Y)(cos 2Z + 2), and rho = 1 + 3 p in lattice units.
InitialState taylor_green(const Grid& grid, double velocity) {
  const auto angles = [](int n) {
    std::vector<double> angle(n);
    for (int i = 0; i < n; ++i) angle[i] = 2 * std::numbers::pi * (i + 0.5) / n;
    return angle;
  };
  struct Waves {
    double sin, cos, cos_2;
  };
  std::vector<Waves> along_x;
  for (const double x : angles(grid.cells[0])) {
    along_x.push_back({std::sin(x), std::cos(x), std::cos(2 * x)});
  }
  return [x = std::move(along_x), y = angles(grid.cells[1]), z = angles(grid.cells[2]), velocity](
             int j, int k, const StateRow& row) {
    const double cos_z = std::cos(z[k]);
    const double pressure = velocity * velocity / 16 * (std::cos(2 * z[k]) + 2);
    const double cos_y = std::cos(y[j]), sin_y = std::sin(y[j]), cos_2y = std::cos(2 * y[j]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      row.ux[i] = velocity * x[i].sin * cos_y * cos_z;
      row.uy[i] = -velocity * x[i].cos * sin_y * cos_z;
      row.drho[i] = 3 * pressure * (x[i].cos_2 + cos_2y);
    }
  };
}

InitialState uniform(const Vec3& u) {
  return [u](int, int, const StateRow& row) {
    std::fill(row.ux.begin(), row.ux.end(), u[0]);
    std::fill(row.uy.begin(), row.uy.end(), u[1]);
    std::fill(row.uz.begin(), row.uz.end(), u[2]);
  };
}

// Velocity [cells of the cross-section][3] of developed flow along `axis`, from the duct profile.
std::vector<float> developed(const Case& lbm_case, const Derived& derived, const Vec3& peak) {
  FaceCondition condition;
  condition.type = BoundaryKind::velocity;
  condition.profile = InletProfile::duct;
  return inlet_profile(lbm_case, condition, 2 * lbm_case.initial.axis,
                       make_units(lbm_case, derived), peak);
}

// Index of a cell in the cross-section normal to `axis`.
std::size_t cross_section(const std::array<int, 3>& n, int axis, int x, int y, int z) {
  const int i = axis == 0 ? y : x, j = axis == 2 ? y : z;
  return static_cast<std::size_t>(j) * n[axis == 0 ? 1 : 0] + i;
}

// A developed flow plus divergence-free disturbances: waves of two, three and four periods in each
// direction provide several scales. They do not vanish at walls; the first steps correct that.
InitialState disturbed(const Case& lbm_case, const Vec3& peak, std::vector<float> mean,
                       double size) {
  const std::array<int, 3> n = lbm_case.grid.cells;
  const int axis = lbm_case.initial.axis;
  const double speed = std::abs(peak[axis]) * size;
  return [=, mean = std::move(mean)](int y, int z, const StateRow& row) {
    for (int x = 0; x < n[0]; ++x) {
      const std::size_t at = 3 * cross_section(n, axis, x, y, z);
      const double fx = (x + 0.5) / n[0], fy = (y + 0.5) / n[1], fz = (z + 0.5) / n[2];
      double u[3] = {double{mean[at]}, double{mean[at + 1]}, double{mean[at + 2]}};
      for (int m = 2; m <= 4; ++m) {
        const double a = 2 * pi * m * fx + m, b = 2 * pi * m * fy + 2 * m, c = 2 * pi * m * fz;
        // Beltrami flow u = (A sin c + C cos b, B sin a + A cos c, C sin b + B cos a).
        u[0] += speed / m * (std::sin(c) + std::cos(b));
        u[1] += speed / m * (std::sin(a) + std::cos(c));
        u[2] += speed / m * (std::sin(b) + std::cos(a));
      }
      row.ux[x] = u[0];
      row.uy[x] = u[1];
      row.uz[x] = u[2];
    }
  };
}

// Velocity given by the case, or the reference velocity along its axis.
Vec3 peak_of(const Case& lbm_case, const Derived& derived) {
  if (lbm_case.initial.velocity) {
    return to_lattice_velocity(make_units(lbm_case, derived), *lbm_case.initial.velocity);
  }
  Vec3 u{};
  u[lbm_case.initial.axis] = derived.velocity;
  return u;
}

// initial_flow() without the scalars.
InitialState flow_alone(const Case& lbm_case, const Derived& derived) {
  const Vec3 peak = peak_of(lbm_case, derived);
  switch (lbm_case.initial.flow) {
    case InitialFlow::taylor_green:
      return taylor_green(lbm_case.grid, derived.velocity);
    case InitialFlow::uniform:
      return uniform(peak);
    case InitialFlow::duct:
      return disturbed(lbm_case, peak, developed(lbm_case, derived, peak), 0);
    case InitialFlow::perturbed_channel:
      return disturbed(lbm_case, peak, developed(lbm_case, derived, peak),
                       lbm_case.initial.disturbance.value_or(0.05));
    case InitialFlow::formula:
      return flow_of_formulas(lbm_case, derived);
    case InitialFlow::file:
      return resampled_state(lbm_case, open_flow_file(lbm_case, derived));
    case InitialFlow::darcy:   // darcy_flow()
    case InitialFlow::arrays:  // RunOptions has them
    case InitialFlow::rest:
      break;
  }
  return {};
}

}  // namespace

std::string reason_of_velocity_set(const LatticeKeys& lattice) {
  if (!lattice.velocities) return std::string("lattice.collision: ") + to_string(lattice.collision);
  return std::string("lattice.velocities: ") + to_string(*lattice.velocities);
}

std::string why_all_cells(const Case& lbm_case) {
  const bool solid = std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                                 [](const Body& body) { return body.solid; });
  if (!solid) return "a case without bodies";
  if (!has_fluid_planes(velocity_set(lbm_case.lattice))) {
    return reason_of_velocity_set(lbm_case.lattice);
  }
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    if (!scalar.conductors.empty()) return "scalars." + scalar.name + ".conductors";
  }
  if (has_moving_bodies(lbm_case)) return "a body that moves";
  if (has_zones(lbm_case)) return "a porous zone or disc";
  if (!lbm_case.sponge.faces.empty()) return "a sponge";
  if (acceleration_depends_on_place(lbm_case)) return "a force that depends on the place";
  const bool walls =
      std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(),
                  [](const Face& face) { return face.type != BoundaryKind::periodic; });
  if (lbm_case.lattice.collision == CollisionKind::regularised_filtered && walls) {
    return "lattice.collision: regularised_filtered at faces that are not periodic";
  }
  return "";
}

bool may_store_fluid_only(const Case& lbm_case) {
  const auto& asked = lbm_case.lattice.cells;
  if (asked) return *asked == CellsStored::fluid;
  return has_images(lbm_case) && why_all_cells(lbm_case).empty();
}

double fluid_share(const Case& lbm_case, const std::vector<VoxelFacts>& voxels) {
  const auto& n = lbm_case.grid.cells;
  const double box = static_cast<double>(n[0]) * n[1] * n[2];
  double solid = 0;
  for (const VoxelFacts& image : voxels) {
    const auto& [nx, ny, nz] = image.cells;
    solid += (1 - image.fluid_share) * static_cast<double>(nx) * static_cast<double>(ny) *
             static_cast<double>(nz);
  }
  return std::max(0.0, 1 - solid / box);
}

CellsStored stored_cells(const Case& lbm_case, const std::vector<VoxelFacts>& voxels) {
  if (lbm_case.lattice.cells) return *lbm_case.lattice.cells;
  return may_store_fluid_only(lbm_case) && fluid_share(lbm_case, voxels) <= most_fluid
             ? CellsStored::fluid
             : CellsStored::all;
}

bool is_asked_for(const Case& lbm_case, const Body& body) {
  if (wants_wall_stress(lbm_case)) return true;
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    const auto& names = quantity.bodies;
    if (std::find(names.begin(), names.end(), body.name) != names.end()) return true;
  }
  return std::any_of(lbm_case.expect.begin(), lbm_case.expect.end(),
                     [&](const Expectation& e) { return e.body == body.name; });
}

Lattice make_case_lattice(const Case& lbm_case, const Derived& derived) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  Lattice lattice =
      make_lattice(nx, ny, nz, lbm_case.lattice.storage, collision_of(lbm_case, derived),
                   plain_faces(lbm_case, derived), stored_values(lbm_case.lattice));
  lattice.sponge = sponge_of(lbm_case, derived);
  lattice.has_moving_bodies = has_moving_bodies(lbm_case);
  lattice.collision.force.by_place |= has_zones(lbm_case);
  lattice.limits = {lbm_case.run.density_range[0], lbm_case.run.density_range[1],
                    lbm_case.run.max_mach, most_stored_scalar(lattice.storage)};
  if (lbm_case.scalars.empty()) return lattice;
  lattice.counts_heat =
      std::any_of(lbm_case.quantities.begin(), lbm_case.quantities.end(),
                  [](const auto& quantity) { return quantity.kind == QuantityKind::heat_flow; });
  return with_scalars(lattice, scalar_specs(lbm_case, derived));
}

CaseBodies make_case_bodies(const Case& lbm_case, const Derived& derived, const TimeLimit& limit) {
  CaseBodies bodies;
  const auto begin = std::chrono::steady_clock::now();
  bodies.boundaries = boundaries_within(lbm_case, derived, bodies, limit);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  bodies.bodies_seconds = spent.count();
  return bodies;
}

std::optional<CaseBodies> open_case_bodies(const Case& lbm_case, const Derived& derived,
                                           const std::string& name) {
  // The places of bodies that move are no bytes: each process makes its own boundaries.
  if (has_moving_bodies(lbm_case)) return std::nullopt;
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  auto boundaries =
      Boundaries::open(name, nx, ny, nz, full_faces(lbm_case, derived, TimeLimit()),
                       body_factors(lbm_case, derived), acceleration_factor(lbm_case, derived));
  if (!boundaries) return std::nullopt;
  CaseBodies bodies;
  bodies.boundaries = std::move(*boundaries);
  if (!bodies.boundaries.fluid_cells().empty()) bodies.stored = CellsStored::fluid;
  return bodies;
}

CaseModel make_case_model(const Case& lbm_case, const Derived& derived, const TimeLimit& limit,
                          std::optional<CaseBodies> bodies) {
  CaseModel model;
  model.derived = derived;
  model.lattice = make_case_lattice(lbm_case, model.derived);
  model.initial = initial_flow(lbm_case, model.derived);
  static_cast<CaseBodies&>(model) =
      bodies ? std::move(*bodies) : make_case_bodies(lbm_case, derived, limit);
  if (model.stored == CellsStored::fluid) {
    model.lattice = model.complete
                        ? with_fluid_planes(model.lattice, model.boundaries.fluid_cells())
                        : with_fluid_share(model.lattice, fluid_share(lbm_case, model.voxels));
  }
  check_initial_cells(lbm_case, limit, model);
  if (model.complete) {
    probe_cells(lbm_case, model.derived, model.boundaries);  // throws for points inside bodies
    check_quantity_places(lbm_case, model.derived, model.boundaries);
  }
  return model;
}

InitialState darcy_flow(const Case& lbm_case, const CaseModel& model) {
  return with_initial_scalars(
      lbm_case, model.derived,
      darcy_state(lbm_case.grid.cells, plain_faces(lbm_case, model.derived),
                  model.boundaries.view(), model.lattice.collision.force.mean));
}

InitialState initial_flow(const Case& lbm_case, const Derived& derived) {
  return with_initial_scalars(lbm_case, derived, flow_alone(lbm_case, derived));
}

}  // namespace lbm::cases
