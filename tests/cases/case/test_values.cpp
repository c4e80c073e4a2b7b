// SPDX-License-Identifier: Apache-2.0

// A case as a list of values and back, as used by the Python package.
#include "cases/case/read/read_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cases/case/case_location.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using test::error_of;
using Values = std::vector<CaseValue>;

const Values least{
    {"grid.cells", "[8, 9, 10]", ""}, {"fluid.reynolds", "100", ""}, {"run.steps", "50", ""}};

Values least_and(const CaseValue& more) {
  Values values = least;
  values.push_back(more);
  return values;
}

std::string error_with(const std::string& path, const std::string& yaml) {
  return error_of([&] { case_from_values(least_and({path, yaml, ""})); });
}

std::string value_at(const Values& values, const std::string& path) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const CaseValue& value) { return value.path == path; });
  return found == values.end() ? "none" : found->yaml;
}

TEST(CaseValues, EveryShippedCaseComesBackTheSame) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(LBM_SOURCE_DIR) + "/cases")) {
    if (entry.path().extension() != ".yaml") continue;
    const Case read = read_case(entry.path().string());
    const Case back = without_file(read);
    EXPECT_EQ(to_yaml(back), to_yaml(with_whole_paths(read))) << entry.path();
    EXPECT_EQ(back.file, "");
    EXPECT_NO_THROW(validate(back)) << entry.path();
  }
}

TEST(CaseValues, HaveWhatWasGiven) {
  const Values plain = values_of(parse_case(test::minimal, "c.yaml"));
  EXPECT_EQ(value_at(plain, "grid.cells"), "[8, 9, 10]");
  EXPECT_EQ(value_at(plain, "fluid.lattice_velocity"), "0.1");  // a default
  EXPECT_EQ(value_at(plain, "fluid.tau"), "none");
  const Values si = values_of(parse_case(
      "{units: si, grid: {size: [1, 1, 2], spacing: 0.1}, fluid: {reynolds: 10, velocity: 1, "
      "length: 1}, run: {steps: 1}}",
      "c.yaml"));
  EXPECT_EQ(value_at(si, "grid.size"), "[1, 1, 2]");
  EXPECT_EQ(value_at(si, "grid.cells"), "none");  // follows from the size, whatever the spacing
  EXPECT_EQ(case_from_values(si).grid.cells, (std::array<int, 3>{10, 10, 20}));
}

TEST(CaseValues, NamedItemsKeepTheirOrder) {
  Values values = least_and({"bodies.z.shape", "sphere", ""});
  for (const char* name : {"z", "a"}) {
    values.push_back({std::string("bodies.") + name + ".center", "[4, 4, 4]", ""});
    values.push_back({std::string("bodies.") + name + ".radius", "2", ""});
  }
  values.push_back({"bodies.a.shape", "sphere", ""});
  const Case c = case_from_values(values);
  ASSERT_EQ(c.bodies.size(), 2u);
  EXPECT_EQ(c.bodies[0].name, "z");
}

TEST(CaseValues, GroupsMayBeMaps) {
  const Case c = case_from_values(least_and({"boundaries.z_max", "{velocity: [1, 0, 0]}", ""}));
  EXPECT_EQ(c.faces[5].velocity[0], 1);
}

TEST(CaseValues, ErrorsNameTheKeyOfTheCase) {
  EXPECT_EQ(error_with("fluid.lattice_velocity", "-5"),
            "case.fluid.lattice_velocity: found \"-5\", must be a number > 0");
  EXPECT_EQ(error_with("fluid.reynold", "5"),
            "case.fluid.reynold: unknown key, did you mean fluid.reynolds?");
  EXPECT_EQ(error_with("bodies.a b.radius", "5").find("case.bodies.a b.radius: found \"a b\" as a"),
            0u);
  EXPECT_EQ(error_with("expect.drag", "{}").find("case.expect.drag: found an empty map"), 0u);
  EXPECT_EQ(error_with("fluid.tau", "0.8"),
            "case.fluid.tau: conflicts with fluid.reynolds: remove one");
  EXPECT_EQ(error_with("run.steps", "5"), "case.run.steps: found twice; keep one");
  EXPECT_EQ(error_of([] { case_from_values({}); }).find("case: missing: grid.cells"), 0u);
}

TEST(CaseValues, OneValueIsChecked) {
  EXPECT_EQ(checked_value("device.memory", "8 GB").yaml, "8000000000");
  EXPECT_EQ(checked_value("grid.cells", "[8, 8, 1e1]").yaml, "[8, 8, 10]");
  EXPECT_EQ(checked_value("bodies.NAME.from", "[1, 2, 3]").yaml, "[1, 2, 3]");
  EXPECT_EQ(error_of([] { checked_value("grid.cells", "[8, 8]"); }),
            "case.grid.cells: found \"[8, 8]\", must be a list of three whole numbers from 1 to "
            "1000000");
}

TEST(CaseValues, FilesAreThoseOfTheCaseFile) {
  const Case c = without_file(read_case(test::shipped_path("lid_driven_cavity_2d")));
  const std::string folder = std::string(LBM_SOURCE_DIR) + "/cases/";
  ASSERT_FALSE(c.expect.empty());
  EXPECT_EQ(c.expect[0].file.find(folder), 0u) << c.expect[0].file;
  EXPECT_TRUE(std::filesystem::exists(path_of(c, c.expect[0].file)));
}

}  // namespace
}  // namespace lbm::cases
