// SPDX-License-Identifier: Apache-2.0

// `lbm plan` from the command line, and whether `lbm run` agrees with it.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>

#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::names_in;
using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;
using test::lbm_program;
using test::Outcome;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A small cavity on the CPU, with fixed device memory.
std::string small(const std::string& more = "", const std::string& name = "lid_driven_cavity") {
  return fmt::format(
      "'{}' --set 'grid.cells=[20, 12, 61]' --set run.steps=40 --set device.backend=cpu "
      "--set device.memory=100MB {}",
      test::shipped_path(name), more);
}

Outcome plan(const std::string& more = "") { return lbm_program("plan " + small(more)); }

YAML::Node plan_json(const std::string& more = "") {
  const Outcome outcome = plan("--json " + more);
  EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 4) << outcome.err;
  return YAML::Load(outcome.out);
}

std::string word(const YAML::Node& json, const char* key) {
  EXPECT_TRUE(json[key]) << key;
  return json[key] ? json[key].as<std::string>() : "";
}

TEST(PlanCommand, SaysWhatRunReports) {
  const ScratchDirectory scratch;
  int number = 0;
  for (const char* more :
       {"", "--set lattice.storage=fp16", "--set lattice.storage=fp64",
        "--set 'device.memory=900 KiB'", "--set 'device.memory=900 KiB' --set lattice.storage=fp16",
        "--set 'device.memory=900 KiB' --set output.at_end=false --set output.profiles=false",
        "--set 'device.memory=900 KiB' --set output.every_steps=7",
        "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7",
        "--set tiling.scheme=halo --set tiling.steps_per_visit=3 --set tiling.planes_per_visit=5",
        "--set tiling.scheme=in_core --set tiling.steps_per_visit=4", "--set run.steps=1",
        "--set lattice.collision=regularised --set lattice.representation=auto"}) {
    const Outcome check = lbm_program("check " + small(more));
    ASSERT_EQ(check.exit_code, 0) << check.err;
    const YAML::Node said = plan_json(more);
    const fs::path out = scratch.path() / std::to_string(number++);
    const Outcome run =
        lbm_program("run --json --quiet --out '" + out.string() + "' " + small(more));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const YAML::Node done = YAML::Load(run.out);
    EXPECT_EQ(word(said, "fits"), "true");
    for (const char* key :
         {"case", "device", "backend", "scheme", "storage", "representation", "steps_per_visit",
          "planes_per_visit", "device_bytes", "host_bytes", "cell_count", "steps"}) {
      EXPECT_EQ(word(said, key), word(done, key)) << key << " with " << more;
    }
    EXPECT_EQ(word(said, "reason"), word(done, "scheme_reason")) << more;
    EXPECT_GT(said["mlups"].as<double>(), 0);
  }
}

TEST(PlanCommand, PrintsEverythingThatIsAskedOfIt) {
  const Outcome outcome = plan("--set 'device.memory=900 KiB'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* part : {"20 x 12 x 61 = 1.464e+04 cells",
                           "bytes per cell       76 (19 populations in fp32)",
                           "device memory ",
                           "900.0 KiB allowed",
                           "host memory ",
                           "needed with the device's",
                           "largest, same shape",
                           "largest in core",
                           "largest nz",
                           "measured ",
                           "GB/s",
                           "kept in ",
                           "schedule             wavefront, k = ",
                           "the lattice does not fit the device's 900.0 KiB",
                           "predicted ",
                           " MLUPS, ",
                           " for 40 steps, without setup and output",
                           "% of in core",
                           "time at work: copy in ",
                           "output               1 file, ",
                           "results in all       ",
                           "checkpoints          none, but a signal saves one of ",
                           "what would change with",
                           "fp16 storage"}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
  EXPECT_FALSE(has(outcome.out, "PCIe")) << "a CPU has no link";
  EXPECT_FALSE(has(outcome.out, "link in")) << "a CPU has no link";
  EXPECT_TRUE(has(plan("--set run.steps=1").out, " for 1 step, "));
  EXPECT_FALSE(has(plan("--set lattice.storage=fp16").out, "fp16 storage"));
}

TEST(PlanCommand, GivesOneJsonObject) {
  const YAML::Node json = plan_json("--set 'device.memory=900 KiB'");
  for (const char* key : {"case_file",
                          "bytes_per_cell",
                          "padded_bytes_per_cell",
                          "device_bytes_allowed",
                          "device_bytes_free",
                          "least_device_bytes",
                          "host_bytes_needed",
                          "host_bytes_allowed",
                          "largest_cells",
                          "largest_cells_in_core",
                          "largest_nz",
                          "output_bytes",
                          "results",
                          "checkpoint_bytes",
                          "checkpoint_disk_bytes",
                          "seconds",
                          "stage_share_of_time",
                          "fill_seconds",
                          "in_core_mlups",
                          "bytes_per_second",
                          "what_if",
                          "warnings"}) {
    EXPECT_TRUE(json[key]) << key;
  }
  EXPECT_EQ(word(json, "bytes_per_cell"), "76.0");
  EXPECT_EQ(json["host_bytes_needed"].as<std::uint64_t>(),
            json["host_bytes"].as<std::uint64_t>() + json["device_bytes"].as<std::uint64_t>());
  const YAML::Node half = json["what_if"][0];
  EXPECT_EQ(word(half, "change"), "fp16 storage");
  EXPECT_EQ(word(half, "assumed"), "false");
  EXPECT_GE(half["steps_per_visit"].as<int>(), json["steps_per_visit"].as<int>());
  EXPECT_GT(half["mlups"].as<double>(), 0);
}

// Overrides for several results; their sizes are tested in test_result_sizes.
const std::string results =
    "--set output.every_steps=20 --set outputs.cut.slice=y --set outputs.cut.at=6 "
    "--set outputs.cut.every_steps=5 --set outputs.cut.compression=1 "
    "--set statistics.mean.every_steps=4 --set 'probes.p.points=[[3, 3, 3]]' "
    "--set probes.p.every_steps=10 ";

TEST(PlanCommand, ListsTheResults) {
  const Outcome outcome = plan(results);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* part :
       {"  output               2 files, ", " in all\n", "  outputs.cut          8 files, ",
        " in all before compression\n", "  statistics.mean      1 file, ",
        "  probes.p             4 rows, about "}) {
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  }
  const YAML::Node json = plan_json(results);
  ASSERT_EQ(json["results"].size(), 4U);
  std::uint64_t sum = 0;
  for (const YAML::Node& result : json["results"]) sum += result["bytes"].as<std::uint64_t>();
  EXPECT_EQ(json["output_bytes"].as<std::uint64_t>(), sum);
  EXPECT_EQ(word(json["results"][1], "name"), "outputs.cut");
  EXPECT_EQ(word(json["results"][1], "kind"), "fields");
  EXPECT_EQ(word(json["results"][1], "files"), "8");
  EXPECT_EQ(word(json["results"][1], "compressed"), "true");
  EXPECT_EQ(word(json["results"][2], "kind"), "statistics");
  EXPECT_EQ(word(json["results"][3], "rows"), "4");
  EXPECT_FALSE(json["results"][3]["files"]);
  EXPECT_TRUE(has(plan("--set output.at_end=false").out, "results in all       none\n"));
  const Outcome check = lbm_program("check " + small(results));
  EXPECT_TRUE(has(check.out, "field files       10\n")) << check.out;
  const Outcome in_json = lbm_program("check --json " + small(results));
  EXPECT_EQ(word(YAML::Load(in_json.out), "field_outputs"), "10");
}

// Surfaces have no predicted size; all other results do.
TEST(PlanCommand, ListsSurfacesWithoutASize) {
  const std::string surface =
      "--set outputs.s.isosurface=velocity --set outputs.s.value=0.1 --set outputs.s.every_steps=8";
  const Outcome outcome = plan(surface);
  if (has(outcome.err, "not built in")) GTEST_SKIP() << "no VTK";
  EXPECT_TRUE(has(outcome.out, "outputs.s            5 files, as large as the surfaces will be"));
  EXPECT_TRUE(has(outcome.out, " and the surfaces\n")) << outcome.out;
  const YAML::Node json = plan_json(surface);
  EXPECT_TRUE(json["results"][1]["bytes"].IsNull());
  EXPECT_EQ(word(json["results"][1], "kind"), "surface");
  EXPECT_EQ(word(json, "output_bytes"), word(json["results"][0], "bytes"));
}

TEST(PlanCommand, SaysWhatCheckpointsTake) {
  const auto said = [](const std::string& more) {
    const std::string text = plan(more).out;
    const auto at = text.find("  checkpoints          ");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_TRUE(has(said("--set checkpoint.every_steps=10"), " every 10 steps: "));
  EXPECT_TRUE(has(said("--set checkpoint.every_steps=1 --set checkpoint.at_end=true"),
                  " every step, at the end: "));
  EXPECT_TRUE(has(said("--set checkpoint.every_minutes=2.5 --set run.walltime=10"),
                  " every 2.5 minutes, before the walltime: "));
  EXPECT_TRUE(has(said("--set checkpoint.on_signal=false"), " none, but SIGUSR1 saves one of "));
  const auto bytes = [](const std::string& more) {
    const YAML::Node json = plan_json(more);
    return std::pair(json["checkpoint_bytes"].as<std::uint64_t>(),
                     json["checkpoint_disk_bytes"].as<std::uint64_t>());
  };
  const auto [each, three] = bytes("--set checkpoint.every_steps=10");
  EXPECT_EQ(three, 3 * each);
  EXPECT_GT(each, 20U * 12 * 61 * 76);
  EXPECT_EQ(bytes("--set checkpoint.every_steps=20").second, 2 * each);
  EXPECT_EQ(bytes("").second, 0U);
}

// Output fields wait on the host for the disk: one whole field of this small case at most.
TEST(PlanCommand, CountsTheHostMemoryOfOutputs) {
  const auto bytes = [](const std::string& more) {
    return plan_json("--set tiling.scheme=wavefront " + more)["host_bytes"].as<std::uint64_t>();
  };
  const YAML::Node json = plan_json("");
  const auto cells = json["cell_count"].as<std::uint64_t>();
  const auto without =
      bytes("--set output.times=[] --set output.at_end=false --set output.profiles=false");
  EXPECT_EQ(bytes(""), without + 16 * cells);
}

// `lbm check` still accepts the largest grid.
TEST(PlanCommand, LargestGridsFitAndOneMoreDoesNot) {
  // Threads of their own number need memory.
  const std::string small_machine =
      "--set device.memory=3MB --set host.memory_limit=8MB --set device.threads=1 ";
  const auto check = [&](int nx, int ny, int nz, const std::string& more) {
    return lbm_program(fmt::format("check '{}' --set device.backend=cpu --set run.steps=10 {}{} "
                                   "--set 'grid.cells=[{}, {}, {}]'",
                                   test::shipped_path("lid_driven_cavity"), small_machine, more, nx,
                                   ny, nz))
        .exit_code;
  };
  const YAML::Node json =
      plan_json(small_machine + "--set 'grid.cells=[16, 16, 16]' --set run.steps=10");
  const int n = json["largest_cells"][0].as<int>(),
            core = json["largest_cells_in_core"][0].as<int>();
  EXPECT_EQ(json["largest_cells"][2].as<int>(), n);
  EXPECT_GT(n, core) << "out of core more fits";
  EXPECT_EQ(check(n, n, n, ""), 0);
  EXPECT_EQ(check(n + 1, n + 1, n + 1, ""), 4);
  EXPECT_EQ(check(core, core, core, "--set tiling.scheme=in_core"), 0);
  EXPECT_EQ(check(core + 1, core + 1, core + 1, "--set tiling.scheme=in_core"), 4);
  const int nz = json["largest_nz"].as<int>();
  EXPECT_EQ(check(16, 16, nz, ""), 0);
  EXPECT_EQ(check(16, 16, nz + 1, ""), 4);
}

// The plan is printed nevertheless, with the error of `lbm run`.
TEST(PlanCommand, PrintsAndRefusesWhatDoesNotFit) {
  const ScratchDirectory scratch;
  plan("");  // the first plan on a machine measures its speed, and says so
  for (const char* more : {"--set 'device.memory=10 KiB'", "--set 'host.memory_limit=10 KiB'",
                           "--set 'device.memory=300 KiB' --set tiling.scheme=in_core"}) {
    const Outcome outcome = plan(more);
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_TRUE(has(outcome.out, "NOT ENOUGH")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "largest, same shape")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "what would change with")) << outcome.out;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(
        outcome.err,
        lbm_program("run --out '" + (scratch.path() / "r").string() + "' " + small(more)).err);
    const YAML::Node json = plan_json(more);
    EXPECT_EQ(word(json, "fits"), "false");
    EXPECT_TRUE(has(outcome.err, word(json, "refusal")));
  }
  EXPECT_TRUE(has(plan("--set 'device.memory=10 KiB'").out, "at least "));
}

TEST(PlanCommand, RefusesWhatRunRefuses) {
  EXPECT_EQ(plan("--set run.steps=0").exit_code, 2);
  EXPECT_EQ(plan("--set no.such_key=1").exit_code, 2);
  EXPECT_EQ(lbm_program("plan").exit_code, 2);
  EXPECT_EQ(lbm_program("plan /no/such/case.yaml").exit_code, 2);
  EXPECT_EQ(plan("--set device.backend=cpu --set host.memory=managed").exit_code, 2);
}

TEST(PlanCommand, WarnsAsRunDoes) {
  const std::string fast = "--set fluid.lattice_velocity=0.15";
  const Outcome outcome = plan(fast);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(has(outcome.err, "warning: ")) << outcome.err;
  EXPECT_TRUE(plan_json(fast)["warnings"].size() > 0);
}

TEST(PlanCommand, TakesAGridOfOnePlane) {
  const Outcome outcome = plan(
      "--set 'grid.cells=[61, 12, 1]' --set boundaries.z_min=periodic --set "
      "boundaries.z_max=periodic");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

// Sets LBM_CACHE_DIR for the programs of one test.
class CacheDirectory {
 public:
  explicit CacheDirectory(const fs::path& path) {
    if (const char* before = std::getenv("LBM_CACHE_DIR")) before_ = before;
    setenv("LBM_CACHE_DIR", path.c_str(), 1);
  }
  ~CacheDirectory() {
    if (before_.empty()) {
      unsetenv("LBM_CACHE_DIR");
    } else {
      setenv("LBM_CACHE_DIR", before_.c_str(), 1);
    }
  }
  CacheDirectory(const CacheDirectory&) = delete;
  CacheDirectory& operator=(const CacheDirectory&) = delete;

 private:
  std::string before_;
};

TEST(PlanCommand, KeepsWhatItMeasuredAndMeasuresAgainWhenTold) {
  const ScratchDirectory scratch;
  const fs::path directory = scratch.path() / "cache";
  const CacheDirectory cache(directory);
  if (!has(plan().out, "kept in " + directory.string())) GTEST_SKIP() << "too little memory";
  const fs::path file = directory / names_in(directory).at(0);
  std::string text = read_text(file);
  const auto begin = text.find("\"copy\": ");
  text.replace(begin, text.find(',', begin) - begin, "\"copy\": 123e9");
  write_text(file, text);
  const auto copy = [](const YAML::Node& json) {
    return json["bytes_per_second"]["device_copy"].as<double>();
  };
  EXPECT_EQ(copy(plan_json()), 123e9);
  EXPECT_NE(copy(plan_json("--measure")), 123e9);
  EXPECT_NE(copy(plan_json()), 123e9) << "kept";
  write_text(file, text.replace(text.find("\"program\": \"") + 12, 0, "another "));
  EXPECT_GT(copy(plan_json()), 1e6) << "another program's";
  EXPECT_FALSE(has(read_text(file), "another ")) << "written anew";
}

TEST(PlanCommand, WorksWhereNothingCanBeKept) {
  const CacheDirectory cache("/dev/null/cache");
  const Outcome outcome = plan();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "note: measuring the speed of ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "cannot write: ")) << outcome.err;
  EXPECT_TRUE(has(outcome.out, " MLUPS, ")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "kept in")) << outcome.out;
}

}  // namespace
}  // namespace lbm::cases
