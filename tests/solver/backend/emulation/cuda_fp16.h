// SPDX-License-Identifier: Apache-2.0

// Stands in for CUDA's header: on a CPU halves are converted by solver/lattice/storage.hpp.
#pragma once
