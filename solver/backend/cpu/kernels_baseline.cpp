// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/kernels.hpp"
#include "solver/backend/cpu/rows.hpp"

namespace lbm::cpu {
const Kernels kernels_baseline{"baseline",      update_rows_any,      update_pair_any,
                               moment_rows_any, sample_flow_rows_any, load_halves,
                               round_halves};
}
