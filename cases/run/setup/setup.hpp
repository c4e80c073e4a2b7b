// SPDX-License-Identifier: Apache-2.0

// From a case to a run: device, lattice, initial flow and schedule; of several processes, the share
// of each: planes, GPU, threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "solver/backend/backend.hpp"
#include "solver/lattice/plane_layout.hpp"
#include "solver/machine/machine_facts.hpp"
#include "tiling/model/choose_schedule.hpp"

namespace lbm::cases {

// The values to store of a cell where the case leaves them open (lattice.representation: auto).
struct RepresentationChoice {
  Representation representation = Representation::populations;
  std::string reason;  // for users; empty where the case or its collision leaves no choice
};

// Moments for collisions that need no more, else populations. It follows from the case alone, so
// every machine computes the same bits.
RepresentationChoice choose_representation(const Case& lbm_case);

struct Setup : CaseModel {
  tiling::SlabShare share;            // of this rank; its exchange is created later
  tiling::Neighbours neighbours;      // ranks that share the grid
  std::vector<int> planes;            // by rank; empty: one rank
  std::vector<std::string> exchange;  // exchange method of each rank; empty: one rank
  tiling::ScheduleChoice plan;
  std::string representation_reason;      // why this one; empty: the case says it
  double predicted_mlups = 0;             // of all ranks together; 0: not predicted
  std::optional<HostMemory> host_memory;  // of the lattice; empty in core
  std::uint64_t staging_limit = 0;        // host memory in bytes for output fields
};

inline std::int64_t cell_count(const std::array<int, 3>& n) {
  return std::int64_t{n[0]} * n[1] * n[2];
}

// A GPU if the case allows one and there is one, else the CPU. Throws UsageError, also if that
// device does not support the host memory of the case.
std::unique_ptr<Backend> make_backend(const Case& lbm_case);

// Allocates nothing large. Measures the device (speeds_of) if the choice of the schedule depends on
// its speeds. Throws ResourceError, with the case's file and line, if the device or host has too
// little memory.
// The case's representation must not be auto.
// derived: of validate(). request: of make_schedule_request(), so that speeds are measured once.
// share: of a rank with a part of the grid; the plan is for the thickest slab, of `thickest`
// planes.
// limit, bodies: of make_case_model(); where the limit is reached, the plan is that of a case
// without bodies.
Setup make_setup(const Case& lbm_case, const Derived& derived, Backend& backend,
                 const tiling::ScheduleRequest& request, const tiling::SlabShare& share = {},
                 int thickest = 0, const TimeLimit& limit = {},
                 std::optional<CaseBodies> bodies = {});

// Parts of make_setup(), for plans of other grids and devices.
// may_measure: whether its speeds() may measure the device, which takes seconds and hundreds of
// megabytes; else they are not known unless they were measured before.
tiling::ScheduleRequest make_schedule_request(const Case& lbm_case, const Derived& derived,
                                              Backend& backend, bool may_measure = true);
// Host memory of a run besides the lattice and fields in transit: statistics, pictures, and the
// start of initial.flow: darcy.
std::uint64_t held_bytes(const Case& lbm_case, const Derived& derived);
// For `processes` ranks with devices of that kind; network: bytes per second between two of them,
// 0 for no limit; latency: seconds.
tiling::Neighbours neighbours_of(const Case& lbm_case, BackendKind backend, int processes,
                                 double network = 0, double latency = 0);
// Bytes for the lattice on the device and on the host.
std::uint64_t device_budget(const Case& lbm_case, const Backend& backend);
std::uint64_t host_budget(const Case& lbm_case);
// Part of the host budget for output fields in transit, beyond a minimum number of planes.
std::uint64_t staging_limit(std::uint64_t host_budget);
// choose_schedule() including the host memory of output fields.
tiling::ScheduleChoice choose_with_outputs(const Lattice& lattice, const Boundaries& boundaries,
                                           const tiling::ScheduleRequest& request,
                                           std::uint64_t device_budget,
                                           std::uint64_t staging_limit);
// The same for one of several ranks. Keeps halo planes on the host if the device has no room for
// them, and says so in request.neighbours.
tiling::ScheduleChoice choose_with_halo(const Lattice& lattice, const Boundaries& boundaries,
                                        tiling::ScheduleRequest& request,
                                        std::uint64_t device_budget, std::uint64_t staging_limit);
// The prediction for such a choice, by the speeds of the request. Empty without a choice, where
// the device was not measured, and for slabs that are too thin.
std::optional<tiling::Prediction> predict_choice(const Lattice& lattice,
                                                 const tiling::ScheduleRequest& request,
                                                 const std::optional<tiling::ScheduleChoice>& plan);
// Bytes of device memory for speeds_of().
std::uint64_t measuring_budget(const Backend& backend);
// Host memory of a plan in bytes, including the device's where that is the host's (CPU backend,
// integrated GPU).
std::uint64_t host_bytes_of(const tiling::ScheduleChoice& plan, const DeviceFacts& device);
// Throws UsageError where the case asks for a scheme that makes no sense on this device: out of
// core on an integrated GPU.
void check_scheme(const Case& lbm_case, const DeviceFacts& device);

// Integer arithmetic only, so that all ranks get the same result.
// Planes of each rank, lowest first, in proportion to speeds (above 0, any unit, below 2^31) as far
// as whole planes allow, but at least `least`. Requires nz >= least * ranks.
std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least);

// A rank's view: its host, and the GPUs it may use there, by names that all ranks of the host
// share.
struct VisibleDevices {
  std::string host;
  std::vector<std::string> names;
};

struct PickedDevice {
  int index = 0;    // among the visible GPUs of the rank
  int sharers = 1;  // ranks on the same GPU
};

// By rank, in order: the first GPU from number `first` on that no lower rank on its host has. If
// none is left and `share` is set, the one with the fewest ranks; otherwise empty. A launcher may
// show all GPUs of a host to each of its ranks, or one to each.
std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share);

// Cells of a thread below which fewer threads are as fast: each step ends with a wait for the
// slowest of them.
inline constexpr std::int64_t least_cells_of_thread = 8192;

// Threads of the CPU backend of one process where the case does not say how many, at least one.
// cpus: of this host, all of which `processes` processes
// share unless each is bound to some. cells: of the process.
int cpu_threads(const UsableCpus& cpus, int processes, std::int64_t cells);

// The same for this machine. OMP_NUM_THREADS, where it is set, decides alone.
int cpu_threads_here(int processes, std::int64_t cells);

}  // namespace lbm::cases
