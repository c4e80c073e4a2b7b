// SPDX-License-Identifier: Apache-2.0

// Several ranks give the results of one, byte for byte, and end together.
#include "tests/cases/library_cases.hpp"
#include "tests/cases/run/pretended_speeds.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
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
using test::ways;

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

// The shell is deaf to SIGTERM and ends later than mpirun, as mpirun itself may.
TEST_F(Processes, KeepTheirExitCodesThoughMpirunHangs) {
  if (test::sanitized) GTEST_SKIP() << "the library of a sanitizer must be the first one";
  const auto hanging = [](int ranks) {
    return test::outcome_of_ranks(
        ranks,
        fmt::format("sh -c 'trap \"\" TERM; \"$@\"; sleep 60' - {} -n 2 '{}' "
                    "check nowhere.yaml",
                    test::mpirun(), LBM_PROGRAM),
        5);
  };
  EXPECT_EQ(hanging(2).exit_code, 2);
  EXPECT_EQ(hanging(3).exit_code, 128 + SIGKILL) << "the third rank has noted none";
}

TEST_F(Processes, GiveTheResultsOfOneInATunnel) { expect_what_one_gives(test::windy); }
TEST_F(Processes, GiveTheResultsOfOneInAPeriodicBox) { expect_what_one_gives(test::vortex); }

TEST_F(Processes, GiveTheResultsOfOneWithScalars) { expect_what_one_gives(test::heated); }

TEST_F(Processes, GiveTheResultsOfOneByFormulas) { expect_what_one_gives(test::by_formula); }

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

TEST_F(Processes, GiveTheResultsOfOneWhereDevicesDiffer) {
  const Runs runs(test::with_results(test::windy));
  const test::PretendedSpeeds speeds(runs.path("cache"));
  speeds.pretend(1, 4e9, 4e9);
  speeds.pretend(2, 8e9, 8e9);
  const auto line = [&](int threads) {
    return fmt::format("exec '{}' {}", LBM_PROGRAM,
                       runs.line("two", fmt::format("--set device.threads={}", threads)));
  };
  const Outcome outcome = test::two(line(1), line(2));
  const Outcome alone = runs.run("alone", "--set device.threads=1");
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

const std::string often =
    "--set checkpoint.every_steps=50 --set checkpoint.at_end=true --set checkpoint.keep=5";

void expect_same_checkpoints(const fs::path& right, const fs::path& other) {
  for (const int step : {50, 100, 120}) {
    const std::string name = fmt::format("checkpoint_{:09d}.h5", step);
    ASSERT_TRUE(fs::exists(right / name));
    EXPECT_TRUE(lbm::testing::read_text(right / name) == lbm::testing::read_text(other / name))
        << name;
  }
  for (const std::string& name : lbm::testing::names_in(other)) {
    EXPECT_FALSE(name.ends_with(".partial")) << name;
  }
}

TEST_F(Processes, WriteTheCheckpointsOfOne) {
  const Runs runs(test::with_results(test::windy));
  ASSERT_EQ(runs.run("alone", often).exit_code, 0);
  const Outcome outcome = several(4, runs.line("four", often));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "cannot write")) << outcome.err;
  expect_same_checkpoints(runs.path("alone"), runs.path("four"));
  // Out of core, the state of a slab begins at any plane and continues across the end of z.
  const std::string out_of_core =
      "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --set "
      "tiling.planes_per_visit=3 ";
  ASSERT_EQ(several(3, runs.line("three", out_of_core + often)).exit_code, 0);
  ASSERT_EQ(runs.run("one", out_of_core + often).exit_code, 0);
  expect_same_checkpoints(runs.path("one"), runs.path("three"));
}

// Starts rank 0 directly, the others each in a shell that runs `before` first.
Outcome others_behind(const std::string& before, int others, const std::string& arguments) {
  return test::outcome_of_ranks(
      1 + others,
      fmt::format("{} -n 1 '{}' {} : -n {} {} && exec \"$@\"' sh '{}' {}", test::mpirun(),
                  LBM_PROGRAM, arguments, others, before, LBM_PROGRAM, arguments));
}

// As on nodes without a common file system.
TEST_F(Processes, WriteCheckpointsThroughTheFirstWhereTheyDoNotReachItsFiles) {
  if (std::system("unshare --mount true 2>/dev/null") != 0) GTEST_SKIP() << "may not mount here";
  const Runs runs(test::with_results(test::windy));
  const fs::path out = runs.path("apart");
  fs::create_directory(out);
  const Outcome outcome =
      others_behind(fmt::format("unshare --mount sh -c 'mount -t tmpfs none \"{}\"", out.string()),
                    2, runs.line("apart", often));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "2 of 3 processes cannot write to this file")) << outcome.err;
  EXPECT_TRUE(has(runs.text("apart/report.json"), "2 of 3 processes cannot write"));
  ASSERT_EQ(runs.run("alone", often).exit_code, 0);
  expect_same_checkpoints(runs.path("alone"), out);
  expect_same_results(runs.path("alone"), out);
}

// Rank 0 has no limit and has reserved the space of the whole file. The limit leaves room for files
// of MPI.
TEST_F(Processes, TellTheFirstWhatTheyCannotWrite) {
  const Runs runs(test::vortex);
  const auto limited = [&](const std::string& out, const std::string& more) {
    return others_behind("sh -c 'ulimit -f 60000; trap \"\" XFSZ", 2,
                         runs.line(out,
                                   "--set grid.cells=[80,80,90] --set run.steps=8 "
                                   "--set output.every_steps=8 --set output.monitor=4 --set "
                                   "checkpoint.every_steps=3 --set checkpoint.at_end=true " +
                                       more));
  };
  const Outcome stopped = limited("stopped", "");
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(has(stopped.err, "checkpoint_000000003.h5: cannot write: File too large"))
      << stopped.err;
  EXPECT_TRUE(has(stopped.err, "lbm: process ")) << stopped.err;
  const Outcome done = limited("done", "--set checkpoint.on_error=continue");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const int step : {3, 6, 8}) {
    EXPECT_TRUE(has(done.err, fmt::format("warning: no checkpoint at step {}: process ", step)))
        << done.err;
  }
  EXPECT_TRUE(has(runs.text("done/report.json"), "no checkpoint at step 8: process "));
  for (const char* out : {"stopped", "done"}) {
    for (const std::string& name : lbm::testing::names_in(runs.path(out))) {
      EXPECT_FALSE(name.starts_with("checkpoint")) << name;
    }
  }
  ASSERT_EQ(runs.run("alone",
                     "--set grid.cells=[80,80,90] --set run.steps=8 --set output.every_steps=8 "
                     "--set output.monitor=4")
                .exit_code,
            0);
  expect_same_results(runs.path("alone"), runs.path("done"));
}

// `fields` and `swirl` are shared and exceed the limit of the other ranks, `part` is not shared.
TEST_F(Processes, TellTheFirstWhichFieldsTheyCannotWrite) {
  const Runs runs(test::vortex + R"(outputs:
  part: {every_steps: 2, slice: y, at: 2, fields: [velocity, density]}
  swirl: {every_steps: 4, fields: [vorticity, q_criterion]}
)");
  const auto is_large = [](const std::string& name) {
    return name.starts_with("fields") || name.starts_with("swirl");
  };
  const std::string large =
      "--set grid.cells=[120,120,90] --set run.steps=4 --set output.every_steps=2 --set "
      "output.monitor=4 ";
  const auto limited = [&](const std::string& out, const std::string& more) {
    return others_behind("sh -c 'ulimit -f 30000; trap \"\" XFSZ", 2, runs.line(out, large + more));
  };
  const Outcome stopped = limited("stopped", "");
  EXPECT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_TRUE(has(stopped.err, "fields_000000002.hdf: cannot write: File too large"))
      << stopped.err;
  EXPECT_TRUE(has(stopped.err, "lbm: process ")) << stopped.err;
  const Outcome done = limited("done", "--set output.on_error=continue");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(has(done.err, "the run goes on without this output")) << done.err;
  ASSERT_EQ(runs.run("alone", large).exit_code, 0);
  const auto right = test::results_in(runs.path("alone")),
             found = test::results_in(runs.path("done"));
  for (const auto& [name, bytes] : right) {
    if (is_large(name)) {
      EXPECT_FALSE(found.contains(name)) << name;
    } else {
      EXPECT_TRUE(found.contains(name) && found.at(name) == bytes) << name;
    }
  }
  for (const char* out : {"stopped", "done"}) {
    for (const std::string& name : lbm::testing::names_in(runs.path(out))) {
      EXPECT_FALSE(is_large(name)) << name;
    }
  }
}

// Each case of the library for some steps, without keys that depend on its original length.
std::string shortened(const std::string& name) {
  YAML::Node node = YAML::LoadFile(test::shipped_path(name));
  node["run"] = YAML::Load("{steps: 45}");
  node["output"] = YAML::Load("{every_steps: 20, at_end: true, monitor: 9, forces: 1}");
  for (const char* key : {"expect", "statistics", "outputs", "checkpoint"}) node.remove(key);
  for (auto quantity : node["quantities"]) quantity.second.remove("start");
  return YAML::Dump(node);
}

bool is_of_length(const std::string& override) {
  for (const char* key : {"run.", "expect.", "output", "statistics", "quantities"}) {
    if (override.starts_with(key)) return true;
  }
  return false;
}

std::string tiling(const char* scheme, int steps, int planes) {
  return fmt::format(
      " --set tiling.scheme={} --set tiling.steps_per_visit={} --set tiling.planes_per_visit={}",
      scheme, steps, planes);
}

// The i-th configuration for nz planes on `processes` ranks, if their slabs are thick enough for
// it.
std::string way_of(std::size_t i, int nz, int processes) {
  const bool halo = nz / processes >= 2 * 2 + 1;
  const std::vector<std::string> all = {tiling("in_core", 1, 4), tiling("wavefront", 7, 3),
                                        halo ? tiling("halo", 2, 1) : tiling("wavefront", 2, 1),
                                        tiling("in_core", 3, 2), tiling("wavefront", 40, 8)};
  return all[i % all.size()];
}

int planes_of(const fs::path& results) {
  return YAML::LoadFile((results / "report.json").string())["cells"][2].as<int>();
}

// Every case with 2, 3, 4 and 7 ranks; schemes and storage types alternate.
TEST_F(Processes, GiveTheResultsOfOneForEveryCaseOfTheLibrary) {
  const ScratchDirectory scratch;
  fs::create_symlink(LBM_SOURCE_DIR "/cases/data", scratch.path() / "data");
  const std::vector<std::string> kinds = {"fp32", "fp16", "fp64"};
  std::size_t i = 0, way = 0;
  for (const auto& [name, overrides] : test::small_cases) {
    if (name == "settling_sphere") continue;  // a body that moves freely needs one process
    const fs::path file = scratch.path() / (name + ".yaml");
    lbm::testing::write_text(file, shortened(name));
    std::string line = fmt::format("run '{}' --set device.backend=cpu --quiet", file.string());
    for (const std::string& o : overrides) {
      if (!is_of_length(o)) line += fmt::format(" --set '{}'", o);
    }
    line += fmt::format(" --set lattice.storage={}", kinds[i++ % kinds.size()]);
    const fs::path alone = scratch.path() / "alone", shared = scratch.path() / "shared";
    const auto first = test::lbm_program(line + fmt::format(" --out '{}'", alone.string()));
    ASSERT_EQ(first.exit_code, 0) << name << first.err;
    for (const int processes : {2, 3, 4, 7}) {
      if (planes_of(alone) < 2 * processes) continue;  // thin slabs are refused
      const std::string options = way_of(way++, planes_of(alone), processes);
      SCOPED_TRACE(fmt::format("{}, {} processes, {}", name, processes, options));
      const auto outcome = several(processes, line + options + " --set device.memory=auto" +
                                                  fmt::format(" --out '{}'", shared.string()));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      expect_same_results(alone, shared);
      fs::remove_all(shared);
    }
    fs::remove_all(alone);
  }
}

TEST_F(Processes, SayOnceWhatIsWrong) {
  const Runs runs;
  expect_one_message(several(3, runs.line("a", "--set fluid.tau=0.2")), 2, "fluid");
  expect_one_message(several(3, "run nowhere.yaml"), 2, "nowhere.yaml");
  expect_one_message(
      several(3, runs.line("b",
                           "--set grid.cells=[18,14,5] --set bodies=null --set expect=null "
                           "--set quantities=null")),
      2, "found 5 planes along z for 3 processes");
  expect_one_message(several(5, runs.line("c",
                                          "--set tiling.scheme=halo --set "
                                          "tiling.steps_per_visit=4")),
                     2, "haloed tiles");
  expect_one_message(several(3, runs.line("e", "--set tiling.exchange=device")), 4,
                     "tiling.exchange: found device, but process 0 cannot share memory of its "
                     "device with process 2: set auto");
  EXPECT_FALSE(fs::exists(runs.path("a")));
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

// A write error of rank 0 ends all ranks.
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

TEST_F(Processes, GoOnTogetherWhereTheDiskIsFullAndTheyAreToldSo) {
  const Runs runs;
  const lbm::testing::TinyDisk disk("size=2500k");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const std::string larger = "--set grid.cells=[18,14,54] --set run.steps=100 ";
  const fs::path out = disk.path() / "out";
  const auto outcome =
      several(3, runs.line("", fmt::format("--out '{}' {} --set checkpoint.every_steps=40 --set "
                                           "checkpoint.on_error=continue",
                                           out.string(), larger)));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "warning: no checkpoint at step 80")) << outcome.err;
  EXPECT_TRUE(fs::exists(out / "checkpoint_000000040.h5"));
  ASSERT_EQ(runs.run("alone", larger).exit_code, 0);
  expect_same_results(runs.path("alone"), out);
}

}  // namespace
}  // namespace lbm::cases
