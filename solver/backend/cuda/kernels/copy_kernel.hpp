// SPDX-License-Identifier: Apache-2.0

// A copy made by the multiprocessors: for host memory that the copy engines would treat as
// pageable.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace lbm::cuda {

// Copies on the stream without blocking the caller; the device must be able to reach both. Pointers
// and bytes are multiples of 16. Takes only a few multiprocessors.
void launch_copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t stream);

}  // namespace lbm::cuda
