// SPDX-License-Identifier: Apache-2.0

// A backend whose updates are the CUDA kernels, run on the CPU (emulator.hpp).
#pragma once

#include <memory>

#include "solver/backend/backend.hpp"

namespace lbm::test {

// passes: how many passes of two steps it has made, may be null; must outlive the backend.
std::unique_ptr<Backend> make_emulated_backend(int* passes = nullptr);

}  // namespace lbm::test
