// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/nccl_library.hpp"

#include <dlfcn.h>

#include <optional>

namespace lbm::cuda {
namespace {

// Points `function` to the function of the library; false: the library has no such function.
template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<NcclLibrary> load() {
  void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  decltype(&ncclGetVersion) get_version = nullptr;
  int version = 0;
  if (!find(library, "ncclGetVersion", get_version) || get_version(&version) != ncclSuccess ||
      version < oldest_nccl) {
    return std::nullopt;
  }
  NcclLibrary nccl;
  nccl.version = version;
  const bool complete = find(library, "ncclGetUniqueId", nccl.get_unique_id) &&
                        find(library, "ncclCommInitRankConfig", nccl.comm_init_rank_config) &&
                        find(library, "ncclCommGetAsyncError", nccl.comm_get_async_error) &&
                        find(library, "ncclCommAbort", nccl.comm_abort) &&
                        find(library, "ncclSend", nccl.send) &&
                        find(library, "ncclRecv", nccl.receive) &&
                        find(library, "ncclGetErrorString", nccl.get_error_string);
  if (!complete) return std::nullopt;
  return nccl;
}

}  // namespace

const NcclLibrary* nccl_library() {
  static const std::optional<NcclLibrary> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace lbm::cuda
