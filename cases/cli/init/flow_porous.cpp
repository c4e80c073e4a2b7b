// SPDX-License-Identifier: Apache-2.0

// Creeping flow through an image of voxels.
#include <fmt/format.h>

#include <algorithm>

#include "cases/case/bodies/voxel_size.hpp"
#include "cases/case/scalars.hpp"
#include "cases/cli/init/flows.hpp"
#include "cases/cli/init/pore_space.hpp"
#include "io/voxels/voxel_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

io::VoxelType type_of(const std::string& word) {
  const auto words = enum_names(io::VoxelType{});
  return static_cast<io::VoxelType>(std::find(words.begin(), words.end(), word) - words.begin());
}

io::VoxelImage open_image(const Answers& answers) {
  io::VoxelHints hints;
  if (answers.given("voxels")) {
    const auto n = answers.three_whole("voxels");
    hints.voxels = {n[0], n[1], n[2]};
  }
  if (answers.given("type")) hints.type = type_of(answers.text("type"));
  if (answers.given("dataset")) hints.dataset = answers.text("dataset");
  return io::VoxelImage(io::find_voxel_format(answers.text("image"), hints));
}

Draft draft_of_porous(const Answers& answers, const Target& target) {
  const double voxel = answers.positive("voxel");
  const std::int64_t pore = answers.whole("pore");
  const std::string along = answers.text("along");
  const FluidFacts fluid = fluid_of(answers);
  const io::VoxelImage image = open_image(answers);
  const auto& voxels = image.format().voxels;
  (void)cubic_voxels({}, image.format(), voxels);
  check_spacing({}, image.format(), voxel);
  const std::int64_t nx = voxels[0], ny = voxels[1], nz = voxels[2];
  const PoreSpace space = pore_space(image, pore);
  const CreepingFlow flow = creeping_flow(space);
  const double step = flow.viscosity * voxel * voxel / fluid.viscosity;  // s
  const double speed = flow.velocity * voxel / step;
  const double acceleration = flow.acceleration * voxel / (step * step);
  const double convective = space.diameter() / flow.velocity;  // steps
  const double tolerance = std::min(0.9, 1e-5 * convective / static_cast<double>(flow.every));
  const std::string g = digits(acceleration);

  const TextOf text_of = [&](const Numerics& n) {
    CaseText text;
    begin(text, target,
          "Permeability of a porous image, in SI units: creeping flow through its pores. The image "
          "repeats on all sides, and a force drives the flow, as a falling pressure would.");
    text.line("units: si", "metres, seconds, kilograms");
    text.blank();
    text.line("grid:");
    text.line(fmt::format("  cells: [{}, {}, {}]", nx, ny, nz),
              "those of the image: a voxel is a cell");
    text.line("  spacing: " + digits(voxel, 9), "m, edge of a voxel");
    text.blank();
    text.line("boundaries:",
              "the image continues with itself on all sides; docs/rock.md has other ways");
    for (const char* face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
      text.line(fmt::format("  {}: periodic", face));
    }
    text.blank();
    text.line("bodies:");
    text.line("  image:");
    text.line("    shape: voxels");
    text.line("    file: " + double_quoted(file_from_case(answers.text("image"), target)),
              "relative to this file");
    if (answers.given("voxels")) {
      const auto v = answers.three_whole("voxels");
      text.line(fmt::format("    cells: [{}, {}, {}]", v[0], v[1], v[2]),
                "of the raw file: x runs fastest");
    }
    if (answers.given("type")) text.line("    type: " + answers.text("type"));
    if (answers.given("dataset"))
      text.line("    dataset: " + double_quoted(answers.text("dataset")));
    text.line(fmt::format("    fluid: [{}]", pore),
              fmt::format("label of the pores, {:.3g} % of the voxels: all others are solid",
                          100 * space.porosity));
    add_si_fluid(text, n, fluid, rounded(space.diameter() * voxel, 6),
                 "the hydraulic diameter of the pores, 4 x volume / surface", rounded(speed, 6),
                 "of the pores, as predicted by Kozeny and Carman");
    add_lattice(text, n);
    text.blank();
    text.line("force:");
    text.line(fmt::format("  acceleration: [{}, {}, {}]", along == "x" ? g : "0",
                          along == "y" ? g : "0", along == "z" ? g : "0"),
              fmt::format("m/s^2: as a pressure that falls by {:.4g} Pa/m. So weak that the flow "
                          "is creeping; the "
                          "permeability does not depend on it",
                          acceleration * fluid.density));
    text.blank();
    text.line("run:");
    text.line(fmt::format("  steps: {}", 100 * flow.every), "at most");
    text.line("  until_steady:", "ends sooner, when the permeability changes by less than 1e-5");
    text.line("    tolerance: " + digits(tolerance),
              "of that, in a convective time (length / velocity)");
    text.line("    every: " + digits(static_cast<double>(flow.every) * step),
              fmt::format("s: {} steps", flow.every));
    text.line("    quantities: [permeability]");
    text.blank();
    text.line("output:");
    text.line("  at_end: true", "velocity and density of all cells, for ParaView");
    add_monitor(text, n);
    add_pictures(text, target, along == "y" ? "x" : "y",
                 static_cast<double>(10 * flow.every) * step);
    text.blank();
    text.line("quantities:",
              "numbers over time: quantity_NAME.csv, and a line at the end of the run");
    text.line(fmt::format("  permeability: {{kind: permeability, every_steps: {}}}", flow.every),
              "m^2, and darcy: viscosity x superficial velocity / acceleration");
    text.line("  porosity: {kind: porosity}", "pores / all voxels");
    text.line("  tortuosity: {kind: tortuosity}", "mean speed / mean velocity along the flow");
    text.line("  reynolds: {kind: pore_reynolds}", "of creeping flow: well below 1");
    return text.text();
  };
  Draft result;
  result.numerics = choose_numerics(
      {.lattice_velocity = rounded(flow.velocity, 6), .most_tau = 1.6, .file = target.file},
      text_of);
  result.numerics.why_velocity =
      fmt::format("with it tau is {:.3g}, which is steady soon", result.numerics.derived.tau);
  result.text = text_of(result.numerics);
  result.chosen = chosen(result.numerics);
  result.chosen.push_back(
      fmt::format("image: porosity {:.4g} %, hydraulic diameter {:.4g} voxels; expected "
                  "permeability about {:.2g} m^2 (Kozeny "
                  "and Carman, to a factor of three)",
                  100 * space.porosity, space.diameter(), space.permeability() * voxel * voxel));
  if (space.diameter() < 4) {
    result.notes.push_back(
        fmt::format("the pores are {:.2g} voxels wide: too few for an accurate permeability; "
                    "bodies.image.refine: 2 halves "
                    "the cells",
                    space.diameter()));
  }
  return result;
}

}  // namespace

Flow porous_flow() {
  std::vector<Option> options{
      {"image", "FILE", "Image of labels: .npy, .tif, .mhd, .nrrd, HDF5, or raw with --voxels", "",
       true},
      {"voxel", "M", "Edge of a voxel in m", "", true},
      {"pore", "LABEL", "Label of the pores; all other voxels are solid", "0"},
      {"along", "x|y|z", "Axis of the flow", "z", false, {"x", "y", "z"}},
      {"voxels", "NX,NY,NZ", "Of a raw file: voxels along x (which runs fastest), y and z", ""},
      {"type",
       "WORD",
       "Of a raw file: type of its numbers (default: uint8)",
       "",
       false,
       {"uint8", "int8", "uint16", "int16", "uint32", "int32"}},
      {"dataset", "PATH", "Of an HDF5 file: the labels, where it has several datasets", ""}};
  for (Option& o : fluid_options()) {
    if (o.name == "fluid") o.fallback = "water";
    options.push_back(std::move(o));
  }
  return {"porous", "Creeping flow through an image of voxels, in SI units", 0, std::move(options),
          draft_of_porous};
}

}  // namespace lbm::cases::init
