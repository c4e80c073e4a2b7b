// SPDX-License-Identifier: Apache-2.0

// Measurements of `lbm bench` as plain data, what runs them one by one on the pipeline of cases,
// and their tables and JSON.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/text/json.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/backend/speeds.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/enum_names.hpp"
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
constexpr auto enum_names(BenchGroup) {
  return std::array{"copy", "link", "in_core", "threads", "out_of_core", "halo", "size"};
}

// Groups measured by default. No link on a CPU, whose memory is the host's.
inline std::vector<BenchGroup> default_groups(BackendKind backend) {
  using enum BenchGroup;
  if (backend == BackendKind::cpu) return {copy, in_core, threads};
  return {copy, link, in_core, out_of_core, halo, size};
}

enum class BenchBox {
  periodic,
  cavity,    // walls and a lid
  sphere,    // periodic, a solid sphere in the middle
  tunnel,    // inlet, outlet, free slip at the sides, a sphere with interpolated walls; TRT and LES
  cumulant,  // periodic, cumulants on D3Q27
};
constexpr auto enum_names(BenchBox) {
  return std::array{"periodic", "cavity", "sphere", "tunnel", "cumulant"};
}

// Limits of all measurements, and the groups to measure.
struct BenchLimits {
  BackendKind backend = BackendKind::cpu;
  int threads = 1;                 // Backend::threads()
  std::uint64_t device_bytes = 0;  // where both are host memory additional to host_bytes
  std::uint64_t host_bytes = 0;
  bool quick = false;
  std::optional<std::int64_t> steps;  // of each measurement; empty: limited by time
  std::vector<BenchGroup> groups;
  bool integrated = false;  // a GPU that uses host memory: no grid goes out of core
  // Backend::steps_per_pass() of a GPU; empty: one step a pass.
  std::function<int(const Lattice&)> steps_in_one_pass{};

  bool wants(BenchGroup group) const { return std::count(groups.begin(), groups.end(), group) > 0; }
};

// A measurement. Empty members are chosen by the program.
struct BenchCase {
  BenchGroup group = BenchGroup::in_core;
  std::array<int, 3> cells{};
  StorageType storage = StorageType::fp32;
  Representation representation = Representation::populations;  // moments: collision regularised
  BenchBox box = BenchBox::cavity;
  std::optional<tiling::Scheme> scheme{};
  std::optional<int> k{}, planes{};
  std::uint64_t device_limit = ~std::uint64_t{0};  // at most that of the limits
  double seconds = 1;                              // approximate duration
  std::int64_t least_steps = 1;                    // if the model chooses k
  // Run length for which the model chooses; whole sweeps of that schedule are measured. Empty: the
  // measured number of steps.
  std::optional<std::int64_t> run_steps{};
  bool whole_run = false;  // measure all of run_steps, in whole sweeps
  int threads = 0;         // of the CPU; 0: all of the backend, or a GPU

  // These are of completed().
  std::string name{};  // "fp32 cavity 512 x 512 x 512"; with "auto" if the model chose
  tiling::ScheduleOptions options{};
  std::uint64_t device_bytes = 0;       // planes, and an upper bound for boundaries
  std::uint64_t lattice_bytes = 0;      // on the host; 0 in core
  std::optional<std::int64_t> steps{};  // exact number; empty: until `seconds` have passed
  std::string skipped{};                // reason why it is not measured; empty if it is

  double cell_count() const { return static_cast<double>(cells[0]) * cells[1] * cells[2]; }
  // Read and written by an update.
  double cell_bytes() const {
    const auto set = box == BenchBox::cumulant ? VelocitySet::D3Q27 : VelocitySet::D3Q19;
    return 2.0 * values_of({representation, set}) * static_cast<double>(bytes_per_value(storage));
  }
  bool automatic() const { return !k; }  // k and B are chosen by the program
  bool in_core() const { return options.scheme == tiling::Scheme::in_core; }
  bool fits() const { return skipped.empty(); }
};

// Number of planes created once and repeated; kept in memory beside the lattice.
inline constexpr int bench_pattern_planes = 8;

// Host memory of a measurement in bytes; memory of the CPU backend's device is not counted.
std::uint64_t bench_host_bytes(const BenchCase& bench);

Lattice bench_lattice(const BenchCase& bench);
Boundaries bench_boundaries(const BenchCase& bench);
// Upper bound of the boundaries' bytes, without creating them.
std::uint64_t bench_boundary_bytes(const BenchCase& bench);

// Adds schedule, steps, memory and name.
BenchCase completed(BenchCase bench, const BenchLimits& limits, const DeviceSpeeds& speeds);

// All measurements of `lbm bench` except `copy` and `link`, in order, derived from the machine's
// memory and speeds without a device. Before an out-of-core one comes its in-core reference, of the
// same grid if that fits.
std::vector<BenchCase> bench_cases(const BenchLimits& limits, const DeviceSpeeds& speeds);

class BenchStore;

class BenchRunner {
 public:
  // backend and speeds must outlive the object. most_lattice_bytes: of the largest host lattice.
  // stop: called between sweeps; true ends the measurement.
  BenchRunner(Backend& backend, const DeviceSpeeds& speeds, std::uint64_t most_lattice_bytes,
              std::function<bool()> stop);

  // Frees device memory afterwards; host memory is kept for the next measurement. Adds a row,
  // marked as skipped if memory is too little after all, or none if the measurement was stopped.
  // Throws DivergedError.
  void measure(const BenchCase& bench);

  // Rows of the JSON (docs/bench.md). Shares are fractions of 1, null without the other
  // measurement; share_of_in_core: out of core, relative to the last measurement in core of the
  // same group, planes and storage.
  const io::Json& rows() const { return rows_; }

 private:
  io::Json run(const BenchCase& bench);
  double in_core_mlups(const io::Json& row) const;

  Backend& backend_;
  const DeviceSpeeds& speeds_;
  std::function<bool()> stop_;
  std::shared_ptr<BenchStore> store_;
  io::Json rows_ = io::Json::array();
};

// One of the ways of copies between host and device.
struct BenchLink {
  LinkPath path;
  LinkSpeed speed;  // zeros where memory was short
};

// Device and settings of one call of the program.
struct BenchSession {
  std::string device;
  DeviceFacts facts;
  BenchLimits limits;
  DeviceSpeeds speeds;  // 0 where not measured
  std::vector<BenchLink> links;
  std::string started;  // "2026-01-31T12:00:00Z"
};

// Out of core with populations in fp32 and the program's own schedule: the share of the speed in
// core that is lost. Empty where one of both was not measured.
std::optional<double> loss_out_of_core(const io::Json& rows);

// Copies on the device and over the link, as rows of the JSON.
io::Json copy_rows(const BenchSession& session);
// The whole JSON. stopped: reason for missing rows; empty if all are there.
io::Json bench_json(const BenchSession& session, const io::Json& rows, const std::string& stopped);

// A part of the table, by table.yaml: "copy" of a row of copy_rows(), "group", "loss".
std::string bench_text(const std::string& part, const io::Json& values);
std::string bench_link_text(const BenchLink& link);
std::string bench_row_text(io::Json row);
// The text of that file; CMake writes this function.
const char* bench_table();

}  // namespace lbm::cases
