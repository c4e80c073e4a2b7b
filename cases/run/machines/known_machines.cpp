// SPDX-License-Identifier: Apache-2.0

// Memory and links of machines that this project never had, from reports of others, and kernels by
// scaling those that were measured on an NVIDIA H100 and H200. docs/coherent.md has the sources.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/run/machines/described_machine.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr double giga = 1e9, tera = 1e12;

// NVIDIA H200 as `lbm bench` and `lbm run` measured it (docs/figures/data/bench_h200.json,
// passes_h200.json), whose copy makes 4218 GB/s.
constexpr int hopper_multiprocessors = 132;
// Kernels that memory limits, as shares of the copy.
constexpr double fp16_share = 0.956, fp32_share = 0.971, fp64_share = 0.977;
constexpr double fp32_two_steps_share = 1.489;  // 41,318 MLUPS of 152 bytes
// Kernels that arithmetic limits: of 132 multiprocessors.
constexpr double moments_fp32 = 20347e6 * 80, moments_fp32_two_steps = 62906e6 * 80;
constexpr double moments_fp16_two_steps = 58815e6 * 40;
constexpr double launch_seconds = 3.3e-6;
// A copy reaches this share of the memory's bandwidth on paper (H100 0.90, H200 0.88).
constexpr double copy_share = 0.88;

struct Gpu {
  const char* name;
  int compute_major, compute_minor, multiprocessors;
  double memory;     // bytes
  double bandwidth;  // of its memory on paper, bytes per second
};

DeviceSpeeds kernels_of(const Gpu& gpu, bool passes) {
  const double copy = copy_share * gpu.bandwidth;
  const double arithmetic = static_cast<double>(gpu.multiprocessors) / hopper_multiprocessors;
  const auto limited = [&](double bytes_per_second) {
    return std::min(bytes_per_second * arithmetic, 0.9 * copy);
  };
  const auto two_steps = [&](double bytes_per_second) { return passes ? bytes_per_second : 0; };
  DeviceSpeeds speeds;
  speeds.device = gpu.name;
  speeds.copy = copy;
  speeds.fp16 = {fp16_share * copy, launch_seconds, 0};
  speeds.fp32 = {fp32_share * copy, launch_seconds, two_steps(fp32_two_steps_share * copy)};
  speeds.fp64 = {fp64_share * copy, launch_seconds, 0};
  speeds.moments_fp16 = {limited(0.6 * moments_fp32), launch_seconds,
                         two_steps(moments_fp16_two_steps * arithmetic)};
  speeds.moments_fp32 = {limited(moments_fp32), launch_seconds,
                         two_steps(std::min(moments_fp32_two_steps * arithmetic, 1.9 * copy))};
  speeds.moments_fp64 = {limited(moments_fp32), launch_seconds, 0};
  return speeds;
}

DescribedMachine machine_of(const char* name, const Gpu& gpu, double host) {
  DescribedMachine machine;
  machine.name = name;
  machine.device.backend = BackendKind::cuda;
  machine.device.name = gpu.name;
  machine.device.compute_major = gpu.compute_major;
  machine.device.compute_minor = gpu.compute_minor;
  machine.device.multiprocessors = gpu.multiprocessors;
  machine.device.total_memory = static_cast<std::uint64_t>(gpu.memory);
  machine.device.pageable = PageableAccess::ats;
  machine.device.managed = true;
  machine.device.link = "NVLink-C2C";
  machine.device.numa_node = 0;
  // The driver, the system and file cache take some.
  machine.device_free = static_cast<std::uint64_t>(0.97 * gpu.memory);
  machine.host_available = static_cast<std::uint64_t>(0.95 * host);
  machine.speeds = kernels_of(gpu, device_has_passes(machine.device));
  machine.assumptions = {
      fmt::format("kernels that memory limits run at the share of the copy that an H200 reached, "
                  "the copy at "
                  "{:.0f} % of {:.3g} TB/s",
                  100 * copy_share, gpu.bandwidth / tera),
      fmt::format(
          "kernels of moments: those of the H200, by the number of multiprocessors ({} of {})",
          gpu.multiprocessors, hopper_multiprocessors)};
  return machine;
}

// GPUs of a Grace share its LPDDR5X, both directions of all.
void set_link(DescribedMachine& machine, int sharers) {
  constexpr double in = 375 * giga, out = 297 * giga, memory = 350 * giga;
  DeviceSpeeds& speeds = machine.speeds;
  speeds.link_in = std::min(in, memory);
  speeds.link_out = out;
  // As both are slowed by the same factor.
  const double share = memory / sharers / (in + out);
  speeds.link_in_both = share * in;
  speeds.link_out_both = share * out;
  machine.assumptions.push_back(
      fmt::format("link: {:.0f} GB/s in, {:.0f} out alone; both at once share {:.0f} GB/s of the "
                  "host's memory{}",
                  speeds.link_in / giga, speeds.link_out / giga, memory / giga,
                  sharers > 1 ? fmt::format(", {} GPUs of a CPU at work", sharers) : ""));
}

DescribedMachine gh200() {
  DescribedMachine machine =
      machine_of("gh200", {"GH200 with 96 GB of HBM3", 9, 0, 132, 96 * giga, 4 * tera}, 480 * giga);
  set_link(machine, 1);
  return machine;
}

DescribedMachine grace_blackwell(const char* name, const char* gpu, int minor, double memory) {
  DescribedMachine machine = machine_of(name, {gpu, 10, minor, 148, memory, 8 * tera}, 480 * giga);
  set_link(machine, 2);
  machine.assumptions.emplace_back(
      "one host is one Grace with two GPUs and 480 GB; the link is that reported for a GH200");
  return machine;
}

DescribedMachine gb10() {
  constexpr double memory = 128 * giga;
  DescribedMachine machine = machine_of("gb10", {"GB10", 12, 1, 48, memory, 273 * giga}, memory);
  machine.device.integrated = true;
  machine.device.link = "none (integrated)";
  machine.device_free = machine.host_available;
  DeviceSpeeds& speeds = machine.speeds;
  speeds.link_in = speeds.link_out = speeds.copy / 2;
  speeds.link_in_both = speeds.link_out_both = speeds.copy / 4;
  machine.assumptions.emplace_back("host and GPU share one memory: always in core");
  return machine;
}

DescribedMachine gb200() { return grace_blackwell("gb200", "B200 of a GB200", 0, 186 * giga); }
DescribedMachine gb300() { return grace_blackwell("gb300", "B300 of a GB300", 3, 288 * giga); }

struct Known {
  const char* name;
  DescribedMachine (*describe)();
};
constexpr Known described_here[] = {
    {"gh200", gh200}, {"gb200", gb200}, {"gb300", gb300}, {"gb10", gb10}};

}  // namespace

std::vector<std::string> known_machines() {
  std::vector<std::string> names;
  for (const Known& known : described_here) names.emplace_back(known.name);
  return names;
}

DescribedMachine known_machine(const std::string& name) {
  for (const Known& known : described_here) {
    if (name == known.name) return known.describe();
  }
  throw UsageError(fmt::format("found machine {}, must be {} or a JSON file", name,
                               fmt::join(known_machines(), ", ")));
}

}  // namespace lbm::cases
