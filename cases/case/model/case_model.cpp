#include "cases/case/model/case_model.hpp"

#include <chrono>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_shapes.hpp"
#include "cases/case/model/initial_flows.hpp"
#include "cases/case/model/regions.hpp"

namespace lbm::cases {

Lattice make_case_lattice(const Case& lbm_case, const Derived& derived) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  Lattice lattice =
      make_lattice(nx, ny, nz, lbm_case.lattice.storage, collision_of(lbm_case, derived),
                   plain_faces(lbm_case, derived), lbm_case.lattice.representation.value());
  lattice.limits = {lbm_case.run.density_range[0], lbm_case.run.density_range[1],
                    lbm_case.run.max_mach};
  return lattice;
}

CaseModel make_case_model(const Case& lbm_case) {
  CaseModel model;
  model.derived = derive(lbm_case);
  model.lattice = make_case_lattice(lbm_case, model.derived);
  model.initial = initial_flow(lbm_case, model.derived);
  const auto begin = std::chrono::steady_clock::now();
  CaseShapes shapes = make_shapes(lbm_case, model.derived);
  model.boundaries = make_case_boundaries(lbm_case, model.derived, shapes);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  model.bodies_seconds = spent.count();
  model.bodies = std::move(shapes.names);
  model.warnings = std::move(shapes.warnings);
  probe_cells(lbm_case, model.derived, model.boundaries);  // throws for points inside bodies
  return model;
}

}  // namespace lbm::cases
