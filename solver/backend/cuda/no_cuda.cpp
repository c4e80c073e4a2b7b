// SPDX-License-Identifier: Apache-2.0

// Replaces the CUDA backend in builds without CUDA.
#include "solver/backend/backend.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/error.hpp"

namespace lbm {

std::unique_ptr<Backend> make_cuda_backend(int, std::size_t) {
  throw UsageError(
      "device.backend: cuda was asked for, but this program was built without CUDA; "
      "build it where a CUDA toolkit is installed, or use device.backend: cpu");
}

int cuda_device_count() { return 0; }
std::vector<std::string> cuda_device_names() { return {}; }

CudaDriver cuda_driver() { return {}; }
KernelCode kernel_code(int) { return {}; }
NcclVersions nccl_versions() { return {}; }
bool peer_access(int, int) { return false; }

}  // namespace lbm
