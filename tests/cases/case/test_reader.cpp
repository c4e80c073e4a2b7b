// SPDX-License-Identifier: Apache-2.0

// Reading a case: values, overrides, locations, round trip.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::minimal;
using test::parse_error;

Case parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_case(text, "c.yaml", overrides);
}

TEST(CaseReader, ReadsEveryKindOfValue) {
  const Case c = parse(
      "name: my-case_1\n"
      "grid: {cells: [8, 9, 1e1]}\n"
      "boundaries:\n"
      "  x_min: periodic\n"
      "  x_max: {type: periodic}\n"
      "  z_max:\n"
      "    velocity: [0.5, -0.25, 0]\n"
      "fluid: {tau: 0.8, lattice_velocity: +5e-2, length: 12.5}\n"
      "lattice: {storage: fp16, collision: bgk}\n"
      "initial: {flow: taylor_green}\n"
      "run: {convective_times: 2.5}\n"
      "tiling: {scheme: halo, steps_per_visit: 16, planes_per_visit: auto}\n"
      "device: {backend: cpu, index: 2, memory: 1.5 GB, threads: 3}\n"
      "host: {memory_limit: 512MiB}\n"
      "output: {directory: 'a b/c', times: [1, 2.5], every_steps: 1e3, at_end: false, "
      "profiles: false}\n");
  EXPECT_EQ(c.name, "my-case_1");
  EXPECT_EQ(c.grid.cells, (std::array<int, 3>{8, 9, 10}));
  EXPECT_EQ(c.faces[0].type, BoundaryKind::periodic);
  EXPECT_EQ(c.faces[1].type, BoundaryKind::periodic);
  EXPECT_EQ(c.faces[5].type, BoundaryKind::wall);
  EXPECT_EQ(c.faces[5].velocity, (std::array<double, 3>{0.5, -0.25, 0}));
  EXPECT_FALSE(c.fluid.reynolds);
  EXPECT_EQ(c.fluid.tau, 0.8);
  EXPECT_EQ(c.fluid.lattice_velocity, 0.05);
  EXPECT_EQ(c.fluid.length, 12.5);
  EXPECT_EQ(c.lattice.storage, StorageType::fp16);
  EXPECT_EQ(c.initial.flow, InitialFlow::taylor_green);
  EXPECT_EQ(c.run.convective_times, 2.5);
  EXPECT_EQ(c.tiling.scheme, tiling::Scheme::halo);
  EXPECT_EQ(c.tiling.steps_per_visit, 16);
  EXPECT_FALSE(c.tiling.planes_per_visit);
  EXPECT_EQ(c.device.backend, BackendKind::cpu);
  EXPECT_EQ(c.device.index, 2);
  EXPECT_EQ(c.device.memory, 1'500'000'000u);
  EXPECT_EQ(c.device.threads, 3);
  EXPECT_EQ(c.host.memory_limit, 512u << 20);
  EXPECT_EQ(c.output.directory, "a b/c");
  EXPECT_EQ(c.output.times, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(c.output.every_steps, 1000);
  EXPECT_FALSE(c.output.at_end);
  EXPECT_FALSE(c.output.profiles);
}

TEST(CaseReader, KnowsTheLineOfEachKey) {
  const Case c = parse("# comment\n\n" + minimal + "boundaries:\n  z_max:\n    type: wall\n");
  EXPECT_EQ(c.lines.at("grid.cells"), 4);
  EXPECT_EQ(c.lines.at("run.steps"), 8);
  EXPECT_EQ(c.lines.at("boundaries.z_max.type"), 11);
  EXPECT_FALSE(c.lines.contains("fluid.tau"));
  EXPECT_EQ(where(c, "grid.cells"), "c.yaml:4: grid.cells");
  EXPECT_EQ(where(c, "device.memory"), "c.yaml: device.memory");
}

TEST(CaseReader, OverridesReplaceAndAddValues) {
  const Case c = parse(minimal, {"grid.cells=[32,32,32]", "device.memory=8 GB",
                                 "fluid.reynolds=200", "fluid.reynolds=300"});
  EXPECT_EQ(c.grid.cells, (std::array<int, 3>{32, 32, 32}));
  EXPECT_EQ(c.device.memory, 8'000'000'000u);
  EXPECT_EQ(c.fluid.reynolds, 300);
  EXPECT_EQ(where(c, "grid.cells"), "--set grid.cells");
  EXPECT_EQ(where(c, "run.steps"), "c.yaml:6: run.steps");
  EXPECT_FALSE(c.lines.contains("grid.cells"));
}

TEST(CaseReader, AnOverriddenValueIsNotJudged) {
  EXPECT_EQ(
      parse("grid: {cells: nonsense}\nfluid: {tau: 1}\nrun: {steps: 1}\n", {"grid.cells=[1,2,3]"})
          .grid.cells[2],
      3);
}

TEST(CaseReader, OverridingAMapReplacesIt) {
  const std::string lid =
      minimal + "boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}, x_min: wall}\n";
  EXPECT_EQ(parse(lid).faces[5].velocity[0], 1);
  EXPECT_EQ(parse(lid, {"boundaries.z_max=wall"}).faces[5].velocity[0], 0);
  EXPECT_EQ(parse(lid, {"boundaries.z_max.velocity=[0.5,0,0]"}).faces[5].velocity[0], 0.5);
  EXPECT_EQ(parse(lid, {"boundaries={z_max: {velocity: [0, 0.5, 0]}}"}).faces[5].velocity[1], 0.5);
}

TEST(CaseReader, AnOverrideTakesThePlaceOfItsAlternative) {
  const Case c = parse(minimal, {"fluid.tau=0.7", "run.convective_times=3"});
  EXPECT_FALSE(c.fluid.reynolds);
  EXPECT_FALSE(c.run.steps);
  EXPECT_EQ(parse_error(minimal, {"fluid.tau=0.7", "fluid.reynolds=3"}),
            "--set fluid.tau: conflicts with fluid.reynolds: remove one");
}

TEST(CaseReader, KnowsTheWordsOfOtherPrograms) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"fluid.nu=1", "did you mean fluid.viscosity?"},
      {"grid.dx=1", "did you mean grid.spacing?"},
      {"boundaries.left=wall", "did you mean boundaries.x_min?"},
      {"lattice.LES=0.1", "did you mean lattice.smagorinsky?"},
      {"run.end_time=3", "did you mean run.time?"},
      {"output.every=3", "did you mean output.every_steps?"},
      {"boundaries.x_min=NoSlip", "far_field; did you mean wall?"},
      {"boundaries.x_min=symmetry", "far_field; did you mean slip?"},
      {"boundaries.x_min=non_reflecting", "far_field; did you mean far_field?"},
      {"lattice.collision=mrt", "; did you mean trt?"},
      {"lattice.collision=cascaded", "; did you mean central_moments?"},
      {"device.backend=gpu", "cuda; did you mean cuda?"}};
  for (const auto& [setting, end] : all) {
    const std::string error = parse_error(minimal, {setting});
    EXPECT_TRUE(error.ends_with(end)) << error;
  }
  // Not among the allowed values.
  EXPECT_TRUE(parse_error(minimal, {"lattice.storage=noslip"}).ends_with("fp64"));
  // Each key that is offered exists.
  for (const std::string word :
       {"nu", "re", "dx", "nx", "bc", "gravity", "t_end", "max_iter", "les", "precision", "omega",
        "rho", "u_ref", "l_ref", "ulb", "gpu", "write_interval"}) {
    const std::string key = nearest_key(word);
    EXPECT_TRUE(find_key(key) != nullptr || is_group(key)) << word << ": " << key;
  }
}

TEST(CaseReader, DoesNotOfferAKeyAsAName) {
  const std::string error = parse_error(minimal, {"outputs.every_time=1"});
  EXPECT_EQ(error.find("every_time.every_time"), std::string::npos) << error;
}

TEST(CaseReader, MessagesOfOverridesNameThem) {
  EXPECT_EQ(parse_error(minimal, {"grid.cells=[0,1,1]"}),
            "--set grid.cells=[0,1,1]: found \"[0, 1, 1]\", must be a list of three whole numbers "
            "from 1 to 1000000");
  EXPECT_EQ(parse_error(minimal, {"fluid.renolds=3"}),
            "--set fluid.renolds=3: unknown key, did you mean fluid.reynolds?");
  EXPECT_EQ(parse_error(minimal, {"grid={cells: 3}"}),
            "--set grid={cells: 3}: grid.cells: found \"3\", must be a list of three whole numbers "
            "from 1 to 1000000");
  EXPECT_EQ(parse_error(minimal, {"fluid.reynolds"}),
            "--set fluid.reynolds: must be KEY=VALUE, such as fluid.reynolds=400");
  EXPECT_NE(parse_error(minimal, {"grid.cells=[1,"}).find("--set grid.cells=[1,: the value is not"),
            std::string::npos);
  EXPECT_NE(parse_error(minimal, {"grid.cells="}).find("found nothing"), std::string::npos);
}

// Every key, so that no type of value is forgotten.
TEST(CaseReader, NullGivesEachKeyItsDefault) {
  for (const Key& key : keys()) {
    if (key.path.find("NAME") != std::string::npos || key.path == "grid.cells" ||
        key.path == "fluid.reynolds" || key.path == "run.steps") {
      continue;
    }
    EXPECT_EQ(to_yaml(parse(minimal, {key.path + "=null"})), to_yaml(parse(minimal))) << key.path;
  }
  EXPECT_EQ(
      parse(minimal, {"lattice.smagorinsky=0.1", "lattice.smagorinsky=~"}).lattice.smagorinsky, 0);
  EXPECT_EQ(parse(minimal + "lattice: {smagorinsky: null, collision: trt}\n").lattice.collision,
            CollisionKind::trt);
  EXPECT_EQ(*parse(minimal, {"fluid.tau=null"}).fluid.reynolds, 100);
  EXPECT_NE(parse_error(minimal, {"run.steps=null"}).find("missing"), std::string::npos);
  // A merged value, too.
  const std::string merged =
      "lattice:\n  <<: &les {smagorinsky: 0.1}\n  smagorinsky: null\n" + minimal;
  EXPECT_EQ(parse(merged).lattice.smagorinsky, 0);
}

TEST(CaseReader, NullRemovesGroupsAndNamedItems) {
  const std::string ball =
      minimal + "bodies:\n  ball: {shape: sphere, center: [4, 4, 4], radius: 2}\n";
  EXPECT_EQ(parse(ball).bodies.size(), 1U);
  EXPECT_TRUE(parse(ball, {"bodies.ball=null"}).bodies.empty());
  EXPECT_TRUE(parse(ball, {"bodies=null"}).bodies.empty());
  EXPECT_NE(parse_error(ball, {"bodies.bal=null"}).find("does not have it"), std::string::npos);
  // A value that was left out is still a mistake.
  EXPECT_NE(parse_error(minimal, {"lattice.smagorinsky="}).find("found nothing"),
            std::string::npos);
  EXPECT_NE(parse_error(minimal + "lattice:\n  smagorinsky:\n").find("found nothing"),
            std::string::npos);
  EXPECT_NE(parse_error(ball, {"bodies.ball="}).find("found nothing"), std::string::npos);
}

TEST(CaseReader, MessageNamesFileLineKeyFoundAndAllowed) {
  EXPECT_EQ(parse_error("grid: {cells: [8, 8, 8]}\nfluid:\n  reynolds: -5\nrun: {steps: 1}\n"),
            "c.yaml:3: fluid.reynolds: found \"-5\", must be a number > 0");
}

TEST(CaseReader, AnchorsAliasesAndMergesWork) {
  const Case c = parse(
      "grid: {cells: &n [8, 8, 8]}\n"
      "boundaries:\n"
      "  x_min: &moving {type: wall, velocity: [0, 1, 0]}\n"
      "  x_max: *moving\n"
      "  z_max:\n"
      "    <<: *moving\n"
      "    velocity: [1, 0, 0]\n"
      "fluid: {tau: 1}\nrun: {steps: 1}\n");
  EXPECT_EQ(c.faces[1].velocity[1], 1);
  EXPECT_EQ(c.faces[5].velocity, (std::array<double, 3>{1, 0, 0}));
}

TEST(CaseReader, AMapMergedIntoItselfEndsInAnError) {
  EXPECT_TRUE(parse_error(minimal + "output: &o\n  <<: *o\n")
                  .starts_with("c.yaml:8: found an anchor used inside itself"));
}

TEST(CaseReader, GroupsWithoutKeysAreFine) {
  EXPECT_NO_THROW(parse(minimal + "output:\n  # at_end: false\ndevice: {}\n"));
}

TEST(CaseReader, WindowsLineEndsAndByteOrderMarkAreFine) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : minimal) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse(text).lines.at("run.steps"), 6);
}

TEST(CaseReader, FilesThatCannotBeRead) {
  const auto error = [](const std::string& path) {
    return test::error_of([&] { read_case(path); });
  };
  const std::string folder = ::testing::TempDir();
  EXPECT_EQ(error(folder), folder + ": is a directory, must be a case file");
  EXPECT_EQ(error(folder + "/none.yaml"),
            folder + "/none.yaml: cannot read the case file: No such file or directory");
  EXPECT_EQ(error("two\nlines.yaml").find('\n'), std::string::npos);
  if (std::filesystem::exists("/dev/zero")) {
    EXPECT_NE(error("/dev/zero").find("larger than 1 MiB"), std::string::npos);
  }
}

// A child that waits is killed by its alarm.
template <class Call>
void expect_refused_at_once(const Call& call, const std::string& part) {
  const auto act = [&] {
    alarm(10);
    const std::string line = test::error_of(call);
    // Without destructors: sanitizers open files to look at objects, and there may be none left.
    std::_Exit(line.find(part) == std::string::npos ? 1 : 0);
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(0), "") << part;
}

TEST(CaseReader, AFifoIsRefusedAndNotWaitedFor) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string fifo = scratch.path() / "f";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  expect_refused_at_once([&] { read_case(fifo); }, fifo + ": is a FIFO, must be a case file");
}

// `lbm check <(make_a_case)`
TEST(CaseReader, APipeOfTheShellIsRead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto size = static_cast<ssize_t>(minimal.size());
  ASSERT_EQ(write(ends[1], minimal.data(), minimal.size()), size);
  close(ends[1]);
  EXPECT_EQ(read_case("/dev/fd/" + std::to_string(ends[0])).run.steps, 50);
  close(ends[0]);
}

TEST(CaseReader, TooManyOpenFilesNameTheLimit) {
  const auto act = [] {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    read_case("c.yaml");
  };
  expect_refused_at_once(act, "Too many open files; raise the limit on open files (ulimit -n)");
}

TEST(CaseReader, WrittenCasesReadBackTheSame) {
  std::vector<std::string> texts{minimal};
  for (const auto& name : test::shipped) texts.push_back(test::file_text(test::shipped_path(name)));
  for (const std::string& text : texts) {
    const Case c = parse(text, {"output.times=[0.03]", "output.directory=\"a \\\"b\\\" \\\\ c\"",
                                "fluid.lattice_velocity=0.0123456789012345678"});
    const Case back = parse(to_yaml(c));
    EXPECT_EQ(to_yaml(back), to_yaml(c));
    EXPECT_EQ(back.grid.cells, c.grid.cells);
    EXPECT_EQ(back.fluid.lattice_velocity, c.fluid.lattice_velocity);
    EXPECT_EQ(back.fluid.length, c.fluid.length);
    EXPECT_EQ(back.faces[5].velocity, c.faces[5].velocity);
    EXPECT_EQ(back.faces[3].type, c.faces[3].type);
    EXPECT_EQ(back.output.directory, "a \"b\" \\ c");
    EXPECT_EQ(back.device.memory, c.device.memory);
    EXPECT_EQ(back.run.steps, c.run.steps);
  }
}

TEST(CaseReader, ShippedCasesAreValidWithoutWarnings) {
  for (const auto& name : test::shipped) {
    const Case c = read_case(test::shipped_path(name));
    EXPECT_NO_THROW(validate(c)) << name;
    EXPECT_EQ(warnings(c, derive(c)), std::vector<std::string>{}) << name;
    EXPECT_EQ(c.name, name);
  }
}

}  // namespace
}  // namespace lbm::cases
