// SPDX-License-Identifier: Apache-2.0

// Options and parts of case files that several flows share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/cli/init/flows.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {

const std::vector<Flow>& flows() {
  static const std::vector<Flow> all{cavity_flow(), channel_flow(), pipe_flow(), wind_tunnel_flow(),
                                     porous_flow()};
  return all;
}

std::vector<Option> fluid_options() {
  return {{"fluid", "WORD", "air or water at 20 degrees C", "air", false, {"air", "water"}},
          {"viscosity", "M2/S", "Kinematic viscosity in m^2/s, instead of that of --fluid", ""},
          {"density", "KG/M3", "Density in kg/m^3, instead of that of --fluid", ""}};
}

FluidFacts fluid_of(const Answers& answers) {
  const bool water = answers.text("fluid") == "water";
  FluidFacts fluid{water ? 1.0e-6 : 1.5e-5, water ? 998 : 1.2,
                   water ? "water at 20 degrees C" : "air at 20 degrees C"};
  const auto viscosity = answers.maybe_positive("viscosity");
  const auto density = answers.maybe_positive("density");
  if (viscosity) fluid.viscosity = *viscosity;
  if (density) fluid.density = *density;
  if (viscosity || density) fluid.text = "of --viscosity and --density";
  return fluid;
}

void begin(CaseText& text, const Target& target, const std::string& title) {
  text.comment(title);
  text.comment("Written by `" + target.command + "`; every line may be changed.");
  text.blank();
  const std::string file = quoted(std::filesystem::path(target.file).filename().string());
  text.comment("  lbm check " + file + "     is it valid, and will it be stable?");
  text.comment("  lbm plan " + file + "      memory, time and files on this machine");
  text.comment("  lbm run " + file + "       results in out/" + target.name);
  text.blank();
  text.line(std::string(facts_mark));
  text.line("name: " + target.name, "results go to out/" + target.name);
}

void add_target(CaseText& text, double reynolds) {
  text.line("  target_reynolds: " + digits(reynolds),
            "that was asked for: it stands beside all forces, and computes nothing");
}

void add_si_fluid(CaseText& text, const Numerics& n, const FluidFacts& fluid, double length,
                  const std::string& what_length, double speed, const std::string& what_speed) {
  text.blank();
  text.line("fluid:");
  text.line("  length: " + digits(length),
            "m, " + what_length + ": the length of Reynolds numbers");
  text.line("  velocity: " + digits(speed),
            "m/s, " + what_speed + ": the velocity of Reynolds numbers");
  const double viscosity = fluid.viscosity * n.viscosity_factor;
  const double reynolds = speed * length / fluid.viscosity;
  if (n.viscosity_factor == 1) {
    text.line("  viscosity: " + digits(viscosity),
              fmt::format("m^2/s, {}: Re {:.4g}", fluid.text, reynolds));
  } else {
    text.line(
        "  viscosity: " + digits(viscosity),
        fmt::format("m^2/s, Re {:.4g}. The fluid has {:.4g} (Re {:.4g}), which this grid cannot "
                    "bear: {}. Give more cells to come nearer",
                    reynolds / n.viscosity_factor, fluid.viscosity, reynolds, n.why_viscosity));
    add_target(text, reynolds);
  }
  text.line("  density: " + digits(fluid.density), "kg/m^3: sets the unit of forces and pressures");
  text.line(
      "  lattice_velocity: " + digits(n.lattice_velocity),
      fmt::format("cells a step at {:.4g} m/s: a step is {:.3g} s, Mach {:.2g} ({}). Half of it "
                  "takes twice the steps, and has a quarter of the errors of compression",
                  speed, n.units.time, n.derived.mach, n.why_velocity));
}

void add_lattice(CaseText& text, const Numerics& n) {
  text.blank();
  text.line("lattice:");
  text.line("  collision: " + std::string(to_string(n.collision)), n.why_collision);
  if (n.smagorinsky > 0) {
    text.line("  smagorinsky: " + digits(n.smagorinsky),
              "turbulence model (large-eddy simulation), its constant");
  }
  text.line("  storage: fp32", "fp16 halves memory and traffic, fp64 doubles them");
}

void add_monitor(CaseText& text, const Numerics& n) {
  const double every = rounded_up(std::max(1.0, static_cast<double>(n.derived.steps) / 500), 2);
  text.line(fmt::format("  monitor: {:.0f}", std::ceil(every)),
            "steps between lines of monitor.csv: energy, largest speed, mass");
}

void add_pictures(CaseText& text, const Target& target, const std::string& axis,
                  double every_time) {
  text.blank();
  text.line("pictures:",
            "PNG files while it computes; `lbm film out/" + target.name + "` makes a film of them");
  text.line(fmt::format("  middle: {{slice: {}, every_time: {}}}", axis, digits(every_time)),
            "the speed on the middle plane");
}

std::vector<std::string> chosen(const Numerics& n) {
  const Case& c = n.lbm_case;
  const auto& [nx, ny, nz] = c.grid.cells;
  std::vector<std::string> lines{
      fmt::format("grid.cells: {} x {} x {}", nx, ny, nz),
      fmt::format("fluid.lattice_velocity: {:.6g}, Mach {:.2g}: {}", n.lattice_velocity,
                  n.derived.mach, n.why_velocity),
      fmt::format("lattice.collision: {}: {}", to_string(n.collision), n.why_collision)};
  if (!n.why_viscosity.empty()) {
    lines.push_back(
        n.smagorinsky > 0
            ? fmt::format("lattice.smagorinsky: {:.6g}: {}", n.smagorinsky, n.why_viscosity)
            : fmt::format("Reynolds number: {:.4g} in place of {:.4g}: {}", n.derived.reynolds,
                          n.derived.reynolds * n.viscosity_factor, n.why_viscosity));
  }
  return lines;
}

std::string file_from_case(const std::string& file, const Target& target) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path whole = fs::absolute(file).lexically_normal();
  const fs::path folder = fs::absolute(target.file).lexically_normal().parent_path();
  const fs::path relative = whole.lexically_relative(folder);
  const bool far = relative.empty() || relative.string().starts_with("../../../");
  // A symbolic link may lead elsewhere by "..".
  return !far && fs::equivalent(folder / relative, whole, failed) ? relative.string()
                                                                  : whole.string();
}

void require_across(double across, double least, const std::string& what, double cells, int power) {
  if (across >= least) return;
  throw UsageError(fmt::format(
      "--cells: found {:.6g}, which gives {:.2g} cells across {}, must be at least {}: give {:.0f}",
      cells, across, what, least, rounded_up(1.05 * cells * std::pow(least / across, power), 3)));
}

}  // namespace lbm::cases::init
