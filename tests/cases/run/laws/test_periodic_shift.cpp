// SPDX-License-Identifier: Apache-2.0

// A flow through periodic faces does not know where its box begins: random cases and the same ones
// moved by whole cells, so that the body lies across faces, edges and corners.
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

struct RandomCase {
  std::array<int, 3> cells;
  std::string shape, walls, storage;
  Place middle, size, omega, velocity, acceleration, point;
  bool turns_elsewhere;

  explicit RandomCase(unsigned seed) {
    std::mt19937 random(seed);
    const auto any = [&](std::initializer_list<const char*> words) {
      return std::string(words.begin()[random() % words.size()]);
    };
    shape = any({"box", "ellipsoid", "capsule"});
    walls = any({"staircase", "interpolated", "conserving", "multireflection"});
    storage = any({"fp32", "fp64"});
    turns_elsewhere = random() % 3 == 0;
    for (std::size_t a = 0; a < 3; ++a) {
      cells[a] = 11 + static_cast<int>(random() % 6);
      middle[a] = dyadic(random, 5, 6);
      size[a] = dyadic(random, 3, 7);
      omega[a] = dyadic(random, -0.5, 0.5);
      velocity[a] = dyadic(random, -0.2, 0.2);
      acceleration[a] = dyadic(random, -0.1, 0.1);
      point[a] = 0.5 + static_cast<int>(random() % static_cast<unsigned>(cells[a]));
    }
  }

  std::string text(const Place& by) const {
    const auto moved = [&](Place p) {
      for (std::size_t a = 0; a < 3; ++a) p[a] += by[a];
      return p;
    };
    Place probe = moved(point);
    for (std::size_t a = 0; a < 3; ++a) {
      probe[a] -= cells[a] * std::floor(probe[a] / cells[a]);
    }
    Place end = middle;
    end[0] += 2;
    end[2] -= 1.5;
    const std::string where =
        shape == "capsule"
            ? fmt::format("from: {}, to: {}, radius: 2", text_of(moved(middle)),
                          text_of(moved(end)))
            : fmt::format("center: {}, size: {}", text_of(moved(middle)), text_of(size));
    const std::string center =
        turns_elsewhere ? "center_of_rotation: " + text_of(moved({4, 7, 5})) + ", " : "";
    return fmt::format(R"(
name: shift
grid: {{cells: [{}, {}, {}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
bodies: {{b: {{shape: {}, {}, {}angular_velocity: {}, velocity: {}, walls: {}}}}}
fluid: {{tau: 0.8, length: 10, lattice_velocity: 0.05}}
lattice: {{collision: trt, storage: {}}}
force: {{acceleration: {}}}
run: {{steps: 40}}
output: {{at_end: false, profiles: false, forces: 40}}
probes: {{p: {{points: [{}], every_steps: 40}}}}
)",
                       cells[0], cells[1], cells[2], shape, where, center, text_of(omega),
                       text_of(velocity), walls, storage, text_of(acceleration), text_of(probe));
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
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << one.text(by);
  if (outcome.exit_code != 0) return {};
  std::vector<double> all = last_numbers(runs.text("o/forces_b.csv"));
  for (const std::string& name : lbm::testing::names_in(runs.path("o"))) {
    if (!name.starts_with("probe")) continue;
    const std::vector<double> more = last_numbers(runs.text("o/" + name));
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

TEST(PeriodicShift, ChangesNeitherForceNorTorqueNorFlow) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const RandomCase one(seed);
    const std::vector<double> here = results_of(one, {});
    ASSERT_GE(here.size(), 14U);
    std::mt19937 random(seed);
    for (int turn = 0; turn < 3; ++turn) {
      Place by;
      for (std::size_t a = 0; a < 3; ++a) {
        by[a] = static_cast<int>(random() % static_cast<unsigned>(one.cells[a])) - 5;
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
