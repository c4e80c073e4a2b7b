// SPDX-License-Identifier: Apache-2.0

// Which kind of device computes.
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm {

enum class BackendKind { cpu, cuda };

constexpr auto enum_names(BackendKind) { return std::array{"cpu", "cuda"}; }

}  // namespace lbm
