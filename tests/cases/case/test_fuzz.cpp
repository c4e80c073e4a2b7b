// SPDX-License-Identifier: Apache-2.0

// Thousands of damaged case files: each is either valid or gives a UsageError of one line.
// Deterministic, since std::mt19937 gives the same numbers everywhere.
#include <gtest/gtest.h>

#include <random>

#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

const std::vector<std::string> pieces{"-1",          "0",        "1e999",
                                      "nan",         ".inf",     "999999999999999999999",
                                      "[",           "]",        "{",
                                      "}",           ":",        ": ",
                                      "\n",          "\n  ",     "\t",
                                      "#",           "&a ",      "*a",
                                      "<<: *a",      "- ",       "? ",
                                      "\"",          "'",        "|\n",
                                      ">\n",         "---",      "...",
                                      "~",           "null",     "!!str ",
                                      "%YAML 9.9\n", "\xff\xfe", std::string(1, '\0'),
                                      "é",           "auto",     "true",
                                      "[[[[[[[[[["};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t n = 1 + below(4); n > 0; --n) once(text);
    return text;
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

 private:
  void once(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(20), text.size() - at);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 3:
        text.replace(at, length, pieces[below(pieces.size())]);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937 random_;
};

// Removes comments, which most of the damage would hit.
std::string without_comments(const std::string& text) {
  std::string result;
  bool comment = false;
  for (const char c : text) {
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (!comment) result += c;
  }
  return result;
}

// In the folder of the shipped cases, so that their files are found.
const std::string as_file = test::shipped_path("f");

// Returns true for a valid case.
bool survives(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    const Case c = parse_case(text, as_file, overrides);
    validate(c);
    total_bytes(result_sizes(c, derive(c)));
    warnings(c, derive(c));
    validate(parse_case(to_yaml(c), as_file));
    return true;
  } catch (const UsageError& error) {
    const std::string line = error.what();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(line.starts_with(as_file + ":") || line.starts_with("--set ")) << line;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a UsageError: " << error.what() << "\n--- case:\n" << text;
  }
  return false;
}

TEST(CaseFuzz, DamagedFilesGiveACaseOrAUsageError) {
  Mutator mutator(12345);
  int valid = 0;
  int tried = 0;
  for (const auto& name : test::shipped) {
    const std::string text = without_comments(test::file_text(test::shipped_path(name)));
    for (int i = 0; i < 2000; ++i, ++tried) valid += survives(mutator.mutate(text), {}) ? 1 : 0;
    if (HasFailure()) return;
  }
  // Requires a fair share of valid and of refused cases.
  EXPECT_GT(valid, tried / 100);
  EXPECT_LT(valid, tried * 9 / 10);
}

// Units, bodies, patches and expectations.
const std::string flow =
    "units: si\n"
    "grid: {size: [0.02, 0.02, 0.04], spacing: 5e-4}\n"
    "fluid: {viscosity: 1e-6, velocity: 0.05, density: 998, length: 0.01}\n"
    "boundaries:\n"
    "  z_min: {type: velocity, velocity: [0, 0, 0.05], profile: duct, ramp_time: 0.1}\n"
    "  z_max: {type: wall, patches: {out: {type: outflow, box: [0, 0.01, 0, 0.02]}}}\n"
    "bodies:\n"
    "  ball: {shape: sphere, center: [0.01, 0.01, 0.02], radius: 0.003}\n"
    "  rod: {shape: cylinder, from: [0, 0, 0.02], to: [0.02, 0, 0.02], radius: 0.003, solid: "
    "false}\n"
    "  both: {shape: union, of: [ball, rod], rotate: [[0, 0, 1, 5]]}\n"
    "run: {time: 2, until_steady: {tolerance: 1e-6}}\n"
    "expect:\n"
    "  drag: {quantity: force.z, body: ball, value: 1e-4, tolerance: 0.5, average_from: 1}\n";

TEST(CaseFuzz, DamagedFlowsGiveACaseOrAUsageError) {
  Mutator mutator(2024);
  int valid = 0;
  for (int i = 0; i < 2000; ++i) valid += survives(mutator.mutate(flow), {}) ? 1 : 0;
  EXPECT_GT(valid, 20);
  EXPECT_LT(valid, 1800);
}

TEST(CaseFuzz, DamagedOverridesGiveACaseOrAUsageError) {
  Mutator mutator(54321);
  const std::vector<std::string> overrides{
      "grid.cells=[8,8,8]", "boundaries.z_max={type: wall, velocity: [1, 0, 0]}",
      "device.memory=8 GB", "run={steps: 100}",
      "output.times=[0.1]", "bodies.a={shape: box, center: [4, 4, 4], size: [2, 2, 2]}",
      "bodies.b.radius=3"};
  for (int i = 0; i < 3000; ++i) {
    survives(test::minimal, {mutator.mutate(overrides[mutator.below(overrides.size())])});
  }
}

TEST(CaseFuzz, RandomBytesAreRefused) {
  Mutator mutator(777);
  for (int i = 0; i < 2000; ++i) {
    std::string text(mutator.below(200), '\0');
    for (char& c : text) c = static_cast<char>(mutator.below(256));
    EXPECT_FALSE(survives(text, {}));
  }
}

TEST(CaseFuzz, DeepNestingIsRefused) {
  for (const char* piece : {"[", "{a: ", "- ", "? ", "&a [", "boundaries: {"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += piece;
    EXPECT_FALSE(survives(text, {})) << piece;
  }
}

}  // namespace
}  // namespace lbm::cases
