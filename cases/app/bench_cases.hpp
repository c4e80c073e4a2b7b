// What `lbm bench` measures, as plain data: made from the machine's memory alone, without a device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/lattice/flags.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/plan.hpp"

namespace lbm::app {

enum class BenchGroup {
  copy,     // the device's memory
  link,     // between host and device
  in_core,  // storage types, grid sizes and boundaries
  steps,    // out of core, over the steps a visit
  size,     // over the grid's size, across the device's memory
  schemes,  // halo against wavefront
};
inline constexpr std::array bench_groups{BenchGroup::copy,  BenchGroup::link, BenchGroup::in_core,
                                         BenchGroup::steps, BenchGroup::size, BenchGroup::schemes};
const char* to_string(BenchGroup group);

enum class BenchBox {
  periodic,
  cavity,  // walls and a lid
  sphere,  // periodic, a solid sphere in the middle
};
const char* to_string(BenchBox box);

// What the measurements may take, and which are wanted.
struct BenchLimits {
  BackendKind backend = BackendKind::cpu;
  int threads = 1;                 // Backend::threads()
  std::uint64_t device_bytes = 0;  // on the CPU backend a part of host_bytes
  std::uint64_t host_bytes = 0;
  bool quick = false;
  std::optional<std::int64_t> steps;  // of each measurement; empty: as many as its time allows
  std::vector<BenchGroup> groups{bench_groups.begin(), bench_groups.end()};

  bool wants(BenchGroup group) const;
};

struct BenchCase {
  BenchGroup group = BenchGroup::in_core;
  std::string name;  // "fp32 cavity 256 x 256 x 256"
  std::array<int, 3> cells{};
  StorageType storage = StorageType::fp32;
  BenchBox box = BenchBox::cavity;
  tiling::PlanOptions options;
  // Of the planes, and an upper bound of the flags' share.
  std::uint64_t device_bytes = 0;
  // Planes of the lattice on the host: those of the largest neighbour that can share it, since
  // pinning a lattice takes longer than measuring with it. 0 in core.
  int store_planes = 0;
  std::uint64_t host_bytes = 0;  // of store_planes, or of staging planes
  // Runs sweeps until it has both, or exactly `steps`.
  double least_seconds = 0;
  int least_sweeps = 1;
  std::optional<std::int64_t> steps;
  std::string skipped;  // why it cannot be measured here; empty where it can
};

// All measurements of groups in_core ... schemes, in the order to make them.
std::vector<BenchCase> bench_cases(const BenchLimits& limits);

// Device memory that the group `size` treats as all there is: never more than device_bytes, less
// where a lattice beyond it would take too long.
std::uint64_t bench_size_limit(const BenchLimits& limits);

Lattice bench_lattice(const BenchCase& bench);
Flags bench_flags(const BenchCase& bench);

}  // namespace lbm::app
