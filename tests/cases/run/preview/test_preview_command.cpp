// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview` without a Python that draws. Drawn previews:
// tests/python/display/test_pictures.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/cases/case_support.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using test::lbm_program, test::Outcome;

class PreviewCommand : public ::testing::Test {
 protected:
  Outcome check(const std::string& name, const std::string& more = "") {
    return lbm_program(
        fmt::format("check '{}' --set device.backend=cpu {}", test::shipped_path(name), more));
  }
  std::string file(const std::string& name) const { return (scratch_.path() / name).string(); }
  lbm::testing::ScratchDirectory scratch_;
};

TEST_F(PreviewCommand, RefusesFilesThatItCannotOrMayNotWrite) {
  lbm::testing::write_text(file("there.png"), "mine");
  const auto expect_refused = [&](const std::string& options, const std::string& part) {
    const Outcome outcome = check("flow_past_sphere", options);
    EXPECT_EQ(outcome.exit_code, 2) << options;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  expect_refused(fmt::format("--preview '{}'", file("there.png")), "add --overwrite to replace it");
  expect_refused(fmt::format("--preview '{}'", file("no/a.png")), "there is no directory");
  expect_refused(fmt::format("--preview '{}'", file("a.jpg")), "must end in .png");
  expect_refused(fmt::format("--preview '{}'", scratch_.path().string()), "must end in .png");
  expect_refused("--preview ''", "empty name");
  expect_refused("--overwrite", "needs --preview");
  EXPECT_EQ(test::file_text(file("there.png")), "mine");
  expect_refused(fmt::format("--preview '{}' --overwrite", file("there.png")), "pip install");
  EXPECT_EQ(test::file_text(file("there.png")), "mine");
}

}  // namespace
}  // namespace lbm::cases
