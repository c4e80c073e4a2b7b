// SPDX-License-Identifier: Apache-2.0

// The ranks of a run together before the first step: they compare programs, cases, checkpoints and
// grids, since each rank reads its own files, which may differ from host to host; they share
// errors, and measure their devices.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cases/case/case.hpp"
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

}  // namespace lbm::cases
