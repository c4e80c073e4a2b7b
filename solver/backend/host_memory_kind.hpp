// Kinds of host memory for the lattice of a run out of core (host.memory of the case).
#pragma once

namespace lbm {

enum class HostMemory {
  pinned,   // page-locked: asynchronous copies by the copy engines
  managed,  // CUDA managed memory: pages move by prefetch
  system,   // plain memory that kernels of the device read and write themselves
};

constexpr const char* to_string(HostMemory kind) {
  switch (kind) {
    case HostMemory::managed:
      return "managed";
    case HostMemory::system:
      return "system";
    case HostMemory::pinned:
      break;
  }
  return "pinned";
}

}  // namespace lbm
