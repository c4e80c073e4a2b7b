// One measurement of `lbm bench`, as plain data.
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
  copy,         // the device's memory
  link,         // between host and device
  in_core,      // storage types, grid sizes and boundaries
  threads,      // of the CPU
  out_of_core,  // over the steps a visit, and what the model chooses
  halo,         // haloed tiles against the wavefront
  size,         // over the grid's size, across the device's memory
};
inline constexpr std::array bench_groups{
    BenchGroup::copy, BenchGroup::link,        BenchGroup::in_core, BenchGroup::threads,
    BenchGroup::halo, BenchGroup::out_of_core, BenchGroup::size};
const char* to_string(BenchGroup group);

// What a backend measures when nobody chooses: a CPU's memory is the host's, so no link there.
std::vector<BenchGroup> default_groups(BackendKind backend);

enum class BenchBox {
  periodic,
  cavity,  // walls and a lid
  sphere,  // periodic, a solid sphere in the middle
  tunnel,  // inlet, outlet, free slip at the sides, a sphere with interpolated walls; TRT and LES
};
const char* to_string(BenchBox box);

// What the measurements may take, and which are wanted.
struct BenchLimits {
  BackendKind backend = BackendKind::cpu;
  int threads = 1;                 // Backend::threads()
  std::uint64_t device_bytes = 0;  // on the CPU backend these come on top of host_bytes
  std::uint64_t host_bytes = 0;
  bool quick = false;
  std::optional<std::int64_t> steps;  // of each measurement; empty: as many as its time allows
  std::vector<BenchGroup> groups;

  bool wants(BenchGroup group) const;
};

struct BenchCase {
  BenchGroup group = BenchGroup::in_core;
  std::string name;  // "fp32 cavity 512 x 512 x 512"; with "auto" where the model chose
  std::array<int, 3> cells{};
  StorageType storage = StorageType::fp32;
  BenchBox box = BenchBox::cavity;
  tiling::ScheduleOptions options;
  bool automatic = false;  // k and B are the program's own choice, not fixed here
  int threads = 0;         // of the CPU; 0 on a GPU
  // The plan's limit, and what it takes: planes, and an upper bound of the boundaries' share.
  std::uint64_t device_limit = 0, device_bytes = 0;
  std::uint64_t lattice_bytes = 0;    // on the host; 0 in core
  std::optional<std::int64_t> steps;  // exactly; empty: until `seconds` have passed
  double seconds = 0;
  std::string skipped;  // why it cannot be measured here; empty where it can
};

// Planes that are made once and repeated; a measurement holds them besides its lattice.
inline constexpr int bench_pattern_planes = 8;

// Bytes on the host that a measurement takes, what is device memory elsewhere not counted.
std::uint64_t bench_host_bytes(const BenchCase& bench);

Lattice bench_lattice(const BenchCase& bench);
Boundaries bench_boundaries(const BenchCase& bench);
// An upper bound, without making them.
std::uint64_t bench_boundary_bytes(const BenchCase& bench);

}  // namespace lbm::cases
