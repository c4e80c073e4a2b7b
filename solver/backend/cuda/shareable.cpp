// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/shareable.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "solver/backend/cuda/unwritten.hpp"

namespace lbm::cuda {
namespace {

// Handles refer to whole blocks, which small allocations share: sizes are rounded up to a block.
constexpr std::size_t block = std::size_t{2} << 20;

bool succeeds(cudaError_t code) {
  if (code != cudaSuccess) cudaGetLastError();  // later calls must not see it
  return code == cudaSuccess;
}

std::string hexadecimal(const cudaIpcMemHandle_t& handle) {
  std::string text;
  for (const char byte : handle.reserved) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

std::optional<cudaIpcMemHandle_t> handle_of(const std::string& text) {
  cudaIpcMemHandle_t handle{};
  if (text.size() != 2 * sizeof(handle.reserved)) return std::nullopt;
  for (std::size_t i = 0; i < sizeof(handle.reserved); ++i) {
    handle.reserved[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return handle;
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
  const auto handle = handle_of(name);
  void* data = nullptr;
  if (!handle || !succeeds(cudaIpcOpenMemHandle(&data, *handle, cudaIpcMemLazyEnablePeerAccess))) {
    return std::nullopt;
  }
  return Buffer(static_cast<std::byte*>(data), bytes,
                [](std::byte* p) { cudaIpcCloseMemHandle(p); });
}

}  // namespace lbm::cuda
