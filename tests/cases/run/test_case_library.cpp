// SPDX-License-Identifier: Apache-2.0

// Every case of cases/ runs at test size and meets its expectations.
#include <algorithm>
#include <set>

#include "tests/cases/library_cases.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::ScratchDirectory;
using test::arguments_of;
using test::lbm_program;
using test::small_cases;
using test::SmallCase;

class CaseLibrary : public ::testing::TestWithParam<SmallCase> {};

TEST_P(CaseLibrary, PassesItsChecks) {
  const auto outcome = lbm_program("check " + test::shipped_path(GetParam().name));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_P(CaseLibrary, ComesToWhatItExpectsAtASmallSize) {
  const ScratchDirectory scratch;
  const auto outcome =
      lbm_program(fmt::format("run {} --expect --quiet --set output.at_end=false --out '{}'",
                              arguments_of(GetParam()), (scratch.path() / "run").string()));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  std::size_t met = 0;
  for (auto at = outcome.out.find(": met\n"); at != std::string::npos;
       at = outcome.out.find(": met\n", at + 1)) {
    ++met;
  }
  EXPECT_GE(met, 1U) << outcome.out;
}

std::string name_of(const ::testing::TestParamInfo<SmallCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, CaseLibrary, ::testing::ValuesIn(small_cases), name_of);

// Cases that are not in the table are not tested.
TEST(CaseLibraryTable, HasEveryCase) {
  std::set<std::string> in_table, in_folder;
  for (const SmallCase& small : small_cases) in_table.insert(small.name);
  for (const auto& entry : fs::directory_iterator(LBM_SOURCE_DIR "/cases")) {
    if (entry.path().extension() == ".yaml") in_folder.insert(entry.path().stem().string());
  }
  EXPECT_EQ(in_table, in_folder);
}

}  // namespace
}  // namespace lbm::cases
