// SPDX-License-Identifier: Apache-2.0

// State of CUDA before a GPU is used, for `lbm doctor`: the driver, the code in the program, NCCL,
// and the GPUs that reach each other's memory. No function throws. A build without CUDA returns
// default values.
#pragma once

#include <string>

namespace lbm {

// Versions in CUDA's form: 12040 is 12.4.
struct CudaDriver {
  bool built_in = false;  // the program has a CUDA backend
  int toolkit = 0;        // of the build; 0: not built in
  int supported = 0;      // the newest that the driver of this machine supports; 0: no driver
  int devices = 0;
  std::string error;  // CUDA's reason why no GPU can be used; empty: one can
};
CudaDriver cuda_driver();

// The code that the driver uses for the kernels on a GPU. Numbers are compute capabilities: 90 is
// 9.0. If binary and ptx differ, the driver has compiled the code from PTX.
struct KernelCode {
  int binary = 0, ptx = 0;
  std::string error;  // why there is no code; empty: there is
};
KernelCode kernel_code(int device);

// NCCL, which connects GPUs of several hosts.
struct NcclVersions {
  bool built_in = false;  // the program can call it
  int found = 0;          // version of the library: 22807 is 2.28.7; 0: no usable one
};
// Loads the library if it exists.
NcclVersions nccl_versions();

// True if GPU `from` can read and write memory of GPU `to` directly.
bool peer_access(int from, int to);

}  // namespace lbm
