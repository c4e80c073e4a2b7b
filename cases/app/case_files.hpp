// Files that a case names.
#pragma once

#include <string>

#include "cases/app/case.hpp"

namespace lbm::app {

// As the case means it: relative to the folder of the case file.
std::string path_of(const Case& lbm_case, const std::string& file);

}  // namespace lbm::app
