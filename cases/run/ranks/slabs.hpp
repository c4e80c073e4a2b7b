// SPDX-License-Identifier: Apache-2.0

// How a grid is shared by processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/setup/pick_devices.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The name of the host of this process.
std::string host_name();

// Planes of each process, lowest first: as even as whole planes allow. Throws UsageError, which
// names grid.cells, where there are fewer than two for each.
std::vector<int> planes_of_processes(const Case& lbm_case, int processes);

// The slab of process `rank`. planes: of each process, lowest first.
tiling::SlabShare slab_of(const std::vector<int>& planes, int rank);

// Where the case leaves the kind of device open, a process that finds no GPU (gpus: how many it
// finds) computes on the CPU, but not beside others that compute on GPUs: then this throws
// UsageError, in all processes alike, which says where. All must call it.
void agree_on_backends(const Case& lbm_case, int gpus, tiling::Ranks& ranks);

// Every process says which GPUs it sees (cuda_device_names), and gets one of its own, or with
// device.share one that the fewest have. All must call it, and agree on the kind of device before.
// Throws UsageError, in all processes alike, where one gets none. Empty for processes without GPUs.
std::optional<PickedDevice> agree_on_devices(const Case& lbm_case,
                                             const std::vector<std::string>& gpus,
                                             tiling::Ranks& ranks);

// How many processes of this host, with this one, have devices next to the same NUMA node. All must
// call it.
int ranks_near_node(int node, tiling::Ranks& ranks);

// The case as this process runs it: with that GPU, or its part of the cores, and its part of the
// host's memory.
Case case_of_process(const Case& lbm_case, const std::optional<PickedDevice>& device,
                     const tiling::Ranks& ranks);

// Where processes share a GPU: gives this one its part of the memory that is free.
void share_device(Case& own, const Backend& backend, const std::optional<PickedDevice>& device);

// How fast the device of this process updates cells, in MB/s: measured (speeds_of) where the
// processes have devices of different names; otherwise 0, and nothing is measured. All must call
// it.
std::int64_t speed_beside_others(const Case& own, Backend& backend, tiling::Ranks& ranks);

// Planes of each process by what speed_beside_others() gave each; even where one gave 0. All must
// call it.
std::vector<int> agree_on_planes(const Case& lbm_case, std::int64_t speed, tiling::Ranks& ranks);

// Number of planes for which process `rank` makes its schedule: those of its slab where slabs
// differ by more than one plane. Otherwise those of the thickest slab, so that all processes make
// the same schedule.
int planes_to_plan_for(const std::vector<int>& planes, int rank);

// All processes take the most modest of their schedules, as far as their slabs allow it: out of
// core where one must, then the fewest steps a visit, then the fewest planes. All must call it.
// Throws UsageError where the slabs are too thin for it.
void agree_on_schedule(const Case& lbm_case, Setup& setup, const std::vector<int>& planes,
                       tiling::Ranks& ranks);

// Cores of a process: those that it may use, those of its launcher, and the processes of its host
// that share these. 0: unknown.
struct Binding {
  int bound = 0, allowed = 0, processes = 1;
};
// A line if a launcher has bound the process to one core, far less than its share; else empty. Open
// MPI does so with two processes unless it is told otherwise.
std::string binding_warning(int process, const Binding& binding);
// The same of the first such process. All processes must call it.
std::string binding_warning(tiling::Ranks& ranks);

}  // namespace lbm::cases
