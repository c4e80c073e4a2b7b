// SPDX-License-Identifier: Apache-2.0

// Errors of `lbm run --restart`: one line, before any result is changed.
#include <fmt/format.h>

#include <sstream>

#include "io/checkpoint/checkpoint.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

using lbm::testing::read_text;
using lbm::testing::write_text;

// A run with a checkpoint at step 50.
class RestartRefusals : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = runs.run("r", "--set checkpoint.every_steps=50 --set run.steps=80");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    before = all_files();
  }
  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> files = results_in(runs.path("r"));
    for (const char* name : {"report.json", "effective_case.yaml"}) {
      files[name] = read_text(runs.path("r") / name);
    }
    return files;
  }
  void expect_refusal(const Outcome& outcome, const std::string& part) const {
    expect_one_line(outcome, 2, part);
    EXPECT_TRUE(all_files() == before) << "results changed";
  }

  const Runs runs;
  const std::string checkpoint = "r/checkpoint_000000050.h5";
  std::map<std::string, std::string> before;
};

TEST_F(RestartRefusals, OtherPhysicsWithAllThatDiffers) {
  const Outcome outcome = runs.restart(
      checkpoint,
      "--set fluid.reynolds=41 --set 'grid.cells=[18, 14, 28]' --set lattice.storage=fp16 "
      "--set bodies.ball.radius=3.2 --set output.monitor=5 --set tiling.scheme=wavefront "
      "--set device.threads=1 --set checkpoint.keep=1 --set name=other --set run.steps=200");
  expect_refusal(outcome, "checkpoint_000000050.h5: is of another case than");
  for (const char* part : {"fluid.reynolds: 40 -> 41", "grid.cells: [18, 14, 27] -> [18, 14, 28]",
                           "lattice.storage: fp32 -> fp16", "bodies.ball.radius: 3.3 -> 3.2"}) {
    EXPECT_TRUE(has(outcome.err, part)) << part << ": " << outcome.err;
  }
  for (const char* part : {"output.monitor", "threads", "keep:", "name:", "run.steps"}) {
    EXPECT_FALSE(has(outcome.err, part)) << part << ": " << outcome.err;
  }
}

// `auto` is the number that it stands for: checkpoints of older versions have one.
TEST(RestartMagic, IsTheNumberThatAutoStandsFor) {
  for (const auto& [faces, number] :
       {std::pair<std::string, std::string>{"", "0.1875"},
        {"boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, "
         "z_min: periodic, z_max: periodic}\n",
         "0.02"}}) {
    const Runs runs("name: magic\ngrid: {cells: [8, 8, 8]}\nfluid: {reynolds: 10}\n" + faces +
                    "lattice: {collision: trt}\nrun: {steps: 4}\ncheckpoint: {at_end: true}\n");
    ASSERT_EQ(runs.run("r", "--set lattice.magic=" + number).exit_code, 0);
    const std::string from = runs.path("r/checkpoint_000000004.h5").string();
    const Outcome same = runs.run("s", "--set run.steps=8 --restart '" + from + "'");
    EXPECT_EQ(same.exit_code, 0) << same.err;
    const Outcome other =
        runs.run("t", "--set run.steps=8 --set lattice.magic=0.1 --restart '" + from + "'");
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_TRUE(has(other.err, "lattice.magic: " + number + " -> 0.1")) << other.err;
  }
}

// Results are no physics: all of them may come, go and change.
TEST_F(RestartRefusals, ResultsAreNone) {
  const Outcome outcome = runs.restart(
      checkpoint,
      "--set 'pictures={cut: {slice: y, every_steps: 10}}' --set 'outputs={plane: {slice: y, at: "
      "7}}' "
      "--set 'statistics={mean: {every_steps: 5}}' --set 'probes={wake: {points: [[9, 7, 22]]}}' "
      "--set quantities.side=null --set expect.side=null --set fluid.target_reynolds=1e6 --set "
      "run.steps=80");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(runs.path("r/cut_000000060.picture")));
}

TEST_F(RestartRefusals, KeysThatCameOrWent) {
  const Outcome outcome =
      runs.restart(checkpoint,
                   "--set bodies.more.shape=sphere --set 'bodies.more.center=[9, 7, 22]' "
                   "--set bodies.more.radius=2");
  expect_refusal(outcome, "bodies.more.radius: nothing -> 2");
}

TEST_F(RestartRefusals, AnEndThatIsBefore) {
  expect_refusal(runs.restart(checkpoint, "--set run.steps=49"), "is at step 50, but");
}

TEST_F(RestartRefusals, FilesThatAreNoCheckpoints) {
  expect_refusal(runs.restart("r/none.h5"), "No such file");
  expect_refusal(runs.restart("case.yaml"), "no checkpoint of lbm");
  expect_refusal(runs.restart("r/fields_000000040.hdf"), "no checkpoint of lbm");
  write_text(runs.path("empty"), "");
  expect_refusal(runs.restart("empty"), "no checkpoint of lbm");
  fs::create_directory(runs.path("d"));
  expect_refusal(runs.restart("d"), "there is no checkpoint in this directory");
}

TEST_F(RestartRefusals, CutOffFiles) {
  const std::string whole = read_text(runs.path(checkpoint));
  for (const double share : {0.0, 0.001, 0.3, 0.9999}) {
    const auto length = static_cast<std::size_t>(share * static_cast<double>(whole.size()));
    write_text(runs.path(checkpoint), whole.substr(0, length));
    expect_refusal(runs.restart(checkpoint), checkpoint + ": is ");
  }
}

TEST_F(RestartRefusals, FlippedBitsAnywhere) {
  const std::string whole = read_text(runs.path(checkpoint));
  for (const std::size_t at :
       {std::size_t{20}, std::size_t{4200}, whole.size() / 3, whole.size() / 2, whole.size() - 2}) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 16);
    write_text(runs.path(checkpoint), bytes);
    expect_refusal(runs.restart(checkpoint), "is damaged");
    // Without another checkpoint to fall back to.
    const Outcome of_directory = runs.restart("r");
    EXPECT_EQ(of_directory.exit_code, 2) << of_directory.err;
    EXPECT_TRUE(has(of_directory.err, "is damaged")) << of_directory.err;
    EXPECT_TRUE(all_files() == before) << "results changed";
  }
}

TEST_F(RestartRefusals, LogsOfOthers) {
  const std::string log = read_text(runs.path("r/monitor.csv"));
  write_text(runs.path("r/monitor.csv"), "a,b\n1,2\n");
  EXPECT_EQ(runs.restart(checkpoint).exit_code, 2);
  EXPECT_EQ(read_text(runs.path("r/monitor.csv")), "a,b\n1,2\n");
  write_text(runs.path("r/monitor.csv"), log + "6,0,0,0,0,0,0,0,0,0\n");
  const Outcome outcome = runs.restart(checkpoint);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "disorder")) << outcome.err;
}

// The keys are the same, but the contents of a file differ.
TEST(RestartFiles, AChangedFileOfABodyIsRefused) {
  const std::string text = read_text(LBM_SOURCE_DIR "/cases/stl_body_in_wind_tunnel.yaml");
  const Runs runs(text);
  fs::create_directory(runs.path("data"));
  fs::copy_file(LBM_SOURCE_DIR "/cases/data/spheroid.stl", runs.path("data/spheroid.stl"));
  const std::string keys =
      "--set 'grid.size=[0.03, 0.03, 0.05]' --set 'bodies.spheroid.translate=[0.015, 0.015, 0.02]' "
      "--set checkpoint.every_steps=10 --set run.steps=20 ";
  const Outcome first = runs.run("r", keys);
  if (has(first.err, "VTK")) GTEST_SKIP() << "no VTK in this build";
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const Outcome same = runs.restart("r/checkpoint_000000010.h5", keys);
  ASSERT_EQ(same.exit_code, 0) << same.err;
  const Outcome scaled = runs.restart("r", keys + "--set bodies.spheroid.scale=0.0011");
  EXPECT_TRUE(has(scaled.err, "bodies.spheroid.scale: 0.001 -> 0.0011")) << scaled.err;
  // Another body with the same file name.
  std::istringstream lines(read_text(runs.path("data/spheroid.stl")));
  std::string thinner;
  for (std::string line; std::getline(lines, line);) {
    double x = 0, y = 0, z = 0;
    if (std::sscanf(line.c_str(), " vertex %lf %lf %lf", &x, &y, &z) == 3) {
      line = fmt::format("vertex {} {} {}", 0.7 * x, y, z);
    }
    thinner += line + "\n";
  }
  write_text(runs.path("data/spheroid.stl"), thinner);
  expect_one_line(runs.restart("r/checkpoint_000000010.h5", keys), 2,
                  "a file that they are read from (STL, CSV) has changed");
}

// Writes the checkpoint again with another text, and with right checksums.
void forge(const fs::path& file, const std::string& name, const std::string& text) {
  io::CheckpointTexts texts;
  std::vector<io::PlaneArray> arrays;
  std::vector<std::vector<std::byte>> planes;
  {
    const io::CheckpointReader reader(file);
    for (const char* known : {"header", "state", "case"}) texts[known] = reader.text(known);
    arrays = reader.arrays();
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      auto& bytes = planes.emplace_back(arrays[a].bytes());
      for (std::int64_t z = 0; z < arrays[a].planes; ++z) {
        const auto size = arrays[a].plane_bytes();
        reader.read_plane(a, z, std::span(bytes).subspan(static_cast<std::size_t>(z) * size, size));
      }
    }
  }
  texts[name] = text;
  io::CheckpointWriter writer(file, texts, arrays);
  for (std::size_t a = 0; a < arrays.size(); ++a) writer.write_planes(a, 0, planes[a]);
  writer.close();
}

TEST_F(RestartRefusals, TextsThatLbmDidNotWrite) {
  const fs::path file = runs.path(checkpoint);
  const std::string whole = read_text(file);
  const std::vector<std::pair<const char*, std::string>> texts = {
      {"case", "grid: {cells: [18, 14"},
      {"case", std::string("\xff\xfe\0\x01", 4)},
      {"case", std::string("grid: \0 {cells", 14)},
      {"case", "? [a, b]\n: &a [*a]"},
      {"header", "[]"},
      {"header", "{\"step\": 50}"},
      {"header", "{\"step\": 50, \"lattice\": 3, \"boundaries\": []}"},
      {"state", "[]"},
      {"state", "{\"records\": [1, 2]}"},
      {"state", "{\"expectations\": \"none\"}"}};
  for (const auto& [name, text] : texts) {
    forge(file, name, text);
    const Outcome outcome = runs.restart(checkpoint);
    SCOPED_TRACE(std::string(name) + " = " + text);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "checkpoint_000000050.h5:")) << outcome.err;
    EXPECT_FALSE(has(outcome.err, "internal error")) << outcome.err;
    write_text(file, whole);
  }
}

}  // namespace
}  // namespace lbm::cases::test
