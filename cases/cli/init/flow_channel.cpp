// SPDX-License-Identifier: Apache-2.0

// Two plates, or a duct, between an inlet and an outlet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/cli/init/flows.hpp"

namespace lbm::cases::init {
namespace {

Draft draft_of_channel(const Answers& answers, const Target& target) {
  const double height = answers.positive("height");
  const double speed = answers.positive("speed");
  const double length = answers.maybe_positive("length").value_or(10 * height);
  const auto width = answers.maybe_positive("width");
  const FluidFacts fluid = fluid_of(answers);
  constexpr int planes = 2;  // of a flow that does not change along y
  const double across = width ? std::cbrt(target.cells * height * height / (*width * length))
                              : std::sqrt(target.cells / planes * height / length);
  const int nx = static_cast<int>(std::floor(across));
  require_across(nx, 12, "the height", target.cells, width ? 3 : 2);
  if (width) require_across(across * *width / height, 12, "the width", target.cells, 3);
  require_across(across * length / height, 12, "the length", target.cells, width ? 3 : 2);
  const double cell = rounded(height / nx, 6);
  const int ny = width ? static_cast<int>(std::lround(*width / cell)) : planes;
  const int nz = static_cast<int>(std::lround(length / cell));
  // The peak of a parabola between plates is 3/2 of the mean, that of a square duct 2.0962.
  const double peak = width ? 2.0962 : 1.5;
  const double through = nz * cell / speed;
  const double duration = rounded_up(10 * through, 2);

  const TextOf text_of = [&](const Numerics& n) {
    CaseText text;
    begin(text, target,
          width ? "Flow through a rectangular duct, in SI units: an inlet with a developed "
                  "profile, an outlet."
                : "Flow between two plates, in SI units: an inlet with a developed profile, an "
                  "outlet.");
    text.line("units: si", "metres, seconds, kilograms");
    text.blank();
    text.line("grid:");
    text.line(fmt::format("  cells: [{}, {}, {}]", nx, ny, nz),
              width ? "height (x), width (y) and length (z, along the flow)"
                    : "height (x), span (y) and length (z, along the flow); two cells of span are "
                      "enough, as "
                      "nothing changes there");
    text.line("  spacing: " + digits(cell),
              fmt::format("m, edge of a cell: the box is {:.4g} x {:.4g} x {:.4g} m", nx * cell,
                          ny * cell, nz * cell));
    text.blank();
    text.line("boundaries:", "conditions at the six faces of the box");
    text.line("  x_min: wall", "at rest, the fluid sticks to it");
    text.line("  x_max: wall");
    text.line(width ? "  y_min: wall" : "  y_min: periodic",
              width ? "" : "what leaves the box here enters at y_max");
    text.line(width ? "  y_max: wall" : "  y_max: periodic");
    text.line("  z_min:", "the inlet");
    text.line("    type: velocity");
    text.line(fmt::format("    velocity: [0, 0, {}]", digits(peak * speed)),
              width ? "m/s, the peak of the profile, which is about twice the mean"
                    : "m/s, the peak of the profile: 3/2 of the mean");
    text.line("    profile: duct", width ? "developed flow of a rectangular duct"
                                         : "a parabola; `uniform` would develop "
                                           "into it along the channel");
    text.line("  z_max: {type: pressure, pressure: 0}",
              "the outlet: Pa, relative to the reference pressure");
    add_si_fluid(text, n, fluid, height, "the height", speed, "the mean");
    add_lattice(text, n);
    text.blank();
    text.line("initial:", "the flow at time 0");
    text.line("  flow: duct", "developed already; a body that you add disturbs it");
    text.line("  axis: z");
    text.line(fmt::format("  velocity: [0, 0, {}]", digits(peak * speed)), "m/s, the peak");
    text.blank();
    text.line("run:");
    text.line("  time: " + digits(duration),
              fmt::format("s, at most: the fluid passes the channel in {:.3g} s", through));
    text.line("  until_steady: {tolerance: 1e-5}",
              "ends sooner, when the kinetic energy changes by less "
              "while the fluid moves by one height");
    text.blank();
    text.line("output:");
    text.line("  at_end: true", "velocity and density of all cells, for ParaView");
    add_monitor(text, n);
    text.blank();
    text.line("outputs:");
    text.line("  middle:", "a plane as a film: open middle.hdf.series in ParaView");
    text.line("    slice: y");
    text.line("    at: " + digits(ny * cell / 2), "m");
    text.line("    fields: [velocity, pressure]");
    text.line("    every_time: " + digits(rounded_up(through / 4, 2)), "s");
    add_pictures(text, target, "y", rounded_up(through / 4, 2));
    text.blank();
    text.line("quantities:",
              "numbers over time: quantity_NAME.csv, and a line at the end of the run");
    text.line("  inflow: {kind: flow_rate, face: z_min, every_steps: 100}", "m^3/s");
    text.line("  outflow: {kind: flow_rate, face: z_max, every_steps: 100}",
              "the same, once the flow is steady");
    text.line("  pressure_in: {kind: mean, field: pressure, face: z_min, every_steps: 100}",
              "Pa, above the outlet: what drives the flow");
    if (!width) {
      text.blank();
      text.line("expect:", "known results: `lbm run --expect` compares them");
      text.line("  middle:");
      text.line("    quantity: velocity.z");
      text.line(fmt::format("    point: [{}, {}, {}]", digits(nx * cell / 2), digits(ny * cell / 2),
                            digits(nz * cell / 2)),
                "m, halfway along the channel");
      text.line("    value: " + digits(1.5 * speed),
                "m/s: 3/2 of the mean (plane Poiseuille flow)");
      text.line("    tolerance: 0.02");
    }
    return text.text();
  };
  Draft result;
  result.dimensions = width ? 3 : 2;
  result.numerics = choose_numerics({.lattice_velocity = 0.05, .file = target.file}, text_of);
  result.text = text_of(result.numerics);
  result.chosen = chosen(result.numerics);
  if (speed * height / fluid.viscosity > 2000) {
    result.notes.emplace_back(
        "above a Reynolds number of about 2000 a real channel is turbulent; the profile at this "
        "inlet "
        "is laminar (boundaries.z_min.turbulence adds disturbances)");
  }
  return result;
}

}  // namespace

Flow channel_flow() {
  std::vector<Option> options{
      {"height", "M", "Distance of the two walls in m", "", true},
      {"speed", "M/S", "Mean velocity in m/s", "", true},
      {"length", "M", "Length along the flow in m (default: 10 heights)", ""},
      {"width", "M",
       "Walls at the sides, too, at this distance in m (default: none, two dimensions)", ""}};
  for (Option& o : fluid_options()) options.push_back(std::move(o));
  return {"channel", "Two plates or a duct between an inlet and an outlet, in SI units", 100'000,
          std::move(options), draft_of_channel};
}

}  // namespace lbm::cases::init
