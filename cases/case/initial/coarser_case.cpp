// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/coarser_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cases/case/case_location.hpp"
#include "cases/case/units.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Largest run.until_steady.error of a coarser grid, unless the case asks for a larger one.
constexpr double largest_coarse_error = 0.02;

// Patches from one end of the axis to the other stay so.
void widen_patches(Case& c, std::size_t axis, double from, double to) {
  for (std::size_t face = 0; face < c.faces.size(); ++face) {
    if (face / 2 == axis) continue;
    const std::size_t second = face / 2 == 2 ? 1 : 2;  // of the two axes of the face
    for (Patch& patch : c.faces[face].patches) {
      if (!patch.box) continue;
      double& end = (*patch.box)[axis == second ? 3 : 1];
      if (end >= from * (1 - 1e-9)) end = to;
    }
  }
}

// Nothing depends on a periodic axis of fewer cells than `factor`: it gets one cell.
void coarsen_grid(Case& c, int factor) {
  const double cell = cell_size(c);
  for (std::size_t a = 0; a < 3; ++a) {
    int& cells = c.grid.cells[a];
    if (cells < factor && wraps(c.faces, a)) {
      widen_patches(c, a, cells * cell, factor * cell);
      cells = 1;
      continue;
    }
    if (cells % factor != 0) {
      const int below = cells / factor * factor;
      throw UsageError(fmt::format(
          "{}: found {}, whose coarsest grid is {} times as coarse, but grid.cells has {} along "
          "{}: give a multiple of {}, such as {}, or fewer grids",
          where(c, "run.cascade"), c.run.cascade, factor, cells, "xyz"[a], factor,
          below > 0 ? below : factor));
    }
    cells /= factor;
  }
  c.grid.size.reset();
  c.grid.cells_per_length.reset();
  c.grid.spacing = cell * factor;
}

// Cells become larger by coarser images, or by images that are refined less.
void coarsen_image(const Case& c, Body& body, int factor) {
  if (body.shape != BodyShape::voxels) return;
  const int common = std::gcd(factor, body.refine.value_or(1));
  if (body.refine) body.refine = *body.refine / common;
  const int left = factor / common;
  if (left > 1 && body.refine.value_or(1) > 1) {
    throw UsageError(fmt::format(
        "{}: found {}, which neither divides nor is divided by {}, the coarsest grid of "
        "run.cascade: change one of them",
        where(c, "bodies." + body.name + ".refine"), *body.refine * common, factor));
  }
  if (left > 1) {
    body.refine.reset();
    body.coarsen = body.coarsen.value_or(1) * left;
  }
  if (!body.reservoir) return;
  for (int& planes : *body.reservoir) {
    if (planes % factor != 0) {
      throw UsageError(fmt::format(
          "{}: found {} planes, must be a multiple of {}, the coarsest grid of run.cascade",
          where(c, "bodies." + body.name + ".reservoir"), planes, factor));
    }
    planes /= factor;
  }
}

}  // namespace

std::vector<int> coarsening_factors(const Case& lbm_case) {
  std::vector<int> factors;
  for (int grid = lbm_case.run.cascade - 1; grid > 0; --grid) factors.push_back(1 << grid);
  return factors;
}

Case without_ramps(Case c) {
  for (Face& face : c.faces) {
    face.ramp_time.reset();
    for (Patch& patch : face.patches) patch.ramp_time.reset();
  }
  c.sponge.ramp_time.reset();
  return c;
}

void remove_files(Case& lbm_case) {
  lbm_case.output = Output{};
  lbm_case.output.at_end = lbm_case.output.profiles = false;
  lbm_case.outputs.clear();
  lbm_case.pictures.clear();
  lbm_case.statistics.clear();
  lbm_case.probes.clear();
  lbm_case.checkpoint = CheckpointKeys{};
}

void add_flow_file(Case& lbm_case) {
  FieldOutput& flow = lbm_case.outputs.emplace_back();
  flow.name = coarse_flow;
  flow.fields = {FieldKind::pressure, FieldKind::velocity};
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    flow.fields.push_back(fields::scalar_kind(s));
  }
  flow.style.units = FieldUnits::reference;
}

Case coarser_case(const Case& lbm_case, const Derived& derived, int factor) {
  if (lbm_case.initial.flow == InitialFlow::arrays) {
    throw UsageError(where(lbm_case, "run.cascade") +
                     ": conflicts with initial.flow: arrays, which are a start: remove one");
  }
  const Units units = make_units(lbm_case, derived);
  Case c = lbm_case;
  if (c.fluid.tau) c.fluid.viscosity = derived.viscosity * units.viscosity;
  c.fluid.tau.reset();
  coarsen_grid(c, factor);
  for (Body& body : c.bodies) coarsen_image(c, body, factor);
  const auto at_least_one = [&](std::int64_t steps) {
    return std::max<std::int64_t>(1, (steps + factor / 2) / factor);
  };
  for (NamedQuantity& quantity : c.quantities) {
    if (quantity.every_steps) quantity.every_steps = at_least_one(*quantity.every_steps);
  }
  if (c.run.steps) c.run.steps = at_least_one(*c.run.steps);
  c.run.coarsest = (1 << (c.run.cascade - 1)) / factor;
  // The coarsest grid develops the flow; each finer one has a shorter way to go.
  if (c.run.cascade_time) {
    c.run.steps.reset();
    c.run.convective_times.reset();
    c.run.time = *c.run.cascade_time / c.run.coarsest;
  }
  // The flow of the last step is handed on: no correction may change it behind that step.
  const Derived coarse = derive(c);
  const auto corrections = correction_steps(c, coarse);
  const bool at_end = !corrections.empty() && corrections.back() == coarse.steps;
  c.run.flow_rate_corrections = static_cast<int>(corrections.size()) - (at_end ? 1 : 0);
  if (c.run.flow_rate_corrections == 0) c.run.correction_time.reset();
  c.run.walltime.reset();  // of the whole program
  // Errors of a coarse grid are larger than those of a flow that is not quite steady.
  if (auto& error = c.run.until_steady.error) {
    error = std::max(*error, std::min(largest_coarse_error, *error * factor * factor));
  }
  c.run.cascade = 1;
  c.run.cascade_time.reset();
  c.tiling = {};
  c.tiling.exchange = lbm_case.tiling.exchange;
  remove_files(c);
  c.checkpoint.on_signal = lbm_case.checkpoint.on_signal;
  c.expect.clear();
  return c;
}

}  // namespace lbm::cases
