// SPDX-License-Identifier: Apache-2.0

// The ranks of a run together before the first step: they compare programs, cases, checkpoints and
// grids, since each rank reads its own files, which may differ from host to host; they share
// errors, measure their devices, and divide the grid, the devices and the memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/setup/setup.hpp"
#include "solver/backend/speeds.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The error of the lowest rank that failed, thrown in all ranks. The root reports it; then all
// ranks meet at a barrier before they exit.
struct SharedError : Error {
  using Error::Error;
};

// Runs work() in all ranks, then exchanges the errors; collective. Throws SharedError in all ranks
// if any failed. Collective calls in work() must precede code that may fail in one rank alone.
void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work);

class Restart;

// Collective, except files_behind(). If a rank differs from rank 0, all throw the same UsageError.

// program: program_checksum() of this rank.
void agree_on_program(const std::string& program, tiling::Ranks& ranks);
// All keys except device.*, host.* and names of files: ranks may have different devices, and files
// may lie in different folders.
void agree_on_case(const Case& lbm_case, tiling::Ranks& ranks);
// restart: null for a run from the initial state.
void agree_on_checkpoint(const Restart* restart, tiling::Ranks& ranks);
// The files that the case names, each by device, inode, size and time of change: two processes of a
// host with equal texts read the same files.
std::string files_behind(const Case& lbm_case);
// Compares checksums of the boundaries, and so the contents of the files that the case names.
void agree_on_boundaries(const Case& lbm_case, const Boundaries& boundaries, tiling::Ranks& ranks);

// True if choosing a schedule for slabs of `planes` planes requires the speeds of the device.
bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes);

// Speeds of this process's device; collective. GPUs of a host share its memory, so all ranks
// measure their links at the same time, and the other speeds as by speeds_of(). CPU backends share
// it for all work and measure all speeds at the same time. A speed whose measurement does not fit
// in memory stays 0; nothing is thrown.
DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks);

// Planes of each process, lowest first, as even as possible. Throws UsageError for fewer than two
// planes a process.
std::vector<int> planes_of_processes(const Case& lbm_case, int processes);

// The slab of process `rank`. planes: of each process, lowest first.
tiling::SlabShare slab_of(const std::vector<int>& planes, int rank);

// If the case leaves device.backend open, a process without a GPU computes on the CPU. Throws the
// same UsageError in all processes if others have GPUs then. gpus: number that this process finds.
void agree_on_backends(const Case& lbm_case, int gpus, tiling::Ranks& ranks);

// Assigns each process a GPU of its own, or with device.share one that the fewest have. gpus: names
// that this process sees (cuda_device_names). Call agree_on_backends() before. Throws the same
// UsageError in all processes if one finds no free GPU. Empty for processes without GPUs.
std::optional<PickedDevice> agree_on_devices(const Case& lbm_case,
                                             const std::vector<std::string>& gpus,
                                             tiling::Ranks& ranks);

// Number of this host's processes whose device is next to this NUMA node. Collective.
int ranks_near_node(int node, tiling::Ranks& ranks);

// The case as this process runs it: with `device`, or its share of the cores, and its share of the
// host's memory.
Case case_of_process(const Case& lbm_case, const std::optional<PickedDevice>& device,
                     const tiling::Ranks& ranks);

// If processes share the GPU, limits device.memory to this process's share of the free memory.
void share_device(Case& own, const Backend& backend, const std::optional<PickedDevice>& device);

// Update speed of this process's device in MB/s, measured (speeds_of) if the processes have devices
// of different names; otherwise 0 without a measurement. Collective.
std::int64_t speed_beside_others(const Case& own, Backend& backend, tiling::Ranks& ranks);

// Planes of each process in proportion to speed_beside_others(); equal shares if any speed is 0.
std::vector<int> agree_on_planes(const Case& lbm_case, std::int64_t speed, tiling::Ranks& ranks);

// Number of planes for which process `rank` makes its schedule: of the thickest slab, so that all
// make the same schedule; of its own slab if slabs differ by more than one plane.
int planes_to_plan_for(const std::vector<int>& planes, int rank);

// Sets the most modest of all processes' schedules in `setup`: out of core before in core, then the
// fewest steps a visit, then the fewest planes. planes_per_visit is cut to the thinnest slab.
// Throws UsageError if this slab is too thin for haloed tiles.
void agree_on_schedule(const Case& lbm_case, Setup& setup, const std::vector<int>& planes,
                       tiling::Ranks& ranks);

// bound: cores that a process may use; allowed: cores of its launcher; processes: of its host,
// which share these. 0: unknown.
struct Binding {
  int bound = 0, allowed = 0, processes = 1;
};
// A warning if a launcher has bound the process to one core, far less than its share; else empty.
// Open MPI binds two processes so by default.
std::string binding_warning(int process, const Binding& binding);
// The warning of the first such process. Collective.
std::string binding_warning(tiling::Ranks& ranks);

}  // namespace lbm::cases
