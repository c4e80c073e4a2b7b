// From a case to what runs it: the device, the lattice, the initial flow, the schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/model/case_model.hpp"
#include "solver/backend/backend.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace lbm::cases {

struct Setup : CaseModel {
  tiling::SlabShare share;            // of this process; its exchange is made later
  tiling::Neighbours neighbours;      // that share the grid
  std::vector<int> planes;            // of each process; empty: there is one
  std::vector<std::string> exchange;  // ways between them, by process; empty: there is one
  tiling::ScheduleChoice plan;
  double predicted_mlups = 0;             // of all processes together; 0: not foretold
  std::optional<HostMemory> host_memory;  // of the lattice on the host; empty in core
  std::uint64_t staging_limit = 0;        // bytes that output fields may take on the host
};

// The GPU where the case allows one and there is one, otherwise the CPU. Throws UsageError, also
// where that device has no use for the host memory that the case asks for.
std::unique_ptr<Backend> make_backend(const Case& lbm_case);

// Allocates nothing large. Throws ResourceError, with the case's file and line, when the device or
// the host has too little memory.
// Where the choice of the schedule depends on the device's speeds, these are measured (speeds_of).
Setup make_setup(const Case& lbm_case, Backend& backend);
// The same with the case's make_schedule_request(), whose speeds are then measured once. share: of
// a process that has a part of the grid; the plan is for the thickest slab, of `thickest` planes.
Setup make_setup(const Case& lbm_case, Backend& backend, const tiling::ScheduleRequest& request,
                 const tiling::SlabShare& share = {}, int thickest = 0);

// The parts of it, for plans of other grids and devices.
tiling::ScheduleRequest make_schedule_request(const Case& lbm_case, const Derived& derived,
                                              Backend& backend);
// Of `processes` with devices of that kind; network: bytes per second between two of them, 0 for
// more than it takes.
tiling::Neighbours neighbours_of(const Case& lbm_case, BackendKind backend, int processes,
                                 double network = 0);
// Bytes the lattice may take on the device, and on the host.
std::uint64_t device_budget(const Case& lbm_case, const Backend& backend);
std::uint64_t host_budget(const Case& lbm_case);
// Bytes of it that output fields may take on their way to the disk, beyond a least number of
// planes.
std::uint64_t staging_limit(std::uint64_t host_budget);
// choose_schedule, with the host memory of output fields added to that of the lattice.
tiling::ScheduleChoice choose_with_outputs(const Lattice& lattice, const Boundaries& boundaries,
                                           const tiling::ScheduleRequest& request,
                                           std::uint64_t device_budget,
                                           std::uint64_t staging_limit);
// And bytes on the device that speeds_of may take.
std::uint64_t measuring_budget(const Backend& backend);
// Bytes of host memory that a plan takes; on the CPU backend the device's memory is the host's.
std::uint64_t host_bytes_of(const tiling::ScheduleChoice& plan, BackendKind kind);

}  // namespace lbm::cases
