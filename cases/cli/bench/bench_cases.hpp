// SPDX-License-Identifier: Apache-2.0

// The measurements of `lbm bench`, derived from the machine's memory and speeds without a device.
#pragma once

#include <vector>

#include "cases/cli/bench/bench_case.hpp"

namespace lbm::cases {

// All measurements except `copy` and `link`, in order. Before an out-of-core one comes its in-core
// reference, of the same grid if that fits.
std::vector<BenchCase> bench_cases(const BenchLimits& limits, const DeviceSpeeds& speeds);

}  // namespace lbm::cases
