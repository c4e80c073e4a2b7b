// SPDX-License-Identifier: Apache-2.0

// Scalars in the results of a run: fields, probes, profiles, statistics, quantities, pictures.
#include <cmath>

#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using test::FinishedRun;
using test::has;
using test::Values;
using test::values_of;

// Between a warm floor and a cold lid, with fields every 4 steps.
const std::string layer = R"yaml(
name: layer
grid: {cells: [12, 8, 10]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic}
scalars:
  warmth:
    prandtl: 0.7
    reference: 300
    difference: 20
    rayleigh: 2e4
    initial: "310 - 20*z/lz + 3*sin(2*pi*x/lx)*sin(pi*z/lz)"
    boundaries: {z_min: {type: value, value: 310}, z_max: {type: value, value: 290}}
fluid: {length: 10, lattice_velocity: 0.1}
run: {steps: 40}
output: {every_steps: 4}
)yaml";

fs::path file_of(const FinishedRun& run, const std::string& name, int step = 40) {
  return run.scratch.path() / "out" / fmt::format("{}_{:09d}.hdf", name, step);
}

std::vector<std::vector<double>> rows_of(const FinishedRun& run, const std::string& name) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(test::file_text((run.scratch.path() / "out" / name).string()));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || (std::isdigit(line[0]) == 0 && line[0] != '-')) continue;
    std::istringstream numbers(line);
    auto& row = rows.emplace_back();
    for (std::string number; std::getline(numbers, number, ',');) row.push_back(std::stod(number));
  }
  return rows;
}

TEST(ScalarOutputs, AreInTheUnitOfTheUser) {
  const FinishedRun run(layer + R"(
outputs:
  one: {fields: [warmth]}
  all: {slice: y, at: 4}
  stored: {fields: [warmth], units: lattice}
  mean: {average: 2, fields: [warmth]}
  level: {isosurface: warmth, value: 300}
probes:
  p: {points: [[3.5, 4.5, 6.5]]}
)");
  const Values all = values_of(file_of(run, "fields"), "warmth");
  ASSERT_EQ(all.shape, (std::vector<hsize_t>{10, 8, 12}));
  EXPECT_NEAR(all.at(0, 0, 0), 309, 2);
  EXPECT_NEAR(all.at(0, 0, 9), 291, 2);
  EXPECT_EQ(values_of(file_of(run, "one"), "warmth").values, all.values);
  EXPECT_EQ(values_of(file_of(run, "all"), "warmth").at(3, 0, 5), all.at(3, 4, 5));
  EXPECT_EQ(values_of(file_of(run, "all"), "density").shape[0], 10U);
  const Values stored = values_of(file_of(run, "stored"), "warmth");
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    EXPECT_NEAR(all.values[i], 300 + 20 * stored.values[i], 1e-4);
  }
  double sum = 0;
  for (hsize_t i = 0; i < 8; ++i) sum += all.at(i % 2, i / 2 % 2, i / 4);
  EXPECT_NEAR(values_of(file_of(run, "mean"), "warmth").at(0, 0, 0), sum / 8, 1e-3);
  const auto probe = rows_of(run, "probe_p.csv");
  ASSERT_EQ(probe.size(), 40U);
  ASSERT_EQ(probe[39].size(), 7U);
  EXPECT_NEAR(probe[39][6], all.at(3, 4, 6), 1e-3);
  const auto head = test::file_text((run.scratch.path() / "out" / "probe_p.csv").string());
  EXPECT_TRUE(has(head, "step,time,p_1,ux_1,uy_1,uz_1,warmth_1\n")) << head;
  const auto profile = rows_of(run, "profile_z.csv");
  ASSERT_EQ(profile.at(6).size(), 6U);
  const double middle =
      (double{all.at(5, 3, 6)} + all.at(6, 3, 6) + all.at(5, 4, 6) + all.at(6, 4, 6)) / 4;
  EXPECT_NEAR(profile[6][5], middle, 1e-3);
}

TEST(ScalarOutputs, StatisticsAreThoseOfAllDumps) {
  const FinishedRun run(layer + "statistics: {s: {every_steps: 4, sums: float64}}\n");
  std::vector<Values> u, t;
  for (int step = 4; step <= 40; step += 4) {
    u.push_back(values_of(file_of(run, "fields", step), "velocity"));
    t.push_back(values_of(file_of(run, "fields", step), "warmth"));
  }
  const Values mean = values_of(file_of(run, "s"), "mean_warmth");
  const Values rms = values_of(file_of(run, "s"), "rms_warmth");
  const Values flux = values_of(file_of(run, "s"), "velocity_warmth_flux");
  const auto n = static_cast<double>(t.size());
  double largest = 0, largest_rms = 0;
  for (std::size_t cell = 0; cell < t[0].values.size(); ++cell) {
    double m = 0, variance = 0;
    for (const Values& v : t) m += double{v.values[cell]} / n;
    for (const Values& v : t) variance += std::pow(double{v.values[cell]} - m, 2) / n;
    EXPECT_NEAR(mean.values[cell], m, 1e-4);
    EXPECT_NEAR(rms.values[cell], std::sqrt(variance), 1e-4);
    largest_rms = std::max(largest_rms, std::sqrt(variance));
    for (std::size_t a = 0; a < 3; ++a) {
      double mean_u = 0, sum = 0;
      for (const Values& v : u) mean_u += double{v.values[3 * cell + a]} / n;
      for (std::size_t s = 0; s < t.size(); ++s) {
        sum += (double{u[s].values[3 * cell + a]} - mean_u) * (double{t[s].values[cell]} - m) / n;
      }
      EXPECT_NEAR(flux.values[3 * cell + a], sum, 1e-5);
      largest = std::max(largest, std::abs(sum));
    }
  }
  EXPECT_GT(largest_rms, 0.03) << "nothing changed";
  EXPECT_GT(largest, 3e-4) << "nothing changed";
}

TEST(ScalarOutputs, QuantitiesAreThoseOfTheFields) {
  const FinishedRun run(layer + R"(
quantities:
  mean: {kind: mean, field: warmth, box_from: [2, 1, 3], box_to: [9, 7, 10]}
  here: {kind: point, field: warmth, point: [3.5, 4.5, 6.5]}
  flux: {kind: nusselt, every_steps: 4}
  floor: {kind: nusselt, face: z_min}
  lid: {kind: nusselt, face: z_max}
  mixing: {kind: mean, field: dissipation, scalar: warmth}
  in_the_middle: {kind: mean, field: dissipation, scalar: warmth, box_from: [2, 1, 3], box_to: [9, 7, 9]}
expect:
  flux: {quantity: value, of: flux, value: 1, tolerance: 10}
)");
  const Values t = values_of(file_of(run, "fields"), "warmth");
  const Values u = values_of(file_of(run, "fields"), "velocity");
  double sum = 0, carried = 0, floor = 0, lid = 0;
  for (hsize_t z = 0; z < 10; ++z) {
    for (hsize_t y = 0; y < 8; ++y) {
      for (hsize_t x = 0; x < 12; ++x) {
        if (x >= 2 && x < 9 && y >= 1 && y < 7 && z >= 3) sum += double{t.at(x, y, z)};
        if (z == 0) floor += 310 - double{t.at(x, y, z)};
        if (z == 9) lid += double{t.at(x, y, z)} - 290;
        carried += double{u.at(x, y, z, 2)} * (double{t.at(x, y, z)} - 300);
      }
    }
  }
  EXPECT_NEAR(run.value("mean"), sum / (7 * 6 * 7), 1e-3);
  EXPECT_NEAR(run.value("here"), t.at(3, 4, 6), 1e-3);
  // Velocities are in those of free fall: the diffusivity is 1 / sqrt(Ra Pr), the height is 1.
  const double nusselt = 1 + carried / (12 * 8 * 10) * std::sqrt(2e4 * 0.7) / 20;
  EXPECT_NEAR(run.value("flux"), nusselt, 1e-3);
  EXPECT_GT(run.value("flux"), 1.05);
  // Half a cell lies between the outermost cells and the walls.
  EXPECT_NEAR(run.value("floor"), floor / (12 * 8) * 20 / 20, 1e-3);
  EXPECT_NEAR(run.value("lid"), lid / (12 * 8) * 20 / 20, 1e-3);
  EXPECT_GT(std::abs(run.value("floor") - 1), 0.005);
  // Per cell; a wall is half a cell away.
  const auto slope = [&](double below, double here, double above, bool low, bool high) {
    if (low) return (2 * (here - 310) * 2 + (above - here)) / 3;
    return high ? ((here - below) + 2 * (290 - here) * 2) / 3 : (above - below) / 2;
  };
  double all = 0, middle = 0;
  for (hsize_t z = 0; z < 10; ++z) {
    for (hsize_t y = 0; y < 8; ++y) {
      for (hsize_t x = 0; x < 12; ++x) {
        const auto at = [&](hsize_t i, hsize_t j, hsize_t k) { return double{t.at(i, j, k)}; };
        const double dx = (at((x + 1) % 12, y, z) - at((x + 11) % 12, y, z)) / 2;
        const double dy = (at(x, (y + 1) % 8, z) - at(x, (y + 7) % 8, z)) / 2;
        const double dz = slope(at(x, y, z == 0 ? 0 : z - 1), at(x, y, z),
                                at(x, y, z == 9 ? 9 : z + 1), z == 0, z == 9);
        const double square = dx * dx + dy * dy + dz * dz;
        all += square;
        if (x >= 2 && x < 9 && y >= 1 && y < 7 && z >= 3 && z < 9) middle += square;
      }
    }
  }
  const double diffusivity = 1 / std::sqrt(2e4 * 0.7), per_length = 100;
  EXPECT_NEAR(run.value("mixing"), diffusivity * per_length * all / (12 * 8 * 10), 1e-4);
  EXPECT_NEAR(run.value("in_the_middle"), diffusivity * per_length * middle / (7 * 6 * 6), 1e-4);
  EXPECT_GT(run.value("mixing"), 1.02 * diffusivity * 20 * 20);
}

TEST(ScalarOutputs, ANusseltNumberOfConductionIsOne) {
  const std::string still = R"(
grid: {cells: [6, 4, 4]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
scalars:
  warmth: {prandtl: 1, difference: 3, boundaries: {x_min: {type: value, value: -1}, x_max: {type: value, value: 2}}, initial: "-1 + 3*x/lx"}
  dye: {prandtl: 1}
fluid: {tau: 0.8, lattice_velocity: 0.05}
run: {steps: 20}
output: {at_end: false, profiles: false}
quantities:
)";
  const FinishedRun run(still + R"(
  flux: {kind: nusselt, scalar: warmth}
  cold: {kind: nusselt, scalar: warmth, face: x_min}
  warm: {kind: nusselt, scalar: warmth, face: x_max}
  mixing: {kind: mean, field: dissipation, scalar: warmth}
)");
  // The diffusivity is 0.1 in cells^2 per step, and the reference length 6 cells.
  EXPECT_NEAR(run.value("mixing"), 0.1 * 3 * 3 / (0.05 * 6), 1e-5);
  EXPECT_EQ(run.value("flux"), 1);
  EXPECT_NEAR(run.value("cold"), 1, 1e-6);
  EXPECT_NEAR(run.value("warm"), 1, 1e-6);
}

// Conduction between walls whose values vary: in `difference`, positive along the axis.
TEST(ScalarOutputs, ANusseltNumberOfWallsThatVary) {
  const std::string layer_of_heat = R"yaml(
grid: {cells: [6, 4, 4]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {tau: 0.8, lattice_velocity: 0.05}
output: {at_end: false, profiles: false}
quantities:
  flux: {kind: nusselt}
  low: {kind: nusselt, face: x_min}
  high: {kind: nusselt, face: x_max}
scalars:
  warmth:
    prandtl: 1
    difference: 3
    initial: "-1 + 3*x/lx"
    boundaries:
      x_min: {type: value, value: "-1 + 0.3*sin(2*pi*y/ly)"}
)yaml";
  const FinishedRun steady(layer_of_heat +
                           "      x_max: {type: value, value: 2}\nrun: {steps: 600}\n");
  for (const char* name : {"flux", "low", "high"}) EXPECT_NEAR(steady.value(name), -1, 1e-5);
  // At the end the time is 20 x 0.05 / 6.
  const FinishedRun run(layer_of_heat + R"yaml(
      x_max: {type: value, value: "2 + t + sin(2*pi*z/lz)"}
run: {steps: 20}
)yaml");
  EXPECT_NEAR(run.value("flux"), -(3 + 1.0 / 6) / 3, 1e-6);
  EXPECT_LT(run.value("high"), -1) << "it is heated from there";
  EXPECT_GT(run.value("high"), -3);
}

// A warm ball between a wall at 310 and one at 290: it gives the difference of their fluxes. Then
// the same box in SI, 100 cells per m, where the reference velocity is 1 m/s.
TEST(ScalarOutputs, HeatFlowIsTheDifferenceOfTheFluxesAtWalls) {
  const std::string box = R"yaml(
name: ball
scalars:
  warmth: {prandtl: 1, reference: 300, difference: 20, bodies: [ball], body_values: [330], initial: "310 - 20*x/lx", boundaries: {x_min: {type: value, value: 310}, x_max: {type: value, value: 290}}}
lattice: {storage: fp64}
output: {at_end: false, profiles: false}
quantities:
  given: {kind: heat_flow, bodies: [ball], every_steps: 50}
  per_length: {kind: heat_flow, scalar: warmth, bodies: [ball], length: 2}
  low: {kind: nusselt, face: x_min}
  high: {kind: nusselt, face: x_max}
)yaml";
  const FinishedRun run(box + R"(
grid: {cells: [12, 10, 8]}
bodies: {ball: {shape: sphere, center: [5.2, 4.9, 4.3], radius: 2.4}}
fluid: {length: 10, tau: 0.8, lattice_velocity: 0.05}
run: {steps: 20000, until_steady: {tolerance: 1e-9, quantities: [given]}}
expect: {given: {quantity: value, of: given, value: 1, tolerance: 100}}
)");
  // U L^2 is 5 cells^3 per step, the diffusivity 0.1 cells^2 per step.
  const auto conducted = 0.1 * 20 / 12 * 10 * 8;
  const double given = run.value("given") * 5;
  EXPECT_NEAR(given / conducted, run.value("high") - run.value("low"), 1e-6);
  EXPECT_GT(given, conducted);
  EXPECT_NEAR(run.value("per_length"), run.value("given") * 10 / 2, 1e-9);
  const std::string file =
      test::file_text((run.scratch.path() / "out" / "quantity_given.csv").string());
  EXPECT_TRUE(has(file, "warmth U L^2")) << file.substr(0, 200);
  const FinishedRun si(box + R"(
units: si
grid: {size: [0.12, 0.1, 0.08], spacing: 0.01}
bodies: {ball: {shape: sphere, center: [0.052, 0.049, 0.043], radius: 0.024}}
fluid: {length: 0.1, velocity: 1, viscosity: 0.02, lattice_velocity: 0.05}
run: {time: 10, until_steady: {tolerance: 1e-9, quantities: [given]}}
)");
  // A step is 0.0005 s.
  EXPECT_NEAR(si.value("given") / (given * 1e-6 / 0.0005), 1, 1e-6);
}

// Stored values above 2 would overflow sums made for velocities.
TEST(ScalarOutputs, MeansMayBeFarFromTheReference) {
  const FinishedRun run(R"(
grid: {cells: [8, 8, 8]}
scalars: {dye: {prandtl: 1, initial: "-900"}}
fluid: {tau: 0.8, lattice_velocity: 0.05}
run: {steps: 4}
output: {at_end: false, profiles: false}
quantities: {all: {kind: mean, field: dye}}
)");
  EXPECT_NEAR(run.value("all"), -900, 1e-3);
}

TEST(ScalarOutputs, MayColourPictures) {
  const FinishedRun run(layer + R"(
pictures:
  side: {slice: y, quantity: warmth}
)");
  const auto out = run.scratch.path() / "out";
  EXPECT_TRUE(fs::exists(out / "side_000000040.png") || fs::exists(out / "side_000000040.picture"));
  if (!fs::exists(out / "side_000000040.picture")) return;  // drawn and removed
  const std::string data = test::file_text((out / "side_000000040.picture").string());
  EXPECT_TRUE(has(data, "\"added\":300.0")) << data.substr(0, data.find('\n'));
  EXPECT_TRUE(has(data, "\"quantity\":\"warmth\""));
}

}  // namespace
}  // namespace lbm::cases
