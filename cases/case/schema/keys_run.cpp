// SPDX-License-Identifier: Apache-2.0

// Key table: faces of the box and their patches; name, units, grid, fluid, lattice model, force,
// initial flow, run, schedule, machine and checkpoints.
#include <algorithm>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

// With those that a face alone may have, or without.
ValueType<BoundaryKind> boundary_type(bool of_patch) {
  if (of_patch) {
    return words<BoundaryKind>({{"wall", BoundaryKind::wall},
                                {"velocity", BoundaryKind::velocity},
                                {"pressure", BoundaryKind::pressure},
                                {"outflow", BoundaryKind::outflow},
                                {"far_field", BoundaryKind::far_field}});
  }
  return words<BoundaryKind>({{"wall", BoundaryKind::wall},
                              {"periodic", BoundaryKind::periodic},
                              {"velocity", BoundaryKind::velocity},
                              {"pressure", BoundaryKind::pressure},
                              {"outflow", BoundaryKind::outflow},
                              {"slip", BoundaryKind::slip},
                              {"far_field", BoundaryKind::far_field}});
}

// Keys of an inlet's profile in space and time.
void add_inlet(const auto& condition) {
  condition.add("profile", &FaceCondition::profile, words<InletProfile>())
      .only_with("type", "velocity");
  condition
      .add("profile_center", &FaceCondition::profile_center,
           numbers<Vec2>(any_number, "such as [16, 16]"))
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition.add("profile_radius", &FaceCondition::profile_radius, number(positive))
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition.add("file", &FaceCondition::file, file_name())
      .only_with("type", "velocity")
      .belongs_to("profile", "table");
  condition.add("ramp_time", &FaceCondition::ramp_time, number(positive))
      .only_with("type", {"velocity", "far_field"})
      .excludes("velocity_factor");
  const auto turbulence = condition.group("turbulence", &FaceCondition::turbulence);
  turbulence.add("intensity", &Turbulence::intensity, number({.above = 0, .below = 1}))
      .only_with("type", "velocity")
      .needs("length");
  turbulence.add("length", &Turbulence::length, number(positive))
      .only_with("type", "velocity")
      .needs("intensity");
  turbulence.add("seed", &Turbulence::seed, whole(0, 1'000'000'000))
      .only_with("type", "velocity")
      .needs("intensity");
}

void add_condition(const auto& condition, bool of_patch) {
  condition.add("type", &FaceCondition::type, boundary_type(of_patch));
  condition
      .add_vector_or_formulas("velocity", &FaceCondition::velocity,
                              &FaceCondition::velocity_formulas, R"(["1 - (y/ly)^2", 0, 0])")
      .only_with("type", {"wall", "velocity", "far_field"})
      .only_with("type", "velocity")
      .when(by_formulas)
      .excludes("profile")
      .when(by_formulas)
      .not_with("profile", "table");
  condition.add("velocity_factor", &FaceCondition::velocity_factor, formula("\"1 - exp(-t)\""))
      .only_with("type", {"wall", "velocity", "far_field"})
      .needs({"velocity", "file"});
  condition.add("period", &FaceCondition::period, number(positive))
      .only_with("type", "wall")
      .needs("velocity")
      .excludes("velocity_factor");
  condition
      .add_number_or_formula("pressure", &FaceCondition::pressure, &FaceCondition::pressure_formula,
                             "\"-9.81*rho0*(y - ly/2)\"")
      .only_with("type", {"pressure", "outflow", "far_field"})
      .only_with("type", {"pressure", "outflow"})
      .when(by_formulas);
  add_inlet(condition);
}

// Lets the six faces share their rows in the documentation.
void share_rows(std::vector<Key>& keys, std::size_t face) {
  const std::string start = "boundaries." + face_names()[face];
  for (Key& key : keys) {
    if (key.path.starts_with(start)) key.row = "boundaries.FACE" + key.path.substr(start.size());
  }
}

void add_face(const auto& face, std::size_t number) {
  Key& whole = face.add("", &Face::type, boundary_type(false));
  // Not written: the writer uses the long form.
  whole.writer = [](const Case&, std::size_t) { return std::string(); };
  add_condition(face, false);
  const std::string opposite = "boundaries." + face_names()[number ^ 1] + ".pressure_drop";
  face.add("pressure_drop", &Face::pressure_drop, value_types::number(any_number))
      .only_with("type", "periodic")
      .excludes(opposite.c_str());
}

ValueType<std::array<double, 4>> box() {
  using Box = std::array<double, 4>;
  return where(numbers<Box>(any_number, ""),
               "[a0, a1, b0, b1] with a0 < a1 and b0 < b1, such as [8, 24, 0, 16]",
               [](const Box& b) { return b[0] < b[1] && b[2] < b[3]; });
}

void add_patch(const auto& patch) {
  patch.add("box", &Patch::box, box()).one_of("center");
  patch.add("center", &Patch::center, numbers<Vec2>(any_number, "such as [16, 16]"))
      .needs("radius")
      .not_with("profile", "duct");
  patch.add("radius", &Patch::radius, number(positive)).needs("center");
  const std::size_t first = patch.keys().size();
  add_condition(patch, true);
  for (Key& key : std::span(patch.keys()).subspan(first)) {
    if (key.path.find(".profile_") != std::string::npos) key.unless("center");  // of required_with
  }
}

void add_sponge(const auto& sponge) {
  sponge.add("faces", &SpongeKeys::faces, list_of_words(face_word()))
      .needs("sponge.thickness")
      .needs("sponge.velocity");
  sponge.add("thickness", &SpongeKeys::thickness, number(positive)).needs("sponge.faces");
  sponge.add("strength", &SpongeKeys::strength, number(positive)).needs("sponge.faces");
  sponge.add("velocity", &SpongeKeys::velocity, vector()).needs("sponge.faces");
  sponge.add("pressure", &SpongeKeys::pressure, number(any_number)).needs("sponge.faces");
  sponge.add("ramp_time", &SpongeKeys::ramp_time, number(positive))
      .needs("sponge.faces")
      .not_with("sponge.velocity", "[0, 0, 0]");
}

bool is_case_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  return plain && !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-';
}

// Not written where code has not set them.
ValueType<std::array<int, 3>> cells() {
  using Cells = std::array<int, 3>;
  const auto cell = whole(1, max_cells_per_axis);
  auto type = array_of<Cells>(cell, "whole numbers", cell.allowed);
  type.write = [](const Cells& n) { return n == Cells{} ? std::string() : list_text(n); };
  return type;
}

void add_grid(const auto& grid) {
  Key& box = grid.add("cells", &Grid::cells, cells());
  box.at_most_one_of("size");
  // A case with a size has the resulting cells, too.
  box.given = [](const Case& c) {
    if (!c.grid.size) return c.grid.cells != std::array<int, 3>{};
    return c.lines.contains("grid.cells") || c.overridden.contains("grid.cells");
  };
  Key& size = grid.add("size", &Grid::size, numbers<Vec3>(positive, "> 0"));
  size.only_with("units", "si");
  size.given = [](const Case& c) { return c.grid.size.has_value(); };
  // Not written back: the case then has the resulting cells.
  size.writer = [write = size.writer](const Case& in, std::size_t item) {
    return in.grid.cells == std::array<int, 3>{0, 0, 0} ? write(in, item) : std::string();
  };
  grid.add("spacing", &Grid::spacing, number(positive))
      .at_most_one_of("cells_per_length")
      .required_with("units", "si")
      .unless("cells_per_length");
  grid.add("cells_per_length", &Grid::cells_per_length, number(positive))
      .only_with("units", "si")
      .needs("fluid.length");
}

ValueType<Vec2> density_range() {
  return where(numbers<Vec2>(positive, ""), "> 0, such as [0.5, 2], with 1 between them",
               [](const Vec2& range) { return range[0] < 1 && range[1] > 1; });
}

void add_run_tiling(Parts& parts) {
  using tiling::ExchangeKind, tiling::Scheme;
  const auto tiling = keys_of_case(parts).group("tiling", &Case::tiling);
  tiling.add("scheme", &Tiling::scheme, or_auto(words<Scheme>()));
  tiling.add("steps_per_visit", &Tiling::steps_per_visit, or_auto(whole(1, 1024)));
  tiling.add("planes_per_visit", &Tiling::planes_per_visit, or_auto(whole(1, 64)));
  tiling.add("steps_per_pass", &Tiling::steps_per_pass, or_auto(whole(1, 2)))
      .not_with("tiling.steps_per_visit", "1")
      .when("2")
      .not_with("tiling.scheme", "halo")
      .when("2");
  tiling.add("exchange", &Tiling::exchange, or_auto(words<ExchangeKind>()));
}

}  // namespace

void add_boundary_keys(Parts& parts) {
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    const std::string path = "boundaries." + face_names()[face];
    std::vector<Key>& keys = keys_of_case(parts).keys();
    const auto of = [face](auto& c, std::size_t) -> auto& { return c.faces[face]; };
    add_face(KeyGroup<std::decay_t<decltype(Case::faces[0])>>(keys, path, Place::of(of)), face);
    share_rows(keys, face);
    const auto patches = [face](auto& c) -> auto& { return c.faces[face].patches; };
    add_group(parts, path + ".patches", patches, [face](const auto& patch) {
      add_patch(patch);
      share_rows(patch.keys(), face);
    });
  }
  add_sponge(keys_of_case(parts).group("sponge", &Case::sponge));
}

void add_case_keys(Parts& parts) {
  const auto top = keys_of_case(parts);
  auto name = text("1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`",
                   is_case_name);
  name.write = double_quoted;
  top.add("name", &Case::name, name);
  top.add("units", &Case::units, words<UnitSystem>());
  add_grid(top.group("grid", &Case::grid));
}

void add_fluid_keys(Parts& parts) {
  const auto fluid = keys_of_case(parts).group("fluid", &Case::fluid);
  fluid.add("reynolds", &Fluid::reynolds, number(positive))
      .at_most_one_of({"fluid.tau", "fluid.viscosity"});
  fluid.add("tau", &Fluid::tau, number({.above = 0.5, .below = max_tau}));
  fluid.add("viscosity", &Fluid::viscosity, number(positive));
  fluid.add("target_reynolds", &Fluid::target_reynolds, number(positive));
  fluid.add("lattice_velocity", &Fluid::lattice_velocity, number(positive));
  fluid.add("length", &Fluid::length, number(positive));
  fluid.add("velocity", &Fluid::velocity, number(positive)).belongs_to("units", "si");
  fluid.add("density", &Fluid::density, number(positive)).only_with("units", "si");
  const auto lattice = keys_of_case(parts).group("lattice", &Case::lattice);
  lattice.add("storage", &LatticeKeys::storage, words<StorageType>());
  lattice.add("representation", &LatticeKeys::representation, or_auto(words<Representation>()))
      .only_with("lattice.collision", {"regularised", "regularised_filtered"})
      .when("moments");
  lattice.add("velocities", &LatticeKeys::velocities, or_auto(words<VelocitySet>()))
      .only_with("lattice.collision", {"bgk", "trt", "cumulant"})
      .when("D3Q27")
      .only_with("lattice.collision",
                 {"bgk", "trt", "regularised", "regularised_filtered", "central_moments"})
      .when("D3Q19");
  lattice.add("cells", &LatticeKeys::cells, or_auto(words<CellsStored>()));
  lattice.add("collision", &LatticeKeys::collision, words<CollisionKind>());
  lattice.add("magic", &LatticeKeys::magic, or_auto(number({.above = 1e-6, .below = 10})));
  lattice.add("smagorinsky", &LatticeKeys::smagorinsky,
              number({.above = 0, .below = 1, .with_lower_end = true}));
}

void add_initial_keys(Parts& parts) {
  const auto force = keys_of_case(parts).group("force", &Case::force);
  force.add_vector_or_formulas("acceleration", &Force::acceleration, &Force::acceleration_formulas,
                               R"x(["cos(t)", 0, 0])x");
  force.add("acceleration_factor", &Force::acceleration_factor, formula("\"sin(t)\""));
  force.add("amplitude", &Force::amplitude, vector()).needs("force.period");
  force.add("period", &Force::period, number(positive)).needs("force.amplitude");
  const auto initial = keys_of_case(parts).group("initial", &Case::initial);
  initial.add("flow", &Initial::flow, words<InitialFlow>());
  initial
      .add_vector_or_formulas("velocity", &Initial::velocity, &Initial::velocity_formulas,
                              R"x(["sin(y)", 0, 0])x")
      .only_with("initial.flow", {"uniform", "duct", "perturbed_channel", "formula"})
      .required_with("initial.flow", {"uniform", "formula"})
      .only_with("initial.flow", "formula")
      .when(by_formulas);
  initial.add("pressure", &Initial::pressure, formula("\"1 - z/lz\""))
      .only_with("initial.flow", "formula");
  initial.add("file", &Initial::file, file_name()).belongs_to("initial.flow", "file");
  initial.add("axis", &Initial::axis, axis());
  initial
      .add("disturbance", &Initial::disturbance,
           number({.above = 0, .below = 1, .with_lower_end = true}))
      .only_with("initial.flow", "perturbed_channel");
}

void add_run_keys(Parts& parts) {
  const auto run = keys_of_case(parts).group("run", &Case::run);
  const auto steady = run.group("until_steady", &Run::until_steady);
  run.add("steps", &Run::steps, whole(1, max_steps))
      .one_of({"run.convective_times", "run.time", "run.revolutions"});
  run.add("convective_times", &Run::convective_times, number(positive));
  run.add("time", &Run::time, number(positive));
  run.add("revolutions", &Run::revolutions, number(positive));
  run.add("revolutions_of", &Run::revolutions_of, text(item_name_rule, is_item_name))
      .needs("run.revolutions");
  const Names criteria{"run.until_steady.tolerance", "run.until_steady.error"};
  steady.add("tolerance", &UntilSteady::tolerance, number({.above = 0, .below = 1}));
  steady.add("error", &UntilSteady::error, number({.above = 0, .below = 1}))
      .at_most_one_of("run.until_steady.tolerance");
  steady.add("every", &UntilSteady::every, number(positive)).needs(criteria);
  steady.add("quantities", &UntilSteady::quantities, names(is_item_name, "[drag, inflow]"))
      .needs(criteria);
  run.add("cascade", &Run::cascade, whole(1, 8));
  run.add("cascade_time", &Run::cascade_time, number(positive)).needs("run.cascade");
  run.add("flow_rate_corrections", &Run::flow_rate_corrections, whole(0, 100))
      .needs("run.correction_time");
  run.add("correction_time", &Run::correction_time, number(positive))
      .needs("run.flow_rate_corrections");
  run.add("walltime", &Run::walltime, number(positive));
  run.add("max_mach", &Run::max_mach, number(positive));
  run.add("density_range", &Run::density_range, density_range());
  run.add("on_checkerboard", &Run::on_checkerboard, words<Run::OnCheckerboard>());
  add_run_tiling(parts);
}

void add_machine_keys(Parts& parts) {
  const auto device = keys_of_case(parts).group("device", &Case::device);
  device.add("backend", &Device::backend, or_auto(words<BackendKind>()));
  device.add("index", &Device::index, whole(0, 1023));
  device.add("memory", &Device::memory, or_auto(bytes()));
  device.add("threads", &Device::threads, whole(0, 4096));
  device.add("share", &Device::share, boolean());
  const auto host = keys_of_case(parts).group("host", &Case::host);
  host.add("memory", &Host::memory, or_auto(words<HostMemory>()));
  host.add("memory_limit", &Host::memory_limit, or_auto(bytes()));
}

void add_checkpoint_keys(Parts& parts) {
  const auto checkpoint = keys_of_case(parts).group("checkpoint", &Case::checkpoint);
  checkpoint.add("every_steps", &CheckpointKeys::every_steps, whole(1, max_steps));
  checkpoint.add("every_minutes", &CheckpointKeys::every_minutes, number(positive));
  checkpoint.add("at_end", &CheckpointKeys::at_end, boolean());
  checkpoint.add("on_signal", &CheckpointKeys::on_signal, boolean());
  checkpoint.add("keep", &CheckpointKeys::keep, whole(1, 1000));
  checkpoint.add("on_error", &CheckpointKeys::on_error, words<CheckpointKeys::OnError>());
}

}  // namespace lbm::cases::key_table
