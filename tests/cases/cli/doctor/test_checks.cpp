// SPDX-License-Identifier: Apache-2.0

// The report of `lbm doctor` on made-up facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/cli/doctor/checks.hpp"
#include "cases/cli/doctor/doctor_page.hpp"
#include "solver/core/error.hpp"
#include "tests/machines/machines.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30, mebibyte = std::uint64_t{1} << 20;

// All there is of a described machine, as if CUDA had been asked.
DoctorFacts machine_facts(const std::string& name, std::vector<GpuFacts> gpus) {
  DoctorFacts facts = gather_facts(testing::machine(name));
  facts.root.clear();
  facts.build.mpi = "3.1";
  facts.mpi_library = "Open MPI v4.1.4";
  facts.build.vtk = "9.1.0";
  facts.cuda = {true, 13000, 13000, static_cast<int>(gpus.size()), ""};
  facts.gpus = std::move(gpus);
  facts.ranks_share = true;
  facts.here = DiskFacts{"/home/u", "ext4", 100 * gibibyte, 50 * gibibyte, true, true};
  facts.shm = DiskFacts{"/dev/shm", "tmpfs", gibibyte, gibibyte, true, true};
  return facts;
}

GpuFacts working(const DeviceFacts& device) {
  GpuFacts gpu;
  gpu.device = device;
  gpu.free = device.total_memory;
  const int capability = 10 * device.compute_major + device.compute_minor;
  gpu.code = {capability, capability, ""};
  gpu.shareable = true;
  gpu.trial = PlacementTrial{64 * mebibyte, Placement::bound, {{0, 1.0}}};
  gpu.pinned = 64 * mebibyte;
  return gpu;
}

Check line(const Checks& checks, const std::string& name) {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const Check& check) { return check.name == name; });
  if (found != checks.end()) return *found;
  ADD_FAILURE() << "no line " << name;
  return {};
}

Check line(const DoctorFacts& facts, const std::string& name) {
  return line(all_checks(facts), name);
}

void expect(const Check& check, Verdict verdict, const std::string& part) {
  EXPECT_EQ(check.verdict, verdict) << check.name << ": " << check.finding;
  EXPECT_NE(check.finding.find(part), std::string::npos) << check.finding;
  EXPECT_EQ(check.remedy.empty(), verdict == Verdict::ok) << check.remedy;
  EXPECT_EQ(check.finding.find('\n'), std::string::npos);
}

TEST(DoctorChecks, AWholeGh200IsOk) {
  DoctorFacts facts = machine_facts("gh200", {working(testing::gh200_gpu())});
  facts.locked.soft = unlimited;
  for (const Check& check : all_checks(facts)) {
    EXPECT_EQ(check.verdict, Verdict::ok) << check.name << ": " << check.finding;
    EXPECT_EQ(check.remedy, "") << check.name;
  }
  expect(line(facts, "gpu 0 link"), Verdict::ok, "NVLink-C2C, pageable access ats");
  expect(
      line(facts, "gpu 0 host planes"), Verdict::ok,
      "next to NUMA node 0, its own memory is node 1; 64.0 MiB on trial: bound, 100 % on node 0");
  expect(line(facts, "host memory"), Verdict::ok, "456.8 GiB available of 478.8 GiB");
  expect(line(facts, "host memory"), Verdict::ok, "not counted: 95.0 GiB on nodes without CPUs");
  expect(line(facts, "NUMA"), Verdict::ok, "node 1 (95.0 GiB), the memory of gpu 0");
  expect(line(facts, "page size"), Verdict::ok, "64.0 KiB");
  expect(line(facts, "huge pages"), Verdict::ok, "madvise, 512.0 MiB");
}

TEST(DoctorChecks, AGb200NamesBothSockets) {
  const DoctorFacts facts = machine_facts("gb200", {});
  expect(line(facts, "NUMA"), Verdict::ok, "34 nodes; host memory on node 0 (CPUs 0-71");
  expect(line(facts, "NUMA"), Verdict::ok, "node 1 (CPUs 72-143");
  expect(line(facts, "NUMA"), Verdict::ok, "node 26 (185.0 GiB)");
}

TEST(DoctorChecks, AGb10HasOneMemory) {
  const DoctorFacts facts = machine_facts("gb10", {working(testing::gb10_gpu())});
  expect(line(facts, "gpu 0 memory"), Verdict::ok, "the host's memory");
  expect(line(facts, "gpu 0 link"), Verdict::ok, "none (integrated)");
  expect(line(facts, "gpu 0 host planes"), Verdict::ok, "none");
  expect(line(facts, "NUMA"), Verdict::ok, "1 node; host memory on node 0");
}

// As a virtual machine has it that was given memory while it ran.
TEST(DoctorChecks, MemoryOfNoNodeIsNamed) {
  DoctorFacts facts = machine_facts("gb10", {});
  EXPECT_EQ(line(facts, "NUMA").finding.find("to no node"), std::string::npos);
  facts.memory.total = 2 * facts.nodes.at(0).total;
  expect(line(facts, "NUMA"), Verdict::ok, "counts the other");
}

TEST(DoctorChecks, Drivers) {
  DoctorFacts facts = machine_facts("gh200", {working(testing::gh200_gpu())});
  expect(line(facts, "driver"), Verdict::ok,
         "supports CUDA up to 13.0; the program was built with");
  facts.cuda.supported = 12080;
  facts.cuda.toolkit = 12090;
  expect(line(facts, "driver"), Verdict::fallback, "cannot compile the program's PTX");
  facts.gpus.clear();
  facts.cuda = {true, 13000, 12040, 0, "CUDA driver version is insufficient"};
  const Check old = line(facts, "driver");
  expect(old, Verdict::refused, "insufficient");
  EXPECT_NE(old.remedy.find("update the driver to one for CUDA 13.0"), std::string::npos);
  facts.cuda = {true, 13000, 0, 0, "no driver"};
  facts.pci_gpus.clear();
  facts.kernel_driver.clear();
  expect(line(facts, "driver"), Verdict::fallback, "runs use the CPU");
  facts.cuda = {};
  expect(line(facts, "driver"), Verdict::ok, "built without CUDA");
  facts.pci_gpus = {"0009:01:00.0"};
  expect(line(facts, "driver"), Verdict::fallback, "shows 1 NVIDIA GPU");
  facts.root = "/a/description";
  expect(line(facts, "driver"), Verdict::fallback, "CUDA was not asked");
}

TEST(DoctorChecks, CodeForAGpu) {
  GpuFacts gpu = working(testing::gb10_gpu());
  const auto code = [&] { return line(machine_facts("gb10", {gpu}), "gpu 0"); };
  expect(code(), Verdict::ok, "compute capability 12.1");
  gpu.code = {121, 90, ""};
  expect(code(), Verdict::fallback, "compiles code for it from PTX of 9.0");
  gpu.code = {0, 0, "no kernel image is available"};
  expect(code(), Verdict::refused, "no kernel image");
  EXPECT_NE(code().remedy.find("CMAKE_CUDA_ARCHITECTURES=121"), std::string::npos);
  gpu.code = {90, 90, ""};
  gpu.error = "it fell off the bus";
  expect(code(), Verdict::refused, "fell off");
}

TEST(DoctorChecks, LinksThatAreNarrowOrAsleep) {
  GpuFacts gpu = working(testing::gh200_gpu());
  const auto link = [&](const std::string& text) {
    gpu.device.link = text;
    return line(machine_facts("gh200", {gpu}), "gpu 0 link");
  };
  expect(link("PCIe 5 x16"), Verdict::ok, "PCIe 5 x16");
  expect(link("PCIe 5 x16, now PCIe 1 x16"), Verdict::ok, "idle");
  expect(link("PCIe 5 x16, now PCIe 5 x8"), Verdict::fallback, "fewer lanes");
  expect(link(""), Verdict::fallback, "unknown");
}

TEST(DoctorChecks, PlacementThatIsRefused) {
  GpuFacts gpu = working(testing::gh200_gpu());
  gpu.trial->placement = Placement::refused;
  gpu.trial->shares.clear();
  const auto planes = [&] { return line(machine_facts("gh200", {gpu}), "gpu 0 host planes"); };
  expect(planes(), Verdict::fallback, "node unknown");
  EXPECT_NE(planes().remedy.find("SYS_NICE"), std::string::npos);
  gpu.pinned = 0;
  expect(planes(), Verdict::refused, "cannot be pinned");
}

TEST(DoctorChecks, PeersThatAreMissing) {
  GpuFacts gpu = working(testing::gh200_gpu());
  const auto peers = [&](std::vector<GpuFacts> gpus) {
    return line(machine_facts("gh200", std::move(gpus)), "peer access");
  };
  GpuFacts first = gpu, second = gpu;
  first.peers = {1};
  expect(peers({first, second}), Verdict::fallback, "none 1 to 0");
  second.peers = {0};
  expect(peers({first, second}), Verdict::ok, "between all GPUs");
  second.shareable = false;
  expect(peers({first, second}), Verdict::fallback, "cannot open");
}

TEST(DoctorChecks, MemoryOfTheHost) {
  DoctorFacts facts = machine_facts("gb10", {});
  facts.memory.group_limit = gibibyte;
  expect(line(facts, "host memory"), Verdict::fallback, "limit of the control group 1.0 GiB");
  facts.memory.group_used = gibibyte;
  const Check none = line(facts, "host memory");
  expect(none, Verdict::refused, "too little");
  EXPECT_TRUE(none.fatal);
  EXPECT_EQ(exit_code_of({none}), exit_resources);
  facts.memory = {};
  expect(line(facts, "host memory"), Verdict::refused, "/proc/meminfo is missing");
  EXPECT_EQ(exit_code_of(all_checks(facts)), exit_resources);
  facts.gpus = {working(testing::gb10_gpu())};
  EXPECT_EQ(exit_code_of(all_checks(facts)), exit_ok) << "a GPU needs host.memory_limit only";
}

TEST(DoctorChecks, Pages) {
  DoctorFacts facts = machine_facts("gb10", {});
  facts.transparent = {"never", 0};
  expect(line(facts, "huge pages"), Verdict::fallback, "pages of 4.0 KiB");
  facts.transparent = {};
  expect(line(facts, "huge pages"), Verdict::fallback, "unknown");
  facts.pools = {{2 * mebibyte, 100, 100}};
  expect(line(facts, "explicit huge pages"), Verdict::ok, "100 of 2.0 MiB (100 free)");
  facts.pools = {{gibibyte, 64, 64}};
  expect(line(facts, "explicit huge pages"), Verdict::fallback, "64.0 GiB that no grid can have");
}

// A container that hides files says nothing by their absence.
TEST(DoctorChecks, WhatIsHiddenIsUnknown) {
  DoctorFacts facts = machine_facts("gb10", {});
  facts.devices_known = facts.groups_known = facts.pools_known = false;
  facts.pci_gpus.clear();
  facts.kernel_driver.clear();
  facts.cuda = {};
  EXPECT_EQ(line(facts, "driver").finding.find("not loaded"), std::string::npos);
  EXPECT_NE(line(facts, "driver").finding.find("does not show"), std::string::npos);
  expect(line(facts, "host memory"), Verdict::ok, "control groups unknown");
  expect(line(facts, "explicit huge pages"), Verdict::ok, "unknown");
}

TEST(DoctorChecks, Nccl) {
  DoctorFacts facts = machine_facts("gh200", {working(testing::gh200_gpu())});
  expect(line(facts, "NCCL"), Verdict::ok, "not built in: planes between hosts travel as messages");
  facts.started_by_mpi = true;
  expect(line(facts, "NCCL"), Verdict::fallback, "not built in");
  facts.nccl = {true, 0};
  expect(line(facts, "NCCL"), Verdict::fallback, "libnccl.so.2 was not found");
  facts.nccl = {true, 22807};
  expect(line(facts, "NCCL"), Verdict::ok, "2.28.7: GPUs of several hosts can exchange planes");
}

TEST(DoctorChecks, LockedMemory) {
  DoctorFacts facts = machine_facts("gh200", {working(testing::gh200_gpu())});
  facts.locked = {64 * 1024, 64 * 1024};
  expect(line(facts, "locked memory"), Verdict::fallback,
         "ulimit -l: 64.0 KiB; the GPU's driver pinned 64.0 MiB all the same");
  facts.build.mpi.clear();
  expect(line(facts, "locked memory"), Verdict::ok, "no MPI");
  facts.locked = {};
  expect(line(facts, "locked memory"), Verdict::ok, "unlimited");
}

TEST(DoctorChecks, NodesThatAreForbiddenOrUnknown) {
  DoctorFacts facts = machine_facts("gb200", {});
  expect(line(facts, "cpuset"), Verdict::ok, "all nodes");
  facts.nodes[1].allowed = false;
  expect(line(facts, "cpuset"), Verdict::fallback, "no memory allowed on node 1");
  facts.nodes.clear();
  expect(line(facts, "NUMA"), Verdict::fallback, "/sys/devices/system/node is missing");
}

TEST(DoctorChecks, CpusOfThisProcess) {
  DoctorFacts facts = machine_facts("gb10", {});
  expect(line(facts, "CPUs"), Verdict::ok, "may use 20 of 20");
  facts.cpus.quota = 2.5;
  expect(line(facts, "CPUs"), Verdict::fallback, "the time of 2.5");
  facts.cpus = {20, 1, 0};
  expect(line(facts, "CPUs"), Verdict::fallback, "bound to one");
}

TEST(DoctorChecks, Mpi) {
  DoctorFacts facts = machine_facts("gb10", {});
  expect(line(facts, "MPI"), Verdict::ok, "Open MPI v4.1.4");
  facts.ranks_share = false;
  expect(line(facts, "shared memory"), Verdict::fallback, "exchange: mpi");
  facts.shm = DiskFacts{"/dev/shm", "tmpfs", 64 * mebibyte, 60 * mebibyte, true, true};
  expect(line(facts, "/dev/shm"), Verdict::fallback, "60.0 MiB free of 64.0 MiB");
  facts.shm->known = false;
  expect(line(facts, "/dev/shm"), Verdict::fallback, "missing");
  facts.build.mpi.clear();
  expect(line(facts, "/dev/shm"), Verdict::ok, "nothing needs it");
  expect(line(facts, "MPI"), Verdict::fallback, "not built in");
  facts.started_by_mpi = true;
  EXPECT_TRUE(line(facts, "MPI").fatal);
}

TEST(DoctorChecks, Disks) {
  DoctorFacts facts = machine_facts("gb10", {});
  expect(line(facts, "disk"), Verdict::ok, "50.0 GiB free of 100.0 GiB, ext4");
  facts.here->kind = "lustre";
  expect(line(facts, "disk"), Verdict::ok, "lustre (network)");
  facts.here->free = mebibyte;
  expect(line(facts, "disk"), Verdict::fallback, "little room");
  facts.here->kind = "tmpfs";
  expect(line(facts, "disk"), Verdict::fallback, "host's memory");
  facts.here->writable = false;
  expect(line(facts, "disk"), Verdict::refused, "not writable");
  facts.here->known = false;
  expect(line(facts, "disk"), Verdict::fallback, "does not describe");
}

TEST(DoctorPage, StandsInAReport) {
  const DoctorFacts facts = machine_facts("gh200", {working(testing::gh200_gpu())});
  const std::string page = page_text(facts, all_checks(facts));
  EXPECT_EQ(page.find("lbm " LBM_VERSION ", commit "), 0U);
  EXPECT_NE(page.find("6.8.0-1021-nvidia-64k aarch64, Ubuntu 22.04.5 LTS\n"), std::string::npos)
      << page;
  std::size_t begin = 0;
  for (std::size_t end = page.find('\n'); end != std::string::npos; end = page.find('\n', begin)) {
    EXPECT_LE(end - begin, 100U) << page.substr(begin, end - begin);
    EXPECT_NE(page[end - (end > begin ? 1 : 0)], ' ') << "a blank at the end of a line";
    begin = end + 1;
  }
}

TEST(DoctorPage, HasAllLinesAsJson) {
  const DoctorFacts facts = machine_facts("gb10", {});
  const Checks checks = all_checks(facts);
  const io::Json json = page_json(facts, checks);
  ASSERT_EQ(json["checks"].size(), checks.size());
  EXPECT_EQ(json["checks"][1]["name"], checks[1].name);
  EXPECT_EQ(json["checks"][1]["verdict"], "OK");
  EXPECT_EQ(json["can_run"], true);
}

}  // namespace
}  // namespace lbm::cases::doctor
