// SPDX-License-Identifier: Apache-2.0

// Runs of a small flow with all relevant features, and their results.
#pragma once

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>

#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases::test {

namespace fs = std::filesystem;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Ignores warnings about the case.
inline void expect_one_line(const Outcome& outcome, int exit_code, const std::string& part) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  std::istringstream lines(outcome.err);
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with("lbm: ") ? 1 : 0;
  EXPECT_EQ(count, 1) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("lbm: "), outcome.err.rfind('\n', outcome.err.size() - 2) + 1)
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
}

// The end of each of these flows.
inline const std::string to_step_120 = R"(run:
  steps: 120
output:
  every_steps: 40
  at_end: false
  monitor: 6
)";

// Walls, forces and an inlet that vary in time, bodies of which one rotates, an expected mean.
inline const std::string windy = R"(
name: windy
grid:
  cells: [18, 14, 27]
boundaries:
  x_min: {type: wall, velocity: [0, 0.5, 0.2], period: 0.7}
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 0.6], turbulence: {intensity: 0.1, length: 4}}
  z_max: outflow
bodies:
  ball: {shape: sphere, center: [9, 7, 12], radius: 3.3, angular_velocity: [0, 1, 0]}
  post: {shape: box, center: [4, 7, 20], size: [3, 3, 3]}
fluid:
  reynolds: 40
  length: 7
  lattice_velocity: 0.08
force:
  amplitude: [0.01, 0, 0]
  period: 0.9
quantities:
  through: {kind: flow_rate, slice: z, at: 20, every_steps: 10}
  lively: {kind: mean, field: speed, every_steps: 10}
  heated: {kind: mean, field: dissipation, slice: z, at: 8, every_steps: 10}
  push: {kind: force, bodies: [ball, post], direction: [0, 1, 2], every_steps: 2, start: 0.1}
  side: {kind: wall_pressure, point: [18, 7, 12], every_steps: 5}
)" + to_step_120 + R"(expect:
  through: {quantity: value, of: through, value: 1, tolerance: 0.5}
  push: {quantity: mean, of: push, value: 1, tolerance: 0.5}
  push_rms: {quantity: rms_error, of: push, value: 1, tolerance: 0.5}
  push_period: {quantity: frequency, of: push, value: 1, tolerance: 0.5}
  side: {quantity: rms, of: side, value: 1, tolerance: 0.5}
  drag: {quantity: coefficient.z, body: ball, value: 1, tolerance: 0.5, average_from: 0.3}
  speed: {quantity: velocity.z, point: [9, 7, 22], value: 1, tolerance: 0.5}
)";

// A periodic flow without bodies.
inline const std::string vortex = R"(
name: vortex
grid:
  cells: [16, 16, 24]
boundaries:
  x_min: periodic
  x_max: periodic
  y_min: periodic
  y_max: periodic
  z_min: periodic
  z_max: periodic
fluid:
  reynolds: 60
  lattice_velocity: 0.05
initial:
  flow: taylor_green
)" + to_step_120;

// Formulas for all that may be one: initial flow, inlet, outlet, factors of wall and body, force.
inline const std::string by_formula = R"yaml(
name: by_formula
grid:
  cells: [18, 14, 27]
boundaries:
  x_min: {type: wall, velocity: [0, 0.5, 0.2], velocity_factor: "cos(9*t) - 0.1*t"}
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, "0.1*sin(2*pi*y/ly)", "2.4*U*x*(lx - x)/lx^2"], velocity_factor: "1 + 0.2*sin(5*t)"}
  z_max: {type: outflow, pressure: "0.3*rho0*U^2*sin(2*pi*y/ly)*x/lx"}
bodies:
  ball: {shape: sphere, center: [9, 7, 12], radius: 3.3, angular_velocity: [0.1, 0.8, 0], velocity_factor: "sin(4*t)"}
fluid:
  reynolds: 40
  length: 7
  lattice_velocity: 0.08
initial:
  flow: formula
  velocity: ["0.1*sin(2*pi*z/lz)*cos(y)", "0", "0.6*exp(-((x - lx/2)/L)^2)"]
  pressure: "rho0*U^2*0.1*cos(pi*z/lz)"
force:
  acceleration: ["0.01*cos(2*pi*y/ly)", 0, "0.02*x/lx*z/lz"]
  acceleration_factor: "cos(7*t) + t*exp(-t)"
)yaml" + to_step_120;

// A buoyant scalar and one that is only carried, around a hot body.
inline const std::string heated = R"yaml(
name: heated
grid:
  cells: [18, 14, 27]
boundaries:
  x_max: {type: wall, patches: {strip: {box: [3, 9, 5, 20]}}}
  y_min: periodic
  y_max: periodic
  z_max: {type: wall, velocity: [0.4, 0, 0]}
scalars:
  warmth:
    prandtl: 0.7
    reference: 20
    difference: 4
    rayleigh: 3e4
    boundaries:
      x_max: {patches: [strip], patch_types: [flux], patch_values: ["0.2*sin(9*t)"]}
      z_min: {type: value, value: "22 + 0.5*cos(2*pi*x/lx - 9*t)"}
      z_max: {type: convection, value: "18 + sin(9*t)", coefficient: 0.05}
    initial: "22 - 4*z/lz + 0.2*sin(2*pi*x/lx)*cos(2*pi*y/ly)"
    bodies: [ball]
    body_types: [convection]
    body_values: [23]
    body_coefficients: [0.1]
  dye:
    peclet: 300
    initial: "0.5 + 0.3*cos(2*pi*z/lz)"
    source: 0.05
    gradient: [0, 0.01, 0]
    boundaries: {x_min: {type: flux, value: 0.01}}
    conductors: [ball]
    conductivities: [3]
    capacities: [0.5]
    conductor_sources: [0.2]
bodies:
  ball: {shape: sphere, center: [9, 7, 12], radius: 3.3}
fluid:
  length: 27
  lattice_velocity: 0.08
quantities:
  warm: {kind: mean, field: warmth, slice: z, at: 20, every_steps: 10}
  dyed: {kind: mean, field: dye, every_steps: 5}
  here: {kind: point, field: dye, point: [9, 7, 22], every_steps: 3}
  given: {kind: heat_flow, scalar: warmth, bodies: [ball], every_steps: 4}
)yaml" + to_step_120;

// One of these flows with outputs, statistics and probes. A run that ends at a multiple of 40
// leaves no file that a longer one lacks.
inline std::string with_results(const std::string& flow) {
  return flow + R"(outputs:
  cut: {slice: y, at: 7, every_steps: 8, fields: [velocity, vorticity, wall_shear_stress, solid], at_end: false}
  coarse: {average: 2, every_steps: 20, fields: [pressure, q_criterion], at_end: false}
  part: {box_from: [3, 3, 3], box_to: [12, 12, 20], stride: 2, every_time: 0.11, precision: float16, at_end: false}
pictures:
  wake: {slice: y, quantity: vorticity_y, every_steps: 8, size: [320, 240], at_end: false}
  depth: {project: z, quantity: pressure, every_steps: 20, size: [320, 240], at_end: false}
  side: {project: x, by: maximum, box_from: [2, 2, 2], box_to: [12, 12, 20], every_steps: 40, size: [320, 240], at_end: false}
  shape: {surface: vorticity, value: 0.5, quantity: velocity_z, every_steps: 40, size: [320, 240], at_end: false}
statistics:
  all: {every_steps: 4, start: 0.1, write_every_steps: 40, sums: float64}
  middle: {every_steps: 5, slice: z, at: 13, stresses: false, write_every_steps: 40}
probes:
  points: {points: [[9, 7, 22.3], [2.5, 2.5, 2.5]]}
  line: {line_from: [1, 1, 1], line_to: [15, 13, 23.9], line_points: 7, every_steps: 2}
)";
}

// A directory with the case and its runs.
class Runs {
 public:
  explicit Runs(const std::string& case_text = windy) {
    lbm::testing::write_text(path("case.yaml"), case_text);
  }
  fs::path path(const std::string& name) const { return scratch_.path() / name; }
  // Command line of a run in the directory `out`.
  std::string line(const std::string& out, const std::string& more = "") const {
    return fmt::format("run '{}' --set device.backend=cpu --quiet {} {}",
                       path("case.yaml").string(),
                       out.empty() ? "" : "--out '" + path(out).string() + "'", more);
  }
  Outcome run(const std::string& out, const std::string& more = "") const {
    return lbm_program(line(out, more));
  }
  // Restarts from a file or directory in this directory.
  Outcome restart(const std::string& from, const std::string& more = "") const {
    return run("", fmt::format("--restart '{}' {}", path(from).string(), more));
  }
  std::string text(const std::string& file) const { return file_text(path(file).string()); }
  std::vector<std::string> checkpoints(const std::string& out) const {
    std::vector<std::string> names;
    for (const std::string& name : lbm::testing::names_in(path(out))) {
      if (name.starts_with("checkpoint")) names.push_back(name);
    }
    return names;
  }

 private:
  lbm::testing::ScratchDirectory scratch_;
};

// A channel between two bodies, driven by a force.
inline const std::string duct = R"(
grid: {cells: [12, 4, 12]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies:
  low: {shape: box, center: [1, 2, 6], size: [2, 20, 40]}
  high: {shape: box, center: [11, 2, 6], size: [2, 20, 40]}
fluid: {tau: 1, lattice_velocity: 0.02, length: 8}
force: {acceleration: [0, 0, 0.1]}
run: {steps: 20000}
output: {at_end: false, profiles: false, forces: 1000}
)";

// A run in its directory.
struct FinishedRun {
  lbm::testing::ScratchDirectory scratch;
  Outcome outcome;
  YAML::Node report;

  explicit FinishedRun(const std::string& text, const std::string& more = "") {
    const auto file = (scratch.path() / "case.yaml").string();
    lbm::testing::write_text(file, text);
    outcome = lbm_program(fmt::format("run '{}' --quiet --set device.backend=cpu --out '{}' {}",
                                      file, (scratch.path() / "out").string(), more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    report = YAML::LoadFile((scratch.path() / "out" / "report.json").string());
  }
  YAML::Node quantity(const std::string& name) const {
    for (const auto& q : report["quantities"]) {
      if (q["name"].as<std::string>() == name) return q;
    }
    return {};
  }
  double value(const std::string& name) const { return quantity(name)["value"].as<double>(); }
};

// A surface (STL) with this z of its top; its foot is at z = 4.
inline std::string tetrahedron(double height) {
  std::string text = "solid t\n";
  const double p[4][3]{{3, 3, 4}, {12, 3, 4}, {6, 11, 4}, {7, 6, height}};
  for (const auto& [a, b, c] :
       {std::array{0, 2, 1}, std::array{0, 1, 3}, std::array{1, 2, 3}, std::array{2, 0, 3}}) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int i : {a, b, c})
      text += fmt::format("vertex {} {} {}\n", p[i][0], p[i][1], p[i][2]);
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid t\n";
}

// Points of a surface in a picture's data may come in any order.
inline void sort_points(std::string& data) {
  constexpr std::size_t bytes = 32;
  const std::size_t head = data.find('\n') + 1;
  if (!has(data.substr(0, head), "\"surface\"")) return;
  std::vector<std::string> points;
  for (std::size_t at = head; at < data.size(); at += bytes) {
    points.push_back(data.substr(at, bytes));
  }
  std::sort(points.begin(), points.end());
  data.resize(head);
  for (const std::string& point : points) data += point;
}

// All results whose bytes must be equal for every schedule and number of ranks.
inline std::map<std::string, std::string> results_in(const fs::path& directory) {
  std::map<std::string, std::string> results;
  for (const std::string& name : lbm::testing::names_in(directory)) {
    if (name == "report.json" || name == "effective_case.yaml" || name == "run.log") continue;
    if (name.starts_with("checkpoint") || fs::is_directory(directory / name)) continue;
    results[name] = lbm::testing::read_text(directory / name);
    if (name.ends_with(".picture")) sort_points(results[name]);
  }
  return results;
}

inline void expect_same_results(const fs::path& right, const fs::path& other) {
  const auto a = results_in(right), b = results_in(other);
  EXPECT_GE(a.size(), 5U);
  for (const auto& [name, bytes] : a) {
    EXPECT_TRUE(b.contains(name)) << name;
    const auto found = b.find(name);
    EXPECT_TRUE(found == b.end() || found->second == bytes) << name << " differs";
  }
  for (const auto& [name, bytes] : b) EXPECT_TRUE(a.contains(name)) << name << " is too much";
}

// The lines about expectations in the summary.
inline std::string judged(const Outcome& outcome) {
  return has(outcome.out, "expect ") ? outcome.out.substr(outcome.out.find("expect ")) : "";
}

}  // namespace lbm::cases::test
