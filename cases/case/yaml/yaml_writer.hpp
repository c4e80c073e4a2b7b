// SPDX-License-Identifier: Apache-2.0

// Writes a case as YAML; results contain the case that made them.
#pragma once

#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// All keys of the table with their values, defaults included; read_case() returns the same case
// (except file, lines and overridden).
std::string to_yaml(const Case& lbm_case);

}  // namespace lbm::cases
