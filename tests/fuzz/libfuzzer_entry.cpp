// SPDX-License-Identifier: Apache-2.0

// The entry of one fuzzer: LBM_FUZZ_TARGET is the function of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

// An exception ends the program, which libFuzzer reports as a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  lbm::fuzz::LBM_FUZZ_TARGET({reinterpret_cast<const char*>(data), bytes});
  return 0;
}
