// SPDX-License-Identifier: Apache-2.0

// Device memory that several processes use (CUDA inter-process communication), and plain structs as
// one word of text, to hand handles of memory and connections to other processes. Connections
// between GPUs through NCCL, which is loaded when the first one is made.
#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

// Two digits for each byte.
template <class T>
std::string hexadecimal(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Nothing where the text is not that of a T.
template <class T>
std::optional<T> from_hexadecimal(const std::string& text) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (text.size() != 2 * sizeof(T)) return std::nullopt;
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(digits, digits + 2, bytes[i], 16);
    if (error != std::errc() || end != digits + 2) return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// See Backend. On the current device.
std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes);
std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes);

// Sets all bits, which is NaN in fp16, fp32 and fp64: a value that is used before it is written
// shows in the results. Kernels also read the padding at the ends of rows, and drop these values;
// nothing else writes padding, so initcheck would report it. Returns when the memory is filled.
inline cudaError_t fill_unwritten(void* device, std::size_t bytes) {
  const cudaError_t begun = cudaMemset(device, 0xff, bytes);
  return begun == cudaSuccess ? cudaStreamSynchronize(nullptr) : begun;
}

// A new name for both ends of a connection. Empty where there is no NCCL: neither nccl.h when this
// program was built nor libnccl.so.2 now.
std::string make_link_name();

// Connects `device` of this process with that of the process that opens the other end of the same
// name. Waits for the other end, for a minute at most. Null where the two cannot be connected.
std::unique_ptr<DeviceLink> open_link(const std::string& name, LinkEnd end, int device);

}  // namespace lbm::cuda
