// SPDX-License-Identifier: Apache-2.0

// `lbm plan --machine`: plans for machines that are described.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;
using test::lbm_program;
using test::Outcome;

// The cavity with the given cells along each axis.
Outcome plan(const std::string& machine, int cells, const std::string& more = "") {
  return lbm_program(fmt::format(
      "plan '{}' --machine '{}' --set 'grid.cells=[{}, {}, {}]' --set run.steps=1000 --set "
      "expect=null {}",
      test::shipped_path("lid_driven_cavity"), machine, cells, cells, cells, more));
}

YAML::Node json(const std::string& machine, int cells, const std::string& more = "") {
  const Outcome outcome = plan(machine, cells, "--json " + more);
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 4) << outcome.err;
  return YAML::Load(outcome.out);
}

TEST(PlanMachine, AGridBeyondTheHbmOfAGh200StreamsFromItsHost) {
  const YAML::Node found = json("gh200", 1600);  // 311 GB of 480
  EXPECT_EQ(found["machine"].as<std::string>(), "gh200");
  EXPECT_TRUE(found["fits"].as<bool>());
  EXPECT_EQ(found["scheme"].as<std::string>(), "wavefront");
  EXPECT_EQ(found["backend"].as<std::string>(), "cuda");
  EXPECT_GT(found["assumptions"].size(), 2U);
  // The link is hidden: so a slower one changes little, and the share of in core is that of the
  // fill.
  EXPECT_GT(found["mlups"].as<double>(), 0.9 * found["in_core_mlups"].as<double>());
  EXPECT_LT(found["mlups"].as<double>(), found["in_core_mlups"].as<double>());
}

TEST(PlanMachine, ThinBoxesThatAGpuWouldRunFasterTurnedOverAreWarnedOf) {
  const auto warned = [](const std::string& cells) {
    const Outcome outcome = plan("gh200", 100, "--json --set 'grid.cells=" + cells + "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out.find("exchange ") != std::string::npos;
  };
  EXPECT_TRUE(warned("[256, 1, 256]"));
  EXPECT_TRUE(warned("[1, 512, 512]"));
  for (const char* const good : {"[256, 256, 1]", "[256, 256, 4]", "[64, 64, 64]", "[400, 400, 8]",
                                 "[2000, 100, 3000]", "[6, 6, 6]", "[128, 4, 128]"}) {
    EXPECT_FALSE(warned(good)) << good;
  }
}

TEST(PlanMachine, HostMemoryIsThatOfTheDescription) {
  EXPECT_TRUE(json("gh200", 1800)["fits"].as<bool>());  // 443 GB of 456
  const Outcome refused = plan("gh200", 1900);          // 521 GB
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_NE(refused.err.find("host memory"), std::string::npos) << refused.err;
  const YAML::Node limited = json("gh200", 1600, "--set host.memory_limit=100GB");
  EXPECT_FALSE(limited["fits"].as<bool>()) << "the limit of the case holds as well";
}

TEST(PlanMachine, OnAGb10EveryGridIsInCoreOrRefused) {
  const YAML::Node small = json("gb10", 1000);  // 76 GB of 122
  EXPECT_TRUE(small["fits"].as<bool>());
  EXPECT_EQ(small["scheme"].as<std::string>(), "in_core");
  const Outcome large = plan("gb10", 1300);  // 167 GB
  EXPECT_EQ(large.exit_code, 4);
  const Outcome asked = plan("gb10", 200, "--set tiling.scheme=wavefront");
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("tiling.scheme: found wavefront"), std::string::npos) << asked.err;
}

// A Grace of a GB200 feeds two GPUs: each has half of the memory's bandwidth for both directions.
TEST(PlanMachine, TheLinkOfAGb200IsShared) {
  const YAML::Node one = json("gh200", 1600), two = json("gb200", 1600);
  const auto both = [](const YAML::Node& found) {
    const YAML::Node speeds = found["bytes_per_second"];
    return speeds["link_in_both"].as<double>() + speeds["link_out_both"].as<double>();
  };
  EXPECT_DOUBLE_EQ(both(two), both(one) / 2);
  EXPECT_NE(one["bytes_per_second"]["link_in_both"].as<double>(),
            one["bytes_per_second"]["link_out_both"].as<double>());
}

TEST(PlanMachine, AFileChangesAKnownMachine) {
  const ScratchDirectory scratch;
  const auto file = scratch.path() / "mine.json";
  write_text(file, R"({"name": "mine", "like": "gh200", "host_memory": 900e9,
      "bytes_per_second": {"copy": 3.4e12, "link_in_both": 20e9, "link_out_both": 10e9}})");
  const YAML::Node found = json(file.string(), 1900);
  EXPECT_EQ(found["machine"].as<std::string>(), "mine");
  EXPECT_TRUE(found["fits"].as<bool>());
  EXPECT_EQ(found["bytes_per_second"]["device_copy"].as<double>(), 3.4e12);
  EXPECT_EQ(found["bytes_per_second"]["link_out_both"].as<double>(), 10e9);
  // Values that the file does not set are those of gh200.
  EXPECT_EQ(found["bytes_per_second"]["link_in"].as<double>(),
            json("gh200", 300)["bytes_per_second"]["link_in"].as<double>());
}

TEST(PlanMachine, MistakesOfTheFileAreNamed) {
  const ScratchDirectory scratch;
  const auto file = scratch.path() / "mine.json";
  const auto refused = [&](const std::string& text, const std::string& words) {
    write_text(file, text);
    const Outcome outcome = plan(file.string(), 64);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_NE(outcome.err.find("mine.json: " + words), std::string::npos) << outcome.err;
  };
  refused(R"([])", "must be an object");
  refused(R"({})", "like: missing");
  refused(R"({"like": "gh300"})", "like: found gh300");
  refused(R"({"like": "gh200", "memory": 1})", "memory: is no key");
  refused(R"({"like": "gh200", "host_memory": "480 GB"})", "host_memory: found \"480 GB\"");
  refused(R"({"like": "gh200", "host_memory": -1})", "host_memory: found -1");
  refused(R"({"like": "gh200", "bytes_per_second": {"kopie": 1}})",
          "bytes_per_second.kopie: is no key");
  refused(R"({"like": "gh200", "bytes_per_second": {"copy": 1}})",
          "bytes_per_second.copy: found 1");
  refused(R"({"like")", "is not JSON");
  const Outcome unknown = plan("gh300", 64);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("gh200, gb200, gb300, gb10"), std::string::npos) << unknown.err;
  EXPECT_EQ(plan("gh200", 64, "--measure").exit_code, 2);
}

}  // namespace
}  // namespace lbm::cases
