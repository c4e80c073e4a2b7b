// Finds what a misspelt key was meant to be.
#pragma once

#include <string>

namespace lbm::cases {

// The path of the key or group nearest to `wanted` by edits, over full paths and over their last
// names ("reynolds" finds "fluid.reynolds"); empty when nothing is near.
std::string nearest_key(const std::string& wanted);

}  // namespace lbm::cases
