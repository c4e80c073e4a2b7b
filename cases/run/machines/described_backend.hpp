// SPDX-License-Identifier: Apache-2.0

// The backend of a machine that is described: it answers what a plan asks of a device, and can
// neither allocate nor compute.
#pragma once

#include <memory>

#include "cases/run/machines/described_machine.hpp"
#include "solver/backend/backend.hpp"

namespace lbm::cases {

// machine is copied.
std::unique_ptr<Backend> make_described_backend(const DescribedMachine& machine);

}  // namespace lbm::cases
