// How a grid is shared by processes.
#pragma once

#include <vector>

#include "cases/app/case.hpp"
#include "cases/app/setup.hpp"
#include "tiling/ranks/ranks.hpp"

namespace lbm::app {

// Planes of each process, lowest first: as even as whole planes allow. Throws UsageError, which
// names grid.cells, where there are fewer than two for each.
std::vector<int> planes_of_processes(const Case& lbm_case, int processes);

int thickest(const std::vector<int>& planes);

// Of process `rank`.
tiling::SlabShare slab_of(const std::vector<int>& planes, int rank);

// Where the case leaves the kind of device open, a process that finds no GPU (gpus: how many it
// finds) computes on the CPU, but not beside others that compute on GPUs: then this throws
// UsageError, in all processes alike, which says where. All must call it.
void agree_on_backends(const Case& lbm_case, int gpus, tiling::Ranks& ranks);

// The case as process `rank` of several on this host runs it: with a GPU, or cores and host memory,
// of its own. Throws UsageError where there are fewer GPUs than processes, unless these may share
// them.
Case case_of_process(const Case& lbm_case, const tiling::Ranks& ranks);

// Where processes share a GPU (device.share): gives this one its part of the memory that is free.
void share_device(Case& own, const Backend& backend, const tiling::Ranks& ranks);

// All processes take the leader's schedule, as far as their slabs allow it. All must call it.
// Throws UsageError where the slabs are too thin for it.
void agree_on_schedule(const Case& lbm_case, Setup& setup, const std::vector<int>& planes,
                       tiling::Ranks& ranks);

}  // namespace lbm::app
