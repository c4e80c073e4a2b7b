// SPDX-License-Identifier: Apache-2.0

// `lbm doctor` on this machine as it is, with less of it, and on described machines.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"
#include "tests/machines/machines.hpp"

namespace lbm::cases {
namespace {

using test::Outcome;
using test::run_line;

std::string doctor(const std::string& arguments = "") {
  return fmt::format("'{}' doctor {}", LBM_PROGRAM, arguments);
}

std::string on(const std::string& root, const std::string& arguments = "") {
  return fmt::format("LBM_SYSTEM_ROOT='{}' {}", root, doctor(arguments));
}

nlohmann::json json_of(const std::string& line) {
  const Outcome outcome = run_line(line);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return nlohmann::json::parse(outcome.out);
}

// The finding of a check; empty where there is none.
std::string finding(const nlohmann::json& page, const std::string& name) {
  for (const auto& check : page["checks"]) {
    if (check["name"] == name) return check["finding"];
  }
  return "";
}

TEST(DoctorCommand, PrintsOnePageHere) {
  const Outcome outcome = run_line(doctor());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name :
       {LBM_VERSION "\ncommit", "driver", "host memory", "pages", "NUMA", "disk"}) {
    EXPECT_NE(outcome.out.find(std::string(" ") + name + " "), std::string::npos) << name;
  }
}

TEST(DoctorCommand, SaysWhatTheShellSays) {
  const auto page = json_of("ulimit -S -l 64; " + doctor("--json"));
  EXPECT_EQ(finding(page, "locked memory").find("ulimit -l: 64.0 KiB"), 0U);
  const Outcome cpus = run_line("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc");
  EXPECT_EQ(finding(page, "CPUs").find("this process may use " + std::to_string(stoi(cpus.out))),
            0U)
      << finding(page, "CPUs");
  const auto one =
      json_of("taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') " + doctor("--json"));
  EXPECT_EQ(finding(one, "CPUs").find("this process may use 1 of"), 0U) << finding(one, "CPUs");
}

TEST(DoctorCommand, KnowsWhereResultsWouldGo) {
  const lbm::testing::TinyDisk disk("size=8m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount";
  const auto page = json_of("cd '" + disk.path().string() + "' && " + doctor("--json"));
  EXPECT_NE(finding(page, "disk").find("results take the host's memory"), std::string::npos);
}

// In a mount namespace of its own, if the user may have one.
TEST(DoctorCommand, WorksWithoutSys) {
  const std::string hide = "unshare -rm sh -c 'mount -t tmpfs none /sys && ";
  if (run_line(hide + "true'").exit_code != 0) GTEST_SKIP() << "may not hide /sys";
  const auto page = json_of(hide + "exec \"" LBM_PROGRAM "\" doctor --json'");
  EXPECT_NE(finding(page, "NUMA").find("/sys/devices/system/node is missing"), std::string::npos);
  EXPECT_NE(finding(page, "host memory").find("available of"), std::string::npos);
}

TEST(DoctorCommand, WorksWithoutAnyFiles) {
  const lbm::testing::ScratchDirectory empty;
  const auto page = json_of(on(empty.path().string(), "--json"));
  EXPECT_NE(finding(page, "host memory").find("/proc/meminfo is missing"), std::string::npos);
  EXPECT_EQ(page["system_root"], empty.path().string());
}

TEST(DoctorCommand, DescribesMachinesThatAreNotHere) {
  const auto page = [](const std::string& name) {
    return json_of(on(lbm::testing::machine_root(name), "--json"));
  };
  const auto gh200 = page("gh200");
  EXPECT_NE(finding(gh200, "host memory").find("456.8 GiB available"), std::string::npos);
  EXPECT_NE(finding(gh200, "NUMA").find("without CPUs: node 1 (95.0 GiB)"), std::string::npos);
  EXPECT_NE(finding(gh200, "driver").find("CUDA was not asked"), std::string::npos);
  EXPECT_EQ(finding(gh200, "disk"), "") << "of another machine nothing is known";
  EXPECT_NE(finding(page("gb200"), "CPUs").find("144 of 144"), std::string::npos);
  EXPECT_NE(finding(page("gb10"), "pages").find("2.0 MiB"), std::string::npos);
}

// Host memory of the program comes from the same files.
TEST(DoctorCommand, InfoCountsTheSameMemory) {
  const auto info = json_of(fmt::format("LBM_SYSTEM_ROOT='{}' '{}' info --json",
                                        lbm::testing::machine_root("gh200"), LBM_PROGRAM));
  EXPECT_EQ(info["host_memory_bytes"], 502071296ULL * 1024);
  EXPECT_EQ(info["host_memory_available_bytes"], 479000000ULL * 1024);
}

}  // namespace
}  // namespace lbm::cases
