// SPDX-License-Identifier: Apache-2.0

// Creates the store of a run's planes.
#pragma once

#include <memory>

#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// Planes of this process, with the initial flow, or with the state of `restart` unless null. Throws
// as the stores of tiling.
std::unique_ptr<tiling::PlaneStore> make_store(const Setup& setup, Backend& backend,
                                               const Restart* restart);

}  // namespace lbm::cases
