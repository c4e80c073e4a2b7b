// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/device_facts.hpp"

#include <fmt/format.h>

#include "solver/core/error.hpp"

namespace lbm {

std::optional<std::string> refusal_of(HostMemory kind, const DeviceFacts& device) {
  if (kind == HostMemory::pinned) return std::nullopt;
  const auto refuse = [&](const char* reason, const char* remedy) {
    return fmt::format("found {}, but {} {}; use {}", to_string(kind), device.name, reason, remedy);
  };
  if (device.backend == BackendKind::cpu) {
    return fmt::format(
        "found {}, but the CPU backend has only plain host memory; use host.memory: auto, or "
        "device.backend: cuda",
        to_string(kind));
  }
  if (kind == HostMemory::managed && !device.managed) {
    return refuse("cannot share managed memory with the host while it works",
                  "host.memory: pinned");
  }
  if (kind == HostMemory::system && device.pageable == PageableAccess::none) {
    return refuse("has no access to pageable host memory (no ATS, no HMM)", "host.memory: pinned");
  }
  return std::nullopt;
}

std::vector<HostMemory> usable_host_memory(const DeviceFacts& device) {
  std::vector<HostMemory> kinds;
  for (const HostMemory kind : {HostMemory::pinned, HostMemory::managed, HostMemory::system}) {
    if (!refusal_of(kind, device)) kinds.push_back(kind);
  }
  return kinds;
}

std::optional<std::string> warning_of(HostMemory kind, const DeviceFacts& device) {
  if (kind != HostMemory::system || device.pageable != PageableAccess::hmm) return std::nullopt;
  return fmt::format(
      "found system, but {} reaches host memory by migrating pages (HMM), which is slow; use "
      "host.memory: pinned",
      device.name);
}

bool shares_host_memory(const DeviceFacts& device) {
  return device.backend == BackendKind::cpu || device.integrated;
}

std::uint64_t free_device_memory(const DeviceFacts& device, std::uint64_t driver_free,
                                 std::uint64_t system_available) {
  return device.integrated ? system_available : driver_free;
}

std::optional<std::string> managed_refusal(std::uint64_t lattice_bytes, std::uint64_t plan_bytes,
                                           std::uint64_t free_bytes, const std::string& device) {
  if (lattice_bytes <= free_bytes && plan_bytes <= free_bytes - lattice_bytes) return std::nullopt;
  return fmt::format(
      "found managed, which must fit the card: {} of lattice and {} of plan, but {} has {} free; "
      "use host.memory: pinned",
      human_bytes(lattice_bytes), human_bytes(plan_bytes), device, human_bytes(free_bytes));
}

}  // namespace lbm
