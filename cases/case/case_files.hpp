// SPDX-License-Identifier: Apache-2.0

// Files named by a case.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Resolves `file` relative to the folder of the case file.
std::string path_of(const Case& lbm_case, const std::string& file);

// All files that it names, as they are written there, without those named twice.
std::vector<std::string> files_of(const Case& lbm_case);

// The same case with absolute file names, so that it can be saved in another folder.
Case with_whole_paths(Case lbm_case);

}  // namespace lbm::cases
