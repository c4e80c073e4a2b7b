// SPDX-License-Identifier: Apache-2.0

// The functions of NCCL that this program calls. The library is loaded at run time, so that the
// program starts where there is none.
#pragma once

#include <nccl.h>

namespace lbm::cuda {

struct NcclLibrary {
  int version = 0;  // as ncclGetVersion() gives it
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) comm_init_rank_config = nullptr;
  decltype(&ncclCommGetAsyncError) comm_get_async_error = nullptr;
  decltype(&ncclCommAbort) comm_abort = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGetErrorString) get_error_string = nullptr;
};

// The first call loads libnccl.so.2; the library stays loaded. Null where the system has none, or
// one before version 2.17.1. Any thread may call it.
const NcclLibrary* nccl_library();

// The oldest version of NCCL that will do, as ncclGetVersion() gives it.
inline constexpr int oldest_nccl = NCCL_VERSION(2, 17, 1);

}  // namespace lbm::cuda
