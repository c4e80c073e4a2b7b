// SPDX-License-Identifier: Apache-2.0

// The namespace of emulated kernels has special cells of its own. A file of its own as well, as
// clang-tidy looks at every .cpp with the flags of every target that compiles it.
#include "solver/backend/cuda/passes/special_cells.cpp"  // NOLINT(bugprone-suspicious-include)
