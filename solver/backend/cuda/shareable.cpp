// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/shareable.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace lbm::cuda {
namespace {

// Handles refer to whole blocks, which small allocations share: sizes are rounded up to a block.
constexpr std::size_t block = std::size_t{2} << 20;

bool succeeds(cudaError_t code) {
  if (code != cudaSuccess) cudaGetLastError();  // later calls must not see it
  return code == cudaSuccess;
}

}  // namespace

std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes) {
  void* data = nullptr;
  if (!succeeds(cudaMalloc(&data, std::max(bytes, block)))) return std::nullopt;
  Buffer memory(static_cast<std::byte*>(data), bytes, [](std::byte* p) { cudaFree(p); });
  if (!succeeds(fill_unwritten(data, bytes))) return std::nullopt;
  cudaIpcMemHandle_t handle{};
  if (!succeeds(cudaIpcGetMemHandle(&handle, data))) return std::nullopt;
  return ShareableBuffer{std::move(memory), hexadecimal(handle)};
}

std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes) {
  const auto handle = from_hexadecimal<cudaIpcMemHandle_t>(name);
  void* data = nullptr;
  if (!handle || !succeeds(cudaIpcOpenMemHandle(&data, *handle, cudaIpcMemLazyEnablePeerAccess))) {
    return std::nullopt;
  }
  return Buffer(static_cast<std::byte*>(data), bytes,
                [](std::byte* p) { cudaIpcCloseMemHandle(p); });
}

}  // namespace lbm::cuda
