// SPDX-License-Identifier: Apache-2.0

// A part of each test program: runs that it starts draw no pictures, unless LBM_PYTHON is set.
#include <cstdlib>

namespace {

[[maybe_unused]] const int is_set = ::setenv("LBM_PYTHON", "none", 0);

}  // namespace
