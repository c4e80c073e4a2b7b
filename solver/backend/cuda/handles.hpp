// SPDX-License-Identifier: Apache-2.0

// CUDA's streams, events and graphs, each with an owner.
#pragma once

#include <memory>
#include <type_traits>

#include "solver/backend/cuda/kernels/launches.hpp"

namespace lbm::cuda {

struct Destroy {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

// A stream of the current device. first: its kernels do not wait behind those of other streams.
inline Owned<cudaStream_t> make_stream(bool first) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "read stream priorities");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first ? greatest : 0),
        "create stream");
  return Owned<cudaStream_t>(stream);
}

inline Owned<cudaEvent_t> make_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "create event");
  return Owned<cudaEvent_t>(event);
}

}  // namespace lbm::cuda
