// SPDX-License-Identifier: Apache-2.0

// A round pipe, periodic along its axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/cli/init/flows.hpp"

namespace lbm::cases::init {
namespace {

Draft draft_of_pipe(const Answers& answers, const Target& target) {
  const double diameter = answers.positive("diameter");
  const double speed = answers.positive("speed");
  const double length = answers.maybe_positive("length").value_or(2 * diameter);
  const FluidFacts fluid = fluid_of(answers);
  constexpr int wall = 2;  // cells beside the bore
  int n = static_cast<int>(std::floor(std::cbrt(target.cells * diameter / length)));
  const auto planes = [&] {
    return std::max(2, static_cast<int>(std::lround(n * length / diameter)));
  };
  while (n > 1 && std::pow(n + 2 * wall, 2) * planes() > 1.05 * target.cells) --n;
  require_across(n, 16, "the bore", target.cells, 3);
  const double cell = rounded(diameter / n, 6);
  const int side = n + 2 * wall;
  const int nz = planes();
  const std::string middle = digits(side * cell / 2);
  const double radius = diameter / 2;

  const TextOf text_of = [&](const Numerics& numbers) {
    const double viscosity = fluid.viscosity * numbers.viscosity_factor;
    CaseText text;
    begin(
        text, target,
        "Flow through a round pipe, in SI units. It repeats along the pipe, and a force drives it, "
        "as a falling pressure would. Exact: Hagen-Poiseuille.");
    text.line("units: si", "metres, seconds, kilograms");
    text.blank();
    text.line("grid:");
    text.line(
        fmt::format("  cells: [{}, {}, {}]", side, side, nz),
        fmt::format("{} across the bore, {} of wall beside it; the pipe is along z", n, wall));
    text.line("  spacing: " + digits(cell), "m, edge of a cell");
    text.blank();
    text.line("boundaries:", "the other faces are walls, outside the pipe");
    text.line("  z_min: periodic", "what leaves the box at z_max enters here");
    text.line("  z_max: periodic");
    text.blank();
    text.line("bodies:", "solid is what is left of a block when the bore is taken out");
    text.line("  block:");
    text.line("    shape: box");
    text.line(fmt::format("    center: [{}, {}, {}]", middle, middle, digits(nz * cell / 2)),
              "m, from the corner of the box");
    text.line(fmt::format("    size: [{}, {}, {}]", digits(2 * side * cell),
                          digits(2 * side * cell), digits(2 * nz * cell)),
              "larger than the box");
    text.line("    solid: false", "only a part of `pipe`");
    text.line("  bore:");
    text.line("    shape: cylinder");
    text.line(fmt::format("    from: [{}, {}, {}]", middle, middle, digits(-2 * nz * cell)),
              "longer than the block");
    text.line(fmt::format("    to: [{}, {}, {}]", middle, middle, digits(3 * nz * cell)));
    text.line("    radius: " + digits(radius), "m");
    text.line("    solid: false");
    text.line("  pipe: {shape: difference, of: [block, bore]}");
    add_si_fluid(text, numbers, fluid, diameter, "the bore", speed, "the mean");
    add_lattice(text, numbers);
    text.blank();
    text.line("force:");
    text.line(fmt::format("  acceleration: [0, 0, {}]",
                          digits(32 * viscosity * speed / (diameter * diameter))),
              fmt::format("m/s^2: 32 viscosity x mean / diameter^2, which holds that mean; as a "
                          "pressure that falls by {:.4g} Pa/m",
                          32 * viscosity * fluid.density * speed / (diameter * diameter)));
    text.blank();
    text.line("initial:", "the flow at time 0: the exact one, so that the run is short");
    text.line("  flow: formula", "U is fluid.velocity; `flow: rest` shows how it develops");
    text.line(
        fmt::format("  velocity: [\"0\", \"0\", \"2*U*max(0, 1 - ((x-{0})^2 + (y-{0})^2)/{1}^2)\"]",
                    middle, digits(radius)));
    text.blank();
    text.line("run:");
    text.line("  time: " + digits(rounded_up(40 * diameter / speed, 2)),
              fmt::format("s, at most: 40 times that in which the fluid moves by one diameter; "
                          "from rest the flow needs about {:.2g} s",
                          1.2 * radius * radius / viscosity));
    text.line("  until_steady: {tolerance: 1e-5}",
              "ends sooner, when the kinetic energy changes by less "
              "while the fluid moves by one diameter");
    text.blank();
    text.line("output:");
    text.line("  at_end: true", "velocity and density of all cells, for ParaView");
    text.line("  forces: 100", "steps between lines of the force on the wall, forces_pipe.csv");
    add_monitor(text, numbers);
    add_pictures(text, target, "y", rounded_up(2 * diameter / speed, 2));
    text.blank();
    text.line("quantities:",
              "numbers over time: quantity_NAME.csv, and a line at the end of the run");
    text.line("  flow_rate: {kind: flow_rate, face: z_min, every_steps: 100}",
              fmt::format("m^3/s; mean x area is {:.4g}", speed * M_PI * radius * radius));
    text.blank();
    text.line("expect:", "known results: `lbm run --expect` compares them");
    text.line("  middle:");
    text.line("    quantity: velocity.z");
    text.line(fmt::format("    point: [{}, {}, {}]", middle, middle, digits(nz * cell / 2)),
              "m, on the axis");
    text.line("    value: " + digits(2 * speed), "m/s: twice the mean");
    text.line("    tolerance: 0.02");
    return text.text();
  };
  Draft result;
  result.numerics = choose_numerics({.lattice_velocity = 0.05, .file = target.file}, text_of);
  result.text = text_of(result.numerics);
  result.chosen = chosen(result.numerics);
  if (speed * diameter / fluid.viscosity > 2000) {
    result.notes.emplace_back(
        "above a Reynolds number of about 2000 a real pipe is turbulent; this case computes the "
        "laminar flow");
  }
  return result;
}

}  // namespace

Flow pipe_flow() {
  std::vector<Option> options{{"diameter", "M", "Inner diameter in m", "", true},
                              {"speed", "M/S", "Mean velocity in m/s", "", true},
                              {"length", "M", "Length of the box in m (default: 2 diameters)", ""}};
  for (Option& o : fluid_options()) options.push_back(std::move(o));
  return {"pipe", "A round pipe, in SI units", 200'000, std::move(options), draft_of_pipe};
}

}  // namespace lbm::cases::init
