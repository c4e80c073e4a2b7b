// SPDX-License-Identifier: Apache-2.0

// The judgement of `lbm doctor` on made-up facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "cases/cli/doctor/facts.hpp"
#include "tests/machines/machines.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

GpuFacts working(const DeviceFacts& device) {
  const int capability = 10 * device.compute_major + device.compute_minor;
  return {.device = device,
          .free = device.total_memory,
          .code = {capability, capability, ""},
          .peers = {},
          .shareable = true,
          .trial = Trial{Placement::bound, {{0, 1.0}}, true},
          .error = {}};
}

// All there is of a described machine, as if CUDA had been asked.
Facts machine_facts(const std::string& name, std::vector<GpuFacts> gpus) {
  Facts facts = gather_facts(testing::machine(name));
  facts.root.clear();
  facts.mpi = "3.1";
  facts.vtk = "9.1.0";
  facts.cuda = {true, 13000, 13000, static_cast<int>(gpus.size()), ""};
  facts.gpus = std::move(gpus);
  facts.nccl = {true, 22807};
  facts.locked = unlimited;
  facts.ranks_share = true;
  facts.here = DiskFacts{"/home/u", 100 * gibibyte, 50 * gibibyte, true, false};
  facts.shm = DiskFacts{"/dev/shm", gibibyte, gibibyte, true, true};
  return facts;
}

Facts gh200() { return machine_facts("gh200", {working(testing::gh200_gpu())}); }

Check line(const Facts& facts, const std::string& name) {
  const std::vector<Check> checks = judge(facts);
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const Check& check) { return check.name == name; });
  if (found != checks.end()) return *found;
  ADD_FAILURE() << "no line " << name;
  return {};
}

void expect(const Facts& facts, const std::string& name, Verdict verdict, const char* part = "") {
  const Check check = line(facts, name);
  EXPECT_EQ(check.verdict, verdict) << name << ": " << check.finding;
  EXPECT_NE((check.finding + check.remedy).find(part), std::string::npos) << check.finding;
  EXPECT_EQ(check.remedy.empty(), verdict == Verdict::ok) << check.remedy;
}

TEST(DoctorChecks, AWholeGh200IsOk) {
  const Facts facts = gh200();
  for (const Check& check : judge(facts)) {
    EXPECT_EQ(check.verdict, Verdict::ok) << check.name << ": " << check.finding;
    EXPECT_EQ(check.remedy, "") << check.name;
  }
  expect(facts, "gpu 0 link", Verdict::ok, "NVLink-C2C, pageable access ats");
  expect(facts, "gpu 0 host planes", Verdict::ok,
         "NUMA node 0, its memory is node 1; 64 MiB on trial: bound, 100 % on node 0");
  expect(facts, "host memory", Verdict::ok, "456.8 GiB available of 478.8 GiB");
  expect(facts, "host memory", Verdict::ok, "not counted: 95.0 GiB on nodes without CPUs");
  expect(facts, "pages", Verdict::ok, "madvise, 512.0 MiB");
}

TEST(DoctorChecks, OtherCoherentMachines) {
  expect(machine_facts("gb200", {}), "NUMA", Verdict::ok, "node 1 (CPUs 72-143");
  expect(machine_facts("gb200", {}), "NUMA", Verdict::ok, "node 26 (185.0 GiB)");
  const Facts gb10 = machine_facts("gb10", {working(testing::gb10_gpu())});
  expect(gb10, "gpu 0 memory", Verdict::ok, "the host's memory");
  expect(gb10, "gpu 0 link", Verdict::ok, "none (integrated)");
}

// A change of the facts of a GH200, and the line that must say so.
struct Fault {
  const char* name;
  Verdict verdict;
  const char* part;
  std::function<void(Facts&)> make;
};

TEST(DoctorChecks, EachFaultHasItsLine) {
  using enum Verdict;
  using F = Facts&;
  const std::vector<Fault> faults{
      {"driver", fallback, "PTX", [](F f) { f.cuda.supported = 12080; }},
      {"driver", refused, "driver to one for CUDA 13.0",
       [](F f) {
         f.cuda = {true, 13000, 12040, 0, "insufficient"};
       }},
      {"driver", fallback, "CUDA was not asked", [](F f) { f.root = "/a/description"; }},
      {"driver", fallback, "0009:01:00.0", [](F f) { f.cuda = {}; }},
      {"driver", ok, "runs use the CPU", [](F f) { f.cuda = {}, f.pci.clear(); }},
      {"gpu 0", fallback, "from PTX of 8.0",
       [](F f) {
         f.gpus[0].code = {90, 80, ""};
       }},
      {"gpu 0", refused, "ARCHITECTURES=90", [](F f) { f.gpus[0].code.error = "no image"; }},
      {"gpu 0", refused, "fell off", [](F f) { f.gpus[0].error = "it fell off the bus"; }},
      {"gpu 0 memory", fallback, "file cache", [](F f) { f.gpus[0].free = gibibyte; }},
      {"gpu 0 link", ok, "", [](F f) { f.gpus[0].device.link = "PCIe 5 x16, now PCIe 1 x16"; }},
      {"gpu 0 link", fallback, "lanes",
       [](F f) { f.gpus[0].device.link = "PCIe 5 x16, now PCIe 5 x8"; }},
      {"gpu 0 link", fallback, "unknown", [](F f) { f.gpus[0].device.link.clear(); }},
      {"gpu 0 host planes", refused, "pinned", [](F f) { f.gpus[0].trial->pinned = false; }},
      {"gpu 0 host planes", fallback, "SYS_NICE",
       [](F f) { f.gpus[0].trial->placement = Placement::refused; }},
      {"peer access", fallback, "0 to 1", [](F f) { f.gpus.push_back(f.gpus[0]); }},
      {"host memory", fallback, "control group 1.0 GiB",
       [](F f) { f.memory.group_limit = gibibyte; }},
      {"NUMA", fallback, "mount /sys", [](F f) { f.nodes.clear(); }},
      {"NUMA", fallback, "whole nodes", [](F f) { f.memory.not_allowed = 1; }},
      {"pages", fallback, "echo madvise", [](F f) { f.transparent.mode = "never"; }},
      {"locked memory", fallback, "64.0 KiB", [](F f) { f.locked = 65536; }},
      {"locked memory", ok, "64.0 KiB", [](F f) { f.locked = 65536, f.mpi.clear(); }},
      {"NCCL", ok, "exchange: mpi", [](F f) { f.nccl.found = 0; }},
      {"NCCL", fallback, "pip install", [](F f) { f.nccl.found = 0, f.started_by_mpi = true; }},
      {"CPUs", fallback, "the time of 2.5", [](F f) { f.cpus.quota = 2.5; }},
      {"CPUs", fallback, "bound to one", [](F f) { f.cpus.allowed = 1; }},
      {"MPI", fallback, "one process", [](F f) { f.mpi.clear(); }},
      {"shared memory", fallback, "exchange: mpi", [](F f) { f.ranks_share = false; }},
      {"VTK", fallback, "vtkhdf", [](F f) { f.vtk.clear(); }},
      {"disk", fallback, "little room", [](F f) { f.here->free = 1; }},
      {"disk", fallback, "host's memory", [](F f) { f.here->in_memory = true; }},
      {"disk", refused, "not writable", [](F f) { f.here->writable = false; }},
      {"/dev/shm", fallback, "--shm-size", [](F f) { f.shm->free = 1; }},
  };
  for (const Fault& fault : faults) {
    Facts facts = gh200();
    fault.make(facts);
    expect(facts, fault.name, fault.verdict, fault.part);
  }
}

TEST(DoctorChecks, WithoutMemoryOrMpiNoRunStarts) {
  Facts facts = gh200();
  facts.memory.available = 0;
  EXPECT_TRUE(line(facts, "host memory").fatal);
  facts.mpi.clear();
  facts.started_by_mpi = true;
  EXPECT_TRUE(line(facts, "MPI").fatal);
  facts.memory = {};
  expect(facts, "host memory", Verdict::refused, "/proc/meminfo is missing");
  EXPECT_FALSE(line(facts, "host memory").fatal) << "a GPU needs host.memory_limit only";
  facts.gpus.clear();
  EXPECT_TRUE(line(facts, "host memory").fatal);
}

}  // namespace
}  // namespace lbm::cases::doctor
