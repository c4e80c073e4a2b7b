// SPDX-License-Identifier: Apache-2.0

// A box whose lid slides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/cli/init/flows.hpp"

namespace lbm::cases::init {
namespace {

Draft draft_of_cavity(const Answers& answers, const Target& target) {
  const bool flat = answers.text("dimensions") == "2";
  const double reynolds = answers.positive("reynolds");
  constexpr int planes = 2;  // of a flow that does not change along y
  const double edge = flat ? std::sqrt(target.cells / planes) : std::cbrt(target.cells);
  const auto n = static_cast<int>(std::lround(edge));
  require_across(n, 16, "the cavity", target.cells, flat ? 2 : 3);
  // Until it is steady: docs/stability.md has 23 at Re 100, 46 at 400, 91 at 1000.
  const double times = std::min(500.0, std::ceil(20 + 0.1 * reynolds));
  const TextOf text_of = [&](const Numerics& numbers) {
    CaseText text;
    begin(
        text, target,
        fmt::format(
            "Lid-driven cavity{}: a box of fluid whose top wall slides and drags the fluid round.",
            flat ? " in two dimensions" : ""));
    text.blank();
    text.line("grid:");
    text.line(fmt::format("  cells: [{}, {}, {}]", n, flat ? planes : n, n),
              flat ? "along x, y and z; two cells along y are enough, as nothing changes there"
                   : "along x, y and z; twice as many along each axis: 16 times the work");
    text.blank();
    text.line("boundaries:", "conditions at the six faces of the box");
    text.line("  x_min: wall", "at rest, the fluid sticks to it");
    text.line("  x_max: wall");
    const std::string side = flat ? "periodic" : "wall";
    text.line("  y_min: " + side, flat ? "what leaves the box here enters at y_max" : "");
    text.line("  y_max: " + side);
    text.line("  z_min: wall", "the floor");
    text.line("  z_max: {type: wall, velocity: [1, 0, 0]}",
              "the lid: slides along x; 1 is the reference velocity");
    text.blank();
    const double re = reynolds / numbers.viscosity_factor;
    text.line("fluid:", "a case without SI units: only the Reynolds number counts");
    text.line("  reynolds: " + digits(re),
              numbers.viscosity_factor == 1
                  ? "speed of the lid x edge / viscosity"
                  : fmt::format("speed of the lid x edge / viscosity; {:.4g} was asked for: {}",
                                reynolds, numbers.why_viscosity));
    if (numbers.viscosity_factor != 1) add_target(text, reynolds);
    text.line("  length: " + digits(n), "cells: the edge of the cavity");
    text.line(
        "  lattice_velocity: " + digits(numbers.lattice_velocity),
        fmt::format("of the lid in cells a step: Mach {:.2g} ({}); half of it takes twice the "
                    "steps, and has a quarter of the errors of compression",
                    numbers.derived.mach, numbers.why_velocity));
    add_lattice(text, numbers);
    text.blank();
    text.line("run:");
    text.line("  convective_times: " + digits(times),
              fmt::format("at most: edge / speed of the lid, {:.5g} steps each",
                          numbers.derived.convective_time));
    text.line("  until_steady: {tolerance: 1e-5}",
              "ends sooner, when the kinetic energy changes by less "
              "per convective time");
    text.blank();
    text.line("output:");
    text.line("  at_end: true", "velocity and density of all cells, for ParaView");
    text.line("  profiles: true", "velocities along the centre lines, as tables (CSV)");
    add_monitor(text, numbers);
    text.blank();
    text.line("outputs:");
    text.line("  middle:", "a plane as a film: open middle.hdf.series in ParaView");
    text.line("    slice: y");
    text.line("    at: " + digits(flat ? 1 : n / 2));
    text.line("    fields: [velocity, vorticity]");
    const double every_time = std::max(1.0, std::round(times / 40));
    text.line("    every_time: " + digits(every_time), "convective times");
    add_pictures(text, target, "y", every_time);
    return text.text();
  };
  Draft result;
  result.dimensions = flat ? 2 : 3;
  result.numerics = choose_numerics({.lattice_velocity = 0.1, .file = target.file}, text_of);
  result.text = text_of(result.numerics);
  result.chosen = chosen(result.numerics);
  const double unsteady = flat ? 8000 : 1900;
  if (reynolds / result.numerics.viscosity_factor > unsteady) {
    result.notes.push_back(fmt::format(
        "above a Reynolds number of about {:.0f} this cavity is never steady: the run ends after "
        "run.convective_times",
        unsteady));
  }
  return result;
}

}  // namespace

Flow cavity_flow() {
  return {"cavity",
          "A box whose lid slides",
          64 * 64 * 64,
          {{"reynolds", "RE", "Reynolds number: speed of the lid x edge / viscosity", "1000"},
           {"dimensions",
            "2|3",
            "3: a cube; 2: the flow of the textbooks, the same along y",
            "3",
            false,
            {"2", "3"}}},
          draft_of_cavity};
}

}  // namespace lbm::cases::init
