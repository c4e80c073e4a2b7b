// SPDX-License-Identifier: Apache-2.0

// Warnings of a case with many bodies.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

// Where more than three lines differ by the name of a body and by numbers alone, the first one
// stands for them, and names some of the others. All other lines stay.
std::vector<std::string> join_alike(std::vector<std::string> lines);

}  // namespace lbm::cases
