// Several processes give what one gives, byte for byte, and end together.
#include <sys/stat.h>

#include "cases/app/machine.hpp"
#include "tests/cases/library_cases.hpp"
#include "tests/cases/ranks_support.hpp"

namespace lbm::app {
namespace {

namespace fs = std::filesystem;
using lbm::testing::ScratchDirectory;
using test::expect_one_message;
using test::expect_same_results;
using test::has;
using test::Outcome;
using test::Processes;
using test::Runs;
using test::several;

struct Way {
  int processes;
  const char* options;
};

const std::vector<Way> ways = {
    {2,
     "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --set "
     "tiling.planes_per_visit=3 --set lattice.storage=fp16"},
    {3, "--set tiling.scheme=in_core --set lattice.storage=fp64"},
    {4, "--set tiling.scheme=halo --set tiling.steps_per_visit=2 --set tiling.planes_per_visit=2"},
    {7,
     "--set tiling.scheme=wavefront --set tiling.steps_per_visit=40 --set "
     "tiling.planes_per_visit=8 --set lattice.storage=fp64"},
    {3, "--set tiling.scheme=in_core --set tiling.steps_per_visit=3"}};

void expect_what_one_gives(const std::string& flow) {
  const Runs runs(test::with_results(flow));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto& [processes, options] = ways[i];
    const std::string alone = fmt::format("alone{}", i), shared = fmt::format("shared{}", i);
    ASSERT_EQ(runs.run(alone, options).exit_code, 0);
    const Outcome outcome = several(processes, runs.line(shared, options));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_results(runs.path(alone), runs.path(shared));
    EXPECT_TRUE(
        has(runs.text(shared + "/report.json"), fmt::format("\"processes\": {}", processes)));
  }
}

TEST_F(Processes, GiveTheResultsOfOneInATunnel) { expect_what_one_gives(test::windy); }
TEST_F(Processes, GiveTheResultsOfOneInAPeriodicBox) { expect_what_one_gives(test::vortex); }

TEST_F(Processes, GiveTheResultsOfOneHoweverPlanesTravel) {
  const Runs runs(test::with_results(test::windy));
  const std::string deep =
      "--set tiling.scheme=wavefront --set tiling.steps_per_visit=5 --set "
      "tiling.planes_per_visit=4";
  ASSERT_EQ(runs.run("alone", deep).exit_code, 0);
  EXPECT_TRUE(YAML::Load(runs.text("alone/report.json"))["exchange"].IsNull());
  for (const auto& [asked, found] : {std::pair{"mpi", "mpi"}, {"host", "host"}, {"auto", "host"}}) {
    const auto line = runs.line(asked, fmt::format("{} --set tiling.exchange={}", deep, asked));
    const Outcome outcome = several(3, line);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    SCOPED_TRACE(asked);
    expect_same_results(runs.path("alone"), runs.path(asked));
    const YAML::Node report = YAML::Load(runs.text(std::string(asked) + "/report.json"));
    EXPECT_EQ(report["exchange"].as<std::string>(), found);
  }
}

// Says that the CPU with so many threads is so fast, where `lbm` looks for what it has measured.
void pretend(int threads, double bytes_per_second) {
  const std::string device = make_cpu_backend(threads)->device_name();
  DeviceSpeeds speeds;
  speeds.device = device;
  speeds.lanes_overlap = false;
  const DeviceSpeeds::Update update{bytes_per_second, 1e-6, bytes_per_second};
  speeds.fp16 = speeds.fp32 = speeds.fp64 = update;
  for (double* copy : {&speeds.copy, &speeds.link_in, &speeds.link_out, &speeds.link_in_both,
                       &speeds.link_out_both}) {
    *copy = 1e10;
  }
  io::Json json = speeds_json(speeds);
  struct stat file {};
  ASSERT_EQ(stat(LBM_PROGRAM, &file), 0);
  json["program"] = fmt::format("{} {} {}.{}", LBM_VERSION, file.st_size, file.st_mtim.tv_sec,
                                file.st_mtim.tv_nsec);
  lbm::testing::write_text(*speeds_file(device), json.dump());
}

TEST_F(Processes, GiveTheResultsOfOneWhereDevicesDiffer) {
  const Runs runs(test::with_results(test::windy));
  test::keep_speeds_here();
  const std::string before = std::getenv("LBM_CACHE_DIR");
  fs::create_directory(runs.path("cache"));
  setenv("LBM_CACHE_DIR", runs.path("cache").c_str(), 1);
  pretend(1, 4e9);
  pretend(2, 8e9);
  const auto line = [&](int threads) {
    return fmt::format("exec '{}' {}", LBM_PROGRAM,
                       runs.line("two", fmt::format("--set device.threads={}", threads)));
  };
  const Outcome outcome = test::two(line(1), line(2));
  const Outcome alone = runs.run("alone", "--set device.threads=1");
  setenv("LBM_CACHE_DIR", before.c_str(), 1);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const YAML::Node planes = YAML::Load(runs.text("two/report.json"))["planes"];
  EXPECT_EQ(planes.as<std::vector<int>>(), (std::vector<int>{9, 18}));
  expect_same_results(runs.path("alone"), runs.path("two"));
}

TEST_F(Processes, GoOnFromCheckpointsOfAnyNumber) {
  const Runs runs(test::with_results(test::windy));
  const std::string keep = "--set checkpoint.every_steps=50 --set checkpoint.keep=5";
  ASSERT_EQ(runs.run("alone").exit_code, 0);
  ASSERT_EQ(several(4, runs.line("four", keep)).exit_code, 0);
  expect_same_results(runs.path("alone"), runs.path("four"));
  for (const int processes : {1, 2, 3}) {
    const std::string name = fmt::format("from{}", processes);
    fs::copy(runs.path("four"), runs.path(name), fs::copy_options::recursive);
    fs::remove(runs.path(name) / "checkpoint_000000100.h5");
    const auto outcome =
        several(processes, runs.line("", fmt::format("--restart '{}'", runs.path(name).string())));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "checkpoint_000000050")) << outcome.err;
    expect_same_results(runs.path("alone"), runs.path(name));
  }
}

// Each case of the library for some steps, without what belongs to its own length.
std::string shortened(const std::string& name) {
  YAML::Node node = YAML::LoadFile(test::shipped_path(name));
  node["run"] = YAML::Load("{steps: 45}");
  node["output"] = YAML::Load("{every_steps: 20, at_end: true, monitor: 9, forces: 1}");
  for (const char* key : {"expect", "statistics", "outputs", "checkpoint"}) node.remove(key);
  return YAML::Dump(node);
}

bool is_of_length(const std::string& override) {
  for (const char* key : {"run.", "expect.", "output", "statistics"}) {
    if (override.starts_with(key)) return true;
  }
  return false;
}

TEST_F(Processes, GiveTheResultsOfOneForEveryCaseOfTheLibrary) {
  const ScratchDirectory scratch;
  fs::create_symlink(LBM_SOURCE_DIR "/cases/data", scratch.path() / "data");
  const std::vector<std::string> kinds = {"fp32", "fp16", "fp64"};
  std::size_t i = 0;
  for (const auto& [name, overrides] : test::small_cases) {
    const fs::path file = scratch.path() / (name + ".yaml");
    lbm::testing::write_text(file, shortened(name));
    std::string line = fmt::format("run '{}' --set device.backend=cpu --quiet", file.string());
    for (const std::string& o : overrides) {
      if (!is_of_length(o)) line += fmt::format(" --set '{}'", o);
    }
    line += fmt::format(" --set lattice.storage={}", kinds[i++ % kinds.size()]);
    const fs::path alone = scratch.path() / "alone", three = scratch.path() / "three";
    const auto first = test::lbm_program(line + fmt::format(" --out '{}'", alone.string()));
    ASSERT_EQ(first.exit_code, 0) << name << first.err;
    const auto second = several(3, line + fmt::format(" --out '{}'", three.string()));
    ASSERT_EQ(second.exit_code, 0) << name << second.err;
    SCOPED_TRACE(name);
    expect_same_results(alone, three);
    fs::remove_all(alone);
    fs::remove_all(three);
  }
}

TEST_F(Processes, SayOnceWhatIsWrong) {
  const Runs runs;
  expect_one_message(several(3, runs.line("a", "--set fluid.tau=0.2")), 2, "fluid");
  expect_one_message(several(3, "run nowhere.yaml"), 2, "nowhere.yaml");
  expect_one_message(
      several(3, runs.line("b", "--set grid.cells=[18,14,5] --set bodies=null --set expect=null")),
      2, "found 5 planes along z for 3 processes");
  expect_one_message(several(5, runs.line("c",
                                          "--set tiling.scheme=halo --set "
                                          "tiling.steps_per_visit=4")),
                     2, "haloed tiles");
  expect_one_message(several(3, runs.line("e", "--set tiling.exchange=device")), 4,
                     "tiling.exchange: found device, but process 0 cannot share memory of its "
                     "device with process 2: set auto");
  expect_one_message(several(2, runs.line("d", "--trace '" + runs.path("t.json").string() + "'")),
                     2, "--trace");
  EXPECT_FALSE(fs::exists(runs.path("a")));
  EXPECT_FALSE(fs::exists(runs.path("t.json")));
}

TEST_F(Processes, EndTogetherWhereTheFlowDiverges) {
  const Runs runs;
  const auto outcome = several(
      3,
      runs.line("out",
                "--set fluid.reynolds=1e6 --set fluid.lattice_velocity=0.15 --set run.steps=5000"));
  expect_one_message(outcome, 3, "the flow diverged before step");
  EXPECT_TRUE(has(runs.text("out/report.json"), "diverged"));
}

// What the leader cannot write ends all.
TEST_F(Processes, EndTogetherWhereTheDiskIsFull) {
  const Runs runs;
  const lbm::testing::TinyDisk disk("size=600k");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const auto outcome =
      several(3, runs.line("", fmt::format("--out '{}' --set checkpoint.every_steps=50 --set "
                                           "checkpoint.keep=1 --set grid.cells=[18,14,54]",
                                           (disk.path() / "out").string())));
  expect_one_message(outcome, 4, disk.path().string());
}

}  // namespace
}  // namespace lbm::app
