// SPDX-License-Identifier: Apache-2.0

// Where values and files of a case are: for messages, and to read them.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// "cavity.yaml:12: fluid.reynolds"; "--set fluid.reynolds" for a value from the command line;
// "cavity.yaml: fluid.reynolds" for a missing key (with the line of the nearest enclosing map, if
// any); "case.fluid.reynolds" for a case built in code.
std::string where(const Case& lbm_case, const std::string& key);

// Name of the case itself: its file, or "case".
std::string name_in_messages(const Case& lbm_case);

// Where more than three lines differ by the name of a body and by numbers alone, the first one
// stands for them, and names some of the others. All other lines stay.
std::vector<std::string> join_alike(std::vector<std::string> lines);

// Resolves `file` relative to the folder of the case file.
std::string path_of(const Case& lbm_case, const std::string& file);

// All files that it names, as they are written there, without those named twice.
std::vector<std::string> files_of(const Case& lbm_case);

// The same case with absolute file names, so that it can be saved in another folder.
Case with_whole_paths(Case lbm_case);

}  // namespace lbm::cases
