// Where the planes of a run are kept, or come from.
#pragma once

#include <memory>

#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// Of this process: with the initial flow, or where restart is not null with its state. Throws as
// the stores of tiling do.
std::unique_ptr<tiling::PlaneStore> make_store(const Setup& setup, Backend& backend,
                                               const Restart* restart);

}  // namespace lbm::cases
