// SPDX-License-Identifier: Apache-2.0

// A body from a file of triangles in a stream.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case/scalars.hpp"
#include "cases/cli/init/flows.hpp"
#include "cases/cli/init/placed_body.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

constexpr double few_cells = 8;  // of the smallest extent of a body

// Sizes of the tunnel in m. d: the edge of a square as large as the body's front.
struct Tunnel {
  double cell = 0;
  std::array<int, 3> cells{};
  Vec3 translate{};  // of the body

  double size(std::size_t axis) const { return cells[axis] * cell; }
};

Tunnel tunnel_of(const PlacedBody& body, bool ground, double cells) {
  const auto& [w, h, l] = body.size;
  const double d = std::sqrt(w * h);
  const Vec3 wish{w + 4 * d, h + (ground ? 3 : 4) * d, 6 * d + 1.75 * l};
  Tunnel t;
  t.cell = rounded(std::cbrt(wish[0] * wish[1] * wish[2] / cells), 3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    t.cells[axis] = std::max(1, static_cast<int>(std::lround(wish[axis] / t.cell)));
  }
  const double ahead = 2 * d + l / 4;
  const Vec3 low{(t.size(0) - w) / 2, ground ? -0.01 * t.cell : (t.size(1) - h) / 2, ahead};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // Whole hundredths of a cell, so that the file has short numbers.
    const double shift = low[axis] - body.low[axis];
    t.translate[axis] = std::round(shift / t.cell * 100) / 100 * t.cell;
  }
  return t;
}

std::string list(const Vec3& v, int count = 6) {
  return fmt::format("[{}, {}, {}]", digits(v[0], count), digits(v[1], count), digits(v[2], count));
}

std::string rotations(const PlacedBody& body) {
  std::vector<std::string> all;
  for (const Rotation& r : body.rotate) {
    all.push_back(fmt::format("[{}, {}, {}, {}]", r.axis[0], r.axis[1], r.axis[2], r.degrees));
  }
  return fmt::format("[{}]", fmt::join(all, ", "));
}

class TunnelText {
 public:
  TunnelText(const Answers& answers, const Target& target, const PlacedBody& body)
      : answers_(answers),
        target_(target),
        body_(body),
        ground_(answers.text("ground") == "yes"),
        speed_(answers.positive("speed")),
        fluid_(fluid_of(answers)),
        tunnel_(tunnel_of(body, ground_, target.cells)),
        through_(tunnel_.size(2) / speed_) {}

  double smallest() const {
    return *std::min_element(body_.size.begin(), body_.size.end()) / tunnel_.cell;
  }

  std::string text(const Numerics& n) const {
    CaseText text;
    begin(text, target_,
          fmt::format(
              "A body from a file in a wind tunnel, in SI units: {} m long, in a stream of {} m/s.",
              digits(body_.size[2], 4), digits(speed_)));
    text.line("units: si", "metres, seconds, kilograms");
    add_box(text);
    add_body(text);
    add_si_fluid(text, n, fluid_, body_.size[2], "the length of the body", speed_, "the stream");
    add_lattice(text, n);
    add_run(text, n);
    return text.text();
  }

 private:
  void add_box(CaseText& text) const {
    const auto& [nx, ny, nz] = tunnel_.cells;
    text.blank();
    text.line("grid:");
    text.line(fmt::format("  size: [{}, {}, {}]", digits(tunnel_.size(0), 9),
                          digits(tunnel_.size(1), 9), digits(tunnel_.size(2), 9)),
              fmt::format("m, of the tunnel along x (across), y (up) and z (along the stream): {} "
                          "x {} x {} cells",
                          nx, ny, nz));
    text.line("  spacing: " + digits(tunnel_.cell),
              fmt::format("m, edge of a cell: the body is {:.3g} x {:.3g} x {:.3g} cells large. "
                          "Half of it: 16 times the work",
                          body_.size[0] / tunnel_.cell, body_.size[1] / tunnel_.cell,
                          body_.size[2] / tunnel_.cell));
    text.blank();
    text.line("boundaries:", "conditions at the six faces of the tunnel");
    text.line("  x_min: slip", "the fluid glides along: a side without friction");
    text.line("  x_max: slip");
    if (ground_) {
      text.line(fmt::format("  y_min: {{type: wall, velocity: [0, 0, {}]}}", digits(speed_)),
                "the road: it moves with the stream, as seen from the body; m/s");
    } else {
      text.line("  y_min: slip");
    }
    text.line("  y_max: slip");
    text.line("  z_min:", "the inlet");
    text.line("    type: velocity");
    text.line(fmt::format("    velocity: [0, 0, {}]", digits(speed_)), "m/s");
    text.line("    ramp_time: " + digits(rounded(through_ / 4, 2)),
              "s: the stream rises smoothly, as a jump would make a bang");
    text.line("  z_max: outflow", "the outlet: lets waves out and holds the mean pressure");
  }

  void add_body(CaseText& text) const {
    text.blank();
    text.line("bodies:");
    text.line("  body:");
    text.line("    shape: surface", "of triangles: STL, OBJ or PLY");
    text.line("    file: " + double_quoted(file_from_case(answers_.text("stl"), target_)),
              "relative to this file");
    if (answers_.given("open")) {
      text.line("    open: " + answers_.text("open"),
                "what becomes of the surface, which is not closed");
    }
    text.line("    scale: " + digits(body_.scale, 9),
              "m for a unit of the file; then rotated and moved:");
    if (!body_.rotate.empty()) {
      text.line("    rotate: " + rotations(body_),
                fmt::format("axis and degrees, in this order: the stream comes along {} of the "
                            "file, its {} is up",
                            answers_.text("stream"), body_.up));
    }
    text.line("    translate: " + list(tunnel_.translate, 9),
              ground_ ? "m: to the road, by a hundredth of a cell into it"
                      : "m: to its place in the tunnel");
    text.line("    reference_area: " + digits(body_.frontal_area, 4),
              "m^2, for coefficients: the area that the body turns towards the stream");
  }

  void add_run(CaseText& text, const Numerics& n) const {
    text.blank();
    text.line("run:");
    text.line("  time: " + digits(rounded(5 * through_, 3)),
              fmt::format("s: five times that in which the stream passes the tunnel, {:.3g} s",
                          through_));
    text.line("  until_steady: {tolerance: 1e-5}", "ends sooner if nothing changes any more");
    text.blank();
    text.line("output:");
    text.line("  at_end: true", "velocity and density of all cells, for ParaView");
    text.line("  forces: 10", "steps between lines of forces_body.csv");
    add_monitor(text, n);
    add_pictures(text, target_, "x", rounded(through_ / 8, 2));
    text.blank();
    text.line("outputs:");
    text.line("  middle:", "a plane as a film: open middle.hdf.series in ParaView");
    text.line("    slice: x");
    text.line("    at: " + digits(tunnel_.size(0) / 2, 9), "m");
    text.line("    fields: [velocity, pressure]");
    text.line("    every_time: " + digits(rounded(through_ / 8, 2)), "s");
    text.blank();
    text.line("quantities:",
              "numbers over time: quantity_NAME.csv, and a line at the end of the run");
    for (const auto& [name, direction] :
         {std::pair("drag", "[0, 0, 1]"), std::pair("lift", "[0, 1, 0]")}) {
      text.line(fmt::format("  {}:", name),
                "coefficient: force / (density / 2 x velocity^2 x reference_area)");
      text.line("    kind: coefficient");
      text.line("    bodies: [body]");
      text.line(std::string("    direction: ") + direction);
      text.line("    every_steps: 10");
      text.line("    start: " + digits(rounded(2.5 * through_, 3)),
                "s: the mean and its error are from here on");
    }
  }

  const Answers& answers_;
  const Target& target_;
  const PlacedBody& body_;
  const bool ground_;
  const double speed_;
  const FluidFacts fluid_;
  const Tunnel tunnel_;
  const double through_;
};

Draft draft_of_wind_tunnel(const Answers& answers, const Target& target) {
  const PlacedBody body = place_body(answers);
  const TunnelText made(answers, target, body);
  const double smallest = made.smallest();
  Draft result;
  result.cells_needed = smallest < few_cells
                            ? rounded_up(1.05 * target.cells * std::pow(few_cells / smallest, 3), 3)
                            : 0;
  require_across(smallest, 2, "the narrowest side of the box around the body", target.cells, 3);
  if (result.cells_needed > 0) {
    result.notes.push_back(
        fmt::format("the box around the body is {:.2g} cells wide at its narrowest side, and the "
                    "body may be thinner: {} cells or more resolve it: --cells {:.0f} gives them",
                    smallest, few_cells, result.cells_needed));
  }
  const NumericsRequest request{.lattice_velocity = 0.05,
                                .keep_viscosity = answers.text("reynolds") == "keep",
                                .file = target.file};
  const TextOf text_of = [&](const Numerics& n) { return made.text(n); };
  result.numerics = choose_numerics(request, text_of);
  result.text = text_of(result.numerics);
  result.chosen = chosen(result.numerics);
  result.chosen.push_back(body.text);
  return result;
}

}  // namespace

Flow wind_tunnel_flow() {
  const std::vector<std::string> axes{"x", "-x", "y", "-y", "z", "-z"};
  std::vector<Option> options{
      {"stl", "FILE", "Surface of the body: STL, OBJ or PLY", "", true},
      {"length", "M", "Length of the body along the stream in m; or --scale", ""},
      {"scale", "M", "Metres for a unit of the file, such as 0.001 for mm; or --length", ""},
      {"speed", "M/S", "Velocity of the stream in m/s", "", true},
      {"stream", "AXIS", "Axis of the file along which the stream moves", "x", false, axes},
      {"up", "AXIS", "Axis of the file that points up (default: z; y where z is the stream)", "",
       false, axes},
      {"ground",
       "yes|no",
       "The body stands on a road, which moves with the stream",
       "no",
       false,
       {"yes", "no"}},
      {"open",
       "fill|shell",
       "What becomes of a surface that is not closed; docs/bodies.md",
       "",
       false,
       {"fill", "shell"}},
      {"reynolds",
       "bear|keep",
       "If the grid is too coarse for the Reynolds number: bear: raise the viscosity to what the "
       "grid "
       "bears; keep: keep it, with a turbulence model, though the run may diverge",
       "bear",
       false,
       {"bear", "keep"}}};
  for (Option& o : fluid_options()) options.push_back(std::move(o));
  return {"wind_tunnel", "A body from an STL file in a stream, in SI units", 2'000'000,
          std::move(options), draft_of_wind_tunnel};
}

}  // namespace lbm::cases::init
