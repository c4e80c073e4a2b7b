// SPDX-License-Identifier: Apache-2.0

// Host memory of the lattice for the CUDA backend: how each kind is allocated, attached to the
// device, and copied. Copies find the kind of a pointer in a list of a few ranges; asking CUDA
// would take longer than submitting the copy.
#pragma once

#include <fmt/format.h>

#include <list>
#include <vector>

#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"
#include "solver/core/numa.hpp"

namespace lbm::cuda {

// Location of managed memory: a device, or the host. CUDA 13 takes a struct, older versions a
// number.
#if CUDART_VERSION >= 13000
using MemoryPlace = cudaMemLocation;
inline MemoryPlace on_device(int device) { return {cudaMemLocationTypeDevice, device}; }
inline MemoryPlace on_host() { return {cudaMemLocationTypeHost, 0}; }
inline cudaError_t prefetch(const void* data, std::size_t bytes, MemoryPlace place,
                            cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, place, 0, stream);
}
#else
using MemoryPlace = int;
inline MemoryPlace on_device(int device) { return device; }
inline MemoryPlace on_host() { return cudaCpuDeviceId; }
inline cudaError_t prefetch(const void* data, std::size_t bytes, MemoryPlace place,
                            cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, place, stream);
}
#endif

class HostRanges {
 public:
  HostRanges(int device, std::size_t pin_piece, const DeviceFacts& facts)
      : device_(device), pin_piece_(pin_piece), facts_(facts) {}
  HostRanges(const HostRanges&) = delete;
  HostRanges& operator=(const HostRanges&) = delete;

  // See Backend::allocate_host and attach_host. free_bytes: on the device.
  Buffer allocate(std::size_t bytes, HostMemory kind, const std::string& purpose,
                  std::size_t free_bytes) {
    if (const auto refusal = refusal_of(kind, facts_)) throw UsageError("host.memory: " + *refusal);
    if (kind == HostMemory::managed) return allocate_managed(bytes, purpose, free_bytes);
    Buffer memory = map_host_memory(bytes, purpose);
    place_near(memory.data(), memory.size(), facts_.numa_node);
    return memory;
  }
  Buffer attach(std::byte* data, std::size_t bytes, HostMemory kind) {
    if (kind == HostMemory::pinned) pin(data, bytes);
    const auto range = ranges_.insert(ranges_.begin(), {data, bytes, kind});
    return Buffer(data, bytes, [this, range](std::byte* p) {
      if (range->kind == HostMemory::pinned) unpin(p, range->bytes);
      ranges_.erase(range);
    });
  }

  // Memory outside all ranges is copied by the copy engine: pinned staging memory, or memory of
  // another device.
  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes, cudaStream_t stream) {
    const HostMemory kind = kind_of(host);
    if (kind == HostMemory::pinned) {
      copy_by_engine(device, host, host, bytes, "copy to device", stream);
      return;
    }
    if (kind == HostMemory::managed) {
      check(prefetch(host, bytes, on_device(device_), stream), "prefetch to the device");
    }
    launch_copy(device, host, bytes, stream);
  }
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes, cudaStream_t stream) {
    const HostMemory kind = kind_of(host);
    if (kind == HostMemory::pinned) {
      copy_by_engine(host, device, host, bytes, "copy to host", stream);
      return;
    }
    launch_copy(host, device, bytes, stream);
    if (kind == HostMemory::managed) {
      check(prefetch(host, bytes, on_host(), stream), "prefetch to the host");
    }
  }

 private:
  struct Range {
    const std::byte* begin;
    std::size_t bytes;
    HostMemory kind;
  };
  struct Piece {
    std::size_t begin, bytes;
  };

  Buffer allocate_managed(std::size_t bytes, const std::string& purpose, std::size_t free_bytes) {
    if (const auto refusal = managed_refusal(bytes, 0, free_bytes, facts_.name)) {
      throw ResourceError("host.memory: " + *refusal);
    }
    void* data = nullptr;
    if (const cudaError_t code = cudaMallocManaged(&data, bytes); code != cudaSuccess) {
      cudaGetLastError();  // the failure is reported here; later calls must not see it
      throw ResourceError(fmt::format(
          "host.memory: found managed, but there is not enough managed memory: {} for {}: {}; use "
          "host.memory: pinned",
          human_bytes(bytes), purpose, cudaGetErrorString(code)));
    }
    Buffer memory(static_cast<std::byte*>(data), bytes, [](std::byte* p) { cudaFree(p); });
    check(cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, on_host()),
          "place managed memory");
    // Two planes may share a page that is on the host when the device needs it: mapping it avoids
    // the fault.
    check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, on_device(device_)),
          "map managed memory");
    return memory;
  }

  std::vector<Piece> pieces_of(std::size_t bytes) const {
    std::vector<Piece> pieces;
    for_parts(0, bytes, pin_piece_, [&](std::size_t begin, std::size_t part) {
      pieces.push_back({begin, part});
    });
    return pieces;
  }

  // Pins all of it or throws with nothing pinned.
  void pin(std::byte* data, std::size_t bytes) {
    const std::vector<Piece> pieces = pieces_of(bytes);
    const auto count = static_cast<int>(pieces.size());
    std::vector<cudaError_t> codes(pieces.size(), cudaSuccess);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i) {
      // The current device is a property of the thread.
      codes[i] = cudaSetDevice(device_);
      if (codes[i] != cudaSuccess) continue;
      codes[i] = cudaHostRegister(data + pieces[i].begin, pieces[i].bytes, cudaHostRegisterDefault);
      if (codes[i] != cudaSuccess) cudaGetLastError();
    }
    cudaError_t failure = cudaSuccess;
    for (const cudaError_t code : codes) failure = failure == cudaSuccess ? code : failure;
    if (failure == cudaSuccess) return;
    for (int i = 0; i < count; ++i) {
      if (codes[i] == cudaSuccess) cudaHostUnregister(data + pieces[i].begin);
    }
    throw ResourceError(fmt::format("cannot pin {} of host memory for {}: {}; use a smaller grid",
                                    human_bytes(bytes), facts_.name, cudaGetErrorString(failure)));
  }
  void unpin(std::byte* data, std::size_t bytes) {
    const std::vector<Piece> pieces = pieces_of(bytes);
    const auto count = static_cast<int>(pieces.size());
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i) {
      cudaSetDevice(device_);
      cudaHostUnregister(data + pieces[i].begin);
    }
  }

  const Range* find(const std::byte* host) const {
    for (const Range& range : ranges_) {
      if (host >= range.begin && host < range.begin + range.bytes) return &range;
    }
    return nullptr;
  }

  HostMemory kind_of(const std::byte* host) const {
    const Range* range = find(host);
    return range == nullptr ? HostMemory::pinned : range->kind;
  }

  // Copies pinned memory in parts, each within one registration.
  void copy_by_engine(std::byte* to, const std::byte* from, const std::byte* host,
                      std::size_t bytes, const char* what, cudaStream_t stream) {
    const Range* range = find(host);
    const std::size_t start = range == nullptr ? 0 : static_cast<std::size_t>(host - range->begin);
    for_parts(start, bytes, range == nullptr ? bytes : pin_piece_,
              [&](std::size_t begin, std::size_t part) {
                check(cudaMemcpyAsync(to + (begin - start), from + (begin - start), part,
                                      cudaMemcpyDefault, stream),
                      what);
              });
  }

  int device_;
  std::size_t pin_piece_;
  DeviceFacts facts_;
  std::list<Range> ranges_;  // the newest first: a later attach() of the same memory counts
};

}  // namespace lbm::cuda
