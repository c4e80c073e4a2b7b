// SPDX-License-Identifier: Apache-2.0

// A flow through periodic faces does not know where its box begins: random cases and the same ones
// moved by whole cells, so that the body (a shape, a combination, a surface from a file, voxels),
// the patch of a wall, the point of a probe and the flow of the start lie across faces, edges and
// corners.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

using Place = std::array<double, 3>;

// Exact as text, so that a moved body cuts the same links at the same places.
double dyadic(std::mt19937& random, double low, double high) {
  return std::round(std::uniform_real_distribution<double>(low, high)(random) * 64) / 64;
}

std::string text_of(const Place& p) { return fmt::format("[{}, {}, {}]", p[0], p[1], p[2]); }

// The parts of an interval [low, high) that is moved around a period of n cells.
std::vector<std::array<double, 2>> parts_of(double low, double high, double by, int n) {
  const double start = low + by - n * std::floor((low + by) / n), end = start + high - low;
  if (end <= n) return {{start, end}};
  return {{start, double(n)}, {0, end - n}};
}

// A box without two opposite corners: no plane of symmetry.
std::string surface_text(const Place& middle, const Place& size) {
  std::string text;
  const auto corner = [&](int i, int j, int k) {
    text += fmt::format("v {} {} {}\n", middle[0] + (i - 0.5) * size[0],
                        middle[1] + (j - 0.5) * size[1], middle[2] + (k - 0.5) * size[2]);
  };
  for (const auto& [i, j, k] :
       {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}) {
    corner(i, j, k);
  }
  return text + "f 1 3 2\nf 4 6 5\nf 1 2 4\nf 1 5 3\nf 2 3 6\nf 1 4 5\nf 2 6 4\nf 3 5 6\n";
}

struct RandomCase {
  std::array<int, 3> cells;
  std::string shape, walls, storage, factor;
  Place middle, size, omega, velocity, acceleration, point;
  bool turns_elsewhere, has_walls, by_formula;  // has_walls: at z, the lower one with a patch
  std::vector<char> image;                      // of voxels

  explicit RandomCase(unsigned seed) {
    std::mt19937 random(seed);
    const auto any = [&](std::initializer_list<const char*> words) {
      return std::string(words.begin()[random() % words.size()]);
    };
    shape = any({"box", "ellipsoid", "capsule", "union", "difference", "surface", "voxels"});
    walls = any({"staircase", "interpolated", "conserving", "multireflection"});
    if (shape == "voxels") walls = "staircase";  // as the links of voxels end
    storage = any({"fp32", "fp64"});
    factor = any({"", "", ", velocity_factor: \"cos(2*t)\""});
    turns_elsewhere = random() % 3 == 0;
    has_walls = random() % 3 == 0;
    by_formula = random() % 2 == 0;
    for (std::size_t a = 0; a < 3; ++a) {
      cells[a] = 11 + static_cast<int>(random() % 6);
      middle[a] = dyadic(random, 5, 6);
      size[a] = dyadic(random, 3, 7);
      omega[a] = dyadic(random, -0.5, 0.5);
      velocity[a] = dyadic(random, -0.2, 0.2);
      acceleration[a] = dyadic(random, -0.1, 0.1);
      point[a] = 0.5 + static_cast<int>(random() % static_cast<unsigned>(cells[a]));
    }
    image.resize(static_cast<std::size_t>(cells[0]) * cells[1] * cells[2]);
    for (char& voxel : image) voxel = random() % 12 == 0 ? 1 : 0;
  }

  Place moved(Place p, const Place& by) const {
    for (std::size_t a = 0; a < 3; ++a) p[a] += by[a];
    return p;
  }

  // The image of voxels, moved around the box.
  std::string image_text(const Place& by) const {
    std::string text(image.size(), '\0');
    const auto wrapped = [&](int i, std::size_t a) {
      const int n = cells[a], at = (i + static_cast<int>(by[a])) % n;
      return static_cast<std::size_t>(at < 0 ? at + n : at);
    };
    std::size_t from = 0;
    for (int z = 0; z < cells[2]; ++z) {
      for (int y = 0; y < cells[1]; ++y) {
        for (int x = 0; x < cells[0]; ++x, ++from) {
          const std::size_t row =
              wrapped(z, 2) * static_cast<std::size_t>(cells[1]) + wrapped(y, 1);
          text[row * static_cast<std::size_t>(cells[0]) + wrapped(x, 0)] = image[from];
        }
      }
    }
    return text;
  }

  std::string body_text(const Place& by) const {
    Place end = middle;
    end[0] += 2;
    end[2] -= 1.5;
    const std::string box =
        fmt::format("center: {}, size: {}", text_of(moved(middle, by)), text_of(size));
    const std::string rod = fmt::format("shape: capsule, from: {}, to: {}, radius: 1.5",
                                        text_of(moved(middle, by)), text_of(moved(end, by)));
    const std::string parts = fmt::format(
        "  one: {{shape: box, {}, solid: false}}\n  two: {{{}, solid: false}}\n", box, rod);
    const bool joined = shape == "union" || shape == "difference";
    std::string place = box;
    if (shape == "capsule") place = rod.substr(rod.find("from"));
    if (joined) place = "of: [one, two]";
    if (shape == "surface") place = "file: body.obj";
    if (shape == "voxels") {
      place = fmt::format("file: body.raw, cells: [{}, {}, {}], fluid: [0]", cells[0], cells[1],
                          cells[2]);
    }
    const std::string center = turns_elsewhere || shape == "voxels"
                                   ? "center_of_rotation: " + text_of(moved({4, 7, 5}, by)) + ", "
                                   : "";
    const bool turns = shape != "voxels";  // an arm to a body that fills the box has no length
    return (joined ? parts : "") +
           fmt::format("  b: {{shape: {}, {}, {}angular_velocity: {}, velocity: {}, walls: {}{}}}",
                       shape, place, center, text_of(turns ? omega : Place{}), text_of(velocity),
                       walls, factor);
  }

  std::string face_text(const Place& by) const {
    if (!has_walls) return "z_min: periodic, z_max: periodic";
    std::string patches;
    for (const auto& a : parts_of(2, 6, by[0], cells[0])) {
      for (const auto& b : parts_of(3, 8, by[1], cells[1])) {
        patches +=
            fmt::format("p{}: {{box: [{}, {}, {}, {}], type: wall, velocity: [0.5, -0.25, 0]}}, ",
                        patches.size(), a[0], a[1], b[0], b[1]);
      }
    }
    return "z_min: {type: wall, patches: {" + patches + "}}, z_max: wall";
  }

  std::string text(const Place& by) const {
    Place probe = moved(point, by);
    for (std::size_t a = 0; a < 3; ++a) {
      probe[a] -= cells[a] * std::floor(probe[a] / cells[a]);
    }
    const auto wave = [&](char axis, std::size_t a) {
      return fmt::format("sin(2*pi*({} - {})/{})", axis, by[a], cells[a]);
    };
    const std::string initial = by_formula
                                    ? fmt::format(
                                          "{{flow: formula, velocity: [\"0.3*{}\", \"0.2*{}\", 0], "
                                          "pressure: \"0.1*{}*{}\"}}",
                                          wave('y', 1), wave('x', 0), wave('x', 0), wave('y', 1))
                                    : "{flow: rest}";
    const std::string force =
        by_formula ? fmt::format("[\"{}*{}\", \"{}*{}\", {}]", acceleration[0], wave('y', 1),
                                 acceleration[1], wave('x', 0), acceleration[2])
                   : text_of(acceleration);
    return fmt::format(R"(
name: shift
grid: {{cells: [{}, {}, {}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, {}}}
bodies:
{}
fluid: {{tau: 0.8, length: 10, lattice_velocity: 0.05}}
lattice: {{collision: trt, storage: {}}}
initial: {}
force: {{acceleration: {}}}
run: {{steps: 40}}
output: {{at_end: false, profiles: false, forces: 40}}
probes: {{p: {{points: [{}], every_steps: 40}}}}
quantities:
  through: {{kind: flow_rate, slice: x, at: {}}}
  turning: {{kind: mean, field: enstrophy}}
)",
                       cells[0], cells[1], cells[2], face_text(by), body_text(by), storage, initial,
                       force, text_of(probe), probe[0]);
  }
};

// The last line of a file of numbers.
std::vector<double> last_numbers(const std::string& text) {
  std::istringstream lines(text);
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  std::replace(last.begin(), last.end(), ',', ' ');
  std::istringstream words(last);
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  return numbers;
}

// Forces and torques of the body, then pressure and velocity at the point.
std::vector<double> results_of(const RandomCase& one, const Place& by) {
  const Runs runs(one.text(by));
  lbm::testing::write_text(runs.path("body.raw"), one.image_text(by));
  lbm::testing::write_text(runs.path("body.obj"),
                           surface_text(one.moved(one.middle, by), one.size));
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << one.text(by);
  if (outcome.exit_code != 0) return {};
  std::vector<double> all = last_numbers(runs.text("o/forces_b.csv"));
  // The voxels fill the box: the lever arm of a torque has no meaning.
  if (one.shape == "voxels") {
    for (const std::size_t torque : {5, 6, 7, 11, 12, 13}) all.at(torque) = 0;
  }
  const YAML::Node report = YAML::Load(runs.text("o/report.json"));
  for (const YAML::Node& quantity : report["quantities"]) {
    all.push_back(quantity["value"].as<double>());
  }
  for (const std::string& name : lbm::testing::names_in(runs.path("o"))) {
    if (!name.starts_with("probe")) continue;
    const std::vector<double> more = last_numbers(runs.text("o/" + name));
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

TEST(PeriodicShift, ChangesNeitherForceNorTorqueNorFlow) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const RandomCase one(seed);
    const std::vector<double> here = results_of(one, {});
    ASSERT_GE(here.size(), 16U);
    std::mt19937 random(seed);
    for (int turn = 0; turn < 3; ++turn) {
      Place by;
      for (std::size_t a = 0; a < 3; ++a) {
        by[a] = static_cast<int>(random() % static_cast<unsigned>(one.cells[a])) - 5;
        if (a == 2 && one.has_walls) by[a] = 0;
      }
      const std::vector<double> there = results_of(one, by);
      ASSERT_EQ(here.size(), there.size());
      for (std::size_t i = 0; i < here.size(); ++i) {
        EXPECT_NEAR(here[i], there[i], 2e-6 * std::max(1.0, std::abs(here[i])))
            << "number " << i << ", moved by " << text_of(by) << one.text({});
        ++compared;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace lbm::cases::test
