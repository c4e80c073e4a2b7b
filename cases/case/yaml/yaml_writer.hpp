// Writes a case back as YAML: results carry the case that made them.
#pragma once

#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Every key of the table with its value, defaults included; read_case gives the same case back
// (but for file, lines and overridden).
std::string to_yaml(const Case& lbm_case);

}  // namespace lbm::cases
