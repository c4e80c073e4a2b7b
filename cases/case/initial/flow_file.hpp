// SPDX-License-Identifier: Apache-2.0

// The flow of a results file, for a run that starts from it.
#pragma once

#include <memory>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/initial/flow_rows.hpp"

namespace lbm::cases {

// Opens initial.file: a VTKHDF file of all cells of a run of lbm (docs/output.md) in the same box,
// with velocity and density or pressure. The units are those that the file names: velocities are
// kept in units of the case, and pressures relative to the reference pressure, so the lattice
// velocities of the two runs may differ. The file stays open as long as the flow lives. A few
// planes are in memory: those that the threads are reading, of 16 bytes a cell.
//
// Throws UsageError, one line with the key and the file, where the file is something else, and
// later, from read(), where its values cannot be read.
std::shared_ptr<const FlowRows> open_flow_file(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
