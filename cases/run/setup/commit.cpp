// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/commit.hpp"

namespace lbm::cases {

const char* commit() { return LBM_COMMIT; }

}  // namespace lbm::cases
