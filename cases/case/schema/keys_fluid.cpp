// SPDX-License-Identifier: Apache-2.0

// Key table: fluid, lattice model, forces and initial flow.
#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
using namespace value_types;

void add_fluid_keys(Parts& parts) {
  const auto fluid = keys_of_case(parts).group("fluid", &Case::fluid);
  fluid
      .add("reynolds", &Fluid::reynolds, number(positive), "this, tau or viscosity",
           "Reynolds number: reference velocity x `fluid.length` / viscosity.")
      .one_of({"fluid.tau", "fluid.viscosity"});
  fluid.add("tau", &Fluid::tau, number({.above = 0.5, .below = max_tau}),
            "this, reynolds or viscosity",
            "Relaxation time in steps; the viscosity is (tau - 1/2) / 3 in lattice units (cells^2 "
            "per step).");
  fluid.add("viscosity", &Fluid::viscosity, number(positive), "this, reynolds or tau",
            "Kinematic viscosity in cells^2 per step; in m^2/s with `units: si`.");
  fluid.add("target_reynolds", &Fluid::target_reynolds, number(positive), "none",
            "Reynolds number of the flow that is meant, where the grid bears only a lower one, as "
            "`lbm init` writes it. It changes no result; where the case computes another Reynolds "
            "number, all programs and pages say so beside forces.");
  fluid.add("lattice_velocity", &Fluid::lattice_velocity, number(positive), "0.1",
            "Reference velocity in cells per step. Smaller is more accurate and needs more steps; "
            "above 0.173 (Mach 0.3) is refused.");
  fluid.add("length", &Fluid::length, number(positive), "nx",
            "Reference length in cells; in m with `units: si`, by default nx cells.");
  fluid
      .add("velocity", &Fluid::velocity, number(positive), "required in si",
           "`units: si` only: reference velocity in m/s.")
      .belongs_to("units", "si");
  fluid
      .add("density", &Fluid::density, number(positive), "1 in si",
           "`units: si` only: reference density in kg/m^3.")
      .only_with("units", "si");
  const auto lattice = keys_of_case(parts).group("lattice", &Case::lattice);
  lattice.add("storage", &LatticeKeys::storage, words<StorageType>(), "fp32",
              "How the values of a cell are stored. `fp16` halves memory and traffic, arithmetic "
              "stays in single precision; `fp64` doubles them and computes in double precision.");
  lattice
      .add("representation", &LatticeKeys::representation, or_auto(words<Representation>()), "auto",
           "Stored values of a cell. `populations`: all 19; `moments`: the ten that `regularised` "
           "and `regularised_filtered` need, in 53 % of the memory: as fast on CPUs, 1.3 to 2.1 "
           "times as fast on an H200 GPU. `auto`: with these collisions `moments`, with others "
           "`populations`; after a restart that of the checkpoint. Both compute the same flow, but "
           "not the same bits; in `fp16` moments round slow changes more coarsely.")
      .only_with("lattice.collision", {"regularised", "regularised_filtered"})
      .when("moments");
  lattice.add("cells", &LatticeKeys::cells, or_auto(words<CellsStored>()), "auto",
              "Which cells have memory. `fluid`: only fluid cells, for rock and other boxes that "
              "are mostly solid; the flow is the same, bit for bit. Resting `voxels` then have no "
              "forces unless a quantity or an expectation asks for them. `all`: solid cells, too, "
              "which is faster where few cells are solid. `auto`: `fluid` if images of voxels "
              "leave at most 75 % of the box to the fluid.");
  lattice.add("collision", &LatticeKeys::collision, words<CollisionKind>(), "bgk",
              "Collision model. `bgk`: one relaxation time; `trt`: two, the second by "
              "`lattice.magic`; `regularised`: BGK of the stresses only, stable at a lower tau but "
              "not along walls; `regularised_filtered`: the same, stable there too and in "
              "turbulent flow, with walls halfway between cells.");
  lattice.add("magic", &LatticeKeys::magic, or_auto(number({.above = 1e-6, .below = 10})), "auto",
              "`trt` only: (tau+ - 1/2)(tau- - 1/2). With 3/16 a flat wall lies exactly halfway "
              "between cells, whatever the viscosity; but the error of the speed at which the flow "
              "carries itself along grows with it. `auto`: 0.1875 with walls or bodies, else 0.02 "
              "([method.md](method.md#the-magic-parameter)).");
  lattice.add(
      "smagorinsky", &LatticeKeys::smagorinsky,
      number({.above = 0, .below = 1, .with_lower_end = true}), "0",
      "Constant C_s of the Smagorinsky turbulence model, about 0.1 to 0.2; 0 switches it off.");
}

void add_initial_keys(Parts& parts) {
  const auto force = keys_of_case(parts).group("force", &Case::force);
  force.add_vector_or_formulas(
      "acceleration", &Force::acceleration, &Force::acceleration_formulas, R"x(["cos(t)", 0, 0])x",
      "none",
      "Acceleration of all fluid, in U^2/L; in m/s^2 with `units: si`. Numbers, or formulas "
      "([formulas.md](formulas.md)) of the time `t`, in convective times, in s with `units: si`; "
      "or of the place, `x`, `y` and `z`.");
  force.add("acceleration_factor", &Force::acceleration_factor, formula("\"sin(t)\""), "none",
            "With an `acceleration` by formulas of the place only: a formula "
            "([formulas.md](formulas.md)) of the time `t` that multiplies it.");
  force
      .add("amplitude", &Force::amplitude, vector(), "none",
           "Amplitude of an additional oscillating part: amplitude x cos(2 pi t / `force.period`).")
      .needs("force.period");
  force
      .add("period", &Force::period, number(positive), "none",
           "Period of the oscillating part, at least 4 steps. In convective times; in s with "
           "`units: si`.")
      .needs("force.amplitude");
  const auto initial = keys_of_case(parts).group("initial", &Case::initial);
  initial.add("flow", &Initial::flow, words<InitialFlow>(), "rest",
              "Flow at time 0. `rest`; `uniform`: `initial.velocity` everywhere; `taylor_green`: "
              "the Taylor-Green vortex with the reference velocity as amplitude (for periodic "
              "boxes); `duct`: developed flow along `initial.axis`; `perturbed_channel`: a "
              "parabola along `initial.axis` with disturbances; `formula`: `initial.velocity` and "
              "`initial.pressure` as formulas ([formulas.md](formulas.md)) of the place; `file`: "
              "the flow of a results file, `initial.file` ([initial_flows.md](initial_flows.md)); "
              "`arrays`: given by a Python program ([python.md](python.md)).");
  initial
      .add_vector_or_formulas("velocity", &Initial::velocity, &Initial::velocity_formulas,
                              R"x(["sin(y)", 0, 0])x", "one reference velocity along the axis",
                              "`uniform`: the velocity (required). `duct`, `perturbed_channel`: "
                              "the peak, along `initial.axis` only. `formula`: formulas "
                              "([formulas.md](formulas.md)) of `x`, `y` and `z` (required).")
      .only_with("initial.flow", {"uniform", "duct", "perturbed_channel", "formula"})
      .required_with("initial.flow", {"uniform", "formula"})
      .only_with("initial.flow", "formula")
      .when(by_formulas);
  initial
      .add("pressure", &Initial::pressure, formula("\"1 - z/lz\""), "0 in formula",
           "`formula` only: a formula ([formulas.md](formulas.md)) of `x`, `y` and `z` for the "
           "pressure relative to the reference pressure, in rho0 U^2; in Pa with `units: si`.")
      .only_with("initial.flow", "formula");
  initial
      .add("file", &Initial::file, file_name(), "required by file",
           "`file` only: a `.hdf` file of all cells of a run in the same box, with velocity and "
           "density or pressure ([initial_flows.md](initial_flows.md)). Its grid may be coarser or "
           "finer. Relative to the folder of the case.")
      .belongs_to("initial.flow", "file");
  initial.add("axis", &Initial::axis, axis(), "z", "Axis of the mean flow.");
  initial
      .add("disturbance", &Initial::disturbance,
           number({.above = 0, .below = 1, .with_lower_end = true}), "0.05 in perturbed_channel",
           "`perturbed_channel` only: size of the divergence-free disturbances, relative to the "
           "peak.")
      .only_with("initial.flow", "perturbed_channel");
}

}  // namespace lbm::cases::key_table
