// The ways in which planes go from one process to another.
#pragma once

namespace lbm::tiling {

enum class ExchangeKind {
  device,  // through memory of one device that the other device reaches
  host,    // through memory that the processes of a host share
  mpi,     // by MPI messages
};

constexpr const char* to_string(ExchangeKind kind) {
  switch (kind) {
    case ExchangeKind::device:
      return "device";
    case ExchangeKind::host:
      return "host";
    case ExchangeKind::mpi:
      break;
  }
  return "mpi";
}

}  // namespace lbm::tiling
