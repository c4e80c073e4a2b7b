// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/resampled_flow.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_shapes.hpp"
#include "cases/case/model/initial_flows.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/model/stored_cells.hpp"

namespace lbm::cases {

Lattice make_case_lattice(const Case& lbm_case, const Derived& derived) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  Lattice lattice =
      make_lattice(nx, ny, nz, lbm_case.lattice.storage, collision_of(lbm_case, derived),
                   plain_faces(lbm_case, derived), stored_values(lbm_case.lattice));
  lattice.sponge = sponge_of(lbm_case, derived);
  lattice.limits = {lbm_case.run.density_range[0], lbm_case.run.density_range[1],
                    lbm_case.run.max_mach};
  return lattice;
}

namespace {

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
  }
  const TimeLimit no_limit;
  if (const auto force = force_field(lbm_case, derived, no_limit)) {
    const int planes = force->same_in_all_planes ? 1 : nz;
    bytes += 3 * static_cast<std::int64_t>(sizeof(float)) * nx * ny * planes;
  }
  if (shapes.set) {
    const auto [first, last] = shapes.set->plane_range();
    bytes += std::int64_t{nx} * ny * (last - first) / 4;
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
  const bool formula = lbm_case.initial.flow == InitialFlow::formula;
  if (!formula && lbm_case.initial.flow != InitialFlow::file) return;
  if (check_planes(model.initial, lbm_case.grid.cells, limit)) return;
  model.warnings.push_back(
      fmt::format("{}: {} not looked at cell by cell, which takes more than a second: lbm check "
                  "--full looks at them",
                  where(lbm_case, formula ? "initial.velocity" : "initial.file"),
                  formula ? "its formulas were" : "its values were"));
}

}  // namespace

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

}  // namespace lbm::cases
