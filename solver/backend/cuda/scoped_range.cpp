// SPDX-License-Identifier: Apache-2.0

// NVTX is header-only; toolkits that come without it still build.
#include "solver/backend/scoped_range.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace lbm {

ScopedRange::ScopedRange(const char* name, std::int64_t number) {
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  range.payload.llValue = number;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = name;
  nvtxRangePushEx(&range);
}

ScopedRange::~ScopedRange() { nvtxRangePop(); }

}  // namespace lbm
#else
namespace lbm {

ScopedRange::ScopedRange(const char*, std::int64_t) {}
ScopedRange::~ScopedRange() = default;

}  // namespace lbm
#endif
