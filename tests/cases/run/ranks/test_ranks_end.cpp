// SPDX-License-Identifier: Apache-2.0

// Runs with several ranks end together, whatever happens to one of them.
#include <fstream>

#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::expect_one_message;
using test::expect_same_results;
using test::has;
using test::Runs;

// Waits until the condition holds; returns whether it does.
template <class Condition>
bool comes_true(const Condition& condition, std::chrono::milliseconds patience = 20s) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

// mpirun and the processes it has started.
class Started {
 public:
  // options: of mpirun.
  Started(int processes, const std::string& arguments, const fs::path& log,
          const std::string& options)
      : log_(log), processes_(processes) {
    test::keep_speeds_here();
    const std::string line =
        fmt::format("exec {} {} -n {} '{}' {} >'{}' 2>&1 </dev/null", test::mpirun(), options,
                    processes, LBM_PROGRAM, arguments, log.string());
    mpirun_ = fork();
    if (mpirun_ == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
  }
  ~Started() {
    if (mpirun_ < 0) return;
    for (const pid_t process : processes()) kill(process, SIGKILL);
    kill(mpirun_, SIGKILL);
    waitpid(mpirun_, nullptr, 0);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  pid_t mpirun() const { return mpirun_; }
  // Process ids by rank; fewer during startup.
  std::vector<pid_t> processes() const {
    std::map<int, pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
      if (parent_of(entry.path()) != mpirun_) continue;
      const int rank = rank_of(entry.path());
      if (rank >= 0) found[rank] = std::stoi(name);
    }
    std::vector<pid_t> all;
    all.reserve(found.size());
    for (const auto& [rank, process] : found) all.push_back(process);
    return all;
  }
  // Exit code of mpirun; -1 if it did not end by itself.
  int wait(std::chrono::milliseconds patience = 20s) {
    int status = 0;
    if (!comes_true([&] { return waitpid(mpirun_, &status, WNOHANG) == mpirun_; }, patience)) {
      return -1;
    }
    mpirun_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text() const { return test::file_text(log_.string()); }
  std::size_t size() const { return static_cast<std::size_t>(processes_); }

 private:
  static pid_t parent_of(const fs::path& process) {
    std::ifstream file(process / "stat");
    std::string text;
    std::getline(file, text);
    const auto end = text.rfind(')');  // after the name, which may contain spaces
    char state = 0;
    pid_t parent = -1;
    std::istringstream rest(end == std::string::npos ? "" : text.substr(end + 1));
    rest >> state >> parent;
    return parent;
  }
  static int rank_of(const fs::path& process) {
    std::ifstream file(process / "environ");
    for (std::string entry; std::getline(file, entry, '\0');) {
      const std::string key = "OMPI_COMM_WORLD_RANK=";
      if (entry.starts_with(key)) return std::stoi(entry.substr(key.size()));
    }
    return -1;
  }

  fs::path log_;
  int processes_;
  pid_t mpirun_ = -1;
};

// Long enough to be stopped; its progress does not matter.
const std::string endless =
    "--set run.steps=100000000 --set output.every_steps=100000000 "
    "--set output.monitor=100000000 --set output.forces=1000 ";

class Ends : public test::Processes {
 protected:
  Started start(const std::string& more = "", const std::string& options = "") const {
    return Started(3, runs_.line("r", endless + more), runs_.path("log"), options);
  }
  // True if all ranks are computing.
  bool is_under_way(const Started& run) const {
    return comes_true([&] {
      return fs::exists(runs_.path("r/effective_case.yaml")) &&
             run.processes().size() == run.size();
    });
  }
  // Number of complete checkpoints.
  std::size_t checkpoints() const {
    const auto names = runs_.checkpoints("r");
    return static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [](const auto& name) { return name.ends_with(".h5"); }));
  }
  // The run in that directory was stopped: several ranks continue it to a near end, with the
  // results of one rank that was never stopped.
  void expect_goes_on() const {
    const auto steps = YAML::Load(runs_.text("r/report.json"))["steps"].as<long>();
    const std::string end = endless + fmt::format("--set run.steps={}", steps + 50);
    const auto rest = test::several(
        2, runs_.line("", fmt::format("{} --restart '{}'", end, runs_.path("r").string())));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    ASSERT_EQ(runs_.run("whole", end).exit_code, 0);
    expect_same_results(runs_.path("whole"), runs_.path("r"));
  }

  Runs runs_;
};

TEST_F(Ends, WithinSecondsWhenOneIsKilled) {
  for (const std::size_t one : {std::size_t{0}, std::size_t{2}}) {
    Started run = start("--overwrite");
    ASSERT_TRUE(is_under_way(run)) << run.text();
    const auto processes = run.processes();
    kill(processes[one], SIGKILL);
    EXPECT_EQ(run.wait(10s), 128 + SIGKILL) << run.text();
    for (const pid_t process : processes) {
      EXPECT_TRUE(comes_true([&] { return kill(process, 0) != 0; }, 5s)) << process;
    }
    fs::remove_all(runs_.path("r"));
  }
}

TEST_F(Ends, WithACheckpointWhenTheRootGetsASignal) {
  Started run = start();
  ASSERT_TRUE(is_under_way(run)) << run.text();
  std::this_thread::sleep_for(300ms);
  kill(run.processes().front(), SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM) << run.text();
  EXPECT_TRUE(has(run.text(), "lbm: stopped by SIGTERM")) << run.text();
  EXPECT_TRUE(has(runs_.text("r/report.json"), "interrupted by SIGTERM"));
  ASSERT_EQ(checkpoints(), 1U);
  expect_goes_on();
}

// The kernel sends SIGXCPU to the rank that has used its time, not to the root.
TEST_F(Ends, WithACheckpointWhenAnotherRankGetsASignal) {
  Started run = start();
  ASSERT_TRUE(is_under_way(run)) << run.text();
  std::this_thread::sleep_for(300ms);
  kill(run.processes().back(), SIGXCPU);
  EXPECT_EQ(run.wait(), 128 + SIGXCPU) << run.text();
  EXPECT_TRUE(has(run.text(), "lbm: stopped by SIGXCPU")) << run.text();
  ASSERT_EQ(checkpoints(), 1U);
  expect_goes_on();
}

// The others wait for the one that is stopped, wherever in their set-up they are. Nobody has
// computed anything, so nothing is waited for.
TEST_F(Ends, AtASignalDuringSetUpThoughAnotherRankIsStopped) {
  Started run = start();
  ASSERT_TRUE(comes_true([&] { return run.processes().size() == run.size(); })) << run.text();
  kill(run.processes().back(), SIGSTOP);
  std::this_thread::sleep_for(500ms);
  kill(run.processes().front(), SIGTERM);
  EXPECT_EQ(run.wait(10s), 128 + SIGTERM) << run.text();
  EXPECT_TRUE(has(run.text(), "lbm: stopped by SIGTERM during set-up")) << run.text();
}

// Half a minute: a stop does not wait for a rank that has been silent for 8 seconds.
TEST_F(Ends, AtASignalThoughAnotherRankIsSilent) {
  for (const auto& [silent, asked] : {std::pair<std::size_t, std::size_t>{0, 2}, {1, 0}}) {
    Started run = start("--overwrite");
    ASSERT_TRUE(is_under_way(run)) << run.text();
    std::this_thread::sleep_for(2s);
    const auto processes = run.processes();
    kill(processes[silent], SIGSTOP);
    std::this_thread::sleep_for(10s);
    kill(processes[asked], SIGTERM);
    EXPECT_EQ(run.wait(10s), 128 + SIGTERM) << run.text();
    EXPECT_TRUE(has(run.text(), fmt::format("checkpoint: process {} (host ", silent)))
        << run.text();
    EXPECT_TRUE(has(run.text(), ") does not answer")) << run.text();
    fs::remove_all(runs_.path("r"));
  }
}

// The checkpoint that the signal asks for has no directory any more. The others do not hold up the
// root: it does not wait until its neighbours have let go of its halo planes.
TEST_F(Ends, WithinSecondsOfAnErrorOfTheRoot) {
  Started run = start();
  ASSERT_TRUE(is_under_way(run)) << run.text();
  fs::rename(runs_.path("r"), runs_.path("elsewhere"));
  fs::remove_all(runs_.path("elsewhere"));
  kill(run.processes().front(), SIGUSR1);
  EXPECT_EQ(run.wait(4s), 4) << run.text();
  EXPECT_TRUE(has(run.text(), "lbm: ")) << run.text();
}

// Open MPI passes the signal on after some seconds, and kills after as many more.
TEST_F(Ends, WithACheckpointWhenMpirunGetsASignal) {
  Started run = start("", "--mca odls_base_sigkill_timeout 3");
  ASSERT_TRUE(is_under_way(run)) << run.text();
  kill(run.mpirun(), SIGTERM);
  EXPECT_EQ(run.wait(), 1) << run.text();
  EXPECT_TRUE(has(run.text(), "lbm: stopped by SIGTERM")) << run.text();
  EXPECT_TRUE(has(runs_.text("r/report.json"), "interrupted by SIGTERM"));
  EXPECT_EQ(checkpoints(), 1U);
}

// mpirun passes SIGUSR1 to all ranks.
TEST_F(Ends, NotWhenACheckpointIsAskedFor) {
  Started run = start("--set checkpoint.keep=5");
  ASSERT_TRUE(is_under_way(run)) << run.text();
  for (const bool root : {true, false}) {
    // Asks again until it is there: on a busy machine no step may have passed since the last one.
    const std::size_t count = checkpoints() + 1;
    ASSERT_TRUE(comes_true([&] {
      kill(root ? run.processes().front() : run.mpirun(), SIGUSR1);
      return checkpoints() >= count;
    })) << run.text();
  }
  EXPECT_EQ(run.processes().size(), 3U);
}

TEST_F(Ends, AtTheWalltimeWithACheckpoint) {
  const auto outcome = test::several(3, runs_.line("r", endless + "--set run.walltime=0.03"));
  expect_one_message(outcome, 6, "before its walltime");
  ASSERT_EQ(checkpoints(), 1U);
  expect_goes_on();
}

std::string program(const std::string& arguments) {
  return fmt::format("exec '{}' {}", LBM_PROGRAM, arguments);
}

// Rank 0 uses a GPU, or would: its command line says so.
TEST_F(Ends, WhereOneWouldComputeOnItsCpuBesideGpus) {
  const std::string line = runs_.line("r");
  const std::string open = line + " --set device.backend=auto";
  const auto outcome = test::two(program(line + " --set device.backend=cuda"), program(open));
  expect_one_message(outcome, 2, "process 1 (host ");
  EXPECT_TRUE(has(outcome.err, "finds no GPU, while process 0 (host ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "device.backend: cpu for all")) << outcome.err;
  EXPECT_FALSE(fs::exists(runs_.path("r")));
}

// Each rank reads its own case: an edit between two starts, disks of different hosts.
TEST_F(Ends, WhereCasesDiffer) {
  const std::string line = runs_.line("r");
  const auto outcome = test::two(program(line), program(line + " --set fluid.reynolds=60"));
  expect_one_message(outcome, 2,
                     "process 1 has fluid.reynolds: 60, process 0 has fluid.reynolds: 40");
  EXPECT_FALSE(fs::exists(runs_.path("r")));
}

// Each rank finds the newest checkpoint by itself.
TEST_F(Ends, WhereCheckpointsDiffer) {
  const std::string often = "--set run.steps=40 --set checkpoint.every_steps=20 ";
  ASSERT_EQ(runs_.run("a", often).exit_code, 0);
  const auto from = [&](const char* name) {
    const auto file = runs_.path("a") / name;
    return program(runs_.line("r", often + fmt::format("--restart '{}'", file.string())));
  };
  const auto outcome = test::two(from("checkpoint_000000040.h5"), from("checkpoint_000000020.h5"));
  expect_one_message(outcome, 2, "--restart: process 1 would continue from ");
}

TEST_F(Ends, WhereOnlyOneRuns) {
  const std::string check = "check '" + runs_.path("case.yaml").string() + "'";
  const auto outcome = test::two(program(runs_.line("r")), program(check));
  expect_one_message(outcome, 2, "lbm check: found several processes");
}

constexpr const char* large =
    "--set 'grid.cells=[128,128,1100]' --set bodies=null --set quantities=null --set expect=null "
    "--set device.threads=1 ";

// Fails before the run begins.
TEST_F(Ends, WhereOneMayNotHaveItsMemory) {
  const std::string line = runs_.line("r", large);
  const auto outcome = test::two(program(line), program(line + " --set host.memory_limit=1MiB"));
  expect_one_message(outcome, 4, "lbm: process 1: ");
  EXPECT_TRUE(has(outcome.err, "host.memory_limit")) << outcome.err;
}

// Fails during allocation: about 0.7 GB, of 1 GiB including the rest of the program.
TEST_F(Ends, WhereOneDoesNotGetItsMemory) {
  const std::string line = program(runs_.line("r", large));
  const auto outcome = test::two(line, "ulimit -v 1048576; " + line);
  expect_one_message(outcome, 4, "lbm: process 1: ");
  EXPECT_TRUE(has(outcome.err, "not enough host memory")) << outcome.err;
  EXPECT_TRUE(has(runs_.text("r/report.json"), "process 1")) << "from the root";
}

// In a plane of rank 0, and of the last rank.
TEST_F(Ends, WhereAPlaneOfTheCheckpointIsDamaged) {
  ASSERT_EQ(runs_.run("r", "--set checkpoint.every_steps=60").exit_code, 0);
  const fs::path newest = runs_.path("r/checkpoint_000000120.h5");
  const std::string whole = lbm::testing::read_text(newest);
  const std::string line =
      runs_.line("", fmt::format("--restart '{}' --set run.steps=140", runs_.path("r").string()));
  for (const auto& [part, who] : {std::pair{0.2, ""}, {0.8, "process 2: "}}) {
    std::string damaged = whole;
    damaged.at(static_cast<std::size_t>(part * static_cast<double>(whole.size()))) ^= 4;
    lbm::testing::write_text(newest, damaged);
    const auto outcome = test::several(3, line);
    expect_one_message(outcome, 2, fmt::format("lbm: {}{}: is damaged", who, newest.string()));
  }
}

}  // namespace
}  // namespace lbm::cases
