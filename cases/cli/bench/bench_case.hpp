// A measurement of `lbm bench` as plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/backend/speeds.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::cases {

enum class BenchGroup {
  copy,         // device memory
  link,         // host to device and back
  in_core,      // storage types, grid sizes and boundaries
  threads,      // of the CPU
  out_of_core,  // over the steps per visit, and as chosen by the model
  halo,         // haloed tiles against the wavefront
  size,         // over the grid size, across the device memory
};
inline constexpr std::array bench_groups{
    BenchGroup::copy, BenchGroup::link,        BenchGroup::in_core, BenchGroup::threads,
    BenchGroup::halo, BenchGroup::out_of_core, BenchGroup::size};
const char* to_string(BenchGroup group);

// Groups measured by default. No link on a CPU, whose memory is the host's.
std::vector<BenchGroup> default_groups(BackendKind backend);

enum class BenchBox {
  periodic,
  cavity,  // walls and a lid
  sphere,  // periodic, a solid sphere in the middle
  tunnel,  // inlet, outlet, free slip at the sides, a sphere with interpolated walls; TRT and LES
};
const char* to_string(BenchBox box);

// Limits of all measurements, and the groups to measure.
struct BenchLimits {
  BackendKind backend = BackendKind::cpu;
  int threads = 1;                 // Backend::threads()
  std::uint64_t device_bytes = 0;  // on the CPU backend additional to host_bytes
  std::uint64_t host_bytes = 0;
  bool quick = false;
  std::optional<std::int64_t> steps;  // of each measurement; empty: limited by time
  std::vector<BenchGroup> groups;

  bool wants(BenchGroup group) const;
};

struct BenchCase {
  BenchGroup group = BenchGroup::in_core;
  std::string name;  // "fp32 cavity 512 x 512 x 512"; with "auto" if the model chose
  std::array<int, 3> cells{};
  StorageType storage = StorageType::fp32;
  BenchBox box = BenchBox::cavity;
  tiling::ScheduleOptions options;
  bool automatic = false;  // k and B are chosen by the program
  int threads = 0;         // of the CPU; 0 on a GPU
  // Limit of the plan and memory it needs: planes, and an upper bound for boundaries.
  std::uint64_t device_limit = 0, device_bytes = 0;
  std::uint64_t lattice_bytes = 0;    // on the host; 0 in core
  std::optional<std::int64_t> steps;  // exact number; empty: until `seconds` have passed
  double seconds = 0;
  std::string skipped;  // reason why it is not measured; empty if it is
};

// Number of planes created once and repeated; kept in memory beside the lattice.
inline constexpr int bench_pattern_planes = 8;

// Host memory of a measurement in bytes; memory of the CPU backend's device is not counted.
std::uint64_t bench_host_bytes(const BenchCase& bench);

Lattice bench_lattice(const BenchCase& bench);
Boundaries bench_boundaries(const BenchCase& bench);
// Upper bound of the boundaries' bytes, without creating them.
std::uint64_t bench_boundary_bytes(const BenchCase& bench);

}  // namespace lbm::cases
