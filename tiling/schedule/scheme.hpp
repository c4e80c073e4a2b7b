// SPDX-License-Identifier: Apache-2.0

// The ways to schedule a run, and those in which planes go from one process to another.
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm::tiling {

enum class Scheme {
  in_core,    // all planes live on the device
  wavefront,  // temporal blocking: planes stream through the device, time-skewed, no redundant work
  halo,       // temporal blocking: planes stream through in tiles with recomputed halos
};

constexpr auto enum_names(Scheme) { return std::array{"in_core", "wavefront", "halo"}; }
using lbm::to_string;

enum class ExchangeKind {
  device,  // through memory of one device that the other device reaches
  host,    // through memory that the processes of a host share
  nccl,    // from device to device by NCCL, also between hosts
  mpi,     // by MPI messages
};

constexpr auto enum_names(ExchangeKind) { return std::array{"device", "host", "nccl", "mpi"}; }

// True if halo planes stay in device memory. They then do not use the link between host and device.
constexpr bool stays_on_devices(ExchangeKind kind) {
  return kind == ExchangeKind::device || kind == ExchangeKind::nccl;
}
// True if different hosts can exchange planes in this way.
constexpr bool joins_hosts(ExchangeKind kind) {
  return kind == ExchangeKind::nccl || kind == ExchangeKind::mpi;
}

}  // namespace lbm::tiling
