// Key table: fluid, lattice model, forces and initial flow.
#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

}  // namespace

void add_fluid_keys(Parts& parts) {
  add(parts, number(
                 {"fluid.reynolds", "this, tau or viscosity",
                  "Reynolds number: reference velocity x `fluid.length` / viscosity."},
                 0, [](auto& c) -> auto& { return c.fluid.reynolds; }));
  add(parts, number(
                 {"fluid.tau", "this, reynolds or viscosity",
                  "Relaxation time in steps; the viscosity is (tau - 1/2) / 3 in lattice "
                  "units (cells^2 per step)."},
                 0.5, [](auto& c) -> auto& { return c.fluid.tau; }));
  add(parts, number(
                 {"fluid.viscosity", "this, reynolds or tau",
                  "Kinematic viscosity in cells^2 per step; in m^2/s with `units: si`."},
                 0, [](auto& c) -> auto& { return c.fluid.viscosity; }));
  add(parts, number(
                 {"fluid.lattice_velocity", "0.1",
                  "Reference velocity in cells per step. Smaller is more accurate and needs "
                  "more steps; above 0.173 (Mach 0.3) is refused."},
                 0, [](auto& c) -> auto& { return c.fluid.lattice_velocity; }));
  add(parts, number(
                 {"fluid.length", "nx",
                  "Reference length in cells; in m with `units: si`, by default nx cells."},
                 0, [](auto& c) -> auto& { return c.fluid.length; }));
  add(parts,
      number(
          {"fluid.velocity", "required in si", "`units: si` only: reference velocity in m/s."}, 0,
          [](auto& c) -> auto& { return c.fluid.velocity; }));
  add(parts, number(
                 {"fluid.density", "1 in si", "`units: si` only: reference density in kg/m^3."}, 0,
                 [](auto& c) -> auto& { return c.fluid.density; }));
  add(parts,
      word<StorageType>(
          {"lattice.storage", "fp32",
           "How populations are stored. `fp16` halves memory and traffic, arithmetic stays in "
           "single precision; `fp64` doubles them and computes in double precision."},
          {{"fp32", StorageType::fp32}, {"fp16", StorageType::fp16}, {"fp64", StorageType::fp64}},
          [](auto& c) -> auto& { return c.lattice.storage; }));
  add(parts, word<CollisionKind>(
                 {"lattice.collision", "bgk",
                  "Collision model. `bgk`: one relaxation time; `trt`: two, the second by "
                  "`lattice.magic`; `regularised`: BGK of the stresses only, stable at a lower "
                  "tau."},
                 {{"bgk", CollisionKind::bgk},
                  {"trt", CollisionKind::trt},
                  {"regularised", CollisionKind::regularised}},
                 [](auto& c) -> auto& { return c.lattice.collision; }));
  add(parts, number(
                 {"lattice.magic", "0.1875",
                  "`trt` only: (tau+ - 1/2)(tau- - 1/2). With 3/16 a flat wall lies exactly "
                  "halfway between cells, whatever the viscosity."},
                 0, [](auto& c) -> auto& { return c.lattice.magic; }));
  add(parts, number(
                 {"lattice.smagorinsky", "0",
                  "Constant C_s of the Smagorinsky turbulence model, about 0.1 to 0.2; 0 "
                  "switches it off."},
                 NumberRange{.above = 0, .below = 1, .with_lower_end = true},
                 [](auto& c) -> auto& { return c.lattice.smagorinsky; }));
}

namespace {

void add_force(Parts& parts) {
  add(parts, vector(
                 {"force.acceleration", "none",
                  "Acceleration of all fluid, in U^2/L; in m/s^2 with `units: si`."},
                 [](auto& c) -> auto& { return c.force.acceleration; }));
  add(parts, vector(
                 {"force.amplitude", "none",
                  "Amplitude of an additional oscillating part: amplitude x cos(2 pi t / "
                  "`force.period`)."},
                 [](auto& c) -> auto& { return c.force.amplitude; }));
  add(parts, number(
                 {"force.period", "none",
                  "Period of the oscillating part, in convective times; in s with `units: si`."},
                 0, [](auto& c) -> auto& { return c.force.period; }));
}

}  // namespace

void add_initial_keys(Parts& parts) {
  add_force(parts);
  add(parts, word<InitialFlow>(
                 {"initial.flow", "rest",
                  "Flow at time 0. `rest`; `uniform`: `initial.velocity` everywhere; "
                  "`taylor_green`: the Taylor-Green vortex with the reference velocity as "
                  "amplitude (for periodic boxes); `duct`: developed flow along `initial.axis`; "
                  "`perturbed_channel`: a parabola along `initial.axis` with disturbances."},
                 {{"rest", InitialFlow::rest},
                  {"uniform", InitialFlow::uniform},
                  {"taylor_green", InitialFlow::taylor_green},
                  {"duct", InitialFlow::duct},
                  {"perturbed_channel", InitialFlow::perturbed_channel}},
                 [](auto& c) -> auto& { return c.initial.flow; }));
  add(parts, vector(
                 {"initial.velocity", "one reference velocity along the axis",
                  "`uniform`: the velocity (required). `duct`, `perturbed_channel`: the peak, "
                  "along `initial.axis` only."},
                 [](auto& c) -> auto& { return c.initial.velocity; }));
  add(parts, word<int>(
                 {"initial.axis", "z", "Axis of the mean flow."}, {{"x", 0}, {"y", 1}, {"z", 2}},
                 [](auto& c) -> auto& { return c.initial.axis; }));
  add(parts, number(
                 {"initial.disturbance", "0.05 in perturbed_channel",
                  "`perturbed_channel` only: size of the divergence-free disturbances, relative "
                  "to the peak."},
                 NumberRange{.above = 0, .below = 1, .with_lower_end = true},
                 [](auto& c) -> auto& { return c.initial.disturbance; }));
}

}  // namespace lbm::cases::key_table
