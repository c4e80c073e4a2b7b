// SPDX-License-Identifier: Apache-2.0

// Ranks compare programs, cases, checkpoints and grids before the first step: each rank reads its
// own files, which may differ from host to host.
#pragma once

#include <optional>
#include <string>

#include "cases/case/case.hpp"
#include "solver/boundary/boundaries.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

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

}  // namespace lbm::cases
