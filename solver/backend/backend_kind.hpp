// Which kind of device computes.
#pragma once

namespace lbm {

enum class BackendKind { cpu, cuda };

constexpr const char* to_string(BackendKind kind) {
  return kind == BackendKind::cuda ? "cuda" : "cpu";
}

}  // namespace lbm
