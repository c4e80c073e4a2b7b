// Names what the host does while it gives work to the device, for tools that show that beside the
// device's work: NVTX ranges, which Nsight Systems reads. Free of cost where no tool listens;
// nothing where the program is built without CUDA.
#pragma once

#include <cstdint>

namespace lbm {

class ScopedRange {
 public:
#if defined(LBM_HAVE_CUDA)
  // name must live as long as the program; number is shown beside it.
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
