// SPDX-License-Identifier: Apache-2.0

// Host memory of the lattice for the CUDA backend: how each kind is allocated, attached to the
// device, and copied. Copies find the kind of a pointer in a list of a few ranges; asking CUDA
// would take longer than submitting the copy.
#pragma once

#include <cuda_runtime_api.h>

#include <list>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

class HostRanges {
 public:
  HostRanges(int device, std::size_t pin_piece, const DeviceFacts& facts)
      : device_(device), pin_piece_(pin_piece), facts_(facts) {}
  HostRanges(const HostRanges&) = delete;
  HostRanges& operator=(const HostRanges&) = delete;

  // See Backend::allocate_host and attach_host. free_bytes: on the device.
  Buffer allocate(std::size_t bytes, HostMemory kind, const std::string& purpose,
                  std::size_t free_bytes);
  Buffer attach(std::byte* data, std::size_t bytes, HostMemory kind);

  // Memory outside all ranges is copied by the copy engine: pinned staging memory, or memory of
  // another device.
  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes, cudaStream_t stream);
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes, cudaStream_t stream);

 private:
  struct Range {
    const std::byte* begin;
    std::size_t bytes;
    HostMemory kind;
  };

  const Range* find(const std::byte* host) const;  // null: in none
  HostMemory kind_of(const std::byte* host) const;
  void copy_by_engine(std::byte* to, const std::byte* from, const std::byte* host,
                      std::size_t bytes, const char* what, cudaStream_t stream);
  Buffer allocate_managed(std::size_t bytes, const std::string& purpose, std::size_t free_bytes);
  void pin(std::byte* data, std::size_t bytes);
  void unpin(std::byte* data, std::size_t bytes);

  int device_;
  std::size_t pin_piece_;
  DeviceFacts facts_;
  std::list<Range> ranges_;  // the newest first: a later attach() of the same memory counts
};

}  // namespace lbm::cuda
