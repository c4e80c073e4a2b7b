// SPDX-License-Identifier: Apache-2.0

// Distributes planes to ranks of different speed. Integer arithmetic only: all ranks get the same
// result.
#pragma once

#include <cstdint>
#include <vector>

namespace lbm::cases {

// Planes of each rank, lowest first, in proportion to speeds (above 0, any unit, below 2^31) as far
// as whole planes allow, but at least `least`. Requires nz >= least * ranks.
std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least);

}  // namespace lbm::cases
