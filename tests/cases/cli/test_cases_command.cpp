// SPDX-License-Identifier: Apache-2.0

// `lbm cases`: the list, copies, and where the program looks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cases/case_support.hpp"
#include "tests/cases/library_cases.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using test::file_text;
using test::lbm_program;
using test::Outcome;
using test::run_line;

TEST(CasesCommand, ListsEveryCaseWithALine) {
  const Outcome result = lbm_program("cases --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  for (const test::SmallCase& small : test::small_cases) {
    const auto at = std::find_if(json.begin(), json.end(),
                                 [&](const auto& one) { return one["name"] == small.name; });
    ASSERT_NE(at, json.end()) << small.name;
    const std::string about = (*at)["about"];
    EXPECT_GT(about.size(), 15U) << small.name;
    EXPECT_LE(about.size(), 100U) << small.name;
  }
  const Outcome text = lbm_program("cases");
  EXPECT_NE(text.out.find("lid_driven_cavity "), std::string::npos);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.out.begin(), text.out.end(), '\n')),
            json.size() + 2);
}

TEST(CasesCommand, ACopyHasItsDataAndIsValid) {
  const lbm::testing::ScratchDirectory scratch;
  for (const char* name : {"stl_body_in_wind_tunnel", "overlapping_grains", "lid_driven_cavity_2d",
                           "refined_vortices"}) {
    const fs::path to = scratch.path() / name / "deep";
    const Outcome result = lbm_program(fmt::format("cases {} --out '{}'", name, to.string()));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(file_text((to / (std::string(name) + ".yaml")).string()),
              file_text(test::shipped_path(name)));
    EXPECT_FALSE(fs::is_empty(to / "data")) << name;
    const Outcome checked = lbm_program(fmt::format("check '{}/{}.yaml'", to.string(), name));
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
  }
}

TEST(CasesCommand, ReplacesNothingThatDiffers) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string copy = fmt::format("cases couette --out '{}'", scratch.path().string());
  EXPECT_EQ(lbm_program(copy).exit_code, 0);
  EXPECT_EQ(lbm_program(copy).exit_code, 0);  // the same bytes
  std::ofstream(scratch.path() / "couette.yaml") << "mine";
  const Outcome refused = lbm_program(copy);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("exists already with other content"), std::string::npos)
      << refused.err;
  EXPECT_EQ(file_text((scratch.path() / "couette.yaml").string()), "mine");
  EXPECT_EQ(lbm_program(copy + " --overwrite").exit_code, 0);
  EXPECT_NE(file_text((scratch.path() / "couette.yaml").string()), "mine");
}

TEST(CasesCommand, UnknownNamesAreRefusedWithNearOnes) {
  const Outcome result = lbm_program("cases cavity");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("cubic_cavity, heated_cavity, lid_driven_cavity"), std::string::npos)
      << result.err;
  EXPECT_EQ(lbm_program("cases --out /tmp").exit_code, 2);
}

// An installed program and the Python package look beside themselves, not in the source.
TEST(CasesCommand, LooksBesideTheProgramFirst) {
  const lbm::testing::ScratchDirectory scratch;
  for (const auto& [program, library] :
       {std::pair("usr/bin", "usr/share/lbm/cases"), std::pair("package", "package/cases")}) {
    fs::create_directories(scratch.path() / program);
    fs::create_directories(scratch.path() / library);
    const fs::path lbm = scratch.path() / program / "lbm";
    std::error_code other_disk;
    fs::create_hard_link(LBM_PROGRAM, lbm, other_disk);
    if (other_disk) fs::copy_file(LBM_PROGRAM, lbm);
    fs::copy_file(test::shipped_path("couette"), scratch.path() / library / "only_one.yaml");
    const Outcome result = run_line(fmt::format("'{}' cases --json", lbm.string()));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    ASSERT_EQ(json.size(), 1U) << program;
    EXPECT_EQ(json[0]["name"], "only_one");
  }
}

}  // namespace
}  // namespace lbm::cases
