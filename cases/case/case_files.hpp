// Files that a case names.
#pragma once

#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// As the case means it: relative to the folder of the case file.
std::string path_of(const Case& lbm_case, const std::string& file);

// The same case, with files named from the root: it may be written to another folder.
Case with_whole_paths(Case lbm_case);

}  // namespace lbm::cases
