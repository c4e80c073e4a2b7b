// SPDX-License-Identifier: Apache-2.0

// `lbm check --preview`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/picture/png_file.hpp"
#include "io/text/json.hpp"
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
  void expect_picture(const std::string& path) {
    const std::string bytes = test::file_text(path);
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const io::GreyImage image = io::read_grey_png({data, bytes.size()});
    EXPECT_GE(image.width, 900);
    EXPECT_GE(image.height, 300);
  }
  lbm::testing::ScratchDirectory scratch_;
};

TEST_F(PreviewCommand, WritesAPictureAndSaysWhere) {
  const std::string png = file("a.png");
  for (const char* name : {"flow_past_sphere", "flow_past_cylinder", "lid_driven_cavity_2d"}) {
    const Outcome outcome = check(name, fmt::format("--preview '{}' --overwrite", png));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("preview: " + png + "\n"), std::string::npos) << outcome.out;
    expect_picture(png);
    fs::remove(png);
  }
}

TEST_F(PreviewCommand, NamesTheFileInJson) {
  const std::string png = file("a.png");
  const Outcome outcome = check("flow_past_sphere", fmt::format("--json --preview '{}'", png));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(io::Json::parse(outcome.out).at("preview"), png);
  expect_picture(png);
  EXPECT_FALSE(io::Json::parse(check("flow_past_sphere", "--json").out).contains("preview"));
}

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
  EXPECT_EQ(check("flow_past_sphere", fmt::format("--preview '{}' --overwrite", file("there.png")))
                .exit_code,
            0);
  expect_picture(file("there.png"));
}

}  // namespace
}  // namespace lbm::cases
