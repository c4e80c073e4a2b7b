// The ways for planes from one process to another.
#pragma once

namespace lbm::tiling {

enum class ExchangeKind {
  device,  // in memory of one device that the other reads
  host,    // through memory that the processes of a host share
  mpi,     // by messages
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
