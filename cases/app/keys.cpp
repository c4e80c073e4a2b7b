#include "cases/app/keys.hpp"

#include <algorithm>
#include <cctype>

#include "cases/app/key_types.hpp"
#include "cases/app/limits.hpp"

namespace lbm::app {
namespace {

using namespace key_types;

using Table = std::vector<Key>;

bool is_case_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  return plain && !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-';
}

bool is_directory_name(const std::string& path) {
  return !path.empty() && path.size() <= 1000 &&
         std::none_of(path.begin(), path.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Key case_name() {
  Key key = text(
      {"name", "case",
       "Name of the case; results go to `out/<name>` unless `output.directory` says "
       "otherwise."},
      "1 to 100 letters, digits, `_`, `-` or `.`, the first a letter, digit or `_`", is_case_name,
      [](auto& c) -> auto& { return c.name; });
  key.write = [](const Case& in) { return double_quoted(in.name); };
  return key;
}

Key grid_cells() {
  Key key =
      key_of({"grid.cells", "required",
              "Cells in x, y and z: `[nx, ny, nz]`. z is the axis that is streamed through the "
              "device, so put the longest axis there."},
             "list of three whole numbers", fmt::format("from 1 to {}", max_cells_per_axis));
  key.read = [](const YAML::Node& node, Case& out) {
    const auto cells = numbers_of(node, parse_whole);
    if (!cells || cells->size() != 3) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((*cells)[axis] < 1 || (*cells)[axis] > max_cells_per_axis) return false;
      out.grid.cells[axis] = static_cast<int>((*cells)[axis]);
    }
    return true;
  };
  key.write = [](const Case& in) {
    const bool given = in.grid.cells != std::array<int, 3>{0, 0, 0};
    return given ? list_text(in.grid.cells) : std::string();
  };
  return key;
}

Key face_type(std::size_t face, const std::string& suffix, const std::string& doc) {
  Key key = word<FaceType>(
      {"boundaries." + face_names()[face] + suffix, "wall", doc},
      {{"wall", FaceType::wall}, {"periodic", FaceType::periodic}}, [face](auto& c) -> auto& {
        return c.faces[face].type;
      });
  key.row = "boundaries.FACE" + suffix;
  return key;
}

Key face_velocity(std::size_t face) {
  Key key = key_of({"boundaries." + face_names()[face] + ".velocity", "[0, 0, 0]",
                    "Velocity `[ux, uy, uz]` of the wall in reference velocities (1 means "
                    "`fluid.lattice_velocity` cells per step). Only walls have one, and its "
                    "component normal to the wall is 0."},
                   "list of three numbers", "such as [1, 0, 0]");
  key.row = "boundaries.FACE.velocity";
  key.read = [face](const YAML::Node& node, Case& out) {
    const auto velocity = numbers_of(node, parse_number);
    if (!velocity || velocity->size() != 3) return false;
    std::copy(velocity->begin(), velocity->end(), out.faces[face].velocity.begin());
    return true;
  };
  key.write = [face](const Case& in) { return list_text(in.faces[face].velocity); };
  return key;
}

void add_boundaries(Table& table) {
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    Key shorthand = face_type(
        face, "",
        "What bounds the box there; FACE is `x_min`, `x_max`, `y_min`, `y_max`, `z_min` or "
        "`z_max`. A word, or a map of the two keys below. The two faces of an axis are both "
        "periodic or neither.");
    // The writer uses the long form.
    shorthand.write = [](const Case&) { return std::string(); };
    table.push_back(shorthand);
    table.push_back(face_type(
        face, ".type", "The long form of the same: `wall` (halfway bounce-back) or `periodic`."));
    table.push_back(face_velocity(face));
  }
}

void add_fluid(Table& table) {
  table.push_back(number(
      {"fluid.reynolds", "this or tau",
       "Reynolds number: reference velocity x `fluid.length` / viscosity."},
      0, [](auto& c) -> auto& { return c.fluid.reynolds; }));
  table.push_back(number(
      {"fluid.tau", "this or reynolds",
       "Relaxation time in steps; the viscosity is (tau - 1/2) / 3 in lattice "
       "units (cells^2 per step)."},
      0.5, [](auto& c) -> auto& { return c.fluid.tau; }));
  table.push_back(number(
      {"fluid.lattice_velocity", "0.1",
       "Reference velocity in cells per step. Smaller is more accurate and needs more steps; "
       "above 0.173 (Mach 0.3) is refused."},
      0, [](auto& c) -> auto& { return c.fluid.lattice_velocity; }));
  table.push_back(number(
      {"fluid.length", "nx", "Reference length in cells."}, 0,
      [](auto& c) -> auto& { return c.fluid.length; }));
}

void add_lattice(Table& table) {
  table.push_back(word<StorageType>(
      {"lattice.storage", "fp32",
       "How populations are stored. `fp16` halves memory and traffic, arithmetic stays in single "
       "precision; `fp64` doubles them and computes in double precision."},
      {{"fp32", StorageType::fp32}, {"fp16", StorageType::fp16}, {"fp64", StorageType::fp64}},
      [](auto& c) -> auto& { return c.lattice.storage; }));
  table.push_back(word<Collision>(
      {"lattice.collision", "bgk", "Collision model."}, {{"bgk", Collision::bgk}},
      [](auto& c) -> auto& { return c.lattice.collision; }));
  table.push_back(word<InitialFlow>(
      {"initial.flow", "rest",
       "Flow at time 0: fluid at rest, or the Taylor-Green vortex with the reference velocity as "
       "its amplitude (for periodic boxes)."},
      {{"rest", InitialFlow::rest}, {"taylor_green", InitialFlow::taylor_green}},
      [](auto& c) -> auto& { return c.initial.flow; }));
}

void add_run(Table& table) {
  table.push_back(whole(
      {"run.steps", "this or convective_times", "Length of the run in steps."}, {1, max_steps},
      [](auto& c) -> auto& { return c.run.steps; }));
  table.push_back(number(
      {"run.convective_times", "this or steps",
       "Length of the run in convective times: `fluid.length` / "
       "`fluid.lattice_velocity` steps each, rounded to whole steps in all."},
      0, [](auto& c) -> auto& { return c.run.convective_times; }));
}

void add_tiling(Table& table) {
  using tiling::Scheme;
  table.push_back(word<Scheme>(
      {"tiling.scheme", "auto",
       "How planes pass through the device. `in_core`: all stay there; `wavefront`: streamed "
       "through it without redundant work; `halo`: streamed in tiles that recompute their halos. "
       "`auto` takes `in_core` when the grid fits and `wavefront` when not."},
      {{"in_core", Scheme::in_core}, {"wavefront", Scheme::wavefront}, {"halo", Scheme::halo}},
      [](auto& c) -> auto& { return c.tiling.scheme; }, Auto::yes));
  table.push_back(whole(
      {"tiling.steps_per_visit", "auto",
       "Time steps that a plane advances in one visit to the device. More hide "
       "the link better and need more device memory."},
      {1, 1024, Auto::yes}, [](auto& c) -> auto& { return c.tiling.steps_per_visit; }));
  table.push_back(whole(
      {"tiling.planes_per_visit", "auto", "z-planes that move in one visit."}, {1, 64, Auto::yes},
      [](auto& c) -> auto& { return c.tiling.planes_per_visit; }));
}

void add_machine(Table& table) {
  table.push_back(word<BackendKind>(
      {"device.backend", "auto", "What computes. `auto` takes a GPU when there is one."},
      {{"cpu", BackendKind::cpu}, {"cuda", BackendKind::cuda}},
      [](auto& c) -> auto& { return c.device.backend; }, Auto::yes));
  table.push_back(whole(
      {"device.index", "0", "Which GPU, counted from 0."}, {0, 1023},
      [](auto& c) -> auto& { return c.device.index; }));
  table.push_back(bytes(
      {"device.memory", "auto",
       "Memory on the device that the lattice may take. `auto`: what is free."},
      [](auto& c) -> auto& { return c.device.memory; }));
  table.push_back(whole(
      {"device.threads", "0", "Threads of the CPU backend; 0 means all cores."}, {0, 4096},
      [](auto& c) -> auto& { return c.device.threads; }));
  table.push_back(word<HostMemory>(
      {"host.memory", "auto",
       "Where the lattice of a run out of core lives. `pinned`: page-locked host memory; "
       "`managed`: "
       "CUDA managed memory, which must fit the card, too; `system`: plain memory that the GPU "
       "reads "
       "and writes itself (coherent machines). `auto` takes `pinned`."},
      {{"pinned", HostMemory::pinned},
       {"managed", HostMemory::managed},
       {"system", HostMemory::system}},
      [](auto& c) -> auto& { return c.host.memory; }, Auto::yes));
  table.push_back(bytes(
      {"host.memory_limit", "auto",
       "Host memory that the lattice may take. `auto`: what the machine says it "
       "has; state it where the machine does not know (containers)."},
      [](auto& c) -> auto& { return c.host.memory_limit; }));
}

Key output_times() {
  Key key = key_of({"output.times", "[]",
                    "Write density and velocity at these convective times, none past the end of "
                    "the run."},
                   "list of numbers", "> 0");
  key.read = [](const YAML::Node& node, Case& out) {
    auto times = numbers_of(node, parse_number);
    if (!times || std::any_of(times->begin(), times->end(), [](double t) { return !(t > 0); })) {
      return false;
    }
    out.output.times = std::move(*times);
    return true;
  };
  key.write = [](const Case& in) { return list_text(in.output.times); };
  return key;
}

void add_output(Table& table) {
  table.push_back(text(
      {"output.directory", "out/<name>",
       "Where results go, relative to the working directory; `lbm run --out` "
       "overrides it."},
      "1 to 1000 characters", is_directory_name,
      [](auto& c) -> auto& { return c.output.directory; }));
  table.push_back(output_times());
  table.push_back(whole(
      {"output.every_steps", "never", "Write density and velocity every so many steps, too."},
      {1, max_steps}, [](auto& c) -> auto& { return c.output.every_steps; }));
  table.push_back(boolean(
      {"output.at_end", "true", "Write density and velocity at the end, too."},
      [](auto& c) -> auto& { return c.output.at_end; }));
  table.push_back(boolean(
      {"output.profiles", "true",
       "Write velocity profiles along the centre lines (CSV) at the end."},
      [](auto& c) -> auto& { return c.output.profiles; }));
}

Table make_table() {
  Table table;
  table.push_back(case_name());
  table.push_back(grid_cells());
  add_boundaries(table);
  add_fluid(table);
  add_lattice(table);
  add_run(table);
  add_tiling(table);
  add_machine(table);
  add_output(table);
  return table;
}

}  // namespace

const std::vector<std::string>& face_names() {
  static const std::vector<std::string> names{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  return names;
}

const std::vector<std::pair<std::string, std::string>>& exclusive_keys() {
  static const std::vector<std::pair<std::string, std::string>> pairs{
      {"fluid.reynolds", "fluid.tau"}, {"run.steps", "run.convective_times"}};
  return pairs;
}

const std::vector<Key>& keys() {
  static const Table table = make_table();
  return table;
}

const Key* find_key(const std::string& path) {
  const auto found =
      std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.path == path; });
  return found == keys().end() ? nullptr : &*found;
}

std::vector<std::string> members(const std::string& group) {
  const std::string start = group.empty() ? "" : group + ".";
  std::vector<std::string> names;
  for (const Key& key : keys()) {
    if (key.path.compare(0, start.size(), start) != 0) continue;
    const std::string rest = key.path.substr(start.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

bool is_group(const std::string& path) { return !members(path).empty(); }

std::string must_be(const Key& key) {
  if (key.type == "word" || key.type == "switch") {
    const bool single = key.allowed.find(',') == std::string::npos;
    return (single ? "must be " : "must be one of ") + key.allowed;
  }
  const bool says_it_all = key.type == "text" || key.type == "memory";
  return "must be " + (says_it_all ? "" : "a " + key.type + " ") + key.allowed;
}

}  // namespace lbm::app
