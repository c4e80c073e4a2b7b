// SPDX-License-Identifier: Apache-2.0

// Names work of the host in profiles: an NVTX range, which Nsight Systems shows beside the work of
// the device. Costs nothing where no tool listens; does nothing without CUDA.
#pragma once

#include <cstdint>

namespace lbm {

class ScopedRange {
 public:
#if defined(LBM_HAVE_CUDA)
  // name: lives as long as the program. number: shown beside it.
  ScopedRange(const char* name, std::int64_t number);
  ~ScopedRange();
#else
  ScopedRange(const char*, std::int64_t) {}
  ~ScopedRange() {}  // not defaulted: an unused variable of this type is meant
#endif
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;
};

}  // namespace lbm
