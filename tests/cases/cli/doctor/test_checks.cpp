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

using Json = io::Json;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

Json working(const DeviceFacts& device) {
  Json gpu = gpu_facts(device, device.total_memory);
  const int capability = 10 * device.compute_major + device.compute_minor;
  gpu.update({{"gpu", 0},
              {"error", ""},
              {"code", capability},
              {"ptx", capability},
              {"code_error", ""},
              {"trial", "64 MiB on trial: bound, 100 % on node 0"},
              {"bind_preferred", false},
              {"pinned", true}});
  return gpu;
}

// All there is of a described machine, as if CUDA had been asked.
Json machine(const std::string& name, const std::vector<Json>& gpus) {
  Json facts = machine_facts(testing::machine(name));
  facts.update({{"system_root", ""},
                {"mpi_built", true},
                {"vtk_built", true},
                {"cuda_built", true},
                {"cuda_program", 13.0},
                {"cuda_driver", 13.0},
                {"gpus", gpus},
                {"nccl_built", true},
                {"nccl", 22807},
                {"locked_limited", false},
                {"ranks_share", true},
                {"disk", "/home/u"},
                {"disk_total_bytes", gibibyte},
                {"disk_free_bytes", gibibyte},
                {"disk_writable", true},
                {"disk_is_memory", false},
                {"shm_total_bytes", gibibyte},
                {"shm_free_bytes", gibibyte},
                {"shm_writable", true}});
  return facts;
}

Json gh200() { return machine("gh200", {working(testing::gh200_gpu())}); }

struct Check {
  std::string name, verdict, finding, remedy;
  bool fatal = false;
};

std::vector<Check> checks_of(const Json& facts) {
  std::vector<Check> checks;
  for (const Json& check : judge(facts)) {
    checks.push_back({check["name"], check["verdict"], check["finding"], check["remedy"],
                      check["fatal"].get<bool>()});
  }
  return checks;
}

Check line(const Json& facts, const std::string& name) {
  const std::vector<Check> checks = checks_of(facts);
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const Check& check) { return check.name == name; });
  if (found != checks.end()) return *found;
  ADD_FAILURE() << "no line " << name;
  return {};
}

void expect(const Json& facts, const std::string& name, const std::string& verdict,
            const char* part) {
  const Check check = line(facts, name);
  EXPECT_EQ(check.verdict, verdict) << name << ": " << check.finding;
  EXPECT_NE((check.finding + "; " + check.remedy).find(part), std::string::npos)
      << check.finding << "; " << check.remedy;
  EXPECT_EQ(check.remedy.empty(), verdict == "OK") << check.remedy;
}

TEST(DoctorChecks, AWholeGh200IsOk) {
  const Json facts = gh200();
  for (const Check& check : checks_of(facts)) {
    EXPECT_EQ(check.verdict, "OK") << check.name << ": " << check.finding;
    EXPECT_EQ(check.remedy, "") << check.name;
  }
  expect(facts, "gpu 0 link", "OK", "NVLink-C2C, pageable access ats, host.memory may be pinned, ");
  expect(facts, "gpu 0 host planes", "OK", "NUMA node 0; its own memory: node 1");
  expect(facts, "host memory", "OK", "456.8 GiB available of 478.8 GiB");
  expect(facts, "host memory", "OK", "not counted: 95.0 GiB on nodes without CPUs");
  expect(facts, "pages", "OK", "madvise, 512.0 MiB");
}

TEST(DoctorChecks, OtherCoherentMachines) {
  expect(machine("gb200", {}), "NUMA", "OK", "node 1 (CPUs 72-143");
  expect(machine("gb200", {}), "NUMA", "OK", "node 26 (185.0 GiB)");
  const Json gb10 = machine("gb10", {working(testing::gb10_gpu())});
  expect(gb10, "gpu 0 memory", "OK", "the host's memory");
  expect(gb10, "gpu 0 link", "OK", "none (integrated)");
}

TEST(DoctorChecks, LanesOfALink) {
  DeviceFacts device = testing::gh200_gpu();
  const auto narrow = [&](const char* link) {
    device.link = link;
    return gpu_facts(device, 0)["link_is_narrow"].get<bool>();
  };
  EXPECT_FALSE(narrow("PCIe 5 x16"));
  EXPECT_FALSE(narrow("PCIe 5 x16, now PCIe 1 x16")) << "an idle GPU saves power";
  EXPECT_TRUE(narrow("PCIe 5 x16, now PCIe 5 x8"));
}

// A change of the facts of a GH200 and of its GPU, and the line that must say so.
struct Fault {
  const char *name, *verdict, *part;
  Json facts, gpu{};
};

TEST(DoctorChecks, EachFaultHasItsLine) {
  const Json one = Json::array({1}), none = Json::array();
  const std::vector<Fault> faults{
      {"driver", "FALLBACK", "PTX", {{"cuda_driver", 12.8}}},
      {"driver", "REFUSED", "driver to one for CUDA 13.0", {{"cuda_driver", 12.4}, {"gpus", none}}},
      {"driver", "REFUSED", "nvidia-smi", {{"gpus", none}, {"cuda_error", "no device"}}},
      {"driver", "FALLBACK", "--gpus all", {{"gpus", none}, {"pci", none}, {"kernel_module", ""}}},
      {"driver", "FALLBACK", "CUDA was not asked", {{"system_root", "/a"}}},
      {"driver", "FALLBACK", "0009:01:00.0", {{"cuda_built", false}}},
      {"driver", "OK", "runs use the CPU", {{"cuda_built", false}, {"pci", none}}},
      {"gpu 0", "FALLBACK", "from PTX of 80", {}, {{"ptx", 80}}},
      {"gpu 0", "REFUSED", "ARCHITECTURES for 9.0", {}, {{"code_error", "no image"}}},
      {"gpu 0", "REFUSED", "fell off", {}, {{"error", "it fell off the bus"}}},
      {"gpu 0 memory", "FALLBACK", "file cache", {}, {{"free_bytes", gibibyte}}},
      {"gpu 0 link", "FALLBACK", "all lanes", {}, {{"link_is_narrow", true}}},
      {"gpu 0 link", "FALLBACK", "lbm bench", {}, {{"link", ""}}},
      {"gpu 0 host planes", "REFUSED", "ulimit", {}, {{"pinned", false}}},
      {"gpu 0 host planes", "FALLBACK", "SYS_NICE", {}, {{"bind_refused", true}}},
      {"gpu 0 host planes", "FALLBACK", "end what", {}, {{"bind_preferred", true}}},
      {"peer access", "FALLBACK", "topo", {{"no_peers", one}}},
      {"peer access", "OK", "open: 1", {{"not_shareable", one}}},
      {"host memory", "FALLBACK", "1.0 GiB", {{"usable_bytes", gibibyte}}},
      {"NUMA", "FALLBACK", "mount /sys", {{"host_nodes", none}}},
      {"NUMA", "FALLBACK", "whole nodes", {{"not_allowed_bytes", 1}}},
      {"pages", "FALLBACK", "echo madvise", {{"huge_pages_usable", false}}},
      {"locked memory", "FALLBACK", "64 KiB", {{"locked_limited", true}, {"locked", "64 KiB"}}},
      {"locked memory", "OK", "", {{"locked_limited", true}, {"mpi_built", false}}},
      {"NCCL", "OK", "exchange: mpi", {{"nccl", 0}}},
      {"NCCL", "FALLBACK", "pip install", {{"nccl", 0}, {"started_by_mpi", true}}},
      {"CPUs", "FALLBACK", "device.threads: 2", {{"cpu_quota", 2.5}}},
      {"CPUs", "FALLBACK", "bound to one", {{"cpus", 1}}},
      {"MPI", "FALLBACK", "one process", {{"mpi_built", false}}},
      {"shared memory", "FALLBACK", "exchange: mpi", {{"ranks_share", false}}},
      {"VTK", "FALLBACK", "vtkhdf", {{"vtk_built", false}}},
      {"disk", "FALLBACK", "little room", {{"disk_free_bytes", 1}}},
      {"disk", "FALLBACK", "host's memory", {{"disk_is_memory", true}}},
      {"disk", "REFUSED", "not writable", {{"disk_writable", false}}},
      {"/dev/shm", "FALLBACK", "--shm-size", {{"shm_free_bytes", 1}}},
  };
  for (const Fault& fault : faults) {
    Json facts = gh200();
    if (!fault.gpu.is_null()) facts["gpus"][0].update(fault.gpu);
    if (!fault.facts.is_null()) facts.update(fault.facts);
    expect(facts, fault.name, fault.verdict, fault.part);
  }
}

TEST(DoctorChecks, WithoutMemoryOrMpiNoRunStarts) {
  Json facts = gh200();
  facts.update({{"available_bytes", 0}, {"mpi_built", false}, {"started_by_mpi", true}});
  EXPECT_TRUE(line(facts, "host memory").fatal);
  EXPECT_TRUE(line(facts, "MPI").fatal);
  facts["total_bytes"] = 0;
  expect(facts, "host memory", "REFUSED", "/proc/meminfo is missing");
  EXPECT_FALSE(line(facts, "host memory").fatal) << "a GPU needs host.memory_limit only";
  facts["gpus"] = Json::array();
  EXPECT_TRUE(line(facts, "host memory").fatal);
}

}  // namespace
}  // namespace lbm::cases::doctor
