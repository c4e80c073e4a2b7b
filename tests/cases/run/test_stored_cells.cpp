// SPDX-License-Identifier: Apache-2.0

// lattice.cells: with only fluid cells stored a run gives the files that it gives with all cells.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/run/simulation.hpp"
#include "io/text/json.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

// A medium of grains of 3 voxels, 0 where it is solid.
std::string rock_image(int nx, int ny, int nz, unsigned solid_of_ten) {
  std::string labels;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const auto grain = static_cast<unsigned>((z / 3 * 31 + y / 3) * 37 + x / 3 + 1);
        labels += static_cast<char>((grain * 2654435761U >> 16) % 10 < solid_of_ten ? 0 : 1);
      }
    }
  }
  return labels;
}

// A periodic rock with a cylinder through it; results of all kinds.
const std::string periodic_faces =
    "x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: "
    "periodic";
const std::string pressure_faces =
    "x_min: slip, y_max: slip, z_min: {type: pressure, pressure: 1}, z_max: {type: pressure, "
    "pressure: 0}";

std::string rock(const std::string& faces, const std::string& more = "") {
  return "name: rock\ngrid: {cells: [33, 18, 24]}\nboundaries: {" + faces + R"(}
bodies:
  rock: {shape: voxels, file: rock.raw, cells: [33, 18, 20], fluid: [1], translate: [0, 0, 2]}
  wire: {shape: cylinder, from: [0, 9, 12], to: [33, 9, 12], radius: 2.4}
fluid: {tau: 0.8, length: 10, lattice_velocity: 0.02}
lattice: {collision: trt}
force: {acceleration: [0.02, 0, 0.1]}
run: {steps: 40}
output: {every_steps: 20, monitor: 10}
outputs: {cut: {fields: [vorticity, q_criterion, strain_rate, solid], slice: z, at: 10.5}}
probes: {gap: {points: [[16.5, 9.5, 1.5]], every_steps: 5}}
statistics: {mean: {every_steps: 5}}
quantities:
  k: {kind: permeability, every_steps: 10, box_from: [0, 0, 2], box_to: [33, 18, 22]}
  drag: {kind: force, bodies: [wire], direction: [0, 0, 1], every_steps: 5}
)" + more;
}

// Scalars of all kinds in the rock: with a gradient, buoyant, with bounds and heat of both bodies.
const std::string scalars_in_rock = R"(  warmth: {kind: mean, field: heat, every_steps: 5}
  given: {kind: heat_flow, bodies: [wire], scalar: heat, every_steps: 5}
scalars:
  solute: {prandtl: 1, gradient: [0, 0, 1], source: 0.1}
  heat: {prandtl: 0.7, buoyancy: [0, 0.01, 0], initial: "0.2 + 0.3*x/lx", reference: 0.2,
    bodies: [wire, rock], body_values: [1, -0.5]}
  dye: {prandtl: 2, initial: "z < lz/2 ? 1 : 0", bounds: [0, 1]}
)";

struct RockRuns : Runs {
  explicit RockRuns(const std::string& text, unsigned solid_of_ten = 6) : Runs(text) {
    lbm::testing::write_text(path("rock.raw"), rock_image(33, 18, 20, solid_of_ten));
  }
  io::Json report(const std::string& out) const {
    return io::read_json(path(out + "/report.json"));
  }
};

// Files of fields, statistics, probes and quantities. forces.csv has one body less.
void expect_same_flow(const RockRuns& runs, const std::string& right, const std::string& other) {
  auto a = results_in(runs.path(right)), b = results_in(runs.path(other));
  for (auto* files : {&a, &b}) {
    std::erase_if(*files, [](const auto& file) { return has(file.first, "forces"); });
  }
  EXPECT_GE(a.size(), 5U);
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, bytes] : a) EXPECT_TRUE(b[name] == bytes) << name << " differs";
}

TEST(StoredCells, OfTheFluidGiveTheSameFiles) {
  for (const auto& [faces, more] : {std::pair(periodic_faces, std::string()),
                                    {periodic_faces, scalars_in_rock},
                                    {pressure_faces, ""}}) {
    const RockRuns runs(rock(faces, more));
    ASSERT_EQ(runs.run("all", "--set lattice.cells=all").exit_code, 0);
    const Outcome outcome = runs.run("fluid", "--set lattice.cells=fluid");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_flow(runs, "all", "fluid");
    ASSERT_EQ(runs.run("streamed",
                       "--set lattice.cells=fluid --set tiling.scheme=wavefront --set "
                       "tiling.steps_per_visit=5 --set tiling.planes_per_visit=3")
                  .exit_code,
              0);
    expect_same_flow(runs, "all", "streamed");
    const io::Json report = runs.report("fluid");
    EXPECT_EQ(report["stored_cells"], "fluid");
    EXPECT_EQ(report["stored_cell_count"], report["fluid_cells"]);
    const std::size_t listed = more.empty() ? 1 : 2;
    EXPECT_EQ(report["bodies"].size(), listed) << "the forces on the wire";
    const io::Json all = runs.report("all");
    EXPECT_EQ(all["stored_cell_count"], all["cell_count"]);
    EXPECT_EQ(all["bodies"].size(), 2U);
  }
}

TEST(StoredCells, AreThoseOfTheFluidWhereItIsThePart) {
  const RockRuns mostly_solid(rock(periodic_faces), 7), mostly_fluid(rock(periodic_faces), 1);
  ASSERT_EQ(mostly_solid.run("o").exit_code, 0);
  EXPECT_EQ(mostly_solid.report("o")["stored_cells"], "fluid");
  ASSERT_EQ(mostly_fluid.run("o").exit_code, 0);
  EXPECT_EQ(mostly_fluid.report("o")["stored_cells"], "all");
}

// The force on the rock, and stresses on its walls, need its links.
TEST(StoredCells, HaveTheForcesThatAreAskedFor) {
  const RockRuns runs(rock(periodic_faces,
                           "  push: {kind: force, bodies: [rock], direction: [0, 0, 1], "
                           "every_steps: 5}\n"));
  ASSERT_EQ(runs.run("all", "--set lattice.cells=all").exit_code, 0);
  const Outcome outcome = runs.run("fluid", "--set lattice.cells=fluid");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(runs.path("all"), runs.path("fluid"));
}

// A program may ask for the stresses at any time, of walls that no list has.
TEST(StoredCells, HaveWallsForProgramsThatAsk) {
  keep_speeds_here();
  for (const std::string& faces : {periodic_faces, pressure_faces}) {
    const RockRuns runs(rock(faces));
    const auto stress = [&](const std::string& cells) {
      Simulation run(read_case(runs.path("case.yaml").string(), {"lattice.cells=" + cells}),
                     {.writes_files = false});
      run.advance(20);
      return run.read(fields::Kind::wall_shear_stress, {{0, 0, 0}, {33, 18, 24}});
    };
    const std::vector<float> all = stress("all");
    EXPECT_GT(*std::max_element(all.begin(), all.end()), 0);
    EXPECT_EQ(stress("fluid"), all);
  }
}

TEST(StoredCells, AreRestartedWhereTheyWereStopped) {
  const RockRuns runs(
      rock(periodic_faces, scalars_in_rock + "checkpoint: {every_steps: 20, at_end: false}\n"));
  for (const std::string scheme : {"in_core", "wavefront"}) {
    const std::string keys = "--set lattice.cells=fluid --set tiling.scheme=" + scheme;
    ASSERT_EQ(runs.run("whole" + scheme, keys).exit_code, 0);
    const std::string saved = runs.path("whole" + scheme).string() + "/checkpoint_000000020.h5";
    const Outcome outcome = runs.run("again" + scheme, keys + " --restart " + saved);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(runs.report("whole" + scheme)["last_look"],
              runs.report("again" + scheme)["last_look"]);
    expect_one_line(runs.run("other" + scheme, "--set lattice.cells=all --restart " + saved), 2,
                    "lattice.cells: fluid -> all");
  }
}

// The remedy is not `lattice.cells: fluid`, which such a case refuses.
TEST(StoredCells, AreNotContinuedByACollisionThatNeedsAll) {
  const RockRuns runs(rock(pressure_faces, "checkpoint: {every_steps: 20, at_end: false}\n"));
  ASSERT_EQ(runs.run("before", "--set lattice.cells=fluid").exit_code, 0);
  const std::string again = "--set lattice.collision=regularised_filtered --change --restart " +
                            runs.path("before").string() + "/checkpoint_000000020.h5";
  for (const std::string cells : {"auto", "fluid", "all"}) {
    expect_one_line(runs.run("after", "--set lattice.cells=" + cells + " " + again), 2,
                    "lattice.collision: regularised_filtered");
  }
}

TEST(StoredCells, AreRefusedWhereSolidCellsAreNeeded) {
  const RockRuns runs(rock(periodic_faces));
  const RockRuns sponge(
      rock(pressure_faces, "sponge: {faces: [z_max], thickness: 4, velocity: [0, 0, 1]}\n"));
  expect_one_line(sponge.run("o", "--set lattice.cells=fluid"), 2, "lattice.cells");
  expect_one_line(sponge.run("o", "--set lattice.cells=fluid"), 2, "a sponge");
  const Runs cavity(
      "name: box\ngrid: {cells: [8, 8, 8]}\nfluid: {tau: 0.8, lattice_velocity: "
      "0.02}\nrun: {steps: 2}\nlattice: {cells: fluid}\n");
  expect_one_line(cavity.run("o"), 2, "a case without bodies");
  expect_one_line(runs.run("o", "--set lattice.cells=fluid --set lattice.collision=cumulant"), 2,
                  "lattice.collision: cumulant");
}

class StoredCellsOfRanks : public Processes {};

TEST_F(StoredCellsOfRanks, GiveTheSameFiles) {
  const RockRuns runs(rock(periodic_faces, scalars_in_rock));
  const std::string keys = "--set lattice.cells=fluid ";
  ASSERT_EQ(runs.run("one", keys).exit_code, 0);
  for (const auto& [scheme, ranks] : {std::pair(std::string("in_core"), 2), {"wavefront", 3}}) {
    const std::string more = keys + "--set tiling.steps_per_visit=3 --set tiling.scheme=" + scheme;
    const Outcome outcome = several(ranks, runs.line(scheme, more));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_results(runs.path("one"), runs.path(scheme));
  }
}

}  // namespace
}  // namespace lbm::cases::test
