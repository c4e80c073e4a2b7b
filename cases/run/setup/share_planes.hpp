// Planes of a grid for processes of different speed. Whole numbers only: all come to the same.
#pragma once

#include <cstdint>
#include <vector>

namespace lbm::cases {

// Planes of each process, lowest first: in proportion to speeds (above 0, any unit, below 2^31) as
// far as whole planes allow, but at least `least`. nz: at least so many for each.
std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least);

}  // namespace lbm::cases
