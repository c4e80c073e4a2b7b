// What `lbm bench` measures: made from the machine's memory and its measured speeds, without a
// device.
#pragma once

#include <vector>

#include "cases/cli/bench/bench_case.hpp"

namespace lbm::cases {

// All measurements but those of `copy` and `link`, in the order to make them. An out-of-core one
// has before it an in-core one that it is compared with, of the same grid where that fits.
std::vector<BenchCase> bench_cases(const BenchLimits& limits, const DeviceSpeeds& speeds);

}  // namespace lbm::cases
